"""`python -m lab.measure.reveals`: how many verdicts on labelled photographs need no question.

A tight call is `dudo` on exactly the true count of a face and on one more, for each face, aces wild, the
number of dice on the table being known. Per set: the share of tight calls that one picture settles unasked
(with an interval of 95 % over photographs), questions per reveal when a person answers truly, and wrong
verdicts, unasked and after all answers. With `--left-out` probabilities are calibrated without the set's
source; those in use are fitted with it. Readings are kept in `.scratch/` until the reader changes.
Photographs labelled as seen from the side, where no top face can be read, have a row of their own.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from companion.cli.judge import holds
from companion.reveal.assessing import Assessment, assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Add, ByHand, Correction, SetFace, Several, Strike, TwoDice
from companion.reveal.observations import Observation
from companion.reveal.questions import Ask, Question
from companion.reveal.revealed import RevealedDie
from companion.reveal.state import ALL, RevealState, with_correction, with_observation
from lab.measure.calibrate import SETS as EVERY_SET
from lab.measure.calibrate import fitted, read_sets, source
from lab.measure.kept_readings import readings
from tests.vision.photographs import PHOTOS, Photo, photographs
from tests.vision.scoring import REACH
from vision.agreement.calibration import calibrated
from vision.contract import to_json
from vision.fits import Weights
from vision.values import Reading

SETS = (
    *("dev/king", "dev/wik", "dev/damian", "dev/kamil", "dev/fudw", "dev/circ", "dev/byler", "dev/pxl"),
    *("dev2/marceli", "dev2/azb", "dev2/kamil", "dev2/trays"),
    *("dev3/many", "dev3/tomek", "dev3/kosta", "dev3/poly", "dev3/dark", "dev3/casino", "dev3/printed"),
)
MAX_QUESTIONS = 60
DRAWS = 2000
"""Of the bootstrap over photographs that gives the interval."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Over any number of tight calls; `wrong_unasked` were settled by the picture alone."""

    photos: int = 0
    calls: int = 0
    unasked: int = 0
    wrong_unasked: int = 0
    questions: int = 0
    wrong: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class Truth:
    """The labelled dice of one photograph that count, with the height of the picture over its width."""

    dice: tuple[dict[str, Any], ...]
    height: float

    def at(self, x: float, y: float) -> dict[str, Any] | None:
        """The die labelled at a place, in fractions of the picture."""
        near = min(self.dice, key=lambda die: self.far(die, x, y), default=None)
        return near if near and self.far(near, x, y) < REACH * near["size"] else None

    def far(self, die: dict[str, Any], x: float, y: float) -> float:
        """Picture widths from a die."""
        return math.hypot(die["x"] - x, (die["y"] - y) * self.height)


def tight_calls(truth: Truth) -> Iterator[tuple[Claim, int]]:
    """Every tight call with the true count."""
    for face in range(1, 7):
        wild = face != 1
        count = sum(die["face"] == face or (wild and die["face"] == 1) for die in truth.dice)
        for quantity in (count, count + 1):
            if quantity:
                yield Claim(Kind.DUDO, face, quantity, wild), count


def of_photo(label: dict[str, Any], observation: Observation) -> Counts:
    """All tight calls on one photograph."""
    dice = tuple(die for die in label["dice"] if not die.get("ignore"))
    truth = Truth(dice, observation.height / observation.width)
    counts = Counts(photos=1)
    for claim, count in tight_calls(truth):
        counts += played(claim, count, truth, observation)
    return counts


def unasked(label: dict[str, Any], observation: Observation) -> tuple[int, int]:
    """How many tight calls on one photograph the picture alone settles, and how many of them wrongly."""
    dice = tuple(die for die in label["dice"] if not die.get("ignore"))
    settled = wrong = 0
    for claim, count in tight_calls(Truth(dice, observation.height / observation.width)):
        found = assess(with_observation(RevealState(claim, len(dice)), ALL, observation))
        settled += found.settled
        wrong += found.settled and holds(claim, found) != (count >= claim.quantity)
    return settled, wrong


def observed(reading: Reading, weights: Weights | None = None) -> Observation:
    """The reading as the table gets it, by other weights of the calibration where they are given."""
    return Observation.from_json(to_json(calibrated(reading, weights), "", {"decode": 0.0, "read": 0.0}))


def left_out(name: str, asked: argparse.Namespace) -> Weights:
    """The calibration fitted without the source of a set."""
    read = read_sets(EVERY_SET, asked.folder, asked.jobs)
    return fitted([one for one in read if source(one[0]) != name.rpartition("/")[2]])


def played(claim: Claim, count: int, truth: Truth, observation: Observation) -> Counts:
    """One call: the picture alone, then questions answered truly until it is settled."""
    state = with_observation(RevealState(claim, len(truth.dice)), ALL, observation)
    found, asked, right = assess(state), 0, count >= claim.quantity
    unasked = found.settled
    wrong_unasked = unasked and holds(claim, found) != right
    while not found.settled and asked < MAX_QUESTIONS:
        first = found.questions[0] if found.questions else None
        said = answer(first, found, truth) if first else None
        state = with_correction(state, said or ByHand(count))
        found, asked = assess(state), asked + 1
    return Counts(0, 1, unasked, wrong_unasked, asked, not found.settled or holds(claim, found) != right)


