"""Pixel layouts of cameras, made into blue, green, red; and quick shrinking. Numpy only, pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.errors import PictureUnreadable

Image = NDArray[np.uint8]

PLANAR = ("YUV420", "NV12")


def write_bgr(image: Image, array: Image, pixel_format: str) -> None:
    """Write the picture in `array`, in libcamera's `pixel_format`, to `image` as blue, green, red.

    libcamera names formats from the last byte in memory to the first: "RGB888" lies in memory as blue, green,
    red. `image` is (height, width, 3); what `array` has beyond is padding. Raises PictureUnreadable for a
    format that is not known.
    """
    height, width = image.shape[:2]
    if pixel_format == "RGB888":
        image[:] = array[:height, :width]
    elif pixel_format in PLANAR:
        _write_yuv(image, *_planes(array, pixel_format, width, height))
    else:
        raise PictureUnreadable(f"The camera sends pictures as {pixel_format}, which is not understood.")


def _planes(array: Image, pixel_format: str, width: int, height: int) -> tuple[Image, Image, Image]:
    """Luma of full size, and both chromas of half size. The rows of `array` may be padded at their end."""
    stride = array.shape[1]
    luma = array[:height, :width]
    chroma = np.ascontiguousarray(array[height : height * 3 // 2]).reshape(-1)
    if pixel_format == "NV12":
        pairs: Image = chroma.reshape(height // 2, stride // 2, 2)[:, : width // 2]
        return luma, pairs[:, :, 0], pairs[:, :, 1]
    halves = chroma.reshape(2, height // 2, stride // 2)[:, :, : width // 2]
    return luma, halves[0], halves[1]


def _write_yuv(image: Image, luma: Image, blue: Image, red: Image) -> None:
    """BT.601 in full range, as JPEG has it (ITU-T T.871, section 7) and as the streams are configured.

    The chroma terms are computed at their own half size and in whole numbers, which is fast on small boards.
    """
    cb, cr = blue.astype(np.float32) - 128.0, red.astype(np.float32) - 128.0
    added = (1.772 * cb, -0.344136 * cb - 0.714136 * cr, 1.402 * cr)
    for channel, half in enumerate(added):
        full = np.rint(half).astype(np.int16).repeat(2, axis=0).repeat(2, axis=1)
        image[:, :, channel] = np.clip(full[: luma.shape[0], : luma.shape[1]] + luma, 0, 255)


def shrunk(image: Image, width_px: int) -> Image:
    """The picture made smaller by a whole factor so that it is at most about `width_px` wide.

    Each pixel is the mean of the pixels it stands for, so pips do not vanish between samples.
    """
    factor = max(1, round(image.shape[1] / width_px))
    height, width = image.shape[0] // factor * factor, image.shape[1] // factor * factor
    if factor == 1 or not height or not width:
        return image
    blocks = image[:height, :width].reshape(height // factor, factor, width // factor, factor, 3)
    total = np.zeros((height // factor, width // factor, 3), dtype=np.uint32)
    for row in range(factor):
        for column in range(factor):
            total += blocks[:, row, :, column]
    mean: Image = ((total + factor * factor // 2) // (factor * factor)).astype(np.uint8)
    return mean


def checked(image: object, source: str) -> Image:
    """`image` if it is a picture of ours; raises PictureUnreadable saying what it is instead."""
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        shape = getattr(image, "shape", type(image).__name__)
        raise PictureUnreadable(f"{source} gave {shape} instead of a colour picture.")
    if image.size == 0:
        raise PictureUnreadable(f"{source} gave an empty picture.")
    return image
