"""Dice of which only a part is seen: the rest lies under a hand, a cup or a card, in a deep shadow, or beyond
the picture's border.

Neither way can read such a die, and often neither takes it for one. Two very small nets, each a few
convolutions over the features that the first one finds anyway (`vision/models/covered.onnx` and, for the
border, `cut.onnx`, made by `vision.training`), tell cells that show a part of a die. Away from the dice that
were read that is a place to look at, or, at the border, a die that is told and not counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Image
from vision.learned import net
from vision.learned.maps import STRIDE
from vision.learned.net import FACE_PX, MODEL, Level
from vision.learned.sights import usual_side_px
from vision.learned.turns import Place, views
from vision.values import CUT_OFF, Die, Doubt

MODEL_COVERED, MODEL_CUT = (MODEL.with_name(f"{name}.onnx") for name in ("covered", "cut"))
LIKELY, FAINT, ALONE = (1.0, 1.5, math.inf), (-0.7, 0.0, 0.0), (3.0, 1.5, math.inf)
"""Logarithms of the odds from which a cell is taken for a part of a covered die, and of one that the border
cuts; for something that may be one if its colour says so, too; and where no die was read that would tell the
size of what to look for."""
WORTH_TURNS, FAR_OFF = (0.0, 0.5, math.inf), (-1.5, -1.5, math.inf)
"""Such odds from which a place is looked at in quarter turns, where nothing else is in doubt: anywhere, and
where no side face of a die that was read can lie."""
IN_TURNS, BOTH = {"die_like": 0.3, CUT_OFF: 0.0}, 1.0
"""And from which it is taken for a part on the mean of the turns: a chance likeness seldom outlasts one, a
part grows plainer. Away from the border the odds of both nets together count, too, times so much by its
logarithm: of a die that a finger covers so little may show that it looks like one cut off."""
Least = tuple[float, float, float]
"""Such odds of a part of a covered die, of one that the border cuts, and there of both together: a die of
which more than half is in the picture looks covered rather than cut."""
SEEN_PX = (24.0, 48.0)
"""Sides of dice on a level that is judged."""
OWN, OWN_SIDES = 1.1, 1.5
"""So many sides from the middle of a die that was read, what is seen is the die and its sides, or may be."""
RIM = 0.5
"""So many sides from the picture's border a part that is seen is that of a die which the border cuts."""
APART = 1.0
"""Sides between two places that are told by themselves."""
ABOUT = 0.3
"""So many sides about a place its best cell counts in a turned view."""
NEVER = -30.0
"""Such a logarithm of the odds has what no cell shows."""
LEAST_PART = (-1.0, -1.0, NEVER, NEVER)
"""A place of which the first turn, or the mean of the first two, says less is looked at no further."""


@dataclass(frozen=True, slots=True)
class Look:
    """One size of the picture as the nets for parts see it: how many times as large, its shape (height,
    width), and the logarithms of the odds (h, w) that a cell shows a covered die, and one cut off."""

    scale: float
    shape: tuple[int, int]
    covered: Floats
    cut: Floats


def looks(image_bgr: Image, levels: Sequence[Level], dice: Sequence[Die]) -> tuple[Look, ...]:
    """What the nets for parts see where dice show at a size that can be judged; all levels without dice.

    `levels` are those that the first net looked at; another is looked at where none of them will do.
    """
    if not dice:
        return tuple(_look(level) for level in levels)
    level = _fitting(image_bgr, levels, usual_side_px(dice))
    return (_look(level),) if level else ()


def parts(
    image_bgr: Image, looked: Sequence[Look], dice: Sequence[Die], told: Sequence[Doubt]
) -> list[Doubt]:
    """Places where a part of a die shows that is none of the dice read and at no place told before."""
    if not dice:
        return new(_anywhere(looked), told)
    if told or not all(die.certain for die in dice):
        return new(_beside(looked, dice, LIKELY), told)
    worth = [*_beside(looked, dice, WORTH_TURNS), *_beside(looked, dice, FAR_OFF, OWN_SIDES)]
    found = new(worth, told)
    return [doubt for doubt in found if _part_in_turns(image_bgr, doubt) > IN_TURNS[doubt.key]]


def _anywhere(looked: Sequence[Look]) -> list[Doubt]:
    """Parts where no die was read, of the size that is seen best on each level."""
    return [doubt for look in looked for doubt in _parts(look, FACE_PX / look.scale, ALONE)]


def faint_parts(looked: Sequence[Look], dice: Sequence[Die]) -> list[Doubt]:
    """All places, likeliest first, of which less tells that they show a part of a die: several of one part,
    since the likeliest may show another colour than that of its body."""
    return _beside(looked, dice, FAINT) if dice else []


