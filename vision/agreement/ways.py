"""From a picture to dice and doubts: by nets and count together, or by either alone as a diagnostic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from vision.agreement import agree
from vision.agreement.places import compared, detected
from vision.agreement.trust import TELLS, Place
from vision.arrays import Image
from vision.learned.detections import as_dice
from vision.values import Seen

Way = Callable[[Image, float | None, bool], Seen]
"""From a picture, the side of a die in pixels where a calibration found it, and whether the finest level is
looked at in any case, to dice and doubts."""
ONE_WAY = "one_way"
"""No die is certain by one way alone."""


def both(image_bgr: Image, scale_px: float | None = None, thorough: bool = False) -> Seen:
    """Dice and doubts by the nets and the count of pips."""
    return agree.together(image_bgr, detected(image_bgr, scale_px, thorough=thorough))


def net_alone(image_bgr: Image, scale_px: float | None = None, thorough: bool = False) -> Seen:
    """Dice and doubts by the nets alone, none of them certain."""
    seen = detected(image_bgr, scale_px, thorough=thorough).once
    places = [agree.classified(image_bgr, Place(found)) for found in seen]
    kept = agree.apart(sorted(places, key=agree.likely, reverse=True))
    dice = [replace(die, certain=False, why=(ONE_WAY,)) for _, die in agree.dice_of(image_bgr, kept)]
    return agree.from_top(dice), agree.left_unread(kept)


def pips_alone(image_bgr: Image, scale_px: float | None = None, thorough: bool = False) -> Seen:
    """Dice by their pips, counted where the net clearly sees a die of usual size, none of them certain."""
    seen = detected(image_bgr, scale_px, thorough=thorough).once
    clear = [found for found in seen if found.score > TELLS]
    places = compared([agree.counted_at(image_bgr, Place(found)) for found in clear])
    counts = [(place.detection, place.count) for place in places if place.count and not place.odd]
    dice_seen = as_dice(image_bgr, [found for found, _ in counts], [count.body for _, count in counts])
    dice = [
        replace(die, face=count.face, confidence=count.confidence, pips=count.pips, why=(ONE_WAY,))
        for die, (_, count) in zip(dice_seen, counts, strict=True)
    ]
    return agree.from_top(dice), []


WAYS: Mapping[str, Way] = {
    "pips": pips_alone,
    "net": net_alone,
    "both": both,
}
