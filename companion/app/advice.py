"""What the page's odds go by: the dice that a phone may know, or those that its owner has typed."""

from __future__ import annotations

from random import Random

from companion.bots.coach import Coaching, Odds, advise
from companion.bots.seat import SeatView
from companion.rules.position import Game, Phase
from companion.table.cups import known_dice
from companion.table.snapshot import Snapshot


def coaching(now: Snapshot, seat: str | None, phone: str, typed: tuple[int, ...]) -> Coaching | None:
    """The odds of the round for the phone of that id in the seat `seat`, and advice once a whole hand is
    known and bids are awaited; None before and after the round. Without a seat the player on turn is
    advised."""
    game = now.state.game
    if game is None or game.phase not in (Phase.BIDDING, Phase.REVEAL):
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
