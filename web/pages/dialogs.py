"""Data for the dialogs: one die to correct, one to add, who calls calza, a count by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from companion.bots.coach import Advice, Coaching, advise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, word
from companion.rules.position import Game, Phase
from companion.table.cups import known_dice
from companion.table.snapshot import Snapshot
from companion.table.wire.game import BidJson, RoundJson
from companion.table.wire.state import RevealJson, StateJson
from web.page_table import PageView
from web.pages import reveal_dice, screens
from web.problems import Refused
from web.sessions.access import Phone

Values = dict[str, object]
Args = Mapping[str, str]

_MAX_OWN, _MAX_SEEN = 10, 120
_FACES = frozenset("123456")


def values_for(name: str, data: StateJson, args: Args) -> Values:
    """The values of the panel `name`; raises Refused when it makes no sense in this state."""
    if name not in _DIALOGS:
        raise Refused(404, "not_found")
    values = _DIALOGS[name](data, args)
    return {**values, "key": screens.about(data)} if name in _OF_A_CALL else values


def _die(data: StateJson, args: Args) -> Values:
    reveal = _reveal(data)
    die = reveal_dice.die_of(reveal, args.get("id", ""))
    if die is None:
        raise Refused(404, "no_such_die")
    place = reveal_dice.place_of(reveal, die["place"])
    return {"die_read": die, "place": place, "key": screens.of_dice(data, place)}


def _add(data: StateJson, args: Args) -> Values:
    reveal = _reveal(data)
    name = args.get("place") or next((place["place"] for place in reveal["places"][-1:]), None)
    return {"place": name, "key": screens.of_dice(data, reveal_dice.place_of(reveal, name))}


def _count(data: StateJson, _args: Args) -> Values:
    reveal = _reveal(data)
    return {"reveal": reveal, "counts": range(reveal["expected"] + _more(data) + 1)}


def _more(data: StateJson) -> int:
    """How many more than the dice a count may be, where whole hands count besides."""
    house = data["game"]["house"] if data["game"] else {}
    each = max(6 if house.get("stairs") else 0, int(house.get("hand_bonus") or 0))
    return each * len(screens.playing(data))


def _challenge(data: StateJson, _args: Args) -> Values:
    total = _round(data)["total"]
    return {"names": screens.playing(data), "before": screens.beside_turn(data, -1), "total": total}


def _call(data: StateJson, _args: Args) -> Values:
    """The challenge as it was noted; a called pass was about no bid, and is taken back instead."""
    called = data["verdict"] or _reveal(data)
    if not called["bid"]:
        raise Refused(404, "no_reveal")
    return {"called": called, "names": screens.at_the_call(data), "total": _round(data)["total"]}


def _amend(data: StateJson, args: Args) -> Values:
    """A round of the game on the table, or of the kept game with the id `game`."""
    try:
        number, most = int(args.get("round", "")), min(int(args.get("most", "")), _MAX_SEEN)
    except ValueError as error:
        raise Refused(400, "bad_request") from error
    game = {"game": args["game"]} if args.get("game") else {}
    return {
        "counts": range(most + (_more(data) if most > 1 else 0) + 1),
        "passed": most == 1,  # no table has one die
        "wish": {"type": "correct_round", "round": number, **game},
    }


def _hand(data: StateJson, args: Args) -> Values:
    """The dice that this phone may know: under its own cup, or in an open round under those of the others."""
    if not args["hand"]:
        raise Refused(404, "no_cup")
    return {}


def coached(now: PageView, args: Args, phone: Phone) -> Values:
    """The chances of the standing bid and of the next raises for one's own dice, and what to do."""
    current = _round(now.data)
    own = _faces(args["hand"], most=_MAX_SEEN) or _faces(args.get("own", ""))
    found = coaching(now.table, phone.seat, phone.id, own)
    if found is None:
        raise Refused(404, "no_round")
    bid = current["bid"]
    raises = screens.next_raises(current["legal"]["bids"])
    return {
        "key": screens.about(now.data),
        "own": own,
        "own_known": bool(args["hand"]),
        "standing": {**bid, **_odds(bid, found.odds)} if bid else None,
        "raises": [{**raised, **_odds(raised, found.odds)} for raised in raises],
        "advice": _advice(found.advice) if found.advice else [],
        "why": found.advice.why if found.advice else "",
    }


