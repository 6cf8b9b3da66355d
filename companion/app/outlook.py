"""The table as the page sees it, with what the box shows beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.table.commands import Command, NewGame
from companion.table.ledger import Note
from companion.table.table import Snapshot
from companion.table.view import View, seat_words, view

if TYPE_CHECKING:
    from companion.app.companion import Companion


class Outlook:
    """The table as the page sees it: snapshots as data, with what the box shows beside them."""

    def __init__(self, companion: Companion) -> None:
        self._companion, self._table = companion, companion.table
        self._told = View(-1, {})

    def snapshot(self) -> View:
        """The table now."""
        return self._with_box(self._table.snapshot())

    def wait(self, after: int, timeout_s: float) -> View:
        """The table once its version is above `after`, or when the time has passed."""
        return self._with_box(self._table.wait(after, timeout_s))

    def do(self, command: Command, based_on: int | None = None) -> View:
        """Carry out a command and remember who begins to play; raises what the table raises."""
        shown = self._with_box(self._table.do(command, based_on))
        if isinstance(command, NewGame):
            self._companion.groups.remember(command)
        return shown

    def seat(self, player: str, phone: str, freed: Note | None = None) -> None:
        """Hear which phone sits in a seat, and who freed it."""
        self._table.seat(player, phone, freed)

    def refresh(self) -> None:
        """Tell every phone of what has changed beside the table."""
        self._table.refresh()

    def _plain(self, snapshot: Snapshot) -> View:
        """The snapshot as data, told once for all phones that listen: a long game takes a while to tell."""
        told = self._told
        if told.version != snapshot.version:
            told = self._told = view(snapshot)
        return told

    def _with_box(self, snapshot: Snapshot) -> View:
        plain = self._plain(snapshot)
        shown = self._companion.lights.shown()
        box = {
            "simulated": self._companion.fingers is not None,
            "state": plain.data["state"],
            "rgb": [round(255 * level) for level in shown.rgb],
            "colour": shown.colour,
            "rhythm": shown.rhythm,
            "seats": list(seat_words(snapshot.state)),
            "camera": self._companion.camera.name,
            "buttons": list(self._companion.buttons.names),
            "extras": ["demo"] if self._companion.can_demo else [],
            "demo": self._companion.demo is not None,
        }
        return View(plain.version, {**plain.data, "box": box})
