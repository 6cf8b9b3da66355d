"""A place seen again in quarter turns.

A net that takes a shadow for a part of a die, or a whole die for a covered one, seldom does so again when the
picture is turned, while what is truly there stays. So the mean of turned views tells them apart better than
one look does, for the price of a few small pictures where something was found.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.arrays import Image
from vision.picture.shrink import resized
from vision.values import Die

Place = tuple[float, float, float]
"""Middle and side of a die, in pixels."""
QUARTERS = (0, 2, 1, 3)
"""By how many quarters, in which order: the first two are as unlike as two can be."""
REACH = 1.5
"""So many sides about a place are shown, no more than the picture has: its border stays one."""


def place_of(die: Die) -> Place:
    """Where a die lies and how wide it is."""
    return die.x_px, die.y_px, die.size_px


def views(image_bgr: Image, place: Place, face_px: float) -> Iterator[tuple[Image, Place]]:
    """What lies about a place in each turn, a die there `face_px` wide, and where the place is in that."""
    x_px, y_px, size_px = place
    reach, scale = REACH * size_px, face_px / size_px
    left, top = (max(0, int(at - reach)) for at in (x_px, y_px))
    part = resized(image_bgr[top : int(y_px + reach) + 1, left : int(x_px + reach) + 1], scale)
    at = ((x_px - left) * scale, (y_px - top) * scale)
    for quarters in QUARTERS:
        x, y = _turned(at, part.shape, quarters)
        yield np.ascontiguousarray(np.rot90(part, quarters)), (x, y, face_px)


def _turned(at: tuple[float, float], shape: tuple[int, ...], quarters: int) -> tuple[float, float]:
    """Where a place (x, y) comes to lie in a picture of that shape turned so."""
    (x, y), (height, width) = at, shape[:2]
    return ((x, y), (y, width - x), (width - x, height - y), (height - y, x))[quarters]
