"""The table as the page sees it: numbered snapshots as data, with what the box shows beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from companion.table.commands import Author, Command, NewGame
from companion.table.table import Snapshot, Table
from companion.table.view import rounds_view, view
from companion.table.wire.game import RoundsJson
from companion.table.wire.state import BoxJson, StateJson


class PageView(Struct, frozen=True, eq=False):
    """One numbered snapshot as a page reads it: the table, and the box beside it."""

    data: StateJson
    table: Snapshot

    @property
    def version(self) -> int:
        return self.table.version

    @property
    def simulated(self) -> bool:
        """Whether no dice are real: everybody rolls in a phone, and nobody has chosen that."""
        return self.data["box"]["all_simulated"]

    def rounds(self) -> RoundsJson:
        """All rounds of the game so far."""
        return rounds_view(self.table)


class PageTable:
    """The one owner of changing state, its snapshots as data. Any thread may ask."""

    def __init__(
        self, table: Table, remember: Callable[[NewGame], None], box: Callable[[Snapshot], BoxJson]
    ) -> None:
        """`remember` gets who begins a game or is here after it; `box` gives the state of the box at this
        moment."""
        self.table, self._remember, self._box = table, remember, box
        self._lock = threading.Lock()
        self._shown: PageView | None = None
        table.remember = self._note

    def snapshot(self) -> PageView:
        """The table now."""
        return self._with_box(self.table.snapshot())

    def do(self, command: Command, based_on: int | None, author: Author) -> PageView:
        """Carry out the command of `author`; raises what the table raises."""
        return self._with_box(self.table.do(command, based_on, author))

    def _note(self, game: NewGame) -> None:
        self._remember(replace(game, cups=()) if self.snapshot().simulated else game)

    def refresh(self) -> None:
        """Wake every phone, because something beside the table has changed."""
        self.table.refresh()

    def _with_box(self, snapshot: Snapshot) -> PageView:
        """The snapshot as data, made once for all phones that listen: fifty of them wake at once."""
        with self._lock:
            known = self._shown
            if known and known.table is snapshot:
                return known
            shown = PageView({**view(snapshot), "box": self._box(snapshot)}, snapshot)
            if known is None or shown.version > known.version:
                self._shown = shown
            return shown
