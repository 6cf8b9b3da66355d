"""The learned way alone (`--reader net`): what the first net detects and the crop classifier confirms."""

from __future__ import annotations

from dataclasses import replace

from vision.agreement import agree, pairing
from vision.agreement.trust import Place
from vision.arrays import Image
from vision.learned import net
from vision.values import Seen


def read(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """All dice of a picture as the nets alone see them, from top to bottom, none of them certain, and what is
    doubtful besides."""
    seen = (*net.detections(image_bgr, scale_px), *net.large_detections(image_bgr))
    judged = agree.all_classified(image_bgr, [Place(None, detection) for detection in seen])
    kept = pairing.compared(judged)
    dice = [replace(die, certain=False, why=("one_way",)) for _, die in agree.dice_of(image_bgr, kept)]
    return agree.from_top(dice), agree.left_unread(kept)
