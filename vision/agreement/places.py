"""The places where a die may lie, as the net detects them, and how odd their sizes are among one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from vision.agreement.trust import TELLS, Place, certain
from vision.arrays import Image
from vision.counting.count import counted
from vision.learned import classifier, net
from vision.learned.maps import CLEAR, Detection, merged

ENOUGH, MANY = 2, 9
"""So many clear dice tell the usual size, for one may be none, or one that the crop classifier makes certain.
Of more than so many the clearest do."""
STANDS_IN = 1.15
"""A coarse level within this factor of the best one stands in for it: faces are 30 to 39 px wide there."""
MOST_SIZES = 1.75
"""Sets of 12 and of 20 mm may be mixed; what is so many times larger or smaller is none of them."""

MISMATCH = 1.4
"""A calibrated size that is off by this factor is not believed."""

Levels = dict[float, list[Detection]]
"""The detections on levels, by the long sides of these."""


@dataclass(frozen=True, slots=True)
class Detected:
    """What the net takes for dice, each once, and what it saw on all levels, a die perhaps on several."""

    once: tuple[Detection, ...]
    every: tuple[Detection, ...]


def detected(image_bgr: Image, scale_px: float | None = None, *, thorough: bool = False) -> Detected:
    """What the net takes for dice.

    Where clear dice of a coarse level tell the usual size, the level that shows this size best counts, or a
    coarse one near to it, and the coarsest for very large dice. Else all levels count, and a finer one for
    small dice. `scale_px`, the side that a calibration found, stands for the usual size where a clear die is
    about that large, or the box has moved. `thorough` also looks at the finest level where it does not count,
    for dice less than half as large as the others.
    """
    if not scale_px or scale_px < 0:
        return _of_any_size(image_bgr, thorough, calibrated=False)
    return _of_known_size(image_bgr, scale_px) or _of_any_size(image_bgr, thorough, calibrated=True)


def _of_known_size(image_bgr: Image, size_px: float) -> Detected | None:
    """What the level for dice of this side shows; None where no clear die on it bears the size out."""
    (seen,) = net.on_levels(image_bgr, [net.best_level_px(image_bgr, size_px)])
    found_px = usual_px(clear_dice(image_bgr, seen))
    believed = found_px and 1 / MISMATCH < found_px / size_px < MISMATCH
    return Detected(merged(seen), tuple(seen)) if believed else None


def _of_any_size(image_bgr: Image, thorough: bool, *, calibrated: bool) -> Detected:
    """What the levels show that the clear dice of the coarse ones ask for."""
    largest, large, middle, finest = net.LEVELS_PX
    levels = _on_levels(image_bgr, largest, middle)
    best = _best_of(image_bgr, levels)
    if (best or 0.0) < middle / STANDS_IN:  # no size is told, or one for which the middle level is too fine
        levels |= _on_levels(image_bgr, large)
        best = _best_of(image_bgr, levels)
    further = {best or finest, *[finest] * thorough} - levels.keys()
    levels |= _on_levels(image_bgr, *sorted(further))
    if best is None:
        levels |= _finer(image_bgr, levels[finest], calibrated)
    every = tuple(chain(*levels.values()))
    return Detected(merged([*levels[best], *levels[largest]] if best else every), every)


def _best_of(image_bgr: Image, levels: Levels) -> float | None:
    """The level that shows the usual size best, by the clear dice of these; None where they are too few."""
    dice = clear_dice(image_bgr, chain(*levels.values()))
    if not _enough(image_bgr, dice):
        return None
    # A lone die is certain on a coarse level already: one farther from the best is good enough for it.
    within = STANDS_IN if len(dice) >= ENOUGH else STANDS_IN**2
    return _standing_in(levels, net.best_level_px(image_bgr, usual_px(dice)), within)


def _finer(image_bgr: Image, seen: Iterable[Detection], calibrated: bool) -> Levels:
    """A level for smaller dice than were `seen` on the finest one, if enough clear ones are there: what looks
    like a die in a cloth's weave is none. A calibrated box has looked for its own: it waits for no other."""
    dice = clear_dice(image_bgr, seen)
    if calibrated and not dice:
        return {}
    px = net.best_level_px(image_bgr, usual_px(dice)) if dice else net.max_level_px(image_bgr)
    if px < STANDS_IN * max(net.LEVELS_PX):
        return {}
    level = _on_levels(image_bgr, px)
    return level if _enough(image_bgr, clear_dice(image_bgr, level[px])) else {}


def _enough(image_bgr: Image, dice: Sequence[Detection]) -> bool:
    """Whether clear dice are so many, or one so certain, that they tell the usual size."""
    return len(dice) >= ENOUGH or any(_certain(image_bgr, die) for die in dice)


def _certain(image_bgr: Image, die: Detection) -> bool:
    """Whether the count and both nets are sure of a die; a dot on a card is sure to look like an ace."""
    if die.face == 1:
        return False
    at = die.x_px, die.y_px, die.size_px
    second = classifier.judged(image_bgr, *at)
    return certain(Place(die, counted(image_bgr, *at), second, asked=True))


def _on_levels(image_bgr: Image, *longest_px: float) -> Levels:
    """The detections on levels, by their long sides."""
    return dict(zip(longest_px, net.on_levels(image_bgr, longest_px), strict=True))


def _standing_in(levels_px: Iterable[float], best_px: float, within: float) -> float:
    """The level that is within this factor of the best one, else that one."""
    return next((px for px in levels_px if 1 / within < px / best_px < within), best_px)


def clear_dice(image_bgr: Image, seen: Iterable[Detection]) -> list[Detection]:
    """The dice that are clear to the net and whose pips are counted alike, each once, MANY at most."""
    clear = (found for found in merged(seen) if found.evidence > TELLS)
    return list(islice((found for found in clear if _counted_alike(image_bgr, found)), MANY))


def usual_px(dice: Sequence[Detection]) -> float:
    """The usual side of dice, 0 of none."""
    return float(np.median([die.size_px for die in dice])) if dice else 0.0


def _counted_alike(image_bgr: Image, detection: Detection) -> bool:
    count = counted(image_bgr, detection.x_px, detection.y_px, detection.size_px)
    return count is not None and count.face == detection.face


def far(one: Detection, other: Detection) -> float:
    """How far two middles lie apart, over the larger side."""
    return math.hypot(one.x_px - other.x_px, one.y_px - other.y_px) / max(one.size_px, other.size_px)


def compared(places: Sequence[Place]) -> list[Place]:
    """The places, each with how odd its size is, where some are clear enough to give the usual size here.

    Clear are those whose count agrees with the net, or, where these are too few, all that the net is sure of.
    """
    clear = [p for p in places if not p.pipless and p.detection.evidence > CLEAR]
    if not clear:
        return list(places)
    alike = [p for p in clear if p.count and p.count.face == p.detection.face]
    found_px = usual_px([p.detection for p in (alike if len(alike) >= ENOUGH else clear)])
    times = (abs(math.log(p.detection.size_px / found_px)) for p in places)
    odd = [max(0.0, t - math.log(MOST_SIZES)) for t in times]
    return [p if p.odd == o else replace(p, odd=o) for p, o in zip(places, odd, strict=True)]
