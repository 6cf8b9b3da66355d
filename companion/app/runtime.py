"""What every part of a running box is given: settings, clock, heartbeats, and the order of its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.ending import Ending
from companion.heartbeats import QUICK_S, Heartbeats
from companion.settings import Settings
from companion.side_files import SideFiles
from companion.table.subscriber import Subscriber
from companion.table.table import Snapshot, Table
from hardware.ports import Clock


@dataclass(frozen=True, slots=True)
class Runtime:
    """The surroundings of all parts of one box. Parts end in the opposite order of their opening."""

    settings: Settings
    clock: Clock
    heartbeats: Heartbeats
    ending: Ending
    files: SideFiles

    def follow(self, table: Table, name: str, on_change: Callable[[Snapshot], None]) -> None:
        """Call `on_change` after every change of the table, in a thread of that name."""
        self.ending.add(Subscriber(name, table, on_change, self.heartbeats.expect(name, QUICK_S)))
