"""A slanting view made straight: stretched along what it shortens, faces are squares and pips round again.

Fours and fives are squares: all together they tell what the view leaves of lengths and along which direction
(`view.squeeze`). Only the pips way reads the stretched picture. The nets learnt slanting dice as
they are, and stretched side faces look to them like faces seen aslant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.counting.dice import Found
from vision.counting.view import SQUEEZED, squares, squeeze
from vision.values import Die, Pip

LEAST_LEFT = 0.5
"""A view that leaves less of lengths shows side faces as large as top ones, or the estimate is wrong."""

MOST_LONG_PX = 1280
"""The reader sees no more of a picture: stretching all of a large one would only take memory."""


@dataclass(frozen=True, slots=True)
class Straight:
    """A picture made straight; `warp` (2, 3) leads from pixels of the picture as it came to its pixels, and
    (`width_px`, `height_px`) is the size of that one."""

    image_bgr: Image
    warp: Floats
    width_px: int
    height_px: int

    def dice_home(self, dice: Sequence[Die]) -> tuple[Die, ...]:
        """The dice in pixels of the picture as it came, without those beyond its border."""
        return tuple(die for die in map(self._die_home, dice) if self._within(die))

    def _die_home(self, die: Die) -> Die:
        x, y = self._home(die.x_px, die.y_px)
        turn = math.radians(die.angle_deg)
        to_x, to_y = self._home(die.x_px + math.cos(turn), die.y_px + math.sin(turn))
        pips = tuple(Pip(*self._home(p.x_px, p.y_px), p.radius_px / self.larger) for p in die.pips)
        angle = math.degrees(math.atan2(to_y - y, to_x - x)) % 90
        return replace(
            die,
            x_px=x,
            y_px=y,
            size_px=die.size_px / self.larger,
            angle_deg=angle,
            pips=pips,
        )

    def _home(self, x_px: float, y_px: float) -> tuple[float, float]:
        x, y = np.linalg.solve(self.warp[:, :2], np.array([x_px, y_px]) - self.warp[:, 2])
        return float(x), float(y)

    def _within(self, die: Die) -> bool:
        return 0 <= die.x_px < self.width_px and 0 <= die.y_px < self.height_px

    @property
    def larger(self) -> float:
        """By how much the side of a square as large as a face grew; below 1 where the picture was shrunk."""
        return float(np.sqrt(np.linalg.det(self.warp[:, :2])))


def straightened(image_bgr: Image, found: Found) -> Straight | None:
    """The picture stretched so that the fours and fives found in it are squares; None where they are, or
    where there is none to tell."""
    square = squares(found)
    if not square.any():
        return None
    left, along = squeeze(found.faces.row_px[square], found.faces.column_px[square])
    if not LEAST_LEFT < left < SQUEEZED:
        return None
    stretch = np.eye(2) + (1 / left - 1) * np.outer(along, along)
    height, width = image_bgr.shape[:2]
    corners = np.array([[0, 0], [width, 0], [0, height], [width, height]]) @ stretch.T
    shrunk = min(1.0, MOST_LONG_PX / max(height, width))
    small = cv2.resize(image_bgr, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    warp = np.column_stack([stretch, -shrunk * corners.min(axis=0)])
    size = [math.ceil(shrunk * side) for side in np.ptp(corners, axis=0)]
    table = tuple(float(v) for v in np.median(small[::8, ::8].reshape(-1, 3), axis=0))
    stretched = np.asarray(cv2.warpAffine(small, warp, size, borderValue=table), np.uint8)
    warp[:, :2] *= shrunk
    return Straight(stretched, warp, width, height)