def answer(question: Question, found: Assessment, truth: Truth) -> Correction | None:
    """What somebody says who sees the dice; None where all are told already, or what was told by hand lies
    where another die is: then only a count helps."""
    shown = {die.id: die for die in found.dice}
    if question.ask is Ask.MISSING:
        known = [spot for die in found.dice if die.counted and (spot := _labelled(die, truth))]
        hidden = [die for die in truth.dice if not any(die is other for other in known)]
        free = [die for die in hidden if not _taken(die, found, truth)]
        return Add(free[0]["face"], ALL, free[0]["x"], free[0]["y"]) if free else None
    assert question.die is not None, "one picture shows no die twice"
    if len(question.marked) > 1:
        return _of_marked(question, found, truth)
    die = _labelled(shown[question.die], truth)
    if die is None or _shown_better(question.die, die, found, truth):
        return Strike(question.die)
    return SetFace(question.die, die["face"])


def _of_marked(question: Question, found: Assessment, truth: Truth) -> Correction:
    """That all marked dice are what they are taken for, or the first that is not."""
    said: list[SetFace | Strike | TwoDice] = []
    for mark in question.marked:
        correction = answer(replace(question, die=mark.die, marked=()), found, truth)
        assert isinstance(correction, SetFace | Strike), "a die that is seen gets a correction"
        if correction != (SetFace(mark.die, mark.face) if mark.face else Strike(mark.die)):
            return correction
        said.append(correction)
    return Several(tuple(said))


def _taken(label: dict[str, Any], found: Assessment, truth: Truth) -> bool:
    """Whether the reveal has a die by hand where this one lies."""
    spoken = (die for die in found.dice if die.by_hand and die.counted)
    return any(truth.far(label, die.x or 0.0, die.y or 0.0) <= REACH * die.size for die in spoken)


def _labelled(die: RevealedDie, truth: Truth) -> dict[str, Any] | None:
    return None if die.x is None or die.y is None else truth.at(die.x, die.y)


def _shown_better(id_: str, label: dict[str, Any], found: Assessment, truth: Truth) -> bool:
    """Whether another die of the reveal lies nearer to the labelled one: this is its side face, say."""
    same = [die for die in found.dice if die.counted and _labelled(die, truth) is label]
    nearest = min(same, key=lambda die: (not die.by_hand, truth.far(label, die.x or 0.0, die.y or 0.0)))
    return nearest.id != id_


def interval(photos: Sequence[Counts], seed: int = 1) -> tuple[float, float]:
    """95 % of the share settled unasked, by drawing photographs anew: the calls on one depend on it."""
    rng, shares = random.Random(seed), []
    for _ in range(DRAWS):
        drawn = rng.choices(photos, k=len(photos))
        shares.append(sum(c.unasked for c in drawn) / max(1, sum(c.calls for c in drawn)))
    shares.sort()
    return shares[round(0.025 * DRAWS)], shares[round(0.975 * DRAWS) - 1]


HEAD = (
    "| set | photos | tight calls | settled unasked | 95 % interval | questions a reveal | wrong unasked "
    "| wrong |"
)
RULE = "|---|---|---|---|---|---|---|---|"


def line(name: str, photos: Sequence[Counts]) -> str:
    """One row of the table."""
    total, calls = sum(photos, Counts()), max(1, sum(c.calls for c in photos))
    low, high = interval(photos)
    cells = [name, total.photos, total.calls, f"{100 * total.unasked / calls:.1f} %"]
    cells += [f"{100 * low:.0f} to {100 * high:.0f}", f"{total.questions / calls:.2f}"]
    return "| " + " | ".join(map(str, [*cells, total.wrong_unasked, total.wrong])) + " |"


def options(words: Sequence[str] | None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(prog="python -m lab.measure.reveals", description=__doc__)
    ask.add_argument("--folder", type=Path, default=PHOTOS.parent, help="holds dev, dev2, dev3 and pool")
    ask.add_argument("--set", dest="sets", action="append", help=f"default: {' '.join(SETS)}")
    ask.add_argument("--jobs", type=int, default=2, help="processes that read (default 2)")
    ask.add_argument("--left-out", action="store_true", help="calibrate without the source of each set")
    ask.add_argument("--json", type=Path, metavar="FILE", help="write every photograph's counts there")
    return ask.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Print the table; 1 where a verdict was wrong."""
    asked = options(words)
    print(f"{HEAD}\n{RULE}")
    every: dict[str, list[Counts]] = {}
    aside: list[Counts] = []
    detail: dict[str, tuple[int, ...]] = {}
    for name in asked.sets or SETS:
        photos: list[Photo] = list(photographs([name], asked.folder))
        weights = left_out(name, asked) if asked.left_out else None
        counted = [
            (photo, of_photo(photo.label, observed(reading, weights)))
            for photo, reading in zip(photos, readings(photos, asked.jobs), strict=True)
        ]
        detail |= {f"{name}/{photo.path.name}": astuple(counts) for photo, counts in counted}
        aside += [counts for photo, counts in counted if photo.label.get("angle") == "side"]
        every[name] = [counts for photo, counts in counted if photo.label.get("angle") != "side"]
        print(line(name, every[name]), flush=True)
    everything = [counts for photos in every.values() for counts in photos]
    print(line("all", everything))
    print(line("seen from the side", aside))
    if asked.json:
        asked.json.write_text(json.dumps(detail, indent=1), encoding="utf-8")
    return int(any(counts.wrong or counts.wrong_unasked for counts in everything))


if __name__ == "__main__":
    sys.exit(main())
