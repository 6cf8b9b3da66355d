"""The table as the page sees it, with what the box shows beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.app.system.box_parts import lamp_view
from companion.table.authors import Author
from companion.table.commands import Command, NewGame
from companion.table.ledger import Note
from companion.table.table import Snapshot, Table
from companion.table.view import view
from companion.table.wire.state import BoxJson, StateJson
from companion.table.words import seat_words, state_word
from hardware.lamps.patterns import status_signal


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """Facts of the box for the page: whether it is simulated, its camera and buttons, and whether it is a
    demonstration of which nothing is real.

    `pictures`: phones may take pictures of the dice. `real_dice`: of a simulated table, whether real dice
    lie there instead; None where there is nothing to choose.
    """

    simulated: bool
    camera: str
    buttons: tuple[str, ...]
    all_simulated: bool = False
    demo: bool = False
    pictures: bool = True
    real_dice: bool | None = None


@dataclass(frozen=True, slots=True)
class PageView:
    """One numbered snapshot as a page reads it: the table, and the box beside it."""

    version: int
    data: StateJson


class PageTable:
    """The table as the page sees it: snapshots as data, with what the box shows beside them."""

    def __init__(
        self, table: Table, remember: Callable[[NewGame], None], facts: Callable[[], BoxFacts]
    ) -> None:
        """`remember` gets the players of a new game; `facts` gives the state of the box at this moment."""
        self._table, self._remember, self._facts = table, remember, facts
        self._lock = threading.Lock()
        self._shown: PageView | None = None

    def snapshot(self) -> PageView:
        """The table now."""
        return self._with_box(self._table.snapshot())

    def wait(self, after: int, timeout_s: float, ended: Callable[[], bool] = lambda: False) -> PageView:
        """The table once its version is above `after`, the time has passed, or the wait has ended."""
        return self._with_box(self._table.wait(after, timeout_s, ended))

    def wake(self) -> None:
        """Have everybody who waits ask whether the wait has ended."""
        self._table.wake()

    def do(self, command: Command, based_on: int | None, author: Author) -> PageView:
        """Carry out the command of `author` and remember who begins to play; raises what the table raises."""
        shown = self._with_box(self._table.do(command, based_on, author))
        if isinstance(command, NewGame):
            self._remember(command)
        return shown

    def seat(self, player: str, phone: str, freed: Note | None = None) -> None:
        """Note which phone sits in a seat, and who freed it."""
        self._table.seat(player, phone, freed)

    def refresh(self) -> None:
        """Wake every phone, because something beside the table has changed."""
        self._table.refresh()

    def _with_box(self, snapshot: Snapshot) -> PageView:
        """The snapshot as data, made once for all phones that listen: fifty of them wake at once."""
        known = self._shown
        if known and known.version == snapshot.version:
            return known
        with self._lock:
            known = self._shown
            if known and known.version == snapshot.version:
                return known
            plain = view(snapshot)
            shown = PageView(plain.version, {**plain.data, "box": self._box(snapshot)})
            if known is None or shown.version > known.version:
                self._shown = shown
            return shown

    def _box(self, snapshot: Snapshot) -> BoxJson:
        """The state of the box, which the page shows beside the table."""
        lamps, facts = lamp_view(snapshot), self._facts()
        light = status_signal(lamps.state, lamps.fault)
        return {
            "simulated": facts.simulated,
            "state": state_word(snapshot),
            "rgb": [round(255 * level) for level in light.rgb],
            "colour": light.colour,
            "rhythm": light.pattern.words,
            "seats": list(seat_words(snapshot.state)),
            "camera": facts.camera,
            "buttons": list(facts.buttons),
            "extras": [],
            "all_simulated": facts.all_simulated,
            "demo": facts.demo,
            "pictures": facts.pictures,
            "real_dice": facts.real_dice,
        }
