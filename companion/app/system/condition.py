"""How the box is: the answer of `GET /api/v1/health`, without anything secret."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.app.system.health import MIN_FREE_BYTES, free_bytes
from companion.errors import Explained
from companion.health_json import CameraHealthJson, DiskHealthJson, HealthJson, OutletHealthJson
from companion.heartbeats import Heartbeats
from companion.storage.journal import Journal
from companion.table.table import Table
from hardware.diagnostics.power import processor_celsius, under_voltage

MEGABYTE = 1_000_000

UNKEPT = frozenset(("journal_unwritable", "journal_full", "journal_gone"))
"""Faults by which the last command could not be kept."""


class CaptureState(Protocol):
    """Whether pictures are taken, and how old the newest is (`companion.app.camera.capture.Capture`)."""

    @property
    def at_work(self) -> bool: ...

    def frame_age_s(self) -> float | None: ...


class WatchedCamera(Protocol):
    """A camera with a fault and a name, as `hardware.cameras.reconnecting.ReconnectingCamera`."""

    @property
    def name(self) -> str: ...

    @property
    def fault(self) -> Explained | None: ...


class Condition:
    """Asks the parts themselves, none of which is waited for."""

    def __init__(
        self,
        journal: Journal,
        table: Table,
        heartbeats: Heartbeats,
        camera: WatchedCamera,
        capture: CaptureState,
        outside: Callable[[], dict[str, OutletHealthJson]] = dict,
    ) -> None:
        self._outside = outside
        self._journal, self._table, self._heartbeats = journal, table, heartbeats
        self._camera, self._capture, self._began_s = camera, capture, time.monotonic()

    def now(self) -> HealthJson:
        """The state of every part. `ok`: the box does its work, whatever else may be wrong."""
        faults = [fault.reason for _, fault in self._table.snapshot().faults]
        silent, writable = self._heartbeats.overdue(), self._writable(faults)
        celsius = processor_celsius()
        return {
            "ok": writable and not silent,
            "running_s": round(time.monotonic() - self._began_s),
            "journal": {"writable": writable},
            "disk": self._disk(),
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
        return there and not UNKEPT.intersection(faults)

    def _disk(self) -> DiskHealthJson:
        free = free_bytes(self._journal.path.parent)
        return {"free_mb": free // MEGABYTE, "room": free >= MIN_FREE_BYTES}

    def _camera_state(self, silent: tuple[str, ...]) -> CameraHealthJson:
        camera, age_s = self._camera, self._capture.frame_age_s()
        return {
            "name": camera.name,
            "thread": "looking" not in silent,
            "looking": self._capture.at_work,
            "frame_age_s": None if age_s is None else round(age_s, 1),
            "fault": camera.fault.reason if camera.fault else None,
        }
