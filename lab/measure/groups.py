"""`python -m lab.measure.groups`: names of colours and groups of equal dice on labelled photographs.

Per set: dice and those with the right name; groups and those that hold two colours; pairs of colours in one
picture and those that share a name; colours in a picture and those with two names.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from lab.measure.kept_readings import readings
from tests.vision.photographs import PHOTOS, photographs
from tests.vision.scoring import Label, matched
from vision.values import Die, Reading

SETS = (
    *("dev/king", "dev/wik", "dev/damian", "dev/kamil", "dev/fudw"),
    *("dev2/marceli", "dev2/azb", "dev2/kamil", "dev2/trays"),
    *("dev3/casino", "dev3/dark", "dev3/kosta", "dev3/many", "dev3/poly", "dev3/tomek"),
)
COLUMNS = ("dice", "right", "groups", "mixed", "pairs", "shared", "colours", "with two names")


def counted(label: Label, reading: Reading) -> Counter[str]:
    """The columns of one photograph."""
    found = [(label["dice"][k], die) for k, die in matched(label, reading).items()]
    pairs = [(true["colour"], die) for true, die in found if not true.get("ignore") and true.get("colour")]
    held = _held(pairs, reading)
    names: dict[Any, set[str]] = defaultdict(set)
    for true, die in pairs:
        names[true].add(die.colour)
    sharing = [not names[one].isdisjoint(names[other]) for one, other in combinations(names, 2)]
    return Counter(
        {
            "dice": len(pairs),
            "right": sum(true == die.colour for true, die in pairs),
            "groups": len(held),
            "mixed": sum(len(colours) > 1 for colours in held),
            "pairs": len(sharing),
            "shared": sum(sharing),
            "colours": len(names),
            "with two names": sum(len(said) > 1 for said in names.values()),
        }
    )


def _held(pairs: Iterable[tuple[str, Die]], reading: Reading) -> list[set[str]]:
    """The colours that each group holds."""
    true = {id(die): colour for colour, die in pairs}
    groups = ([id(reading.dice[k]) for k in group.dice] for group in reading.groups)
    colours = ({true[die] for die in group if die in true} for group in groups)
    return [held for held in colours if held]


def main(words: Sequence[str] | None = None) -> int:
    """Print the table."""
    ask = argparse.ArgumentParser(prog="python -m lab.measure.groups", description=__doc__)
    ask.add_argument("--folder", type=Path, default=PHOTOS.parent, help="holds dev, dev2 and dev3")
    ask.add_argument("--set", dest="sets", action="append", help=f"default: {' '.join(SETS)}")
    ask.add_argument("--jobs", type=int, default=2, help="processes that read (default 2)")
    asked = ask.parse_args(words)
    print("| set | " + " | ".join(COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|")
    total = Counter[str]()
    for name in asked.sets or SETS:
        photos = list(photographs([name], asked.folder))
        read = readings(photos, asked.jobs)
        here = sum((counted(p.label, one) for p, one in zip(photos, read, strict=True)), Counter[str]())
        total += here
        print(f"| {name} | " + " | ".join(str(here[column]) for column in COLUMNS) + " |", flush=True)
    print("| all | " + " | ".join(str(total[column]) for column in COLUMNS) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
