"""The first way from a picture to dice and doubts: its stages one after the other."""

from __future__ import annotations

import numpy as np

from vision.arrays import Bools, Image
from vision.counting import view
from vision.counting.candidates import find_spots
from vision.counting.dice import Found, angle_deg, find_dice
from vision.counting.pips import fit_pips
from vision.picture import colour
from vision.picture.working import Working, prepare
from vision.values import CUT_OFF, Die, Pip, Seen

CUT_SIDES = 0.45
"""A die whose middle is within so many sides of the image border is truncated."""

NOT_ALONE = "one_way"
"""No die is certain by this way alone."""


def found_in(image_bgr: Image, scale_px: float | None = None) -> tuple[Working, Found]:
    """The classical way alone: the working picture and what was found in it."""
    working = prepare(image_bgr, scale_px)
    return working, find_dice(working, fit_pips(working, find_spots(working)))


def look(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """Dice, none of them certain, and doubts of the classical way, in pixels of the picture as it came."""
    working, found = found_in(image_bgr, scale_px)
    return _dice(working, found), view.advice(found)


def _dice(working: Working, found: Found) -> tuple[Die, ...]:
    """The found dice as values, from top to bottom."""
    factors = colour.balance(working)
    cut = _cut_off(working, found)
    angles = angle_deg(found.faces, found.bodies)
    x, y = found.faces.middle_px.T / working.factor
    sides, pips = 2 * found.half_px / working.factor, _pips(working, found)
    dice = []
    for k in np.argsort(y, kind="stable"):
        dice.append(
            Die(
                face=int(found.faces.face[k]),
                x_px=float(x[k]),
                y_px=float(y[k]),
                size_px=float(sides[k]),
                angle_deg=float(angles[k]),
                confidence=float(found.chance[k]),
                certain=False,
                colour=colour.name(found.bodies.shade[k], factors),
                pips=tuple(pips[i] for i in found.faces.pips[k] if i >= 0),
                why=(NOT_ALONE, CUT_OFF) if cut[k] else (NOT_ALONE,),
                rgb=colour.rgb(found.bodies.shade[k]),
            )
        )
    return tuple(dice)


def _cut_off(working: Working, found: Found) -> Bools:
    """Which dice (K,) the image border truncates."""
    x, y = found.faces.middle_px.T
    inside = np.minimum.reduce([x, y, working.width_px - 1 - x, working.height_px - 1 - y])
    return np.asarray(inside < 2 * CUT_SIDES * found.half_px)


def _pips(working: Working, found: Found) -> list[Pip]:
    """All pips, on dice or not."""
    lengths = np.column_stack([found.pips.xy_px, found.pips.radius_px]) / working.factor
    return [Pip(x, y, radius) for x, y, radius in lengths.tolist()]
