"""One frame of picamera2 as a picture in sealed memory: the process that reads it maps it without a copy."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from mmap import mmap
from typing import Any, TypeAlias

import numpy as np

from hardware.cameras.reasons import explained
from hardware.errors import CameraMissing, CameraSilent
from hardware.optics.pixels import Image, write_bgr
from hardware.worker.sealed import filled


def grabbed(camera: PiDevice, stream: str, timeout_s: float) -> tuple[Image, PiDevice]:
    """Picture (height, width, 3) and metadata of one stream of the next frame; its buffers are given back.

    Raises CameraSilent when no frame comes within `timeout_s`.
    """
    job = camera.capture_request(wait=False)
    try:
        request = camera.wait(job, timeout=timeout_s)
    except TimeoutError:
        if hasattr(camera, "cancel_all_and_flush"):
            camera.cancel_all_and_flush()
        raise CameraSilent(f"The camera gave no picture within {timeout_s:g} seconds.") from None
    try:
        what = camera.camera_configuration()[stream]
        with camera.mapped(request, stream) as mapped:
            image = _sealed_bgr(mapped.array, what["format"], tuple(what["size"]))
        return image, request.get_metadata()
    finally:
        request.release()


def _sealed_bgr(array: Image, pixel_format: str, size_px: tuple[int, int]) -> Image:
    """The picture in a memory that other processes map: written there once, and never copied again."""
    width, height = size_px
    shape = height, width, 3
    memory = filled(math.prod(shape), lambda to: write_bgr(_array(to, shape), array, pixel_format))
    return _array(memory, shape)


def _array(memory: mmap, shape: tuple[int, int, int]) -> Image:
    return np.frombuffer(memory, np.uint8).reshape(shape)


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
