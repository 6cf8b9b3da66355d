"""`dudo odds`: the probability of a bid, from what one player knows, and what to do about it."""

from __future__ import annotations

import argparse
from random import Random

from companion.bots.coach import Advice, Advised, advise
from companion.bots.seat import SeatView
from companion.cli.options import add_common, bid_on
from companion.cli.rules import chosen
from companion.errors import BadCommand, RulesError
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, word
from companion.rules.dice import hand_text, parse_hand
from companion.rules.explain import bid_words
from companion.rules.players import NORMAL, PALIFICO, Player
from companion.rules.position import BIDDING, Game, Round
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.texts import translate

MAX_HAND = 10
SEED = 1
SHOWN = 0.00005
"""A raise is proposed whose chance is more than 0.00 %."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = "Prints the chances of a bid, and what dudo, calza and the likeliest raise win."
    parser.epilog = "Example: dudo odds 5x3 --dice 15 --own 3,3,1,5,6"
    parser.add_argument("bid", help="the bid, 5x3 for five threes")
    parser.add_argument("--dice", type=int, required=True, help="all dice in play, your own among them")
    parser.add_argument("--own", default="", metavar="FACES", help="your own dice, 3,3,1,5,6")
    parser.add_argument("--rules", default="modern", help=f"{', '.join(PRESETS)}, or a file of rules")
    add_common(parser, "--house", "--language")
    parser.add_argument("--palifico", action="store_true", help="a palifico round: aces are not wild")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the probabilities; raises BadCommand or RulesError for an impossible bid or hand."""
    bid, rules = bid_on(args.bid, args.dice), chosen(args.rules, args.house)
    own, dice = parse_hand(args.own), args.dice
    if len(own) > dice:
        raise BadCommand("own_dice_too_many", own=len(own), dice=dice)
    if bid.quantity > dice:
        raise RulesError("exceeds_dice", dice=dice)
    advice = advise(_view(bid, own, dice, rules, args.palifico), Random(SEED))
    known = {"bid": bid_words(bid, args.language), "n": dice, "own": hand_text(own) or "—"}
    print(translate(args.language, "odds.known", **known))
    _print(advice, args.language)
    return 0


def _view(bid: Bid, own: tuple[int, ...], all_dice: int, rules: Ruleset, palifico: bool) -> SeatView:
    """A round in which the last player has made the bid and the first one has the word; others hold five."""
    hands = [own[n : n + MAX_HAND] for n in range(0, len(own), MAX_HAND)]
    unseen = all_dice - len(own)
    others = [min(rules.starting_dice, unseen - n) for n in range(0, unseen, rules.starting_dice)]
    dice = [*map(len, hands), *others]
    players = tuple(Player(str(n), dice=number) for n, number in enumerate([*dice, 0][: max(2, len(dice))]))
    bidder = players[-1].name
    kind = PALIFICO if palifico else NORMAL
    now = Round(1, kind, bidder, "0", all_dice, (BidCall(bidder, bid),))
    game = Game(rules, players, now, BIDDING)
    return SeatView(game, "0", tuple((str(n), hand) for n, hand in enumerate(hands)))


def _print(advice: Advice, language: str) -> None:
    assert advice.holds is not None
    assert advice.exact is not None
    chances = {
        translate(language, "odds.holds"): advice.holds,
        translate(language, "odds.exact"): advice.exact,
    }
    calls = [one for one in advice.calls if one.wins >= SHOWN or not isinstance(one.call, BidCall)]
    raises = [one.call for one in calls if isinstance(one.call, BidCall)]
    chances |= {_label(one, raises[:1], language): one.wins for one in calls}
    width = max(map(len, chances))
    for label, chance in chances.items():
        print(f"  {label:<{width}}  {float(chance):7.2%}  {chance}")
    if not raises:
        print(f"  {translate(language, 'odds.no_raise')}")
    if advice.best:
        call, why = _label(advice.best, [], language), translate(language, f"odds.why.{advice.why}")
        print(translate(language, "odds.best", call=call, why=why))


def _label(one: Advised, best: list[BidCall], language: str) -> str:
    """What the call is: raises with their bid, the likeliest of them named so, the others by name."""
    if isinstance(one.call, BidCall):
        bid = one.call.bid
        key = "odds.best_raise" if one.call in best else "odds.raise"
        return translate(language, key, bid=f"{bid} ({bid_words(bid, language)})")
    return translate(language, f"odds.{word(one.call)}")
