"""A picture in which even the sharpest edges are wide is not believed, whatever was read in it."""

from functools import cache

import cv2
import numpy as np
import pytest

from hardware.cameras.simulated_dice import laid
from tests.vision.pictures import Image
from vision.checks.picture import LONG_PX, is_blurred
from vision.read import WAYS, read

pytestmark = pytest.mark.slow

FACES = (4, 2, 6, 1, 5)


@cache
def table(width_px: int = 1200) -> Image:
    dice = [(face, "ivory") for face in FACES]
    return laid(dice, 3, width_px=width_px, height_px=width_px * 3 // 4).image_bgr


def blurred(sigma_px: float, picture: Image | None = None) -> Image:
    return np.asarray(cv2.GaussianBlur(table() if picture is None else picture, (0, 0), sigma_px), np.uint8)


def pale(picture: Image) -> Image:
    """A sixth of the contrast is left."""
    return np.asarray(picture // 6 + 120, np.uint8)


def noisy(picture: Image) -> Image:
    noise = np.random.default_rng(3).normal(0, 6, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def shaded(lightest: int = 150) -> Image:
    """A bare table that grows darker to one side."""
    return np.broadcast_to(np.linspace(lightest, 90, 1200)[None, :, None], (900, 1200, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    ("why", "make", "expected"),
    [
        ("as a lens draws it", table, False),
        ("a little soft", lambda: blurred(3), False),
        ("pips run into each other", lambda: blurred(10), True),
        ("dice are blots", lambda: blurred(24), True),
        ("blots of little contrast", lambda: pale(blurred(16)), True),
        ("little contrast, sharp", lambda: pale(table()), False),
        ("a sensor's noise is no sharpness", lambda: noisy(blurred(12)), True),
        ("a sharp picture with noise", lambda: noisy(table()), False),
        ("half as large, blurred half as wide", lambda: blurred(6, table(600)), True),
        ("half as large, a little soft", lambda: blurred(1.5, table(600)), False),
        ("as small as a thumbnail", lambda: blurred(0.6, table(120)), False),
        ("nothing stands out", lambda: np.full((900, 1200, 3), 128, np.uint8), False),
        ("nor in a soft shade", shaded, False),
        ("nor in a steeper one", lambda: shaded(250), False),
    ],
)
def test_blurred_pictures_are_found(why, make, expected):
    assert is_blurred(make()) is expected, why


@pytest.mark.parametrize("contrast", [25, 60, 140])
@pytest.mark.parametrize(("sigma_px", "expected"), [(0.8, False), (1.8, False), (2.4, True), (4.0, True)])
def test_edges_wider_than_two_pixels_are_blurred_whatever_their_contrast(contrast, sigma_px, expected):
    step = np.where(np.arange(LONG_PX) < LONG_PX / 2, 60.0, 60.0 + contrast)[None].repeat(240, 0)
    soft = np.rint(cv2.GaussianBlur(step, (0, 0), sigma_px)).astype(np.uint8)
    for way in (soft, soft.T.copy()):
        assert is_blurred(cv2.cvtColor(way, cv2.COLOR_GRAY2BGR)) is expected


@pytest.mark.usefixtures("detected_once")
@pytest.mark.parametrize("reader", WAYS)
@pytest.mark.parametrize("sigma_px", [8.0, 12.0, 24.0])
def test_no_way_of_reading_is_certain_of_blots(reader, sigma_px):
    picture = blurred(sigma_px * 1.1)
    assert is_blurred(picture)
    reading = read(picture, reader=reader)
    assert not reading.certain
    assert [doubt.key for doubt in reading.doubts].count("blurred") == 1
