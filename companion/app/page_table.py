"""The table as the page sees it, with what the box shows beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.app.lamps import lamp_view
from companion.table.commands import Command, NewGame
from companion.table.ledger import Note
from companion.table.table import Snapshot, Table
from companion.table.view import View, view
from hardware.lamps.patterns import status_signal


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """What the page shows of the box: whether it is simulated, its camera and buttons, and the demo."""

    simulated: bool
    camera: str
    buttons: tuple[str, ...]
    can_demo: bool = False
    demo: bool = False


class PageTable:
    """The table as the page sees it: snapshots as data, with what the box shows beside them."""

    def __init__(
        self, table: Table, remember: Callable[[NewGame], None], facts: Callable[[], BoxFacts]
    ) -> None:
        """`remember` hears who begins to play, `facts` tells of the box at this moment."""
        self._table, self._remember, self._facts = table, remember, facts
        self._lock, self._told = threading.Lock(), View(-1, {})

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
            self._remember(command)
        return shown

    def seat(self, player: str, phone: str, freed: Note | None = None) -> None:
        """Hear which phone sits in a seat, and who freed it."""
        self._table.seat(player, phone, freed)

    def refresh(self) -> None:
        """Tell every phone of what has changed beside the table."""
        self._table.refresh()

    def _with_box(self, snapshot: Snapshot) -> View:
        """The snapshot as data, told once for all phones that listen: fifty of them wake at once."""
        if self._told.version == snapshot.version:
            return self._told
        with self._lock:
            if self._told.version == snapshot.version:
                return self._told
            plain = view(snapshot)
            told = View(plain.version, {**plain.data, "box": self._box(snapshot)})
            if told.version > self._told.version:
                self._told = told
            return told

    def _box(self, snapshot: Snapshot) -> dict[str, Any]:
        """What the box shows beside the table."""
        lamps, facts = lamp_view(snapshot), self._facts()
        light = status_signal(lamps.state, lamps.fault)
        return {
            "simulated": facts.simulated,
            "state": str(lamps.state),
            "rgb": [round(255 * level) for level in light.rgb],
            "colour": light.colour,
            "rhythm": light.pattern.words,
            "seats": [str(lamp) for lamp in lamps.seats],
            "camera": facts.camera,
            "buttons": list(facts.buttons),
            "extras": ["demo"] if facts.can_demo else [],
            "demo": facts.demo,
        }
