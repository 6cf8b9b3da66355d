"""Simulated players at the simulated table of a demonstration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.app.reading.readings import PictureReader
from companion.app.system.https import Https
from companion.demo.players import Demo, Lying, Pace
from companion.errors import BadCommand
from companion.table.table import Table


@dataclass(frozen=True, slots=True)
class Shows:
    """That a companion is a demonstration: the port of the table `home`, if any, how fast they play, and
    what encrypts its page where that of the table is."""

    home: int | None = None
    https: Https | None = None
    pace: Pace = field(default_factory=Pace)


class Borrowed:
    """The reader of another companion, which alone may close it."""

    def __init__(self, reader: PictureReader) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def stop(self) -> None:
        """The owner does that."""

    def close(self) -> None:
        """The owner does that, too."""


class Demonstration:
    """Starts and stops the simulated players. `allowed` is asked whether this is a demonstration's table."""

    def __init__(
        self,
        table: Table,
        press: Callable[[str], None],
        lying: Callable[[], tuple[Lying, ...]],
        allowed: Callable[[], bool],
    ) -> None:
        """The players press buttons by `press` and see the dice that `lying` gives."""
        self._table, self._press, self._lying, self._allowed = table, press, lying, allowed
        self._demo: Demo | None = None

    def start(self, pace: Pace | None = None) -> None:
        """Let them play, from the beginning; raises BadCommand at a table of people."""
        if not self._allowed():
            raise BadCommand("demo_needs_simulation")
        self.close()
        self._demo = Demo(self._table, self._press, self._lying, pace=pace or Pace())
        self._demo.start()

    def stop(self) -> None:
        """Have them do nothing more; may be called when none play."""
        demo = self._demo
        if demo:
            demo.stop()

    def close(self) -> None:
        """End their game; may be called when none play."""
        demo, self._demo = self._demo, None
        if demo:
            demo.close()
