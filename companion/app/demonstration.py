"""Simulated players at the simulated table: for a newcomer, one tap away."""

from __future__ import annotations

from collections.abc import Callable

from companion.demo.players import Demo, Lying, Pace
from companion.errors import BadCommand
from companion.table.table import Table


class Demonstration:
    """Starts and stops the simulated players. `allowed` is asked whether nothing here is real."""

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

    @property
    def allowed(self) -> bool:
        """Whether simulated players may play here."""
        return self._allowed()

    @property
    def running(self) -> bool:
        """Whether they are playing."""
        return self._demo is not None

    def toggle(self) -> None:
        """Start, or stop where they are playing; raises BadCommand as `start`."""
        (self.stop if self.running else self.start)()

    def start(self, pace: Pace | None = None) -> None:
        """Let them play, from the beginning; raises BadCommand where anything is real."""
        if not self.allowed:
            raise BadCommand("demo_needs_simulation")
        self.stop()
        self._demo = Demo(self._table, self._press, self._lying, pace=pace or Pace())
        self._demo.start()
        self._table.refresh()

    def stop(self) -> None:
        """Let people take over where the simulated players are; may be called when none play."""
        demo, self._demo = self._demo, None
        if demo:
            demo.close()
            self._table.refresh()
