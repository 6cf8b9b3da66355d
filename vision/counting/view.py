"""How the dice are seen: from above or aslant, sharp or blurred, as keys that sentences of advice hang on."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.counting.dice import Found
from vision.counting.faces import mean_of_pips
from vision.values import Doubt

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


def advice(found: Found) -> list[Doubt]:
    """Doubts about the view of the dice that were found."""
    if not len(found):
        return []
    quality = mean_of_pips(found.pips.quality, found.faces)
    seen = {"slanting": _aslant(found), "blurred": np.median(quality) < LEAST_QUALITY}
    return [Doubt(key) for key, so in seen.items() if so]


def _aslant(found: Found) -> bool:
    """Whether the camera looks down aslant."""
    square = ((found.faces.face == 4) | (found.faces.face == 5)) & (found.chance > CLEAR_CHANCE)
    if square.any():
        return squeeze(found.faces.row_px[square], found.faces.column_px[square]) < SQUEEZED
    radius, flat = (mean_of_pips(v, found.faces) for v in (found.pips.radius_px, found.pips.flat))
    large = radius > LARGE_PIP_PX
    return bool(large.any() and np.median(flat[large]) < FLAT_PIPS)


def squeeze(row_px: Floats, column_px: Floats) -> float:
    """What the view leaves of lengths along the direction it shortens most, over those across it.

    `row_px` and `column_px` (M, 2): the sides of M squares, turned in any way. A view from above leaves 1,
    however ill each is measured; a tilt shortens all along one direction, whatever their turns.
    """
    sides = np.stack([row_px, column_px], axis=1)
    spread = np.einsum("msi,msj->mij", sides, sides)
    mean = (spread / np.trace(spread, axis1=1, axis2=2)[:, None, None]).mean(axis=0)
    least, most = np.linalg.eigvalsh(mean)
    return float(np.sqrt(max(least, 0.0) / most))
