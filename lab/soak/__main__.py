"""`make soak`: tortures the box for some minutes and says what came of it.

    python -m lab.soak --minutes 10 [--seed N] [--write] [WORD ...]

Words choose scenarios by name. `--write` puts the table into docs/reference/reliability.md.
"""

import argparse
import platform
import sys
import time
import traceback
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random

from companion import memory
from lab.soak.scenario import Row, Scenario, budgets, scenarios
from lab.soak.table import markdown, replaced

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "reliability.md"


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was chosen; 1 where something was lost or wrong, 2 where nothing has that name."""
    given = _arguments(argv)
    chosen = scenarios(given.words)
    if not chosen:
        print(f"There is no scenario named {' or '.join(given.words)}.", file=sys.stderr)
        return 2
    memory.keep()  # as every command does
    results = [
        (one, _tried(one, budget_s, given.seed, f"{number} of {len(chosen)}"))
        for number, (one, budget_s) in enumerate(
            zip(chosen, budgets(chosen, 60 * given.minutes), strict=True), 1
        )
    ]
    if given.write:
        heading = f"{given.minutes:g} minutes, seed {given.seed}, {_machine()}, {date.today().isoformat()}."
        PAGE.write_text(
            replaced(PAGE.read_text(encoding="utf-8"), markdown(results, heading)), encoding="utf-8"
        )
    return 1 if any(row.lost or row.wrong for _, row in results) else 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.soak", description="Torture the box for a while.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only scenarios whose name holds a word")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all of them together (10)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of everything random")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    return parser.parse_args(argv)


def _tried(scenario: Scenario, budget_s: float, seed: int, where: str) -> Row:
    """Run one scenario, with a line before and after it. One that raises is wrong once; the rest goes on."""
    print(f"{where}  {scenario.name}, {budget_s:.0f} s ...", flush=True)
    try:
        row = scenario.run(budget_s, Random(f"{seed} {scenario.name}"))
    except Exception as error:
        traceback.print_exc()
        row = Row(1, wrong=1, remark=f"{type(error).__name__}: {error}")
    counts = f"tried {row.tried}, noticed {row.detected}, lost {row.lost}, wrong {row.wrong}"
    print(f"      {counts}. {row.remark}")
    return row


def _machine() -> str:
    return f"Python {platform.python_version()} on {platform.machine()}"


if __name__ == "__main__":
    sys.exit(main())
