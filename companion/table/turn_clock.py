"""Since when the player on turn has been deciding, and whether the time is up."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.game import Phase
from companion.rules.turns import seconds_to_decide
from companion.table.snapshot import Snapshot

Turn = tuple[object, ...]


class TurnClock:
    """Measures one turn after the other on a clock that never jumps.

    It stands still while a challenge is half said, and after a restart until somebody does something.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._began_s = now_s, now_s()
        self._turn: Turn = ()
        self._seconds = 0

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of the table after every change."""
        turn = _turn_of(snapshot)
        if turn != self._turn:
            self._began_s, self._turn = self._now_s(), turn
        game = snapshot.state.game
        self._seconds = seconds_to_decide(game) if turn and game else 0

    def left_s(self) -> float | None:
        """The seconds left to the player on turn, never below 0; None while no clock runs."""
        if not self._seconds:
            return None
        return max(0.0, self._began_s + self._seconds - self._now_s())


def _turn_of(snapshot: Snapshot) -> Turn:
    """A value that changes from turn to turn; empty while nobody is to decide."""
    game = snapshot.state.game
    if game is None or game.phase is not Phase.BIDDING or snapshot.state.asked or snapshot.resumed:
        return ()
    now = game.round
    return snapshot.game_id, now.number, now.turn, now.bids
