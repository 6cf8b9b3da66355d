"""What the net saw, as dice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats, Image, medians
from vision.learned.maps import Detection
from vision.picture import colour
from vision.picture.working import Working, for_colours, roots
from vision.values import Die

SHADE_REACH = 0.32
"""Half the side of the square whose colour is the body's, over the side of the face: well within any turn of
it, and pips cover less than half of that, so that the median is the body."""


def as_dice(image_bgr: Image, seen: Sequence[Detection], bodies: Sequence[Floats | None]) -> tuple[Die, ...]:
    """Detections as dice in the same order, none of them certain; the net does not tell their pips,
    and `vision.groups` names their colours.

    `bodies` are the colours (3,) of their bodies, square roots of blue, green, red, where they are known.
    """
    if not seen:
        return ()
    working = for_colours(image_bgr)
    return tuple(
        _die(at, shade(working, at.x_px, at.y_px, at.size_px) if body is None else body)
        for at, body in zip(seen, bodies, strict=True)
    )


def _die(detection: Detection, body: Floats) -> Die:
    return Die(
        face=detection.face,
        x_px=detection.x_px,
        y_px=detection.y_px,
        size_px=detection.size_px,
        angle_deg=detection.angle_deg,
        confidence=detection.evidence,
        certain=False,
        colour="",
        why=("low_confidence",),
        rgb=colour.rgb(body),
    )


def shade(working: Working, x_px: float, y_px: float, size_px: float) -> Floats:
    """The body's colour (3,) as square roots of blue, green, red: the usual one over the top face."""
    x, y = x_px * working.factor, y_px * working.factor
    reach = max(1.0, SHADE_REACH * size_px * working.factor)
    rows = slice(max(0, int(y - reach)), max(1, int(y + reach) + 1))
    cols = slice(max(0, int(x - reach)), max(1, int(x + reach) + 1))
    patch = working.image[rows, cols].reshape(-1, 3)
    return np.asarray(medians(roots(patch)) if len(patch) else np.zeros(3), np.float32)
