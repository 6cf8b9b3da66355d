"""From a picture to dice and doubts: by nets and count together, or by either alone as a diagnostic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from vision.agreement import agree
from vision.agreement.places import compared, detected
from vision.agreement.trust import Place
from vision.arrays import Image
from vision.learned.detections import as_dice
from vision.learned.maps import CLEAR
from vision.values import Seen

Way = Callable[[Image, float | None], Seen]
"""From a picture, and the side of a die in pixels where a calibration found it, to dice and doubts."""
ONE_WAY = "one_way"
"""No die is certain by one way alone."""


def both(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """Dice and doubts by the nets and the count of pips."""
    return agree.together(image_bgr, detected(image_bgr, scale_px))


def net_alone(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """Dice and doubts by the nets alone, none of them certain."""
    places = [agree.classified(image_bgr, Place(found)) for found in detected(image_bgr, scale_px).once]
    kept = agree.apart(sorted(places, key=agree.likely, reverse=True))
    dice = [replace(die, certain=False, why=(ONE_WAY,)) for _, die in agree.dice_of(image_bgr, kept)]
    return agree.from_top(dice), agree.left_unread(kept)


def pips_alone(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """Dice by their pips, counted where the net clearly sees a die of usual size, none of them certain."""
    clear = [found for found in detected(image_bgr, scale_px).once if found.score > CLEAR]
    places = compared([agree.counted_at(image_bgr, Place(found)) for found in clear])
    counts = [(place.detection, place.count) for place in places if place.count and not place.odd]
    seen = as_dice(image_bgr, [found for found, _ in counts], [count.body for _, count in counts])
    dice = [
        replace(die, face=count.face, confidence=count.confidence, pips=count.pips, why=(ONE_WAY,))
        for die, (_, count) in zip(seen, counts, strict=True)
    ]
    return agree.from_top(dice), []


WAYS: Mapping[str, Way] = {
    "pips": pips_alone,
    "net": net_alone,
    "both": both,
}
