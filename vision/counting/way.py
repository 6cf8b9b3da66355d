"""The first way from a picture to dice and doubts: its stages one after the other."""

from __future__ import annotations

import numpy as np

from vision.arrays import Image
from vision.counting.candidates import find_spots
from vision.counting.dice import Found, angle_deg, find_dice
from vision.counting.pips import fit_pips
from vision.picture import colour
from vision.picture.working import Working, prepare
from vision.values import Die, Pip, Seen

NOT_ALONE = "one_way"
"""No die is certain by this way alone."""


def found_in(image_bgr: Image, scale_px: float | None = None) -> tuple[Working, Found]:
    """The classical way alone: the working picture and what was found in it."""
    working = prepare(image_bgr, scale_px)
    return working, find_dice(working, fit_pips(working, find_spots(working)))


def read(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """Dice, none of them certain, in pixels of the picture as it came; nothing is doubtful besides."""
    return _dice(*found_in(image_bgr, scale_px)), []


def _dice(working: Working, found: Found) -> tuple[Die, ...]:
    """The found dice as values, from top to bottom."""
    factors = colour.balance(working)
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
                why=(NOT_ALONE,),
                rgb=colour.rgb(found.bodies.shade[k]),
            )
        )
    return tuple(dice)


def _pips(working: Working, found: Found) -> list[Pip]:
    """All pips, on dice or not."""
    lengths = np.column_stack([found.pips.xy_px, found.pips.radius_px]) / working.factor
    pips = zip(lengths.tolist(), found.pips.flat.tolist(), strict=True)
    return [Pip(x, y, radius, flat) for (x, y, radius), flat in pips]
