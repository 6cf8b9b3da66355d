"""Whether the picture itself can be believed, as keys that the sentences of advice hang on."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image
from vision.dice import Found
from vision.faces import mean_of_pips
from vision.torn import is_torn
from vision.values import Doubt
from vision.working import Working

DARK = 0.12
"""Of the brightest hundredth of the picture, linear in [0, 1]: nothing in it is lit."""

DARK_SIDE, DARK_SIDE_RATIO = 0.2, 0.3
"""A side whose brightest hundredth is darker than this, and than this share of the other side's."""

BRIGHT_SHARE = 0.2
"""Of the picture burnt out: a white die may be lost in it, pips and all. Photographs that can be read have
less than a sixth of that."""

BURNT = 0.985
"""Square root of the least of the three colours at which a sensor tells nothing more."""

SQUEEZED = 0.86
"""Cosine of a tilt of 31 degrees: what it leaves of lengths is measured on all clear fours and fives."""

CLEAR_CHANCE = 0.5
"""Least chance of those fours and fives."""

FLAT_PIPS = 0.75
"""Median ratio of the axes of large enough pips, where no four or five tells: drilled pips lit from one side
look flat from above too."""

LARGE_PIP_PX = 4.5
"""Below this radius in working pixels the axes of an ellipse are noise."""

LEAST_QUALITY = 0.3
"""Median quality of the pips that were read; blurred or coarse ones have less."""


def advice(image_bgr: Image, working: Working, found: Found) -> list[Doubt]:
    """Doubts about the picture as a whole; `working` is `image_bgr` at working size."""
    return [*of_picture(image_bgr, working), *(Doubt(key) for key in _shape(found))]


def of_picture(image_bgr: Image, working: Working) -> list[Doubt]:
    """Doubts about the picture that need no dice to be seen: its light, and whether it is whole."""
    torn = ["torn"] if is_torn(image_bgr) else []
    return [Doubt(key) for key in (*_exposure(working), *torn)]


def _exposure(working: Working) -> list[str]:
    """Too dark, too dark on one side, too bright."""
    colours = cv2.split(working.colour[::4, ::4])
    value = np.maximum.reduce(colours)
    if min(value.shape) < 4:
        return []
    if np.mean(np.minimum.reduce(colours) > BURNT) > BRIGHT_SHARE:
        return ["too_bright"]
    if _brightest(value) < DARK:
        return ["too_dark"]
    half_y, half_x = value.shape[0] // 2, value.shape[1] // 2
    left, right, top, bottom = map(
        _brightest, (value[:, :half_x], value[:, half_x:], value[:half_y], value[half_y:])
    )
    sides = {
        "dark_left": (left, right),
        "dark_right": (right, left),
        "dark_top": (top, bottom),
        "dark_bottom": (bottom, top),
    }
    return [key for key, (one, other) in sides.items() if one < DARK_SIDE and one < DARK_SIDE_RATIO * other]


def _brightest(value: Floats) -> float:
    """Stored value, in [0, 1], of the brightest hundredth."""
    return float(np.percentile(value, 99)) ** 2


def _shape(found: Found) -> list[str]:
    """Seen aslant, blurred."""
    if not len(found):
        return []
    quality = mean_of_pips(found.pips.quality, found.faces)
    seen = {"slanting": _aslant(found), "blurred": np.median(quality) < LEAST_QUALITY}
    return [key for key, so in seen.items() if so]


def _aslant(found: Found) -> bool:
    """Whether the camera looks down aslant."""
    square = squares(found)
    if square.any():
        return squeeze(found.faces.row_px[square], found.faces.column_px[square])[0] < SQUEEZED
    radius, flat = (mean_of_pips(v, found.faces) for v in (found.pips.radius_px, found.pips.flat))
    large = radius > LARGE_PIP_PX
    return bool(large.any() and np.median(flat[large]) < FLAT_PIPS)


def squares(found: Found) -> Bools:
    """Which of the dice (K,) are clear fours and fives: their pips are the corners of a square."""
    return np.asarray(((found.faces.face == 4) | (found.faces.face == 5)) & (found.chance > CLEAR_CHANCE))


def squeeze(row_px: Floats, column_px: Floats) -> tuple[float, Floats]:
    """What the view leaves of lengths along the direction it shortens most, over those across it; and that
    direction, a unit vector (2,).

    `row_px` and `column_px` (M, 2): the sides of M squares, turned in any way. A view from above leaves 1,
    however ill each is measured; a tilt shortens all along one direction, whatever their turns.
    """
    sides = np.stack([row_px, column_px], axis=1)
    spread = np.einsum("msi,msj->mij", sides, sides)
    mean = (spread / np.trace(spread, axis1=1, axis2=2)[:, None, None]).mean(axis=0)
    (least, most), directions = np.linalg.eigh(mean)
    return float(np.sqrt(max(least, 0.0) / most)), directions[:, 0]
