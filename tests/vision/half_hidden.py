"""Labelled photographs with one die half hidden: under a drawn finger, or cut off by the picture's border."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.scoring import Label
from vision.arrays import Image

Points = NDArray[np.float64]
SKINS = ((140, 170, 215), (105, 135, 185), (55, 80, 135), (30, 42, 75))
"""Fingers, blue, green, red."""
DIRECTIONS = 16
SIDES = {"left": (0, -1), "top": (1, -1), "right": (0, 1), "bottom": (1, 1)}
"""The border that is moved inwards: across or down, and the way out."""
LEFT = (0.3, 0.7)
"""Share of a die's face that a cut leaves."""


def dice_px(image: Image, label: Label) -> list[tuple[float, float, float]]:
    """Centre and side of each labelled die."""
    high, wide = image.shape[:2]
    return [(die["x"] * wide, die["y"] * high, die["size"] * wide) for die in label["dice"]]


def under_a_finger(image: Image, label: Label, which: int, share: float, seed: int) -> Image | None:
    """A finger over `share` of the face of die `which`; None where it would lie over another die, too."""
    rng = np.random.default_rng(seed)
    dice = dice_px(image, label)
    x, y, size = dice.pop(which)
    half = size * rng.uniform(0.45, 0.8)
    for turn in rng.permutation(DIRECTIONS):
        angle = 2 * np.pi * (turn + rng.uniform(-0.4, 0.4)) / DIRECTIONS
        out = np.array([np.cos(angle), np.sin(angle)])
        near = np.array([x, y]) + out * (size * (0.5 - share) + half)
        far = near + out * max(image.shape[:2])
        if all(_apart((a, b), near, far) > half + 0.9 * side for a, b, side in dice):
            return _drawn(rng, image, near, far, half)
    return None


def _apart(place: tuple[float, float], near: Points, far: Points) -> float:
    """How far a place lies from the line between two others."""
    along = far - near
    share = np.clip((np.array(place) - near) @ along / (along @ along), 0, 1)
    return float(np.linalg.norm(near + share * along - place))


def _drawn(rng: np.random.Generator, image: Image, near: Points, far: Points, half: float) -> Image:
    """The finger, round across, with its shadow, as bright as the picture."""
    mask = np.zeros(image.shape[:2], np.uint8)
    ends = [(round(p[0]), round(p[1])) for p in (near, far)]
    cv2.line(mask, ends[0], ends[1], 255, max(2, round(2 * half)))
    deep = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / half
    bright = np.clip(np.percentile(image, 90) / 200, 0.3, 1.1)
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * bright
    round_across = 0.65 + 0.35 * np.sqrt(np.clip(deep * (2 - deep), 0, 1))
    finger = skin * round_across[..., None] + rng.normal(0, 3, (*mask.shape, 1))
    over = cv2.GaussianBlur(mask, (0, 0), max(0.8, 0.03 * half))[..., None] / 255
    shadow = 1 - 0.3 * cv2.GaussianBlur(mask, (0, 0), 0.3 * half)[..., None] / 255
    return np.asarray(np.clip(image * shadow * (1 - over) + finger * over, 0, 255), np.uint8)


def cut_through(image: Image, label: Label, seed: int) -> Iterator[tuple[Image, Label, int]]:
    """The picture cut through its outermost die on each side, three to seven tenths of whose face are left,
    and the number of that die, which is no longer counted. None where the cut would touch another die."""
    rng = np.random.default_rng(seed)
    dice = dice_px(image, label)
    for side, (axis, outward) in SIDES.items() if dice else ():
        which = max(range(len(dice)), key=lambda k: outward * dice[k][axis])
        line = dice[which][axis] + outward * (rng.uniform(*LEFT) - 0.5) * dice[which][2]
        others = (die for number, die in enumerate(dice) if number != which)
        if all(abs(die[axis] - line) > 0.9 * die[2] for die in others):
            yield *_cut(image, label, which, side, round(line)), which


def _cut(image: Image, label: Label, which: int, side: str, line_px: int) -> tuple[Image, Label]:
    x0, y0 = line_px * (side == "left"), line_px * (side == "top")
    x1, y1 = (line_px if side == end else None for end in ("right", "bottom"))
    part = image[y0:y1, x0:x1]
    high, wide = image.shape[:2]
    part_high, part_wide = part.shape[:2]

    def moved(number: int, die: dict[str, Any]) -> dict[str, Any]:
        there = {
            "x": (die["x"] * wide - x0) / part_wide,
            "y": (die["y"] * high - y0) / part_high,
            "size": die["size"] * wide / part_wide,
        }
        return die | there | ({"ignore": True} if number == which else {})

    return np.ascontiguousarray(part), label | {"dice": [moved(*row) for row in enumerate(label["dice"])]}
