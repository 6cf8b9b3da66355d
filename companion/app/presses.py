"""What a press of the box asks of the table."""

from __future__ import annotations

from typing import Any

from companion.errors import BadCommand
from companion.rules.game import Phase
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.state import LOOKING, assessment
from companion.table.table import Snapshot


def meaning(press: Any, now: Snapshot) -> Command:
    """What a press of the box asks of the table: a seat's button says who, holding OK takes back."""
    if press.button == "ok":
        return _ok(press.held, now)
    if press.button.startswith("seat"):
        players = now.state.game.players if now.state.game else ()
        seat = int(press.button.removeprefix("seat")) - 1
        if seat >= len(players):
            raise BadCommand("no_such_seat", seat=seat + 1)
        return cmd.Press("calza" if press.held else "dudo", players[seat].name)
    return cmd.Press(press.button)


def _ok(held: bool, now: Snapshot) -> Command:
    """OK goes on: the next round, the verdict, or one more look; while dice are rolled off, the next look."""
    if held:
        return cmd.Undo()
    game = now.state.game
    if game and game.phase in LOOKING:
        return cmd.Confirm() if assessment(now.state).settled else cmd.WantLook()
    return cmd.PlayAgain() if game and game.phase is Phase.OVER else cmd.Press("ok")
