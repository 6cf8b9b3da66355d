"""`dudo odds`: the probability of a bid, from what one player knows."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from fractions import Fraction

from companion.errors import BadCommand, RulesError
from companion.rules.bids import Bid
from companion.rules.dice import hand_text, parse_hand
from companion.rules.explain import bid_words
from companion.rules.legality import raises
from companion.rules.odds import Knowledge, best_raise, exact, holds
from companion.rules.ruleset import PRESETS, preset
from companion.subparsers import Subparsers
from companion.texts import languages, say

MAX_DICE = 120  # twelve players with ten dice


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the output: a label and a probability."""

    label: str
    chance: Fraction


def add_parser(subparsers: Subparsers) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "odds",
        help="the chance that a bid holds or is exact, and the best raise",
        description="Prints the chance that a bid holds or is exact, and the raise likeliest to hold.",
        epilog="Example: dudo odds 5x3 --dice 15 --own 3,3,1,5,6",
    )
    parser.add_argument("bid", help="the bid, 5x3 for five threes")
    parser.add_argument("--dice", type=int, required=True, help="all dice in play, your own among them")
    parser.add_argument("--own", default="", metavar="FACES", help="your own dice, 3,3,1,5,6")
    parser.add_argument("--rules", choices=tuple(PRESETS), default="modern", help="rules of raising")
    parser.add_argument("--palifico", action="store_true", help="a palifico round: aces are not wild")
    parser.add_argument("--language", choices=languages(), default="en", help="language (default: en)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the probabilities; 0, or 2 with one sentence for an impossible bid or hand."""
    try:
        bid = Bid.parse(args.bid)
        _check_dice(args.dice)
        wild = 0 if args.palifico else preset(args.rules).at_first_wild
        known = Knowledge(parse_hand(args.own), args.dice, wild)
        _check(bid, known)
    except (BadCommand, RulesError) as error:
        print(f"dudo odds: {error}", file=sys.stderr)
        return 2
    _print(bid, known, args)
    return 0


def _print(bid: Bid, known: Knowledge, args: argparse.Namespace) -> None:
    own = hand_text(known.own) or "—"
    print(say(args.language, "odds.known", bid=bid_words(bid, args.language), n=known.dice, own=own))
    lines = [
        Line(say(args.language, "odds.holds"), holds(bid, known)),
        Line(say(args.language, "odds.exact"), exact(bid, known)),
    ]
    lines += _best(bid, known, args)
    width = max(len(line.label) for line in lines)
    for line in lines:
        print(f"  {line.label:<{width}}  {float(line.chance):7.2%}  {line.chance}")
    if len(lines) == 2:
        print(f"  {say(args.language, 'odds.no_raise')}")


def _check_dice(dice: int) -> None:
    if not 1 <= dice <= MAX_DICE:
        raise RulesError("ruleset_bad_value", field="--dice", value=dice, allowed=f"1 … {MAX_DICE}")


def _check(bid: Bid, known: Knowledge) -> None:
    if bid.face not in range(1, 7):
        raise RulesError("bad_face", face=bid.face)
    if not 1 <= bid.quantity <= known.dice:
        raise RulesError("exceeds_dice" if bid.quantity else "bad_quantity", dice=known.dice)


def _best(bid: Bid, known: Knowledge, args: argparse.Namespace) -> list[Line]:
    """The best raise; in a palifico round the face stays."""
    locked = bid.face if args.palifico else 0
    best = best_raise(raises(preset(args.rules), bid, known.dice, wild=known.wild, locked=locked), known)
    if best is None:
        return []
    label = say(args.language, "odds.best_raise", bid=f"{best.bid} ({bid_words(best.bid, args.language)})")
    return [Line(label, best.holds)]
