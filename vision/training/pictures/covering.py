"""Things laid over the dice of a crop, a finger, a hand, a card or a cup, so that a part of them is left."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats
from vision.training.pictures.crops import SIDE_PX
from vision.training.pictures.cutting import Image, Points
from vision.training.pictures.textures import Rng

HIDDEN = (0.2, 0.72)
"""Share of a face's depth that is covered."""
SKINS = ((150, 180, 225), (120, 150, 200), (90, 120, 190), (60, 90, 150), (30, 40, 80))
"""Hands, blue, green, red."""

Mask = Image
"""255 where a cover lies, else 0; (height, width)."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where a cover comes from: its tip, the way out from there, across that, and a side to measure it by."""

    tip: Points
    out: Points
    across: Points
    size_px: float


def covered(rng: Rng, image: Image, place: tuple[float, float, float], donor: Image) -> tuple[Image, Mask]:
    """The crop with something over a part of the die (x, y, size) at `place`, and where that lies (255).

    `donor` is another crop, of whose colours a cover may be.
    """
    mask = _outline(rng, _way(rng, place))
    size = place[2]
    soft = _soft(mask, max(0.8, size * rng.uniform(0.01, 0.03)))
    shadow = _soft(mask, size * 0.2) * rng.uniform(0, 0.4)
    laid = image * (1 - shadow) * (1 - soft) + _skin(rng, donor, size) * soft
    return np.clip(laid, 0, 255).astype(np.uint8), mask


def _way(rng: Rng, place: tuple[float, float, float]) -> Way:
    x, y, size = place
    angle = rng.uniform(0, 2 * np.pi)
    out = np.array([np.cos(angle), np.sin(angle)])
    tip = np.array([x, y]) + out * size * (0.5 - rng.uniform(*HIDDEN))
    return Way(tip, out, np.array([-out[1], out[0]]), size)


def _outline(rng: Rng, way: Way) -> Mask:
    """Where the cover lies, 255."""
    kind = (_finger, _finger, _finger, _card, _cup)[int(rng.integers(5))]
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    kind(rng, way, mask)
    return mask


def _finger(rng: Rng, way: Way, mask: Mask) -> None:
    """A finger or the edge of a hand: a strip with a round end."""
    half = way.size_px * rng.uniform(0.5, 1.6)
    near = way.tip + way.out * half + way.across * way.size_px * rng.uniform(-0.15, 0.15)
    far = near + way.size_px * (way.out * rng.uniform(2, 6) + way.across * rng.uniform(-1, 1))
    cv2.line(mask, _pixel(near), _pixel(far), 255, max(2, round(2 * half)))


def _card(rng: Rng, way: Way, mask: Mask) -> None:
    """A card or a sheet: its straight edge runs across the die."""
    half, deep = way.size_px * rng.uniform(1.2, 3), way.size_px * rng.uniform(1.5, 4)
    lean = rng.uniform(-0.25, 0.25)
    out, across = way.out + lean * way.across, way.across - lean * way.out
    edge = way.tip + across * rng.uniform(-0.3, 0.3) * half
    corners = [edge - across * half, edge + across * half]
    corners += [corner + out * deep for corner in reversed(corners)]
    cv2.fillPoly(mask, [np.array(corners).astype(np.int32)], 255)


def _cup(rng: Rng, way: Way, mask: Mask) -> None:
    """A cup or a bowl, seen from above."""
    radius = way.size_px * rng.uniform(1.2, 2.6)
    cv2.circle(mask, _pixel(way.tip + way.out * radius), round(radius), 255, -1)


def _pixel(place: Points) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))


def _soft(mask: Mask, blur_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur_px)[..., None] / np.float32(255), np.float32)


def _skin(rng: Rng, donor: Image, size_px: float) -> Floats:
    """The cover's colours: of one colour, shaded across, or a part of another crop made larger."""
    if rng.random() < 0.5:
        colour = SKINS[int(rng.integers(len(SKINS)))] if rng.random() < 0.5 else rng.uniform(10, 245, 3)
        shade = np.linspace(-30, 30, SIDE_PX)[None, :, None] * rng.uniform(-1, 1)
        grain = rng.normal(0, rng.uniform(0, 8), (SIDE_PX, SIDE_PX, 1))
        return np.asarray(colour + shade + grain, np.float32)
    side = int(rng.integers(SIDE_PX // 4, SIDE_PX))
    x, y = rng.integers(0, SIDE_PX - side + 1, 2)
    part = cv2.resize(donor[y : y + side, x : x + side], (SIDE_PX, SIDE_PX))
    part = cv2.GaussianBlur(part, (0, 0), max(0.5, size_px * float(rng.choice([0.05, 0.3, 0.8]))))
    return np.asarray(part * rng.uniform(0.5, 1.3), np.float32)
