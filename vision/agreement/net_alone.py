"""The learned way alone (`--reader net`): what the first net finds and the second confirms, seen closely."""

from __future__ import annotations

from dataclasses import replace

from vision.agreement import agree, outliers, pairing
from vision.agreement.trust import Place
from vision.arrays import Image
from vision.learned import net
from vision.picture import quality
from vision.picture.working import prepare
from vision.values import Die, Seen

SURE = 0.94
"""Chance from which a die is believed without the pips way's word."""


def look(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """All dice of a picture as the nets alone see them, from top to bottom, and what is doubtful besides."""
    seen = (*net.detections(image_bgr, scale_px), *net.large_detections(image_bgr))
    looked = agree.looked_at(image_bgr, [Place(None, detection) for detection in seen])
    kept = pairing.compared(looked)
    made = agree.dice_of(image_bgr, kept)
    dice = outliers.doubting_outliers([_believed(image_bgr, place, die) for place, die in made])
    left = agree.left_unread(kept)
    return agree.from_top(dice), left + quality.advice(image_bgr, prepare(image_bgr))


def _believed(image_bgr: Image, place: Place, die: Die) -> Die:
    """The die, certain if both nets say so, as many pips were seen, and all of it is in the picture."""
    agreed = {detection.face for detection in (place.detection, place.close) if detection} == {die.face}
    clear = agreed and die.confidence >= SURE and len(die.pips) == die.face
    sure = clear and _whole(image_bgr, die)
    return replace(die, certain=sure, why=() if sure else ("low_confidence",))


def _whole(image_bgr: Image, die: Die) -> bool:
    height, width = image_bgr.shape[:2]
    half = die.size_px / 2
    return all(half < at < side - half for at, side in ((die.x_px, width), (die.y_px, height)))
