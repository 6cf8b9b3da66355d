"""Pictures made smaller keep their brightness, their places and no false pattern."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.arrays import along, lengths
from vision.picture.once import reading
from vision.picture.shrink import averaged, resized

WAYS = pytest.mark.parametrize("way", [resized, averaged])
Way = Callable[[NDArray[np.uint8], float], NDArray[np.uint8]]


@WAYS
@pytest.mark.parametrize("factor", [0.004, 0.2, 0.37, 0.5, 0.8, 1.0, 1.7])
@pytest.mark.parametrize("shape", [(61, 200, 3), (480, 641, 3)])
def test_the_size_is_as_asked_and_an_even_picture_stays_even(
    shape: tuple[int, int, int], factor: float, way: Way
) -> None:
    small = way(np.full(shape, 137, np.uint8), factor)
    assert small.shape == (max(1, round(shape[0] * factor)), max(1, round(shape[1] * factor)), 3)
    assert (small == 137).all()


@pytest.mark.parametrize("factor", [0.13, 0.25, 0.31, 0.5])
def test_a_checkerboard_of_pixels_becomes_grey(factor: float) -> None:
    board = (np.indices((300, 400)).sum(axis=0) % 2 * 255).astype(np.uint8)
    assert np.abs(resized(np.dstack([board] * 3), factor).astype(int) - 127).max() < 5


@WAYS
@pytest.mark.parametrize("factor", [0.11, 0.3, 0.45, 0.5, 0.9, 1.6])
def test_a_border_stays_where_it_was(factor: float, way: Way) -> None:
    picture = np.zeros((200, 601, 3), np.uint8)
    picture[:, 240:] = 200
    row = way(picture, factor)[0, :, 0]
    assert (len(row) - row.sum() / 200) / len(row) == pytest.approx(240 / 601, abs=0.004 / factor)


@pytest.mark.parametrize("factor", [0.26, 0.29, 0.45, 0.5, 0.6, 0.75, 0.94])
def test_averaged_is_nearly_what_one_step_by_areas_makes(factor: float) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    soft = cv2.GaussianBlur(noise, (0, 0), 1.0)
    small = averaged(soft, factor)
    wanted = cv2.resize(soft, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    off = (small.astype(float) - wanted).std() / wanted.std()
    assert off < 0.1, f"{off:.2f} of what the picture varies"


@WAYS
def test_a_picture_whose_halves_are_kept_is_the_same_at_every_size(way: Way) -> None:
    picture, other = np.random.default_rng(3).integers(0, 256, (2, 300, 401, 3)).astype(np.uint8)
    factors = (0.1, 0.4, 0.21, 0.9, 0.11)
    wanted = [way(image, factor) for factor in factors for image in (picture, other)]
    with reading(picture):
        found = [way(image, factor) for factor in factors for image in (picture, other)]
    assert all((one == same).all() for one, same in zip(found, wanted, strict=True))


def test_halves_are_kept_no_longer_than_was_said() -> None:
    picture = np.full((200, 300, 3), 10, np.uint8)
    with reading(picture):
        assert resized(picture, 0.25).max() == 10
    picture[:] = 90  # a camera's memory is used again
    assert resized(picture, 0.25).min() == 90


@pytest.mark.parametrize(
    ("colours", "axis"), [((5, 4, 3), (3,)), ((6, 7, 2, 3), (6, 1, 1, 3)), ((4, 3), (4, 3))]
)
def test_products_with_an_axis_are_those_of_a_plain_sum(
    colours: tuple[int, ...], axis: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=colours), rng.normal(size=axis)
    assert np.allclose(along(one, other), (one * other).sum(axis=-1))
    assert np.allclose(lengths(one), np.linalg.norm(one, axis=-1))
