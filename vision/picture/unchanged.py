"""Whether a place of the table looks as it did in an earlier picture: nothing was laid there or taken away;
and whether two pictures show the same.

Both patches are made small. Light may differ by a gain that varies smoothly over the patch, and the camera
may have been nudged by a little. What is left is compared cell by cell with the neighbouring cells of the
other patch, so that an edge may lie a cell aside.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.picture.working import resized

REACH = 1.6
"""Side of a patch, in sides of the thing in its middle: what stands out from it is seen, too."""

CELLS = 32
"""Cells along each side of a patch: a pip is four of them wide."""

NUDGE = 4
"""The camera may have been nudged by so many cells: a fifth of a die."""

GAIN = (0.6, 1.7)
"""Ratio of brightness between two pictures of one table, colour by colour."""

CHANGED = 20.0
"""Mean difference of 3 x 3 cells, in grey levels, from which something has changed. Of 579 places of
photographs 99 % stay below with noise and JPEG, 98 % with a nudge, 93 % in other light. Dice laid on 704 bare
places, or on other dice of the same picture (1 224), leave 36 and more."""

SMALL_PX = 768
"""Long side at which whole pictures are compared: a pip on the smallest die is four pixels wide."""

SAME = 12.0
"""Difference of 3 x 3 pixels' means, in grey levels, from which pictures differ. Chosen on `dev`, where a pip
painted over changes 67 and more on each of 380 certain dice; in `dev2` and `dev3` it is 72 on 283."""

OTHER_LIGHT = 1.15
"""Pictures whose mean red, green or blue differs by this factor are not of one light. Twice as much makes
no further die of `dev`, `dev2` and `dev3` certain and wrong."""


def made_small(image_bgr: Image) -> Image:
    """The picture, (height, width, 3) uint8, as `is_same` compares it."""
    return resized(image_bgr, min(1.0, SMALL_PX / max(image_bgr.shape)))


def is_same(before: Image, now: Image) -> bool:
    """Whether two small pictures show the same things, to a pip, in the same light."""
    if before.shape != now.shape:
        return False
    apart = cv2.blur(cv2.subtract(before, now, dtype=cv2.CV_16S), (3, 3))
    return bool(np.abs(apart).max() < SAME)


def light(image_bgr: Image) -> Floats:
    """The mean blue, green and red of a picture (height, width, 3) uint8, at least 1."""
    return np.asarray(image_bgr[::8, ::8].reshape(-1, 3).mean(axis=0) + 1)


def is_same_light(before: Floats, now: Floats) -> bool:
    """Whether two pictures of one scene, by their `light`, were taken in the same one."""
    return bool(np.abs(np.log(now / before)).max() < np.log(OTHER_LIGHT))


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A place in a picture: its middle and the side of the thing there as fractions of the picture's width,
    and its `cells`, (CELLS, CELLS, 3) uint8."""

    x: float
    y: float
    size: float
    cells: Image

    def covers(self, x: float, y: float, size: float) -> bool:
        """Whether a square thing (its middle and side, in picture widths) lies in the patch."""
        return max(abs(x - self.x), abs(y - self.y)) + size / 2 <= REACH * self.size / 2


def patch_of(image_bgr: Image, x: float, y: float, size: float) -> Patch:
    """The patch round a thing of a picture (height, width, 3) uint8; all lengths in picture widths."""
    return Patch(x, y, size, _cells(image_bgr, x, y, size, 0))


def is_unchanged(patch: Patch, image_bgr: Image) -> bool:
    """Whether the picture shows there what the patch shows."""
    wide = _cells(image_bgr, patch.x, patch.y, patch.size, NUDGE)
    old = patch.cells.astype(np.float32)
    found = cv2.matchTemplate(_grey(wide), _grey(patch.cells), cv2.TM_SQDIFF)
    _, _, (left, top), _ = cv2.minMaxLoc(found)
    new = wide[top : top + CELLS, left : left + CELLS].astype(np.float32)
    like_new = old * _gain(old, new)
    off = np.maximum(_beyond(new, like_new), _beyond(like_new, new)).max(axis=2)
    return bool(cv2.blur(off, (3, 3)).max() < CHANGED)


def _cells(image_bgr: Image, x: float, y: float, size: float, margin: int) -> Image:
    """The place made small, with `margin` cells more on each side; what lies outside is the border's."""
    width, side = image_bgr.shape[1], CELLS + 2 * margin
    across = max(1, round(REACH * size * width * side / CELLS))
    place = cv2.getRectSubPix(image_bgr, (across, across), (x * width, y * width))
    return np.asarray(cv2.resize(place, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def _grey(cells: Image) -> Floats:
    """(n, n) float32, without its mean: light may differ."""
    grey = cells.astype(np.float32).mean(axis=2)
    return np.asarray(grey - grey.mean(), np.float32)


def _gain(old: Floats, new: Floats) -> Floats:
    """The gain (CELLS, CELLS, 3) that varies linearly over the patch and brings `old` nearest to `new`."""
    across = np.linspace(-1, 1, CELLS, dtype=np.float32)
    plane = np.stack(np.broadcast_arrays(np.float32(1), across[None, :], across[:, None]), axis=-1)
    gains = [_fitted(old[..., k, None] * plane, new[..., k], plane) for k in range(3)]
    return np.asarray(np.clip(np.stack(gains, axis=-1), *GAIN))


def _fitted(features: Floats, wanted: Floats, plane: Floats) -> Floats:
    flat = features.reshape(-1, 3)
    weights = np.linalg.lstsq(flat, wanted.ravel(), rcond=None)[0]
    return np.asarray(plane @ weights)


def _beyond(values: Floats, of: Floats) -> Floats:
    """How far each value lies outside those of the other patch round it."""
    square = np.ones((3, 3), np.uint8)
    return np.maximum(np.maximum(values - cv2.dilate(of, square), cv2.erode(of, square) - values), 0)
