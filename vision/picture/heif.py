"""HEIF pictures (HEIC), as many phones keep them: decoded by libheif, which is an extra."""

from __future__ import annotations

import importlib.util

import cv2
import numpy as np

from vision.arrays import Image
from vision.picture.shrink import resized


def can_decode() -> bool:
    """Whether the library is installed."""
    return importlib.util.find_spec("pi_heif") is not None


def decoded(data: bytes, reduction: int) -> Image | None:
    """The main picture in `data` as (height, width, 3) blue, green, red, upright as the file says and smaller
    by `reduction`; None where it is damaged. Raises ImportError without the library."""
    import pi_heif  # here: an extra, and few phones send such pictures

    try:
        file = pi_heif.open_heif(data, bgr_mode=True)
        pixels = np.asarray(file)
    except (ValueError, OSError, RuntimeError, EOFError, SyntaxError, LookupError):  # its docs name none
        return None
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
    image = pixels[:, :, :3]  # in memory that ends with `file`
    return image.copy() if reduction == 1 else resized(image, 1 / reduction)
