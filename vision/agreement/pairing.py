"""The candidates of both ways: places where a die may lie, each once, with what is known of them so far.

The pips way's dice and the net's detections are paired where they are one. The clear dice give the usual
size, by which others are odd.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.agreement.trust import Place
from vision.arrays import Bools, Image
from vision.learned import net
from vision.learned.maps import Detection
from vision.learned.merge import merged
from vision.values import Die

NEAR, ALIKE = 0.5, 1.7
"""Two finds are one die when their middles lie within this share of a side, sides within this factor."""
MOST_ODD = 0.8
"""Beyond this a size is no odder."""
LARGE = 0.12
"""Share of the picture's long side: beside a die so large others may be too large for the usual look."""
CLEAR_PIPS, ENOUGH, CLEAR_DETECTION = 0.9, 2, 0.5
"""So many dice this clear to the pips way, or any this clear to the net, tell the usual size."""
MOST_SIZES = 1.75
"""Sets of 12 and of 20 mm may be mixed; what is so many times larger or smaller is none of them."""
MISMATCH = 1.4
"""A calibrated size that is off by this factor is not believed."""


def usual_px(dice: Sequence[Die], known_px: float | None = None) -> float | None:
    """The usual side of the dice that the pips way is sure of, None when that says too little.

    The net then needs one size of the picture only, in which it sees dice half to one and a half as large.
    `known_px`, the side that a calibration found, holds where the clear dice, or one, agree with it: else the
    box has moved, and a net that looks at the wrong size sees nothing.
    """
    sizes = [die.size_px for die in dice if die.confidence >= CLEAR_PIPS]
    if known_px and sizes and 1 / MISMATCH < np.median(sizes) / known_px < MISMATCH:
        return known_px
    return float(np.median(sizes)) if len(sizes) >= ENOUGH else None


def large_to_both(dice: Sequence[Die], seen: Sequence[Detection], least_px: float) -> bool:
    """Whether the pips way is sure of one die, `least_px` wide or more, and the net sees the same there."""
    clear = [die for die in dice if die.confidence >= CLEAR_PIPS]
    if len(clear) != 1 or clear[0].size_px < least_px:
        return False
    there = [detection for detection in seen if same(clear[0], detection) and detection.face == clear[0].face]
    return any(detection.score >= CLEAR_DETECTION for detection in there)


def with_large(image_bgr: Image, dice: Sequence[Die], seen: tuple[Detection, ...]) -> tuple[Detection, ...]:
    """The net's detections, with the very large ones where they may be dice, each once.

    They may be where the net missed a die of the pips way's, or where clear dice are about as large.
    Elsewhere several dice would look like the pips of one.
    """
    missed = [die for die, mates in zip(dice, _one_die(dice, seen), strict=True) if not mates.any()]
    large_px = LARGE * max(image_bgr.shape)
    clear = [die for die in dice if die.confidence >= CLEAR_PIPS and die.size_px > large_px]
    if not (missed or clear):
        return seen
    found = net.large_detections(image_bgr)
    backed = (s for s in found if any(same(d, s) for d in missed) or any(_as_large(d, s) for d in clear))
    return merged((*seen, *backed))


def _as_large(die: Die, detection: Detection) -> bool:
    return 1 / MOST_SIZES < detection.size_px / die.size_px < MOST_SIZES


def paired(dice: Sequence[Die], seen: Sequence[Detection]) -> list[Place]:
    """Every die and every detection once, together where they are one.

    A die goes with the likeliest of its detections, a detection with the nearest die.
    """
    mates_of = np.argwhere(_one_die(dice, seen)).tolist()
    pairs = ((-seen[j].score, far(dice[i], seen[j]), i, j) for i, j in mates_of)
    mates: dict[int, int] = {}
    for _, _, i, j in sorted(pairs):
        if i not in mates and j not in mates.values():
            mates[i] = j
    both = [Place(d, seen[mates[i]] if i in mates else None) for i, d in enumerate(dice)]
    return both + [Place(None, s) for j, s in enumerate(seen) if j not in mates.values()]


def far(one: Die | Detection, other: Die | Detection) -> float:
    """How far two middles lie apart, over the larger side."""
    return math.hypot(one.x_px - other.x_px, one.y_px - other.y_px) / max(one.size_px, other.size_px)


def same(die: Die, other: Die | Detection) -> bool:
    """Whether two finds are one die, whatever faces they show: nearly one place, about one size."""
    return bool(_one_die([die], [other]).all())


def _one_die(dice: Sequence[Die], seen: Sequence[Die | Detection]) -> Bools:
    """Which of n dice are one with which of m finds, (n, m): many at once take a tenth of the time."""
    mine, theirs = (
        np.array([(at.x_px, at.y_px, at.size_px) for at in found]).reshape(-1, 3).T for found in (dice, seen)
    )
    x, y, side = (values[:, None] for values in mine)
    near = np.hypot(x - theirs[0], y - theirs[1]) < NEAR * np.maximum(side, theirs[2])
    return np.asarray(near & (np.abs(np.log(side / theirs[2])) < math.log(ALIKE)))


def compared(places: Sequence[Place]) -> list[Place]:
    """The places, each with how odd its size is, where some are clear enough to give the usual size here.

    Clear are those that both ways detect, or, where there are none, those that the net alone is sure of.
    """
    seen = [(p, p.detection) for p in places if p.detection and not p.pipless]
    clear = [(p, detection) for p, detection in seen if detection.evidence > CLEAR_DETECTION]
    alike = [(p, d) for p, d in clear if (other := p.die or p.classified) and other.face == d.face]
    if not clear:
        return list(places)
    usual_px = float(np.median([where(p).size_px for p, _ in alike or clear]))
    return [replace(p, odd=_odd(where(p).size_px / usual_px)) for p in places]


def _odd(times: float) -> float:
    """How much larger or smaller than dice of mixed sets may be, as a logarithm."""
    return min(MOST_ODD, max(0.0, abs(math.log(times)) - math.log(MOST_SIZES)))


def where(place: Place) -> Die | Detection:
    """What tells a place's position and size: the pips way's own die before what the nets see."""
    at = place.die or place.classified or place.detection
    assert at is not None, "a place is what one of the ways saw"
    return at
