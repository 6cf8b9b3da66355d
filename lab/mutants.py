"""Mutants of the rules, the reveal, the table and the checks: which small change does no test notice?

A mutant has one operator, number or truth value changed. It is made in a copy of the project, where the
tests that reach the changed function run until one fails, first those that are quick and reach few functions.
One that survives shows what no test holds, or changes nothing. Left out are tests that drive a browser, and
what a test reaches in a process of its own.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("companion", "docs", "hardware", "lab", "tests", "vision", "web", "README.md", "pyproject.toml")
GAME = "tests/test_rule_cases.py tests/companion tests/web"
ROOMS = {
    "rules": ("companion/rules/*.py", GAME),
    "reveal": ("companion/reveal/risk.py companion/reveal/claims.py companion/reveal/counts.py", GAME),
    "table": ("companion/table/*.py", GAME),
    "checks": ("vision/checks/*.py", "tests/vision"),
}
"""The modules of each room, and the folders of the tests that may hold them."""
STAGES = (100, 500)
"""So many tests run first, and so many then: to collect all of them takes longer than most mutants live."""

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module of which one change is made: in the node of that number, in its part of that number. `within`
    are the first lines of the functions around it, none where it is a number with a name."""

    path: str
    node: int
    part: int
    within: frozenset[int] = frozenset()

    def made(self, source: str) -> tuple[str, str]:
        """The change in words, and the module's source with it."""
        tree = ast.parse(source)
        node = next(one for number, one in enumerate(ast.walk(tree)) if number == self.node)
        before = ast.unparse(node)
        _change(node, self.part)
        line = getattr(node, "lineno", 0)
        return f"{self.path}:{line} {before[:90]} -> {ast.unparse(node)[:90]}", ast.unparse(tree)


def mutants(path: str, source: str) -> list[Mutant]:
    """Every mutant of a module: of what its functions do, and of the numbers it names."""
    tree = ast.parse(source)
    within: dict[int, set[int]] = {}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        for below in (below for statement in function.body for below in ast.walk(statement)):
            within.setdefault(id(below), set()).add(first)
    named = {id(below) for top in tree.body if isinstance(top, ast.Assign) for below in ast.walk(top.value)}
    return [
        Mutant(path, number, part, frozenset(within.get(id(node), ())))
        for number, node in enumerate(ast.walk(tree))
        if id(node) in within or id(node) in named
        for part in range(_parts(node))
    ]


def _parts(node: ast.AST) -> int:
    """How many parts of a node can be changed."""
    if isinstance(node, ast.Compare):
        return len(node.ops)
    number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return int(number or (isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS))


def _change(node: ast.AST, part: int) -> None:
    if isinstance(node, ast.Compare):
        node.ops[part] = SWAPS[type(node.ops[part])]()  # type: ignore[call-overload]
    elif isinstance(node, ast.BinOp | ast.BoolOp):
        node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Constant):
        value = node.value
        node.value = not value if isinstance(value, bool) else 2 * value + 1  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class Reaching:
    """A test, its seconds, and the functions it reaches: module and first line."""

    name: str
    seconds: float
    reached: frozenset[tuple[str, int]]


def recorded(copy: Path, suite: str) -> list[Reaching]:
    """The tests that pass without any mutant, first those that are quick and reach few functions."""
    file = copy / "reached.json"
    patterns = " ".join(modules for modules, _ in ROOMS.values()).split()
    folders = {f"{Path(pattern).parent}/" for pattern in patterns}
    green(copy, suite.split(), {"REACHED": str(file), "REACHED_IN": " ".join(folders)}, None)
    tests = json.loads(file.read_text(encoding="utf-8")).items()
    if not tests:
        sys.exit("no test passes without any mutant")
    found = [Reaching(name, one["seconds"], frozenset(map(tuple, one["reached"]))) for name, one in tests]
    return sorted(found, key=lambda test: test.seconds * len(test.reached))


def nearest(mutant: Mutant, tests: list[Reaching]) -> list[Reaching]:
    """The tests that reach a mutant's function, in their order; for a number with a name, and for what only
    the import runs, all tests, first those that reach its module."""
    around = {(mutant.path, line) for line in mutant.within}
    if found := [test for test in tests if test.reached & around]:
        return found
    return sorted(tests, key=lambda test: all(path != mutant.path for path, _ in test.reached))


def survives(copy: Path, mutant: Mutant, source: str, tests: list[Reaching]) -> bool:
    """Whether every one of these tests still passes with the mutant in the copy."""
    path = copy / mutant.path
    whole = path.read_text(encoding="utf-8")
    path.write_text(source, encoding="utf-8")
    try:
        stages = (tests[start:end] for start, end in zip((0, *STAGES), (*STAGES, None), strict=True))
        return all(_pass(copy, some) for some in stages if some)
    finally:
        path.write_text(whole, encoding="utf-8")


def _pass(copy: Path, tests: list[Reaching]) -> bool:
    (copy / "chosen").write_text("\n".join(test.name for test in tests), encoding="utf-8")
    files = sorted({test.name.partition("::")[0] for test in tests})
    enough = 120 + 5 * sum(test.seconds for test in tests)
    return green(copy, ["-x", *files], {"CHOSEN": str(copy / "chosen")}, enough)


def green(copy: Path, words: list[str], settings: dict[str, str], seconds: float | None) -> bool:
    """Whether these tests pass in the copy, within so many seconds."""
    options = ["-q", "-p", "no:cacheprovider", "-p", "lab.reached", "-m", "not browser", *words]
    command, quiet = [sys.executable, "-m", "pytest", *options], subprocess.DEVNULL
    try:
        ran = subprocess.run(command, cwd=copy, env=os.environ | settings, stdout=quiet, timeout=seconds)
        return ran.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main() -> None:
    """Make a sample of mutants of each room, and print those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=20, help="mutants of each room (default 20)")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of one sample, or of several")
    parser.add_argument("rooms", nargs="*", default=[*ROOMS], help=f"of {', '.join(ROOMS)} (default: all)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            place = ROOT / name
            (shutil.copytree if place.is_dir() else shutil.copy)(place, copy / name)
        suites = {ROOMS[room][1]: None for room in chosen.rooms}
        tests = recorded(copy, " ".join(suites))
        for room, seed in product(chosen.rooms, chosen.seed):
            _report(copy, room, chosen.each, seed, tests)


def _report(copy: Path, room: str, each: int, seed: int, tests: list[Reaching]) -> None:
    paths = [path for pattern in ROOMS[room][0].split() for path in sorted(copy.glob(pattern))]
    sources = {path.relative_to(copy).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    every = [mutant for path, source in sources.items() for mutant in mutants(path, source)]
    sample = Random(seed).sample(every, min(each, len(every)))
    alive = 0
    for mutant in sample:
        said, source = mutant.made(sources[mutant.path])
        if survives(copy, mutant, source, nearest(mutant, tests)):
            alive += 1
            print(f"  survives: {said}", flush=True)
    killed = f"{len(sample) - alive} of {len(sample)} killed"
    print(f"{room}, seed {seed}: {killed}; there are {len(every)}", flush=True)


if __name__ == "__main__":
    main()
