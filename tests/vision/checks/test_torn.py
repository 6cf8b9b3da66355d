"""A torn frame is told from the straight edges of things."""

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, Image, all_faces, draw
from vision.checks.picture import is_torn

pytestmark = pytest.mark.slow

ROUGH = cv2.GaussianBlur(np.random.default_rng(5).normal(0, 150, (480, 640)), (0, 0), 2.5)
"""A weave of about seventeen grey levels, seen through a lens: no row is hard."""
NOISE = np.random.default_rng(6).normal(0, 1.5, (480, 640, 3))
ROW = 230


def filmed(picture: Image) -> Image:
    """With a sensor's noise."""
    return np.clip(np.rint(picture + NOISE[: len(picture)]), 0, 255).astype(np.uint8)


@cache
def lit(roughness: int) -> Image:
    return filmed(cv2.GaussianBlur(draw(all_faces()), (0, 0), 0.8) + roughness * ROUGH[..., None])


def table() -> Image:
    """Dice on a rough cloth."""
    return lit(1).copy()


def smooth() -> Image:
    """Dice on a table without a weave."""
    return lit(0)


def joined(above: Image, below: Image) -> Image:
    return np.concatenate([above[:ROW], below[ROW:]])


def sheet(blur_px: float, slant_px: int, ends_px: int = 640) -> Image:
    """A white sheet whose straight edge runs along the rows from the left border."""
    picture = table()
    corners = np.array([(0, 0), (ends_px, 0), (ends_px, ROW + slant_px), (0, ROW)], np.int32)
    cv2.fillPoly(picture, [corners], (235, 235, 235))
    return filmed(cv2.GaussianBlur(picture, (0, 0), blur_px) if blur_px else picture)


def blinds(below: int = 420) -> Image:
    """Stripes along the rows, as hard as a drawing."""
    picture = table()
    for top in range(60, below, 40):
        picture[top : top + 20] = picture[top : top + 20] // 2
    return picture


def burnt_out() -> Image:
    """The upper half is as white as can be."""
    light = np.clip(np.linspace(700, -200, 480), 0, 255)[:, None, None]
    return np.clip(table() + light, 0, 255).astype(np.uint8)


def again(rows: int) -> Image:
    """The last rows before the tear, again and again to the bottom."""
    return joined(table(), np.resize(np.roll(table(), -ROW, axis=0)[-rows:], table().shape))


def white_noise() -> Image:
    return np.random.default_rng(7).integers(0, 256, (480, 640, 3)).astype(np.uint8)


def gingham(square_px: int) -> Image:
    """Light and dark squares along the rows, as a cloth has them, through a lens."""
    dark = np.arange(640) // square_px % 2
    cloth = 60.0 + 60 * (dark[:480, None] + dark)
    return filmed(cv2.GaussianBlur(cloth, (0, 0), 0.8)[..., None].repeat(3, axis=2))


def fine_stripes() -> Image:
    """Stripes three rows apart, a little aslant: every row is unlike the next one."""
    row, column = np.mgrid[:480, :640]
    stripes = 127 + 120 * np.sin(2 * np.pi * (row + 0.01 * column) / 3)
    return filmed(stripes[..., None].repeat(3, axis=2))


def smoothed_stripes() -> Image:
    """Stripes along the rows that come again after sixteen, with hardly any noise."""
    stripes = 127 + 60 * np.sin(2 * np.pi * np.arange(480) / 16)
    return np.rint(stripes[:, None, None] + NOISE / 5).astype(np.uint8)


def without_noise(rows: int) -> Image:
    """A smooth table, so many rows of it below the dice as even as a drawing."""
    picture = smooth()
    picture[410 : 410 + rows] = CLOTH
    return picture


TORN: list[tuple[str, Callable[[], Image]]] = [
    ("grey where nothing came", lambda: joined(table(), np.full_like(table(), 128))),
    ("black where nothing came", lambda: joined(table(), np.zeros_like(table()))),
    ("the last row again and again", lambda: joined(table(), np.repeat(table()[ROW - 1 : ROW], 480, axis=0))),
    ("the last sixteen rows again and again", lambda: again(16)),
    ("the last two rows again and again", lambda: again(2)),
    ("white noise below", lambda: joined(table(), white_noise())),
    ("white noise above", lambda: joined(white_noise(), table())),
    ("the same table after the box moved", lambda: joined(table(), np.roll(table(), 70, axis=1))),
    ("another table", lambda: joined(table(), 255 - np.roll(table(), 90, axis=0))),
    ("a moment later, under another light", lambda: joined(table(), cv2.convertScaleAbs(table(), alpha=1.4))),
    ("a smooth table, five grey levels lighter", lambda: joined(smooth(), cv2.add(smooth(), (5, 5, 5, 0)))),
]
WHOLE: list[tuple[str, Callable[[], Image]]] = [
    ("dice on a cloth", table),
    ("a sheet straight along the rows", lambda: sheet(0.8, 0)),
    ("a sheet a little aslant", lambda: sheet(0.0, 4)),
    ("a sheet that ends within the picture", lambda: sheet(0.8, 0, 500)),
    ("stripes as hard as drawn ones", blinds),
    ("three of them", lambda: blinds(160)),
    ("fine stripes a little aslant", fine_stripes),
    ("stripes that a telephone smoothed", smoothed_stripes),
    ("squares that come again after eight rows", lambda: gingham(4)),
    ("squares that come again after sixty rows", lambda: gingham(30)),
    ("one colour all over", lambda: np.full((480, 640, 3), 128, np.uint8)),
    ("burnt out above", burnt_out),
    ("a few rows without noise", lambda: without_noise(24)),
    ("a strip of few rows", lambda: table()[:40]),
    ("a strip of few columns, each of which is checked", lambda: table()[:, :40]),
]


@pytest.mark.parametrize("encoded", [False, True], ids=["as delivered", "as a JPEG"])
@pytest.mark.parametrize(("reason", "make"), TORN, ids=[t[0] for t in TORN])
def test_a_torn_frame_is_seen(reason, make, encoded):
    picture = make()
    if encoded:
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    assert is_torn(picture)


@pytest.mark.parametrize(("reason", "make"), WHOLE, ids=[w[0] for w in WHOLE])
def test_edges_of_things_are_no_tears(reason, make):
    assert not is_torn(make())
