"""What a press of the box asks of the table."""

from __future__ import annotations

from typing import Any

from companion.errors import BadCommand
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.ledger import By
from companion.table.table import Snapshot


def asked_by(press: Any, now: Snapshot) -> Command:
    """What a press of the box asks of the table: a seat's button says who, holding OK takes back."""
    if press.button == "ok" and press.held:
        return cmd.Undo(By.BOX)
    if press.button.startswith("seat"):
        players = now.state.game.players if now.state.game else ()
        seat = int(press.button.removeprefix("seat")) - 1
        if seat >= len(players):
            raise BadCommand("no_such_seat", seat=seat + 1)
        return cmd.Press("calza" if press.held else "dudo", players[seat].name)
    return cmd.Press(press.button)
