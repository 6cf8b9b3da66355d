"""Dice of which only a part is seen: the rest lies under a hand, a cup or a card, in a deep shadow, or beyond
the picture's border.

Neither way can read such a die, and often neither takes it for one. Two very small nets, each a few
convolutions over the features that the first one finds anyway (`vision/models/covered.onnx` and, for the
border, `cut.onnx`, made by `vision.training`), tell cells that show a part of a die. Away from the dice that
were read that is a place to look at, or, at the border, a die that is told and not counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats, Image
from vision.learned import net
from vision.learned.maps import STRIDE
from vision.learned.net import FACE_PX, MODEL, Level
from vision.values import CUT_OFF, Die, Doubt

MODEL_COVERED, MODEL_CUT = (MODEL.with_name(f"{name}.onnx") for name in ("covered", "cut"))
LIKELY, LIKELY_ALONE = 1.5, 3.0
"""Logarithm of the odds from which a cell is taken for a part of a die; where no die was read that would tell
the size of what to look for, more is asked."""
SEEN_PX = (24.0, 48.0)
"""Sides of dice on a level that is judged."""
OWN = 1.1
"""So many sides from the middle of a die that was read, what is seen is that die and its sides."""
RIM = 0.5
"""So many sides from the picture's border a part that is seen is that of a die which the border cuts."""
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
    """Cells with such odds, at the border LIKELY ones, to show a part of a die, likeliest first."""
    covered, cut = _odds(level)
    y, x = (np.indices(covered.shape) + 0.5) * STRIDE
    height, width = level.shape
    border = np.minimum.reduce([x, width - x, y, height - y]) < RIM * side_px * level.scale
    above = np.where(border, cut - LIKELY, covered - least)
    cells = zip(*np.nonzero(above > 0), strict=True)
    return [
        Doubt(
            CUT_OFF if border[k] else "die_like",
            float(x[k]) / level.scale,
            float(y[k]) / level.scale,
            side_px,
        )
        for k in sorted(cells, key=lambda k: -above[k])
    ]


def _odds(level: Level) -> tuple[Floats, Floats]:
    """Logarithms of the odds (h, w) of a part of a die in each cell: of a covered one, of one cut off."""
    rows, columns = (math.ceil(side / STRIDE) for side in level.shape)
    models = (net.load(model) for model in (MODEL_COVERED, MODEL_CUT))
    covered, cut = (model.answers(level.features[None], ("odds",))[0][0, 0] for model in models)
    return covered[:rows, :columns], cut[:rows, :columns]


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
