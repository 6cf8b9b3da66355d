"""Faces taught by showing: an emblem shown a few times becomes a face of that table's dice.

The embedding of a face comes from the net's own features of the crop about it, turned upright by the die's
angle. Each feature is averaged over the middle of the face and over its four quarter turns. It is
standardised by mean and deviation on dice in general, which `vision/models/fits.toml` has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision import fits
from vision.arrays import Floats, Image
from vision.learned.net import Net, load

SIDE_PX = 96
FACE_PX = 40.0
CELLS = slice(4, 8)
"""The four by four cells, 32 px squared, in the middle of the face."""
ALIKE, LEAD = 0.85, 0.1
"""A face is recognised when its embedding is at least this like a taught one (cosine), and by so much more
like it than any embedding of another face."""


Embedding = Floats
"""The features of a face as a vector of unit length, the same however the die is turned."""


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """One taught example: the face it stands for (1 to 6) and its embedding."""

    face: int
    embedding: Embedding


@dataclass(frozen=True, slots=True)
class Match:
    """The taught face a die resembles most, how much (0 to 1), and whether that is certain."""

    face: int
    likeness: float
    certain: bool


def embedding(
    image_bgr: Image, x_px: float, y_px: float, size_px: float, angle_deg: float, net: Net | None = None
) -> Embedding:
    """The embedding of the face of `size_px` at a place, turned by `angle_deg`."""
    usual, spread = _dice_in_general()
    vector = (raw_features(image_bgr, x_px, y_px, size_px, angle_deg, net or load()) - usual) / spread
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9))


def raw_features(
    image_bgr: Image, x_px: float, y_px: float, size_px: float, angle_deg: float, net: Net
) -> Floats:
    """The net's features of a face as they come, the same for all four ways it may be turned."""
    upright = _upright(image_bgr, x_px, y_px, FACE_PX / size_px, angle_deg)
    turned = (np.ascontiguousarray(np.rot90(upright, turn)) for turn in range(4))
    views = [net.run(view, "features")["features"] for view in turned]
    return np.asarray(np.mean([v[:, CELLS, CELLS].mean((1, 2)) for v in views], axis=0))


@cache
def _dice_in_general() -> tuple[Floats, Floats]:
    """Mean and spread of each feature over dice of all kinds."""
    rows = fits.weights("features")
    return np.array(rows["mean"]), np.array(rows["spread"])


def _upright(image: Image, x: float, y: float, scale: float, angle_deg: float) -> Image:
    """A crop about a place in which the face's sides run along the crop's."""
    warp = cv2.getRotationMatrix2D((x, y), angle_deg, scale)
    warp[0, 2] += SIDE_PX / 2 - x
    warp[1, 2] += SIDE_PX / 2 - y
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    base = cv2.GaussianBlur(image, (0, 0), 0.4 / scale) if scale < 0.6 else image
    crop = cv2.warpAffine(base, warp, (SIDE_PX, SIDE_PX), flags=way, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def recognise(seen: Embedding, taught: Sequence[Taught]) -> Match | None:
    """The taught face that an embedding resembles most, or None while nothing was taught."""
    if not taught:
        return None
    best: dict[int, float] = {}
    for example in taught:
        likeness = float(seen @ example.embedding)
        best[example.face] = max(best.get(example.face, 0.0), likeness)
    face = max(best, key=lambda f: best[f])
    rest = max((v for f, v in best.items() if f != face), default=0.0)
    return Match(face, best[face], best[face] >= ALIKE and best[face] - rest >= LEAD)
