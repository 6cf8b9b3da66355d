"""Dice of which only a part is seen: the rest lies under a hand, a cup or a card, or in a deep shadow.

Neither way can read such a die, and often neither takes it for one. A third net, a few convolutions over the
features that the first one finds anyway (`vision/models/covered.onnx`, made by `vision.training`), tells
cells that show a part of a die. Away from the dice that were read that is a place to look at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision import net
from vision.arrays import Image
from vision.net import FACE_PX, MODEL, Level
from vision.net_maps import STRIDE
from vision.values import Die, Doubt

MODEL_COVERED = MODEL.with_name("covered.onnx")
LIKELY, LIKELY_ALONE = 1.5, 3.0
"""Logarithm of the odds from which a cell is taken for a part of a die; where no die was read that would tell
the size of what to look for, more is asked."""
SEEN_PX = (24.0, 48.0)
"""Sides of dice on a level that is judged."""
OWN = 1.1
"""So many sides from the middle of a die that was read, what is seen is that die and its sides."""
RIM = 0.8
"""So many sides from the picture's border dice are cut off by it, and the net sees what is not there: how
many dice there are must tell."""
APART = 1.0
"""Sides between two places that are told by themselves."""


def parts(
    image_bgr: Image, levels: Sequence[Level], dice: Sequence[Die], told: Sequence[Doubt]
) -> list[Doubt]:
    """Places where a part of a die shows that is none of the dice read and at none of the places told before.

    `levels` are those that the first net looked at; another is looked at where none shows dice at a size that
    can be judged.
    """
    if not dice:
        alone = [_parts(level, FACE_PX / level.scale, LIKELY_ALONE) for level in levels]
        return _new([doubt for found in alone for doubt in found], told)
    side_px = float(np.median([die.size_px for die in dice]))
    level = _fitting(image_bgr, levels, side_px)
    found = _parts(level, side_px, LIKELY) if level else []
    return _new([doubt for doubt in found if _beside(doubt, dice)], told)


def _fitting(image_bgr: Image, levels: Sequence[Level], side_px: float) -> Level | None:
    """A level on which dice are as wide as they should be, None where they are too small on all."""
    least, most = (seen_px / side_px for seen_px in SEEN_PX)
    fitting = next((level for level in levels if least <= level.scale <= most), None)
    if fitting or net.scales(image_bgr.shape[:2], side_px)[0] < least:
        return fitting
    return net.levels(image_bgr, side_px)[0]


def _parts(level: Level, side_px: float, least: float) -> list[Doubt]:
    """Cells away from the border with at least such odds to show a part of a die, likeliest first."""
    odds = net.load(MODEL_COVERED).answers(level.features[None], ("odds",))[0][0, 0]
    height, width = level.shape
    rows, columns = np.nonzero(odds[: math.ceil(height / STRIDE), : math.ceil(width / STRIDE)] > least)
    order = np.argsort(-odds[rows, columns], kind="stable")
    cells = (np.stack([columns, rows], axis=1)[order] + 0.5) * STRIDE
    inside = (np.minimum(cells, (width, height) - cells) > RIM * side_px * level.scale).all(axis=1)
    return [Doubt("die_like", x, y, side_px) for x, y in (cells[inside] / level.scale).tolist()]


def _beside(doubt: Doubt, dice: Sequence[Die]) -> bool:
    """Whether a place belongs to none of the dice."""
    return all(_apart_px(doubt, die) > OWN * die.size_px for die in dice)


def _new(found: Sequence[Doubt], told: Sequence[Doubt]) -> list[Doubt]:
    """The places, likeliest first, less those near one that was told or is likelier."""
    kept: list[Doubt] = []
    known = [doubt for doubt in told if doubt.x_px is not None]
    for doubt in found:
        if all(_apart_px(doubt, other) > APART * (doubt.size_px or 0.0) for other in (*known, *kept)):
            kept.append(doubt)
    return kept


def _apart_px(one: Doubt, other: Doubt | Die) -> float:
    return math.hypot((one.x_px or 0.0) - (other.x_px or 0.0), (one.y_px or 0.0) - (other.y_px or 0.0))
