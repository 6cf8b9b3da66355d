"""Both ways together: the detections of either, classified, and what is left unread besides."""

from __future__ import annotations

from vision.agreement import agree, pairing
from vision.arrays import Image
from vision.counting import way
from vision.learned import net
from vision.learned.net import Level
from vision.values import Die, Seen


def read(image_bgr: Image, scale_px: float | None) -> Seen:
    """Dice and doubts of both ways. A known scale that no clear die confirms is dropped."""
    dice, _ = way.read(image_bgr, scale_px)
    if scale_px and pairing.usual_px(dice, scale_px) != scale_px:
        dice, _ = way.read(image_bgr, None)
    seen = pairing.with_large(image_bgr, dice, net.seen(_levels(image_bgr, dice, scale_px)))
    return agree.together(image_bgr, dice, seen)


def _levels(image_bgr: Image, dice: tuple[Die, ...], scale_px: float | None) -> tuple[Level, ...]:
    """The net's pyramid: one size of the picture where the usual size of dice is known, else all, but not
    the finest if there is one clear die, so large that others can't need it."""
    if usual_px := pairing.usual_px(dice, scale_px):
        face_px = net.KNOWN_FACE_PX if usual_px == scale_px else net.FACE_PX
        return net.levels(image_bgr, usual_px, face_px=face_px)
    coarse = net.coarse(image_bgr)
    if pairing.large_to_both(dice, net.seen(coarse), net.FACE_PX / coarse[0].scale):
        return coarse
    return net.with_finest(image_bgr, coarse)