def coaching(now: Snapshot, seat: str | None, phone: str, typed: tuple[int, ...]) -> Coaching | None:
    """The odds of the round for the phone of that id in the seat `seat`, and advice once a whole hand is
    known and bids are awaited. None before and after the round, and while lost dice are hidden, of which they
    would tell. Without a seat the player on turn is advised."""
    game = now.state.game
    if game is None or game.phase not in (Phase.BIDDING, Phase.REVEAL) or game.shown is not game:
        return None
    known = known_dice(now.state, now.ledger, seat, phone).hands
    view = SeatView(game, _advised(game, seat), known)
    if not known and typed:
        view = SeatView(game, view.seat, ((view.seat, typed[: game.player(view.seat).dice]),))
    whole = bool(view.hands) and all(len(hand) == game.player(name).dice for name, hand in view.hands)
    advised = whole and game.phase is Phase.BIDDING
    # The draws go by what the seat knows alone, so that the same hand gets the same advice.
    return Coaching(Odds(view), advise(view, Random(repr(view))) if advised else None)


def _advised(game: Game, seat: str | None) -> str:
    inside = [player.name for player in game.inside]
    turn = game.round.turn if game.round.turn in inside else inside[0]
    return seat if seat in inside else turn


def _odds(bid: BidJson | Mapping[str, int], odds: Odds) -> Values:
    """In hundredths: that the bid holds, and that it is exactly right."""
    said = Bid(bid["quantity"], bid["face"], bool(bid.get("zhai")))
    return {"holds": round(100 * odds.holds(said)), "exact": round(100 * odds.exact(said))}


def _advice(advice: Advice) -> list[Values]:
    """The calls with their chances in hundredths, what wins most first."""
    return [
        {
            "kind": word(one.call),
            "bid": one.call.bid if isinstance(one.call, BidCall) else None,
            "wins": round(100 * one.wins),
            "share": round(100 * one.share),
            "best": one is advice.best,
        }
        for one in advice.calls
    ]


def _faces(text: str, most: int = _MAX_OWN) -> tuple[int, ...]:
    """Faces written as 3,3,1; raises Refused for anything else."""
    faces = [part for part in text.split(",") if part]
    if len(faces) > most or any(face not in _FACES for face in faces):
        raise Refused(400, "bad_request")
    return tuple(map(int, faces))


def _people(data: StateJson, _args: Args) -> Values:
    if data["game"] is None:
        raise Refused(404, "no_round")
    return {}


def _retake(data: StateJson, _args: Args) -> Values:
    _round(data)
    return {"key": screens.of_step(data)}


def _reveal(data: StateJson) -> RevealJson:
    if data["reveal"] is None:
        raise Refused(404, "no_reveal")
    return data["reveal"]


def _round(data: StateJson) -> RoundJson:
    if data["game"] is None:
        raise Refused(404, "no_round")
    return data["game"]["round"]


_OF_A_CALL = ("calza", "dudo", "count", "call")
"""Dialogs about the standing bid or the call: another one is another question."""

_DIALOGS: Mapping[str, Callable[[StateJson, Args], Values]] = {
    "die": _die,
    "add": _add,
    "count": _count,
    "calza": lambda data, _: {"names": _round(data)["legal"]["calza"]},
    "dudo": lambda data, _: {"names": _round(data)["legal"]["doubters"]},
    "challenge": _challenge,
    "call": _call,
    "amend": _amend,
    "group": lambda _, args: {"group_id": args.get("id", "")},
    "hand": _hand,
    "people": _people,
    "retake": _retake,
    **dict.fromkeys(("come", "abandon", "house", "anew", "viewfinder"), lambda _, __: {}),
}
