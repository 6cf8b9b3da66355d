"""`dudo judge`: bids judged on photographs, by the very reveal that the table uses."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.cli.options import add_common, bid_on
from companion.reveal.assessing import Assessment, assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.observations import Observation
from companion.reveal.questions import Question
from companion.reveal.state import ALL, RevealState, with_observation
from companion.rules.bids import Bid
from companion.rules.counting import matching_faces
from companion.rules.dice import ACE
from companion.rules.explain import bid_words
from companion.terminal import one_line
from companion.texts import translate

if TYPE_CHECKING:
    from companion.app.reading.photographs import Result


class Judged(Struct, frozen=True):
    """One bid on one picture; `holds` is None while the reveal would ask.

    Dudo: the bid holds where there are at least that many; calza: where there are exactly that many.
    """

    bid: Bid
    holds: bool | None
    found: Assessment

    def to_json(self) -> dict[str, object]:
        """One entry of "claims" in the contract."""
        return {
            "bid": str(self.bid),
            "settled": self.found.settled,
            "holds": self.holds,
            "lo": self.found.lo,
            "hi": self.found.hi,
            "questions": len(self.found.questions),
        }


def judged(observation: Observation, bid: Bid, dice: int, call: Kind, *, wild: bool) -> Judged:
    """The bid on the picture, `dice` being on the table; `wild`: aces count for any face."""
    face, wild_face = matching_faces(bid, ACE if wild else 0)
    claim = Claim(call, face, bid.quantity, wild_face)
    found = assess(with_observation(RevealState(claim, dice), ALL, observation))
    return Judged(bid, holds(claim, found) if found.settled else None, found)


def holds(claim: Claim, found: Assessment) -> bool:
    """Whether a settled claim holds."""
    if claim.kind is Kind.CALZA:
        return found.judged == (claim.quantity, claim.quantity)
    return found.judged[0] >= claim.quantity


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = "Judges bids on photographs of all dice on a table, as the box does in a game."
    parser.epilog = "Example: dudo judge --dice 15 --bid 5x3 table.jpg"
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("--dice", type=int, required=True, metavar="N", help="all dice on the table")
    parser.add_argument(
        "--bid", action="append", required=True, metavar="5x3", help="a bid, 5x3 for five threes; repeatable"
    )
    parser.add_argument("--not-wild", action="store_true", help="aces count for themselves alone")
    parser.add_argument(
        "--call",
        choices=("dudo", "calza"),
        default="dudo",
        help="dudo: are there at least that many? calza: exactly that many? (default: dudo)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per line and photo")
    add_common(parser, "--language")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge every bid on every photograph; 1 where one cannot be read. Raises BadCommand or
    RulesError for a bid that cannot be."""
    bids = [bid_on(text, args.dice) for text in args.bid]
    from companion.app.reading.photographs import read_photos  # here, because it loads OpenCV

    failed = False
    for reading in read_photos(args.photos):
        failed |= "error" in reading
        _show(reading, bids, args)
    return int(failed)


def _show(reading: Result, bids: Sequence[Bid], args: argparse.Namespace) -> None:
    """One photograph's claims, as JSON or as a sentence each."""
    if "error" in reading:
        if args.json:
            print(json.dumps(reading))
        else:
            print(f"dudo judge: {one_line(reading['error'])}", file=sys.stderr)
        return
    observation = Observation.from_json(reading)
    claims = [judged(observation, bid, args.dice, Kind(args.call), wild=not args.not_wild) for bid in bids]
    if args.json:
        answers = [claim.to_json() for claim in claims]
        head = {"file": reading["file"], "dice_expected": args.dice, "certain": reading["certain"]}
        print(json.dumps(head | {"claims": answers}), flush=True)
    else:
        lines = [f"  {_sentence(claim, args.call, args.language)}" for claim in claims]
        print("\n".join([f"{one_line(reading['file'])}:", *lines]), flush=True)


def _sentence(claim: Judged, call: str, language: str) -> str:
    """The result for one bid, in a sentence."""
    found = claim.found
    bid = bid_words(claim.bid, language)
    count = translate(
        language, "judge.between" if found.lo < found.hi else "judge.count", lo=found.lo, hi=found.hi
    )
    if claim.holds is not None:
        outcome = "holds" if claim.holds else "fails"
        return translate(language, f"judge.{call}_{outcome}", bid=bid, count=count)
    question = _question(found.questions[0], language) if found.questions else ""
    return translate(language, "judge.open", bid=bid, count=count, question=question)


def _question(question: Question, language: str) -> str:
    """One open question, with the place in the picture where there is one."""
    text = translate(language, f"web.question.titles.{question.ask}")
    if question.x is None or question.y is None:
        return text
    x, y = (f"{100 * part:.0f}" for part in (question.x, question.y))
    return translate(language, "judge.place", question=text, x=x, y=y)
