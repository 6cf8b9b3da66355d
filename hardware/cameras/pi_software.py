"""picamera2 and libcamera: imported, asked for the Pi's own cameras, opened. Each call may hang."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from hardware.cameras.reasons import explained
from hardware.errors import CameraMissing

PiDevice: TypeAlias = Any
"""A camera of picamera2, its configuration or its pictures: it has no types."""

OpenPi = Callable[[int], PiDevice]


def open_picamera(number: int) -> PiDevice:
    """picamera2's camera of that number. Importing it opens devices, so it happens only here."""
    Picamera2 = library()  # noqa: N806 (a class)
    there = csi_cameras(Picamera2.global_camera_info())
    if number >= there:
        raise CameraMissing(f"There is no Pi camera number {number}; {there} found.")
    return mapping(Picamera2)(number)


def csi_cameras(known: Sequence[Mapping[str, object]]) -> int:
    """How many of the cameras libcamera knows are the Pi's own: it lists USB ones too, behind them."""
    return sum("/usb" not in str(camera.get("Id", "")) for camera in known)


def cameras_there() -> int:
    """How many cameras of its own the Pi has now. Raises CameraSoftwareMissing and what picamera2 raises."""
    try:
        return csi_cameras(library().global_camera_info())
    except ImportError as error:
        raise explained(error, "The Pi camera") from error


def library() -> PiDevice:
    """picamera2's class. What libcamera writes is kept for people, so without colours for a terminal."""
    os.environ.setdefault("LIBCAMERA_LOG_NO_COLOR", "1")
    from picamera2 import Picamera2

    return Picamera2


def mapping(camera_class: PiDevice) -> PiDevice:
    """picamera2's class, whose `mapped(request, stream)` has a picture where the camera wrote it: `array`."""
    from picamera2 import MappedArray

    return type("MappingPicamera2", (camera_class,), {"mapped": MappedArray})
