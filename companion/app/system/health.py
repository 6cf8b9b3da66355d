"""Watches the parts of the box and its disk, reports to the table what does not work just now, and says how
the box is: the answer of `GET /api/v1/health`, without anything secret."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence

from companion.app.camera.capture import Capture
from companion.errors import Explained
from companion.storage.journal import Journal
from companion.table.folder import MEGABYTE, MIN_FREE_BYTES, Reserve, free_bytes, no_room
from companion.table.snapshot import UNWRITABLE
from companion.table.table import Fault, Table
from companion.table.wire.state import CameraHealthJson, HealthJson, OutletHealthJson
from companion.threads import Heartbeats
from hardware.diagnostics.power import processor_celsius, under_voltage
from hardware.errors import HardwareError
from hardware.ports import Camera

_log = logging.getLogger(__name__)

EVERY_S = 2.0


class FaultReporter:
    """Asks `faults` every few seconds: errors with a `reason`, the gravest first. Each cause is reported
    once.

    The parts recover by themselves, and a fault that is over is withdrawn at once. Asking may take long:
    nobody waits for it, and the page answers from the first moment on.
    """

    def __init__(self, table: Table, faults: Callable[[], Sequence[Explained]]) -> None:
        self._table, self._faults = table, faults
        self._reported: tuple[str, ...] = ()

    def turn(self) -> float:
        """Report new faults to the table, withdraw old ones, each cause as a part of its own; seconds until
        the next turn."""
        found = tuple(dict.fromkeys(str(fault.reason) for fault in self._faults()))
        for reason in self._reported:
            if reason not in found:
                self._table.report(reason, None)
        for reason in found:
            self._table.report(reason, Fault(reason))
        self._reported = found
        return EVERY_S


class HeartbeatMonitor:
    """Reports on the page that a thread of the box hangs: it cannot be ended, only the whole box begun anew.

    It asks no part, so that none can hold it up.
    """

    def __init__(self, table: Table, heartbeats: Heartbeats) -> None:
        self._table, self._heartbeats = table, heartbeats

    def turn(self) -> float:
        """Report who is silent; seconds until the next turn."""
        silent = ", ".join(self._heartbeats.overdue())
        if silent:
            _log.error("silent: %s", silent)
        self._table.report("threads", Fault("part_hangs", (("parts", silent),)) if silent else None)
        return EVERY_S


def part_faults(
    journal: Journal,
    reserve: Reserve,
    capture: Capture,
    camera: Camera,
    parts: Callable[[], Sequence[HardwareError]],
) -> list[Explained]:
    """The faults of the box, the gravest first; `parts` gives those of buttons, lamps and sound. While a
    reveal needs the camera, the capture reports its faults."""
    gone = journal.trouble()
    if gone:
        return [gone]
    reserve.keep()
    room, looked = no_room(journal.path.parent), None if capture.at_work else camera.check()
    found: list[Explained | None] = [under_voltage(), room, looked]
    return [*filter(None, found), *parts()]


class Health:
    """Asks the parts themselves, none of which is waited for."""

    def __init__(
        self,
        journal: Journal,
        table: Table,
        heartbeats: Heartbeats,
        camera: Camera,
        capture: Capture,
        outside: Callable[[], dict[str, OutletHealthJson]] = dict,
    ) -> None:
        self._outside = outside
        self._journal, self._table, self._heartbeats = journal, table, heartbeats
        self._camera, self._capture, self._began_s = camera, capture, time.monotonic()

    def now(self) -> HealthJson:
        """The state of every part. `ok`: the box does its work, whatever else may be wrong."""
        faults = [fault.reason for _, fault in self._table.snapshot().faults]
        silent, writable = self._heartbeats.overdue(), self._writable(faults)
        celsius, free = processor_celsius(), free_bytes(self._journal.path.parent)
        return {
            "ok": writable and not silent,
            "running_s": round(time.monotonic() - self._began_s),
            "journal": {"writable": writable},
            "disk": {"free_mb": free // MEGABYTE, "room": free >= MIN_FREE_BYTES},
            "camera": self._camera_state(silent),
            "threads": {name: round(age, 1) for name, age in self._heartbeats.ages_s().items()},
            "silent": list(silent),
            "faults": faults,
            "temperature_c": None if celsius is None else round(celsius, 1),
            "under_voltage": under_voltage() is not None,
            "outside": self._outside(),
        }

    def _writable(self, faults: Sequence[str]) -> bool:
        """Whether the next command can be kept, as far as is known before it comes."""
        there = self._journal.trouble() is None and os.access(self._journal.path, os.W_OK)
        return there and not set(UNWRITABLE).intersection(faults)

    def _camera_state(self, silent: tuple[str, ...]) -> CameraHealthJson:
        camera, age_s = self._camera, self._capture.frame_age_s()
        return {
            "name": os.path.basename(camera.name),  # of a folder of pictures: any phone may ask
            "thread": "looking" not in silent,
            "looking": self._capture.at_work,
            "frame_age_s": None if age_s is None else round(age_s, 1),
            "fault": camera.fault.reason if camera.fault else None,
        }
