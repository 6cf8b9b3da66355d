"""Collects what of the box does not work just now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from companion.app.health import no_room
from companion.errors import CompanionError, Explained
from companion.storage.journal import Journal
from companion.table.reserve import Reserve
from hardware.diagnostics.power import under_voltage
from hardware.errors import HardwareError


class AtWork(Protocol):
    """Whether a reveal needs the camera."""

    @property
    def at_work(self) -> bool: ...


class Checked(Protocol):
    """A camera that can be asked how it is."""

    def check(self) -> HardwareError | None: ...


class Part(Protocol):
    """A part of the box: buttons, lamps or sound."""

    def faults(self) -> Sequence[HardwareError]: ...


class PartFaults:
    """Asks every part of the box for its fault."""

    def __init__(
        self,
        folder: Path,
        journal: Journal,
        reserve: Reserve,
        capture: AtWork,
        camera: Checked,
        parts: Iterable[Part],
    ) -> None:
        """`folder` is where pictures and games are kept: its disk may be full."""
        self._folder, self._journal, self._reserve, self._capture = folder, journal, reserve, capture
        self._camera, self._parts = camera, tuple(parts)

    def now(self) -> list[Explained]:
        """The faults, the gravest first. While a reveal needs the camera, the capture reports its faults."""
        gone: CompanionError | None = self._journal.trouble()
        if gone:
            return [gone]
        self._reserve.keep()
        camera = None if self._capture.at_work else self._camera.check()
        found: list[Explained | None] = [under_voltage(), no_room(self._folder), camera]
        return [*filter(None, found), *(fault for part in self._parts for fault in part.faults())]
