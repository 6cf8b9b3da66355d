"""Mutants of the rules, the reveal and the checks: which small change of the code does no test notice?

A mutant has one operator, number or truth value changed. It is made in a copy of the project, where the
tests of its folder run until one fails. One that survives shows what no test holds, or changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("companion", "docs", "hardware", "lab", "tests", "vision", "web", "pyproject.toml")
ROOMS = {
    "rules": (
        "companion/rules/*.py",
        "tests/test_rule_cases.py tests/companion/test_judge.py tests/companion/test_rule_oracle.py "
        "tests/companion/test_events.py tests/companion/test_older_records.py tests/companion/test_tally.py "
        "tests/companion/test_seating.py tests/companion/test_pushing.py tests/companion/test_bonuses.py "
        "tests/companion/test_teams.py tests/companion/test_turn_clock.py tests/companion/test_handicap.py "
        "tests/companion/test_rulebook.py tests/companion/test_odds.py "
        "tests/companion/test_game_machine.py",
    ),
    "reveal": (
        "companion/reveal/risk.py companion/reveal/claims.py companion/reveal/counts.py",
        "tests/companion/test_counts.py "
        "tests/companion/test_reveal_risk.py tests/companion/test_reveal.py "
        "tests/companion/test_reveal_parts.py "
        "tests/companion/test_reveal_places.py tests/companion/test_reveal_marking.py "
        "tests/companion/test_reveal_properties.py",
    ),
    "table": (
        "companion/table/*.py",
        "tests/companion/test_table.py tests/companion/test_table_people.py tests/companion/test_ledger.py "
        "tests/companion/test_table_reveals.py tests/companion/test_table_seats.py "
        "tests/companion/test_authority.py tests/companion/test_knowledge.py "
        "tests/companion/test_folder.py "
        "tests/companion/test_older_records.py "
        "tests/companion/test_pushing.py "
        "tests/companion/test_recalling.py "
        "tests/companion/test_resuming.py tests/companion/test_bundle.py tests/companion/test_rolling.py "
        "tests/companion/test_seat_sequences.py "
        "tests/companion/test_presses.py tests/companion/test_amending.py "
        "tests/companion/test_reveal_phones.py tests/companion/test_cup_reader.py "
        "tests/companion/test_handicap.py tests/companion/test_live_view.py "
        "tests/companion/test_journal.py tests/companion/test_read_back.py "
        "tests/companion/storage/test_releases.py",
    ),
    "checks": ("vision/checks/*.py", "tests/vision/checks"),
}
"""The modules of each room, and the tests that hold them."""

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
    """A module of which one change is made: in the node of that number, in its part of that number."""

    path: str
    node: int
    part: int

    def made(self) -> tuple[str, str]:
        """The change in words, and the source with it."""
        tree = ast.parse((ROOT / self.path).read_text(encoding="utf-8"))
        node = next(one for number, one in enumerate(ast.walk(tree)) if number == self.node)
        before = ast.unparse(node)
        _change(node, self.part)
        line = getattr(node, "lineno", 0)
        return f"{self.path}:{line} {before[:90]} -> {ast.unparse(node)[:90]}", ast.unparse(tree)


def mutants(path: str, source: str) -> list[Mutant]:
    """Every mutant of a module: of what its functions do, and of the numbers it names."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    named = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    bodies = [statement for function in functions for statement in function.body]
    does = {id(below) for top in (*named, *bodies) for below in ast.walk(top)}
    numbered = [(number, node) for number, node in enumerate(ast.walk(tree)) if id(node) in does]
    return [Mutant(path, number, part) for number, node in numbered for part in range(_parts(node))]


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


def survives(copy: Path, mutant: Mutant, source: str, tests: str) -> bool:
    """Whether every test still passes with the mutant in the copy, within ten minutes."""
    path = copy / mutant.path
    whole = path.read_text(encoding="utf-8")
    path.write_text(source, encoding="utf-8")
    try:
        return green(copy, tests)
    finally:
        path.write_text(whole, encoding="utf-8")


def green(copy: Path, tests: str) -> bool:
    """Whether these tests pass in the copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests.split()]
    try:
        return (
            subprocess.run(command, cwd=copy, capture_output=True, timeout=600, check=False).returncode == 0
        )
    except subprocess.TimeoutExpired:
        return False


def main() -> None:
    """Make a sample of mutants of each room, and print those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=20, help="mutants of each room (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rooms", nargs="*", default=[*ROOMS], help=f"of {', '.join(ROOMS)} (default: all)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            place = ROOT / name
            (shutil.copytree if place.is_dir() else shutil.copy)(place, copy / name)
        for room in chosen.rooms:
            _report(copy, room, chosen.each, Random(chosen.seed))


def _report(copy: Path, room: str, each: int, random: Random) -> None:
    patterns, tests = ROOMS[room]
    if not green(copy, tests):
        sys.exit(f"{room}: its tests fail without any mutant")
    paths = [path for pattern in patterns.split() for path in sorted(ROOT.glob(pattern))]
    modules = [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in paths]
    every = [mutant for path, source in modules for mutant in mutants(path, source)]
    sample = random.sample(every, min(each, len(every)))
    alive = 0
    for mutant in sample:
        said, source = mutant.made()
        if survives(copy, mutant, source, tests):
            alive += 1
            print(f"  survives: {said}", flush=True)
    print(f"{room}: {len(sample) - alive} of {len(sample)} killed; there are {len(every)}", flush=True)


if __name__ == "__main__":
    main()
