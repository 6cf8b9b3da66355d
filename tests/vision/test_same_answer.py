"""Turning, scaling, inverting, brightening a picture leaves the answer as it is, within stated limits."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from hardware.cameras.simulated_dice import laid
from tests.vision.pictures import Image
from vision.read import read
from vision.values import Reading

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("detected_once")]

WIDTH_PX = 800
ROLLED = [(1, "ivory"), (2, "red"), (3, "blue"), (4, "white"), (5, "black"), (6, "green"), (6, "yellow")]
NEAR = 0.25
"""A die found again lies within this share of its side of where it must."""


@dataclass(frozen=True)
class Change:
    """A change of the picture: what it does, the map (2, 3) of its places, and for which readers the
    answer must stay the same; for the others it may only not be wrong for certain."""

    do: Callable[[Image], Image]
    places: Callable[[], np.ndarray] = lambda: np.eye(2, 3)
    kept_by: tuple[str, ...] = ("pips", "both")


def moved(matrix: np.ndarray, size: tuple[int, int]) -> Change:
    """The picture seen through an affine map, on a border of its usual colour."""

    def do(image: Image) -> Image:
        table = tuple(float(v) for v in np.median(image.reshape(-1, 3), axis=0))
        way = cv2.INTER_AREA if abs(np.linalg.det(matrix[:, :2])) < 0.99 else cv2.INTER_CUBIC
        return np.asarray(cv2.warpAffine(image, matrix, size, flags=way, borderValue=table), np.uint8)

    return Change(do, lambda: matrix)


def turned(degrees: float, *kept_by: str) -> Change:
    """Turned about the middle; the frame grows, so that nothing is lost."""
    wide, high = WIDTH_PX, WIDTH_PX * 3 // 4
    side = math.ceil(math.hypot(wide, high))
    matrix = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), degrees, 1.0)
    matrix[:, 2] += ((side - wide) / 2, (side - high) / 2)
    change = moved(matrix, (side, side))
    return replace(change, kept_by=kept_by) if kept_by else change


def scaled(by: float) -> Change:
    half = 0.5 * by - 0.5  # the middles of pixels, not their corners, are at whole numbers
    matrix = np.array([[by, 0, half], [0, by, half]])
    return moved(matrix, (round(WIDTH_PX * by), round(WIDTH_PX * 3 // 4 * by)))


def curved(change: Callable[[np.ndarray], np.ndarray], *kept_by: str) -> Change:
    """Each grey level g in [0, 1] replaced by another."""
    levels = np.clip(255 * change(np.arange(256) / 255), 0, 255).astype(np.uint8)
    done = Change(lambda image: np.asarray(cv2.LUT(image, levels), np.uint8))
    return replace(done, kept_by=kept_by) if kept_by else done


def inverted(image: Image) -> Image:
    return np.asarray(255 - image, np.uint8)


def grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def jpeg(image: Image) -> Image:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 40])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


CHANGES: dict[str, Change] = {
    "turned by 90 degrees": turned(90),
    "turned by 180 degrees": turned(180),
    "turned by 7 degrees": turned(7),
    "turned by 20 degrees": turned(-20, "both"),  # the pips way alone may lose a die to the blur of turning
    "three quarters as large": scaled(0.75),
    "a third larger": scaled(1.33),
    "half as bright": curved(
        lambda g: 0.5 * g, "both"
    ),  # where contrast falls the pips way alone may lose a die
    "a fifth brighter": curved(lambda g: 1.2 * g),
    "gamma 0.6": curved(lambda g: g**0.6, "both"),
    "gamma 1.6": curved(lambda g: g**1.6),
    "flat contrast": curved(lambda g: 0.25 + 0.5 * g, "both"),
    "grey": Change(grey),
    "colours swapped": Change(lambda image: np.ascontiguousarray(image[..., ::-1])),
    "inverted": Change(inverted, kept_by=("pips",)),
    "a strong JPEG": Change(jpeg),
}


@lru_cache
def picture(seed: int) -> Image:
    """Seven dice of as many colours on the simulated table."""
    return laid(ROLLED, seed, width_px=WIDTH_PX, height_px=WIDTH_PX * 3 // 4).image_bgr


@lru_cache
def answer(seed: int, reader: str) -> Reading:
    return read(picture(seed), reader=reader)


@pytest.mark.parametrize("reader", ["pips", "both"])
@pytest.mark.parametrize("seed", [3, 8])
def test_the_picture_itself_is_read_right(seed, reader):
    assert sorted(d.face for d in answer(seed, reader).dice) == sorted(face for face, _ in ROLLED)


@pytest.mark.parametrize("reader", ["pips", "both"])
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("seed", [3, 8])
def test_the_answer_stays_as_it_is(seed, name, reader):
    change, before = CHANGES[name], answer(seed, reader)
    after = read(change.do(picture(seed)), reader=reader)
    found = {k: again(die, after, change.places()) for k, die in enumerate(before.dice)}
    for k, die in enumerate(before.dice):
        twin = found[k]
        assert twin is None or twin.face == die.face or not twin.certain, (die.face, die.colour)
        if reader in change.kept_by:
            assert twin is not None, (die.face, die.colour)
            assert twin.face == die.face, die.colour
    if reader in change.kept_by:
        assert len(after.dice) == len(before.dice)


def again(die, after: Reading, places: np.ndarray):  # type: ignore[no-untyped-def]
    """The die of the changed picture at the place where `die` must be now, if there is one."""
    x, y = places @ (die.x_px, die.y_px, 1.0)
    size = die.size_px * math.sqrt(abs(np.linalg.det(places[:, :2])))
    return next((d for d in after.dice if math.hypot(d.x_px - x, d.y_px - y) < NEAR * size), None)
