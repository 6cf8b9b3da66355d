"""The meaning of a press of OK: one table for the box's button and the API.

OK goes on: to the next round, the verdict, one more picture, another game. It leaves a screen only once that
has been shown for a moment: a finger already on its way means what was there before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules.game import Phase
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.state import REVEALING, TableState, assessment

SEEN_S = 0.5
"""So long something must have been shown before a press of OK leaves it."""

_OK: Mapping[Phase, Command] = {Phase.VERDICT: cmd.NextRound(), Phase.OVER: cmd.PlayAgain()}


def meaning(press: cmd.Press, state: TableState) -> Command:
    """The command that a press stands for at this moment; itself where it is for a challenge, or means
    nothing."""
    if press.button != "ok" or state.game is None:
        return press
    if state.game.phase in REVEALING:
        return cmd.Confirm() if assessment(state).settled else cmd.TakePicture()
    return _OK.get(state.game.phase, press)


def leaves(command: Command) -> bool:
    """Whether a press with this meaning leaves what is shown."""
    return isinstance(command, cmd.Confirm | cmd.NextRound | cmd.PlayAgain)


class Freshness:
    """Since when a press of OK has had its present meaning. Without a clock nothing is too fresh."""

    def __init__(self, now_s: Callable[[], float] | None) -> None:
        self._now_s, self._since_s = now_s, float("-inf")
        self._state: TableState | None = None
        self._shown: tuple[object, ...] = ()

    def note(self, game_id: str | None, state: TableState) -> None:
        """Take note of the table after every change."""
        if self._now_s is None or state is self._state:
            return
        shown = (game_id, *_shown(state))
        if shown != self._shown:
            self._since_s = self._now_s()
        self._state, self._shown = state, shown

    def too_fresh(self) -> bool:
        """Whether nobody can have seen yet what a press of OK would leave."""
        return self._now_s is not None and self._now_s() - self._since_s < SEEN_S


def _shown(state: TableState) -> tuple[object, ...]:
    number = state.game.round.number if state.game else 0
    return number, len(state.rolls), meaning(cmd.Press("ok"), state)
