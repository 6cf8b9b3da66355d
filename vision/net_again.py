"""A second, closer look of the net at single places: the same die, turned and at two sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Image
from vision.net import Net, load, resized
from vision.net_maps import Sight, decode

SIDE_PX = 128
LOOKS = ((30.0, 0), (30.0, 2), (42.0, 1), (42.0, 3))
"""Width of the face and quarter turns: pips stay pips, while a chance likeness to a face seldom survives."""
REACH = 0.45
"""A sight this share of a side away from the place asked for is about something else."""


def judged(
    image_bgr: Image, x_px: float, y_px: float, size_px: float, net: Net | None = None
) -> Sight | None:
    """What the net says of the die of about `size_px` at a place, over all LOOKS; None when none sees one.

    Score and faces are means over the looks, and one that sees nothing counts as nothing.
    """
    net = net or load()
    seen = [_look(net, image_bgr, (x_px, y_px), face / size_px, turns) for face, turns in LOOKS]
    found = [s for s in seen if s is not None]
    return _mean(found) if found else None


def _look(net: Net, image: Image, place: tuple[float, float], scale: float, turns: int) -> Sight | None:
    half = SIDE_PX / 2
    patch = np.rot90(_patch(image, place, scale), turns)
    maps = net.run(np.ascontiguousarray(patch))
    found = decode(maps["faces"], maps["pips"], (SIDE_PX, SIDE_PX), 1.0)
    near = [s for s in found if math.hypot(s.x_px - half, s.y_px - half) < REACH * s.size_px]
    return _back(max(near, key=lambda s: s.score), place, scale, turns) if near else None


def _patch(image: Image, place: tuple[float, float], scale: float) -> Image:
    """SIDE_PX squared about a place, the picture's edge repeated where it ends."""
    reach = SIDE_PX / 2 / scale
    left, top = round(place[0] - reach), round(place[1] - reach)
    side = max(1, round(2 * reach))
    height, width = image.shape[:2]
    part = image[max(0, top) : max(1, top + side), max(0, left) : max(1, left + side)]
    lacking = (max(0, -top), max(0, top + side - height), max(0, -left), max(0, left + side - width))
    whole = cv2.copyMakeBorder(part, *lacking, cv2.BORDER_REPLICATE) if any(lacking) else part
    shrunk = resized(np.asarray(whole, np.uint8), SIDE_PX / side)
    return np.asarray(cv2.resize(shrunk, (SIDE_PX, SIDE_PX)), np.uint8)


def _back(sight: Sight, place: tuple[float, float], scale: float, turns: int) -> Sight:
    """A sight of a turned patch in pixels of the picture."""

    def home(x: float, y: float) -> tuple[float, float]:
        dx, dy = x - SIDE_PX / 2, y - SIDE_PX / 2
        for _ in range(turns):
            dx, dy = -dy, dx
        return place[0] + dx / scale, place[1] + dy / scale

    x, y = home(sight.x_px, sight.y_px)
    pips = tuple((*home(px, py), score) for px, py, score in sight.pips)
    return Sight(x, y, sight.size_px / scale, sight.angle_deg, sight.score, sight.faces, pips, sight.seen_px)


def _mean(found: Sequence[Sight]) -> Sight:
    best = max(found, key=lambda s: s.score)
    score = sum(s.score for s in found) / len(LOOKS)
    weights = np.array([s.score for s in found])
    faces = (np.array([s.faces for s in found]) * weights[:, None]).sum(0) / weights.sum()
    x, y, size = (float(np.median([getattr(s, k) for s in found])) for k in ("x_px", "y_px", "size_px"))
    return Sight(x, y, size, best.angle_deg, score, tuple(map(float, faces)), best.pips, best.seen_px)
