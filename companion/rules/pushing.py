"""Dice set out in the open with a bid, while the others are rolled again: the reason why not (row O4)."""

from __future__ import annotations

from companion.rules.calls import BidCall
from companion.rules.players import Player
from companion.rules.position import Game


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
