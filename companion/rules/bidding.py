"""Which bids the rules allow: the reason why not, and all that may be made (rows O2 to R15, F5, L3)."""

from __future__ import annotations

from functools import lru_cache

from companion.rules.bids import Bid, Order, least_after_aces, most_dice, order_of, why_not_raise
from companion.rules.bonuses import above_its_dice, by_hands
from companion.rules.calls import BidCall
from companion.rules.dice import FACES
from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player
from companion.rules.position import BIDDING, Game
from companion.rules.ruleset import Ruleset


def check_bid(call: BidCall, caller: Player, game: Game) -> str | None:
    """Why this bid, with the dice pushed out for it, may not be made now."""
    bid, now, rules = call.bid, game.round, game.ruleset
    if call.by != now.turn:
        return "not_your_turn"
    fault = bid_fault(bid, game)
    if fault:
        return fault
    standing = now.standing
    if standing is None:
        reason = _why_not_open(bid.face, caller, game) or _why_not_so_few(bid.quantity, game)
    elif now.kind is not NORMAL and bid.face != _locked_face(caller, game, standing.bid) != 0:
        reason = "face_locked"
    else:
        reason = why_not_raise(standing.bid, bid, order_of(rules, game.wild))
    return check_pushed(call, caller, game) if call.pushed and reason is None else reason


def bid_fault(bid: Bid, game: Game) -> str | None:
    """The fault of a bid by itself at this table (rows R9, R10), or None."""
    if bid.face not in FACES:
        return "bad_face"
    if bid.quantity < 1:
        return "bad_quantity"
    if bid.zhai and (refused := _why_not_zhai(bid, game)):
        return refused
    if game.ruleset.max_quantity == "dice_in_play":
        return "exceeds_dice" if bid.quantity > game.round.dice else None
    return "exceeds_most" if bid.quantity > most_dice(game.original_dice) else None


def _why_not_zhai(bid: Bid, game: Game) -> str | None:
    """Whether a bid may be without wilds (row C7)."""
    if not game.ruleset.zhai:
        return "zhai_off"
    return None if game.wild not in (0, bid.face) else "zhai_means_nothing"


def _why_not_open(face: int, starter: Player, game: Game) -> str | None:
    """Whether a round may open on this face (rows O2, F6, L3)."""
    rules, kind = game.ruleset, game.round.kind
    if kind is ACES_COUNT:
        return None if face == rules.wild_face else "face_locked"
    if face != rules.wild_face:
        return None
    if kind is PALIFICO:
        return None if rules.palifico_opening_aces else "aces_opening"
    allowed = rules.opening_aces == "allowed" or (rules.opening_aces == "one_die" and starter.dice == 1)
    return None if allowed else "aces_opening"


def _why_not_so_few(quantity: int, game: Game) -> str | None:
    """Whether a round may open on so few dice (row O3)."""
    return "opening_too_few" if quantity < _least_opening(game) else None


def _least_opening(game: Game) -> int:
    """The fewest dice of an opening bid; never more than are in play."""
    return min(game.ruleset.opening_minimum, game.round.dice)


def _locked_face(player: Player, game: Game, standing: Bid) -> int:
    """The one face that `player` may name in a raise, 0 when every face is open (rows F5, L3)."""
    kind = game.round.kind
    if kind is NORMAL:
        return 0
    if kind is ACES_COUNT:
        return game.ruleset.wild_face
    unlock = game.ruleset.palifico_unlock
    free = player.dice == 1 and (
        unlock == "one_die" or (unlock == "other_one_die" and player.name != game.round.starter)
    )
    return 0 if free else standing.face


def legal_bids(game: Game) -> tuple[Bid, ...]:
    """Every bid the player on turn may make, lowest quantity first, faces from 1 to 6.

    Where the quantity is unlimited the list ends where every face has been offered at least once, at the
    highest count that hands can come to, and at `most_dice`; `check` allows more, up to `most_dice`.
    """
    if game.phase is not BIDDING:
        return ()
    now = game.round
    standing = now.standing
    if standing is None:
        zhai = game.wild if game.ruleset.zhai else 0
        return _openings(_opening_faces(game), _highest_count(game), _least_opening(game), zhai)
    rules = game.ruleset
    locked = 0 if now.kind is NORMAL else _locked_face(game.player(now.turn), game, standing.bid)
    began = 0 if rules.max_quantity == "dice_in_play" else game.original_dice
    return raises(rules, standing.bid, _highest_count(game), began=began, wild=game.wild, locked=locked)


def _highest_count(game: Game) -> int:
    """The highest quantity that can be true and may be bid: stairs and five alike count above the dice."""
    rules, dice = game.ruleset, game.round.dice
    if rules.max_quantity == "dice_in_play" or game.round.kind is not NORMAL or not by_hands(rules):
        return dice
    return min(dice + sum(above_its_dice(p.dice, rules) for p in game.inside), most_dice(game.original_dice))


def raises(
    rules: Ruleset, standing: Bid, dice: int, *, began: int = 0, wild: int, locked: int = 0
) -> tuple[Bid, ...]:
    """Every bid that may follow `standing` with `dice` in play, of those the game `began` with.

    Where the quantity is unlimited `dice` may be the highest count that hands can come to. `wild` is the wild
    face, 0 for none; `locked` is the only face, 0 for all.
    """
    most = dice
    if rules.max_quantity == "unlimited":
        most = max(dice, min(least_after_aces(standing.quantity), most_dice(began or dice)))
    return _raises(standing.quantity, standing.face, standing.zhai, most, locked, order_of(rules, wild))


_OTHERS = {face: tuple(other for other in FACES if other != face) for face in FACES}


def _opening_faces(game: Game) -> tuple[int, ...]:
    wild = game.ruleset.wild_face
    if game.round.kind is ACES_COUNT:
        return (wild,)
    starter = game.player(game.round.turn)
    if _why_not_open(wild, starter, game) is None:
        return FACES
    return _OTHERS[wild]


@lru_cache(maxsize=4096)
def _openings(faces: tuple[int, ...], most: int, least: int, zhai: int) -> tuple[Bid, ...]:
    """Without wilds too where `zhai`, the wild face, is not 0."""
    kinds = [(face, False) for face in faces]
    kinds += [(face, True) for face in faces if zhai and face != zhai]
    return tuple(Bid(quantity, *kind) for quantity in range(least, most + 1) for kind in kinds)


@lru_cache(maxsize=4096)
def _raises(quantity: int, face: int, zhai: bool, most: int, locked: int, order: Order) -> tuple[Bid, ...]:
    """By plain numbers, which are looked up faster than a bid."""
    standing, faces = Bid(quantity, face, zhai), (locked,) if locked else FACES
    offered = _openings(faces, most, 1, order.zhai)
    return tuple(bid for bid in offered if why_not_raise(standing, bid, order) is None)


def check_pushed(call: BidCall, caller: Player, game: Game) -> str | None:
    """Whether the bidder may push these dice out: of the bid's face or wild, and one stays under the cup."""
    if not call.pushed:
        return None
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
