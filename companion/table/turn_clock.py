"""Since when the player on turn has been deciding, and whether the time is up."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.game import Game, Phase
from companion.rules.turns import seconds_to_decide
from companion.table.snapshot import Snapshot

Turn = tuple[object, ...]


class TurnClock:
    """Measures one turn after the other on a clock that never jumps.

    It stands still while a challenge is half said, and after a restart until somebody does something. A turn
    has its seconds once: nobody gets more of them who is renamed, or while others come and go.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._left_s = now_s, 0.0
        self._turn: Turn = ()
        self._measured_s: float | None = None

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of the table after every change."""
        game, left_s = snapshot.state.game, self.left_s()
        turn = _turn_of(game, snapshot) if game else ()
        seconds = seconds_to_decide(game) if game else 0
        if turn != self._turn:
            self._turn, left_s = turn, float(seconds)
        self._left_s = self._left_s if left_s is None else left_s
        runs = seconds and not snapshot.state.asked and not snapshot.resumed
        self._measured_s = self._now_s() if runs else None

    def left_s(self) -> float | None:
        """The seconds left to the player on turn, never below 0; None while no clock runs."""
        if self._measured_s is None:
            return None
        return max(0.0, self._left_s - (self._now_s() - self._measured_s))


def _turn_of(game: Game, snapshot: Snapshot) -> Turn:
    """A value that changes from turn to turn and knows no names; empty while nobody is to decide."""
    if game.phase is not Phase.BIDDING:
        return ()
    now = game.round
    seat = [player.name for player in game.players].index(now.turn)
    return snapshot.game_id, now.number, seat, sum(said.by == now.turn for said in now.bids)
