"""Watches the parts of the box and its disk, and reports to the table what does not work just now."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from companion.errors import CompanionError, Explained, StorageError
from companion.heartbeats import Heartbeats
from companion.loop import Loop
from companion.storage.journal import Journal
from companion.table.reserve import Reserve
from companion.table.table import Fault, Table
from hardware.diagnostics.power import under_voltage
from hardware.errors import HardwareError

_log = logging.getLogger(__name__)

EVERY_S = 2.0
MIN_FREE_BYTES = 50_000_000
"""With less room no more pictures are kept: what is left is for the journal, which needs little of it."""


class Health:
    """Asks `faults` every few seconds: errors with a `reason`, the gravest first. Each cause is reported
    once.

    The parts recover by themselves, and a fault that is over is withdrawn at once. Asking may take long:
    nobody waits for it, and the page answers from the first moment on.
    """

    def __init__(
        self, table: Table, faults: Callable[[], Sequence[Explained]], beat: Callable[[], None] = lambda: None
    ) -> None:
        self._table, self._faults = table, faults
        self._reported: tuple[str, ...] = ()
        self._loop = Loop("health", self._turn, beat)

    def stop(self) -> None:
        """Ask no more; may be called twice."""
        self._loop.stop()

    def close(self) -> None:
        """Stop watching; may be called twice."""
        self._loop.close()

    def _turn(self) -> float:
        self._ask()
        return EVERY_S

    def _ask(self) -> None:
        """Ask once. Report new faults to the table, withdraw old ones, each cause as a part of its own."""
        found = tuple(dict.fromkeys(str(fault.reason) for fault in self._faults()))
        for reason in self._reported:
            if reason not in found:
                self._table.report(reason, None)
        for reason in found:
            self._table.report(reason, Fault(reason))
        self._reported = found


class Minder:
    """Reports on the page that a thread of the box hangs: it cannot be ended, only the whole box begun anew.

    It asks no part, so that none can hold it up.
    """

    def __init__(self, table: Table, heartbeats: Heartbeats, beat: Callable[[], None] = lambda: None) -> None:
        self._table, self._heartbeats = table, heartbeats
        self._loop = Loop("minder", self._turn, beat)

    def stop(self) -> None:
        """Look no more; may be called twice."""
        self._loop.stop()

    def close(self) -> None:
        """Stop minding; may be called twice."""
        self._loop.close()

    def _turn(self) -> float:
        silent = ", ".join(self._heartbeats.overdue())
        if silent:
            _log.error("silent: %s", silent)
        self._table.report("threads", Fault("part_hangs", (("parts", silent),)) if silent else None)
        return EVERY_S


def free_bytes(folder: Path) -> int:
    """Room on the disk of a folder; none where there is no such folder."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


def no_room(folder: Path, least_bytes: int = MIN_FREE_BYTES) -> StorageError | None:
    """The fault of a disk that is nearly full, None while there is room for pictures."""
    if free_bytes(folder) >= least_bytes:
        return None
    return StorageError("disk_full", path=folder)


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
