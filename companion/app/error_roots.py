"""The roots of the rooms' errors. The type checker holds each of them to the protocol `Explained`."""

from __future__ import annotations

from companion.errors import CompanionError, Explained
from hardware.errors import HardwareError
from vision.errors import VisionError
from web.problems import Refused

ROOTS: tuple[type[Explained], ...] = (CompanionError, HardwareError, VisionError, Refused)
