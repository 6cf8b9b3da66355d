"""The memory that decoding a picture takes, from its header alone; HEIF by an extra."""

from __future__ import annotations

import importlib.util

import cv2
import numpy as np

from vision.arrays import Image
from vision.picture.headers import Size, is_animated, jpeg_frame, kind_of, size_of
from vision.picture.working import resized

ROW_BY_ROW = (0xC0, 0xC1, 0xC9)
"""Markers of JPEGs that may be decoded row by row: baseline, extended, and extended with arithmetic code."""

BYTES_A_COEFFICIENT = 2

SHRUNK = 1
"""Bytes of each pixel for the copy at half the size, where the whole picture lies in memory first: 0.75."""

BYTES_A_PIXEL = {
    "png": 3 + SHRUNK,
    "bmp": 3 + SHRUNK,
    "webp": 7 + SHRUNK,
    "gif": 12,
    "heif": 5 + SHRUNK,
    "animated webp": 11,
    "animated png": 15,
}
"""What OpenCV's decoders hold of each pixel at once: blue, green and red; of a WebP, which may be lossless,
four more; of an animation several canvases with transparency; of HEIF brightness and colours besides.
Measured as the peak of `dudo read` with pictures of 25 to 60 megapixels, less the file and the program:
3.1, 3.1, 6.5, 11.3, 10.5, 14.3; of HEIF with 48: 4.6."""


def bytes_held(data: bytes) -> int:
    """What the decoder holds at once of the picture encoded in `data`; 0 for a JPEG that is shrunk row by row
    while it is decoded."""
    kind, (width, height) = kind_of(data), size_of(data)
    if kind == "jpeg":
        return _coefficients(data, (width, height))
    form = f"animated {kind}" if is_animated(data) else kind
    return width * height * BYTES_A_PIXEL.get(form, 0)


def _coefficients(data: bytes, size: Size) -> int:
    """A progressive JPEG, like one that comes colour by colour, is finished only with its last scan: until
    then all its coefficients lie in memory, one for each sample, and no shrinking makes them fewer."""
    frame = jpeg_frame(data)
    if frame is None or (frame.marker in ROW_BY_ROW and frame.in_first_scan >= len(frame.samplings)):
        return 0
    across, down = (max([1, *(sampling[k] for sampling in frame.samplings)]) for k in (0, 1))
    samples = sum(x * y for x, y in frame.samplings) / (across * down)
    return round(size[0] * size[1] * (BYTES_A_COEFFICIENT * samples + SHRUNK))


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