def _beside(looked: Sequence[Look], dice: Sequence[Die], least: Least, own: float = OWN) -> list[Doubt]:
    """Parts that belong to none of the dice: they lie more than `own` sides from each."""
    found = [doubt for look in looked for doubt in _parts(look, usual_side_px(dice), least)]
    return [d for d in found if all(_apart_px(d, die) > own * die.size_px for die in dice)]


def _part_in_turns(image_bgr: Image, doubt: Doubt) -> float:
    """The mean of such odds over turned views of a place; fewer views where the first say little."""
    place = (doubt.x_px or 0.0, doubt.y_px or 0.0, doubt.size_px or 0.0)
    said = _cut_at if doubt.key == CUT_OFF else _part_at
    told: list[float] = []
    for (look, at), enough in zip(_turned(image_bgr, place), LEAST_PART, strict=True):
        told.append(said(look, at))
        if sum(told) < enough * len(told):
            break
    return sum(told) / len(told)


def _cut_at(look: Look, place: Place) -> float:
    return _most(look, look.cut, place, ABOUT)


def _part_at(look: Look, place: Place) -> float:
    covered = _most(look, look.covered, place, ABOUT)
    return max(covered, covered + _cut_at(look, place) + BOTH)


def _turned(image_bgr: Image, place: Place) -> Iterator[tuple[Look, Place]]:
    """What lies about a place in each turn as the nets for parts see it, and where the place is there."""
    for view, at in views(image_bgr, place, FACE_PX):
        yield _look(net.levels(view, at[2])[0]), at


def _most(look: Look, odds: Floats, place: Place, sides: float) -> float:
    """The most of what a look's cells (h, w) say within so many sides of a place."""
    x_px, y_px, size_px = place
    reach_px, cell_px = sides * size_px, STRIDE / look.scale
    rows, columns = (
        slice(max(0, int((at - reach_px) / cell_px)), max(0, int((at + reach_px) / cell_px) + 1))
        for at in (y_px, x_px)
    )  # hardly any of the picture lies so near
    x, y = _middles_px(look)
    near = np.hypot(x[columns] - x_px, (y[rows] - y_px)[:, None]) < reach_px
    return float(odds[rows, columns][near].max(initial=NEVER))


def _fitting(image_bgr: Image, levels: Sequence[Level], side_px: float) -> Level | None:
    """A level on which dice are as wide as they should be, None where they are too small on all."""
    least, most = (seen_px / side_px for seen_px in SEEN_PX)
    fitting = next((level for level in levels if least <= level.scale <= most), None)
    if fitting or net.scales(image_bgr.shape[:2], side_px)[0] < least:
        return fitting
    return net.levels(image_bgr, side_px)[0]


def _parts(look: Look, side_px: float, least: Least) -> list[Doubt]:
    """Cells with at least such odds to show a part of a die, likeliest first."""
    x, y = _middles_px(look)
    height, width = (side / look.scale for side in look.shape)
    border = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y)[:, None]) < RIM * side_px
    above = np.where(border, _cut_above(look, least), _covered_above(look, least))
    rows, columns = np.nonzero(above > 0)
    order = np.argsort(-above[rows, columns], kind="stable")
    keys = {True: CUT_OFF, False: "die_like"}
    return [
        Doubt(keys[bool(border[row, column])], float(x[column]), float(y[row]), side_px)
        for row, column in zip(rows[order], columns[order], strict=True)
    ]


def _covered_above(look: Look, least: Least) -> Floats:
    return look.covered - least[0]


def _cut_above(look: Look, least: Least) -> Floats:
    return np.asarray(np.maximum(look.cut - least[1], look.cut + look.covered - least[2]))


def _middles_px(look: Look) -> tuple[Floats, Floats]:
    """x (w,) and y (h,) of the cells' middles in the picture."""
    y, x = ((np.arange(count) + 0.5) * (STRIDE / look.scale) for count in look.covered.shape)
    return x, y


def _look(level: Level) -> Look:
    rows, columns = (math.ceil(side / STRIDE) for side in level.shape)
    models = (net.load(model) for model in (MODEL_COVERED, MODEL_CUT))
    covered, cut = (model.answers(level.features[None], ("odds",))[0][0, 0] for model in models)
    return Look(level.scale, level.shape, covered[:rows, :columns], cut[:rows, :columns])


def new(found: Sequence[Doubt], told: Sequence[Doubt]) -> list[Doubt]:
    """The places, likeliest first, less those near one that was told or is likelier."""
    kept: list[Doubt] = []
    known = [doubt for doubt in told if doubt.x_px is not None]
    for doubt in found:
        if all(_apart_px(doubt, other) > APART * (doubt.size_px or 0.0) for other in (*known, *kept)):
            kept.append(doubt)
    return kept


def _apart_px(one: Doubt, other: Doubt | Die) -> float:
    return math.hypot((one.x_px or 0.0) - (other.x_px or 0.0), (one.y_px or 0.0) - (other.y_px or 0.0))
