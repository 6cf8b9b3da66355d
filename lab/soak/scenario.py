"""One way to torture the box, and what came of it.

A module `lab/soak/soak_*.py` offers `scenarios() -> tuple[Scenario, ...]`; `python -m lab.soak` runs all
of them in turn, and `make lab-test` runs each for a moment.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one scenario.

    `tried`: how many faults were made. `noticed`: how many of them the box reported, or came back from, where
    that can be counted. `lost`: acknowledged commands that are gone without a word. `wrong`: starts that
    failed, verdicts or states that are not what was played. `lost` and `wrong` must be 0. `remark` is one
    sentence with the figures that matter besides.
    """

    tried: int
    detected: int = 0
    lost: int = 0
    wrong: int = 0
    remark: str = ""

    def __add__(self, other: Row) -> Row:
        """Both together; the later remark stays."""
        return Row(
            self.tried + other.tried,
            self.detected + other.detected,
            self.lost + other.lost,
            self.wrong + other.wrong,
            other.remark or self.remark,
        )

    def saying(self, remark: str) -> Row:
        """The same with this remark."""
        return replace(self, remark=remark)


Run = Callable[[float, Random], Row]
"""Takes the seconds it may take and its dice; tries at least once, and ends soon after that time."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named way to torture the box. `share` is its weight when the time is divided: an idle box needs more
    of it than a flipped bit."""

    name: str
    run: Run
    share: float = 1.0


def scenarios(words: Sequence[str] = ()) -> list[Scenario]:
    """Every scenario whose name holds one of the words; all without any."""
    names = sorted(path.stem for path in HERE.glob("soak_*.py"))
    found = [one for name in names for one in importlib.import_module(f"lab.soak.{name}").scenarios()]
    return [one for one in found if not words or any(word in one.name for word in words)]


def turns(budget_s: float) -> Iterator[int]:
    """Counts from 0 until the budget is spent, at least to 0."""
    until_s, turn = time.monotonic() + budget_s, 0
    while turn == 0 or time.monotonic() < until_s:
        yield turn
        turn += 1


def budgets(chosen: Sequence[Scenario], whole_s: float) -> list[float]:
    """The seconds of each scenario when `whole_s` are divided by their shares."""
    shares = sum(one.share for one in chosen)
    return [whole_s * one.share / shares for one in chosen]
