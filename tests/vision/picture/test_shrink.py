"""Pictures made smaller keep their brightness, their places and no false pattern."""

import numpy as np
import pytest

from vision.picture.working import halved, reading, resized


@pytest.mark.parametrize("factor", [0.004, 0.2, 0.37, 0.5, 0.8, 1.0, 1.7])
@pytest.mark.parametrize("shape", [(61, 200, 3), (480, 641, 3)])
def test_the_size_is_as_asked_and_an_even_picture_stays_even(shape, factor):
    small = resized(np.full(shape, 137, np.uint8), factor)
    assert small.shape == (max(1, round(shape[0] * factor)), max(1, round(shape[1] * factor)), 3)
    assert (small == 137).all()


@pytest.mark.parametrize("factor", [0.13, 0.25, 0.31, 0.5])
def test_a_checkerboard_of_pixels_becomes_grey(factor):
    board = (np.indices((300, 400)).sum(axis=0) % 2 * 255).astype(np.uint8)
    assert np.abs(resized(np.dstack([board] * 3), factor).astype(int) - 127).max() < 5


@pytest.mark.parametrize("factor", [0.11, 0.3, 0.45, 0.5, 0.9, 1.6])
def test_a_border_stays_where_it_was(factor):
    picture = np.zeros((200, 601, 3), np.uint8)
    picture[:, 240:] = 200
    row = resized(picture, factor)[0, :, 0]
    assert (len(row) - row.sum() / 200) / len(row) == pytest.approx(240 / 601, abs=0.004 / factor)


def test_a_picture_whose_halves_are_kept_is_the_same_at_every_size():
    picture, other = np.random.default_rng(3).integers(0, 256, (2, 300, 401, 3)).astype(np.uint8)
    factors = (0.1, 0.4, 0.21, 0.9, 0.11)
    wanted = [resized(image, factor) for factor in factors for image in (picture, other)]
    with reading(picture):
        found = [resized(image, factor) for factor in factors for image in (picture, other)]
    assert all((one == same).all() for one, same in zip(found, wanted, strict=True))


@pytest.mark.parametrize(
    ("factor", "size", "reason"),
    [
        (1.5, (303, 201), "larger: as it is"),
        (0.51, (303, 201), "a half would be too small"),
        (0.5, (151, 100), "one half, odd sides rounded down"),
        (0.13, (75, 50), "a quarter"),
        (1e-6, (2, 1), "as long as both sides can be"),
    ],
)
def test_a_picture_is_halved_while_it_stays_large_enough(factor, size, reason):
    height, width = halved(np.zeros((201, 303, 3), np.uint8), factor).shape[:2]
    assert (width, height) == size, reason


def test_halves_are_kept_no_longer_than_was_said():
    picture = np.full((200, 300, 3), 10, np.uint8)
    with reading(picture):
        assert resized(picture, 0.25).max() == 10
    picture[:] = 90  # a camera's memory is used again
    assert resized(picture, 0.25).min() == 90
