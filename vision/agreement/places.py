"""The places where a die may lie, as the net detects them, and how odd their sizes are among one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.agreement.trust import Place
from vision.arrays import Image
from vision.counting.count import counted
from vision.learned import net
from vision.learned.maps import CLEAR, Detection
from vision.learned.merge import merged

ENOUGH = 2
"""So many clear dice tell the usual size: one may be none."""
MOST_SIZES = 1.75
"""Sets of 12 and of 20 mm may be mixed; what is so many times larger or smaller is none of them."""

MISMATCH = 1.4
"""A calibrated size that is off by this factor is not believed."""


@dataclass(frozen=True, slots=True)
class Detected:
    """What the net takes for dice, each once, and what it saw on all levels, a die perhaps on several."""

    once: tuple[Detection, ...]
    every: tuple[Detection, ...]


def detected(image_bgr: Image, scale_px: float | None = None) -> Detected:
    """What the net takes for dice.

    Where clear dice of the coarse levels tell the usual size, the level that shows this size best counts, and
    the coarsest for very large dice. Else all levels count, the finest too. `scale_px`, the side that a
    calibration found, stands for the usual size where a clear die is about that large, or the box has moved.
    """
    if scale_px and scale_px > 0:
        known = _at_best(image_bgr, scale_px)
        found_px = usual_px(clear_dice(image_bgr, known))
        if found_px and 1 / MISMATCH < found_px / scale_px < MISMATCH:
            return Detected(merged(known), tuple(known))
    largest, *middle, finest = net.LEVELS_PX
    large = net.on_levels(image_bgr, [largest])
    coarse = [*large, *net.on_levels(image_bgr, middle)]
    dice = clear_dice(image_bgr, coarse)
    if len(dice) < ENOUGH:
        every = (*coarse, *net.on_levels(image_bgr, [finest]))
        return Detected(merged(every), every)
    best = _at_best(image_bgr, usual_px(dice))
    return Detected(merged([*best, *large]), (*best, *coarse))


def _at_best(image_bgr: Image, size_px: float) -> list[Detection]:
    """The detections on the level that shows dice of a size best."""
    return net.on_levels(image_bgr, [net.best_level_px(image_bgr, size_px)])


def clear_dice(image_bgr: Image, seen: Iterable[Detection]) -> list[Detection]:
    """The dice that are clear to the net and whose pips are counted alike, each once."""
    clear = (found for found in merged(seen) if found.clear and not found.pipless)
    return [found for found in clear if _counted_alike(image_bgr, found)]


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

    Clear are those whose count agrees with the net, or, where there are none, those that the net is sure of.
    """
    clear = [p for p in places if not p.pipless and p.detection.evidence > CLEAR]
    if not clear:
        return list(places)
    alike = [p for p in clear if p.count and p.count.face == p.detection.face]
    found_px = usual_px([p.detection for p in alike or clear])
    return [replace(p, odd=_odd(p.detection.size_px / found_px)) for p in places]


def _odd(times: float) -> float:
    """How much larger or smaller than dice of mixed sets may be, as a logarithm."""
    return max(0.0, abs(math.log(times)) - math.log(MOST_SIZES))
