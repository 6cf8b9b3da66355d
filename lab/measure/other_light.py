"""Labelled photographs as other light and other cameras would have shown them, labels moved along."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.scoring import Label
from vision.arrays import Image

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]
SEED = 11


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to a picture and, where its places move, the map (3, 3) of them in pixels."""

    do: Callable[[Image], Image]
    places: Callable[[Image], Matrix] = lambda image: np.eye(3)


def changed(image: Image, label: Label, change: Change) -> tuple[Image, Label]:
    """The changed picture and the labels of its dice."""
    there = change.do(image)
    high, wide = image.shape[:2]
    matrix, (high_there, wide_there) = change.places(image), there.shape[:2]

    def moved(die: dict[str, Any]) -> dict[str, Any]:
        x, y, half = die["x"] * wide, die["y"] * high, die["size"] * wide / 2
        corners = np.array([[(x, y), (x - half, y), (x + half, y), (x, y - half), (x, y + half)]])
        middle, *edge = cv2.perspectiveTransform(corners, matrix)[0]
        size = math.dist(edge[0], edge[1]) / 2 + math.dist(edge[2], edge[3]) / 2
        return die | {"x": middle[0] / wide_there, "y": middle[1] / high_there, "size": size / wide_there}

    return there, label | {"dice": [moved(die) for die in label["dice"]]}


def _clipped(values: NDArray[Any]) -> Image:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


def _curve(power: float, gain: float = 1.0) -> Callable[[Image], Image]:
    table = _clipped(gain * 255 * (np.arange(256) / 255) ** power)
    return lambda image: np.asarray(cv2.LUT(image, table), np.uint8)


def _gains(blue: float, green: float, red: float) -> Callable[[Image], Image]:
    return lambda image: _clipped(image * np.array([blue, green, red], np.float32))


def _noise(levels: float, gain: float = 1.0) -> Callable[[Image], Image]:
    def do(image: Image) -> Image:
        grain = np.random.default_rng(SEED).normal(0, levels, image.shape).astype(np.float32)
        return _clipped(gain * image + grain)

    return do


def _jpeg(quality: int) -> Callable[[Image], Image]:
    def do(image: Image) -> Image:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    return do


def _scaled(share: float) -> Change:
    return Change(
        lambda image: np.asarray(
            cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
        ),
        lambda image: np.diag([share, share, 1.0]),
    )


def _blurred(share: float) -> Callable[[Image], Image]:
    """A blur whose sigma is this share of the picture's long side."""
    return lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), share * max(image.shape[:2])), np.uint8)


def _smeared(image: Image) -> Image:
    """Moved sideways while the shutter was open, by half a hundredth of its long side."""
    long = max(3, round(max(image.shape[:2]) / 200))
    return np.asarray(cv2.blur(image, (long, 1)), np.uint8)


def _half_in_shadow(image: Image) -> Image:
    wide = image.shape[1]
    edge = 1 / (1 + np.exp(-(np.arange(wide) - wide / 2) / (0.02 * wide)))
    return _clipped(image * (0.45 + 0.55 * edge)[None, :, None])


def _dark_corners(image: Image) -> Image:
    high, wide = image.shape[:2]
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j]
    return _clipped(image * (1 / (1 + 0.9 * (x * x + y * y)))[..., None])


def _glints(image: Image) -> Image:
    """Forty small white reflections anywhere."""
    rng, there = np.random.default_rng(SEED), image.copy()
    high, wide = image.shape[:2]
    for _ in range(40):
        place = (int(rng.integers(wide)), int(rng.integers(high)))
        axes = tuple(int(v) for v in rng.uniform(0.002, 0.006, 2) * wide + 1)
        cv2.ellipse(there, place, axes, float(rng.uniform(0, 180)), 0, 360, (255, 255, 255), -1, cv2.LINE_AA)
    return there


def _spread(image: Image) -> Image:
    """Contrast spread locally, as phones do."""
    light, a, b = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2LAB))
    light = cv2.createCLAHE(3.0, (8, 8)).apply(light)
    return np.asarray(cv2.cvtColor(cv2.merge([light, a, b]), cv2.COLOR_LAB2BGR), np.uint8)


def _sharpened(image: Image) -> Image:
    return np.asarray(cv2.addWeighted(image, 2.2, cv2.GaussianBlur(image, (0, 0), 2), -1.2, 0), np.uint8)


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def _aslant(image: Image) -> Matrix:
    """The far edge a sixth shorter, as if the camera were tipped."""
    high, wide = image.shape[:2]
    here = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    there = here + np.array([(wide / 12, high / 20), (-wide / 12, high / 20), (0, 0), (0, 0)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(here, there))


def _seen_aslant(image: Image) -> Image:
    high, wide = image.shape[:2]
    return np.asarray(
        cv2.warpPerspective(image, _aslant(image), (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _flip(x: int, y: int) -> Callable[[Image], Matrix]:
    """The map of a picture mirrored across (x = -1) and down (y = -1)."""

    def places(image: Image) -> Matrix:
        high, wide = image.shape[:2]
        return np.array([[x, 0, wide * (x < 0)], [0, y, high * (y < 0)], [0, 0, 1]], float)

    return places


def _quarter(image: Image) -> Matrix:
    return np.array([[0, -1, image.shape[0]], [1, 0, 0], [0, 0, 1]], float)


LIGHTS: dict[str, Change] = {
    "mirrored": Change(lambda image: np.asarray(cv2.flip(image, 1), np.uint8), _flip(-1, 1)),
    "turned by half": Change(lambda image: np.asarray(cv2.flip(image, -1), np.uint8), _flip(-1, -1)),
    "darker": Change(_curve(2)),
    "lighter": Change(_curve(0.5)),
    "warm": Change(_gains(0.6, 0.9, 1.15)),
    "cold": Change(_gains(1.2, 0.95, 0.7)),
    "noise of 12 levels": Change(_noise(12)),
    "JPEG of quality 25": Change(_jpeg(25)),
    "60 % of the size": _scaled(0.6),
    "blurred": Change(_blurred(1 / 900)),
    "smeared": Change(_smeared),
    "half in shadow": Change(_half_in_shadow),
    "inverted": Change(lambda image: np.asarray(cv2.bitwise_not(image), np.uint8)),
}
"""What a box or a phone meets on another evening."""

HARSH: dict[str, Change] = {
    "noise of 25 levels": Change(_noise(25)),
    "much darker": Change(_curve(3)),
    "low contrast": Change(lambda image: _clipped(80 + 0.35 * image.astype(np.float32))),
    "40 % of the size": _scaled(0.4),
    "strongly blurred": Change(_blurred(1 / 400)),
    "grey": Change(_grey),
    "dark corners": Change(_dark_corners),
    "glints": Change(_glints),
    "contrast spread locally": Change(_spread),
    "sharpened": Change(_sharpened),
    "turned by a quarter": Change(
        lambda image: np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8), _quarter
    ),
    "dim, with noise": Change(_noise(8, gain=0.25)),
    "under a blue lamp": Change(_gains(1.1, 0.6, 0.35)),
    "aslant": Change(_seen_aslant, _aslant),
    "red and blue exchanged": Change(lambda image: np.ascontiguousarray(image[..., ::-1])),
}
"""Harsher than most tables."""
