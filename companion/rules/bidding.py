"""Which bids the rules allow: ranges of quantities by face (rows O2 to R16, F5, L3).

By them bids are checked and listed. Ranges follow from a `Frame` of few values and are remembered by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from companion.rules.bids import Bid, least_after_aces, most_dice
from companion.rules.calls import BidCall
from companion.rules.counting import above_its_dice, by_hands
from companion.rules.dice import FACES
from companion.rules.order import BidOrder, Limit, at_least, never, raise_limits
from companion.rules.players import ACES_COUNT, NORMAL, Player
from companion.rules.position import BIDDING, Game

Kind = tuple[int, bool]
"""The face of a bid, and whether it is without wilds."""

_KINDS = tuple((face, zhai) for zhai in (False, True) for face in FACES)
_NO_RANGE = (1, 0)

_bid = cache(Bid)
"""One value for each bid of the lists: what is the same is found sooner than what is equal."""

Frame = tuple[BidOrder, int, Bid | None, int, int]
"""What bounds a bid besides the dice in play: the order of bids, the only face (0 for all), the bid to raise,
and of an opening the face on which the round may not open (0 for none) and the minimum quantity."""


def check_bid(call: BidCall, caller: Player, game: Game) -> str | None:
    """Why this bid, with the dice pushed out for it, may not be made now."""
    if call.by != game.round.turn:
        return "not_your_turn"
    bid, frame = call.bid, _frame(game)
    least, most = _ranges(frame).get((bid.face, bid.zhai), _NO_RANGE)
    if not least <= bid.quantity <= most or bid.quantity > _most(game):
        return bid_fault(bid, game) or _reason(bid, _limits(frame, bid.face, bid.zhai))
    return _pushed_fault(call, caller, game) if call.pushed else None


def bid_fault(bid: Bid, game: Game) -> str | None:
    """The fault of a bid by itself at this table (rows R9, R10, C7), or None."""
    rules = game.ruleset
    too_many = "exceeds_dice" if rules.caps_bids else "exceeds_most"
    too_many = "exceeds_began" if rules.dice_left == "hidden" else too_many
    order = game.ruleset.bid_order if game.wild else game.ruleset.plain_order
    own = _own_limits(order, bid.face, bid.zhai)
    return _reason(bid, (*own, Limit(1, _most(game), too_many)))


def _reason(bid: Bid, limits: Iterable[Limit]) -> str | None:
    return next((one.reason for one in limits if not one.least <= bid.quantity <= one.most), None)


def _most(game: Game) -> int:
    """The maximum quantity of any bid."""
    if game.ruleset.caps_bids:
        return game.round.dice if game.ruleset.dice_left == "shown" else game.shown.round.dice
    return most_dice(game.original_dice)


def _frame(game: Game) -> Frame:
    """What bounds a bid of the player on turn."""
    now, rules = game.round, game.ruleset
    order = rules.bid_order if game.wild else rules.plain_order
    said = now.standing
    if said is None:
        only = rules.wild_face if now.kind is ACES_COUNT else 0
        return order, only, None, _barred_face(game), least_opening(game)
    return order, 0 if now.kind is NORMAL else _locked_face(game, said.bid), said.bid, 0, 1


def _own_limits(order: BidOrder, face: int, zhai: bool) -> Iterator[Limit]:
    """What holds for every bid with this order (rows R10, C7)."""
    if face not in FACES:
        yield never("bad_face")
    yield at_least(1, "bad_quantity")
    if zhai and not order.zhai:
        yield never("zhai_off")
    if zhai and order.wild in (0, face):
        yield never("zhai_means_nothing")


def _limits(frame: Frame, face: int, zhai: bool) -> Iterator[Limit]:
    """What a bid on that face has to keep to, in the order in which reasons are named."""
    order, locked, standing, barred, least = frame
    yield from _own_limits(order, face, zhai)
    if locked not in (0, face):
        yield never("face_locked")
    if standing is not None:
        yield from raise_limits(order, standing, face, zhai)
    else:
        if face == barred:
            yield never("aces_opening")
        yield at_least(least, "opening_too_few")


@lru_cache(maxsize=2048)
def _ranges(frame: Frame) -> Mapping[Kind, tuple[int, float]]:
    """The quantities that may be bid of each kind. Remembered, for there are few frames in a game and many
    bids."""
    found = {}
    for kind in _KINDS:
        limits = tuple(_limits(frame, *kind))
        least, most = max([one.least for one in limits]), min([one.most for one in limits])
        if least <= most:
            found[kind] = least, most
    return found


@lru_cache(maxsize=4096)
def _listed(frame: Frame, most: int) -> tuple[Bid, ...]:
    """All bids of at most so many dice, lowest quantity first."""
    ranges = [(kind, range(least, int(min(end, most)) + 1)) for kind, (least, end) in _ranges(frame).items()]
    return tuple(
        [_bid(number, *kind) for number in range(1, most + 1) for kind, of in ranges if number in of]
    )


def least_opening(game: Game) -> int:
    """The fewest dice of an opening bid; never more than are in play."""
    least = game.ruleset.opening_minimum
    return min(least, game.shown.round.dice) if least > 1 else 1


def _barred_face(game: Game) -> int:
    """The face on which this round may not open, 0 for none (rows O2, F6)."""
    rules, kind = game.ruleset, game.round.kind
    if kind is NORMAL:
        opening = rules.opening_aces
        allowed = opening == "allowed" or (opening == "one_die" and game.player(game.round.turn).dice == 1)
        allowed = allowed and rules.bid_order.price != "never"
    else:
        allowed = kind is ACES_COUNT or rules.palifico_opening_aces
    return 0 if allowed else rules.wild_face


def _locked_face(game: Game, standing: Bid) -> int:
    """The one face that the player on turn may name in a special round, 0 for all (rows F5, L3)."""
    now, rules = game.round, game.ruleset
    if now.kind is ACES_COUNT:
        return rules.wild_face
    one_die = game.player(now.turn).dice == 1
    free = {
        "nobody": False,
        "one_die": one_die,
        "other_one_die": one_die and now.turn != now.starter,
        "everybody": True,
    }
    return 0 if free[rules.palifico_unlock] else standing.face


def legal_bids(game: Game) -> tuple[Bid, ...]:
    """Every bid the player on turn may make, lowest quantity first, faces from 1 to 6.

    Where the quantity is unlimited the list ends where every face has been offered at least once, at the
    highest count that hands can come to, and at `most_dice`; `check` allows more, up to `most_dice`.
    """
    if game.phase is not BIDDING:
        return ()
    frame, most = _frame(game), _most(game)
    if not game.ruleset.caps_bids:
        after = least_after_aces(frame[2].quantity) if frame[2] else 0
        most = min(most, max(_highest_count(game), after))
    return _listed(frame, most)


def _highest_count(game: Game) -> int:
    """The highest quantity that can be true: stairs and five alike count above the dice."""
    rules, dice = game.ruleset, game.round.dice
    if game.round.kind is not NORMAL or not by_hands(rules):
        return dice
    return dice + sum(above_its_dice(p.dice, rules) for p in game.inside)


def _pushed_fault(call: BidCall, caller: Player, game: Game) -> str | None:
    """Why these dice may not be pushed out: of the bid's face or wild, and one stays under the cup."""
    if not game.ruleset.push_and_reroll:
        return "push_off"
    bid, wild = call.bid, game.wild
    if not {bid.face, bid.face if bid.zhai or not wild else wild}.issuperset(call.pushed):
        return "push_other_face"
    return "push_keeps_one" if len(call.pushed) > _left_to_push(caller, game) else None


def may_push(game: Game) -> int:
    """How many dice the player on turn may push out with the next bid."""
    if not game.ruleset.push_and_reroll:
        return 0
    return _left_to_push(game.player(game.round.turn), game)


def _left_to_push(player: Player, game: Game) -> int:
    return max(0, player.dice - len(game.round.pushed_by(player.name)) - 1)
