"""One frame of picamera2 as a picture in sealed memory: the process that reads it maps it without a copy."""

from __future__ import annotations

import math
from mmap import mmap

import numpy as np

from hardware.cameras.pi_software import PiDevice
from hardware.errors import CameraSilent
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
