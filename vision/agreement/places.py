"""The places where a die may lie, as the net detects them, and how odd their sizes are among one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from vision.agreement.trust import Place
from vision.arrays import Image
from vision.counting.count import counted
from vision.learned import net
from vision.learned.maps import Detection

MOST_ODD = 0.8
"""Beyond this a size is no odder."""
CLEAR, ENOUGH = 0.5, 2
"""Minimum evidence of a clear detection, and how many of them, counted alike, tell the usual size."""
MOST_SIZES = 1.75
"""Sets of 12 and of 20 mm may be mixed; what is so many times larger or smaller is none of them."""
MISMATCH = 1.4
"""A calibrated size that is off by this factor is not believed."""


def detected(image_bgr: Image, scale_px: float | None = None) -> tuple[Detection, ...]:
    """What the net takes for dice, each once. `scale_px`, the side that a calibration found, holds where a
    clear die is about that large: else the box has moved, and at the wrong size a net sees nothing."""
    if scale_px:
        seen = net.seen(net.levels(image_bgr, scale_px, face_px=net.KNOWN_FACE_PX))
        if (found_px := usual_px(image_bgr, seen)) and 1 / MISMATCH < found_px / scale_px < MISMATCH:
            return seen
    return _with_large(image_bgr, _at_all_sizes(image_bgr))


def _at_all_sizes(image_bgr: Image) -> tuple[Detection, ...]:
    """Coarse first: where that tells the usual size of dice, the one level that shows it best is enough.

    One die may be none, so clear ones of the finest level that lie beside it count, too.
    """
    coarse = net.coarse(image_bgr)
    found_px = usual_px(image_bgr, net.seen(coarse))
    if found_px is None:
        return net.seen(net.with_finest(image_bgr, coarse))
    seen = net.seen(net.levels(image_bgr, found_px))
    if usual_px(image_bgr, seen, ENOUGH) is not None:
        return seen
    finest = net.seen(net.with_finest(image_bgr, ()))
    clear = (found for found in finest if found.evidence > CLEAR)
    return (*seen, *(found for found in clear if all(far(found, other) > 0.5 for other in seen)))


def usual_px(image_bgr: Image, seen: Iterable[Detection], enough: int = 1) -> float | None:
    """The usual side of the dice that are clear to the net and whose pips are counted alike, None with less
    than `enough` of them."""
    clear = [detection for detection in seen if detection.evidence > CLEAR and not detection.pipless]
    sizes = [found.size_px for found in clear if _counted_alike(image_bgr, found)]
    return float(np.median(sizes)) if len(sizes) >= enough else None


def _counted_alike(image_bgr: Image, detection: Detection) -> bool:
    count = counted(image_bgr, detection.x_px, detection.y_px, detection.size_px)
    return count is not None and count.face == detection.face


def _with_large(image_bgr: Image, seen: tuple[Detection, ...]) -> tuple[Detection, ...]:
    """The detections, with the very large ones on which no clear one lies: several dice look like the pips of
    one. Dim ones stay beside them, until it is known which are dice."""
    large = net.large_detections(image_bgr)
    clear = [detection for detection in seen if detection.score > CLEAR]
    new = [one for one in large if not any(_same(one, other) or _on(other, one) for other in clear)]
    found = [max((one, *(x for x in new if _same(x, one))), key=lambda x: x.score) for one in seen]
    return (*found, *(one for one in new if not any(_same(one, other) for other in seen)))


def _same(one: Detection, other: Detection) -> bool:
    return far(one, other) < 0.5 and 1 / MOST_SIZES < one.size_px / other.size_px < MOST_SIZES


def _on(small: Detection, large: Detection) -> bool:
    return small.size_px < large.size_px / MOST_SIZES and far(small, large) < 0.5


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
    found_px = float(np.median([p.detection.size_px for p in alike or clear]))
    return [replace(p, odd=_odd(p.detection.size_px / found_px)) for p in places]


def _odd(times: float) -> float:
    """How much larger or smaller than dice of mixed sets may be, as a logarithm."""
    return min(MOST_ODD, max(0.0, abs(math.log(times)) - math.log(MOST_SIZES)))
