"""`make bench`: runs every lab/bench/bench_*.py and prints one table.

A benchmark module offers `rows()`, which yields tuples of what was measured, the figure with its
unit, and if need be a remark: `("read one photograph", "41 ms", "1280 x 960, five dice")`. Words on
the command line choose modules: `make bench ARGS="vision"`. With "against" first, the tree is compared
with that of another commit.
"""

import importlib
import platform
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion import memory

Row = Sequence[object]
HERE = Path(__file__).resolve().parent


def names(chosen: Sequence[str]) -> list[str]:
    """The benchmark modules whose name holds one of the chosen words; all without any."""
    found = sorted(path.stem for path in HERE.glob("bench_*.py"))
    return [name for name in found if not chosen or any(word in name for word in chosen)]


def table(rows: Iterable[Row]) -> list[str]:
    """The rows as lines with aligned columns; figures, the second column, to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    columns = max(map(len, cells), default=0)
    widths = [max(len(row[i]) for row in cells if i < len(row)) for i in range(columns)]
    return [line(row, widths) for row in cells]


def line(cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = [
        cell.rjust(width) if i == 1 else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=False))
    ]
    return "  ".join(aligned).rstrip()


def main(chosen: Sequence[str]) -> int:
    if chosen[:1] == ["against"]:
        return importlib.import_module("lab.bench.against").main(chosen[1:])  # type: ignore[no-any-return]
    memory.keep()  # as every command does
    modules = names(chosen)
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    for name in modules:
        started_s = time.perf_counter()
        rows = list(importlib.import_module(f"lab.bench.{name}").rows())
        print(f"\n{name.removeprefix('bench_')}  ({time.perf_counter() - started_s:.1f} s)")
        print("\n".join(f"  {text}" for text in table(rows)))
    if not modules:
        print(f"There is no benchmark named {' or '.join(chosen) or 'anything'}.", file=sys.stderr)
    return 0 if modules else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
