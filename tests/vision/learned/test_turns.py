"""A place is shown in four turns, and stays the same place."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Image
from vision.learned.turns import views

SIZE = 20.0


def marked(x: int, y: int) -> Image:
    """A picture in which one pixel is white."""
    picture = np.zeros((120, 200, 3), np.uint8)
    picture[y, x] = 255
    return picture


@pytest.mark.parametrize(
    ("x", "y", "shape", "reason"),
    [
        (100, 60, (61, 61), "in the middle: as far to all sides"),
        (4, 60, (61, 35), "at the left border the picture ends"),
        (198, 118, (32, 32), "in a corner it ends twice"),
    ],
)
def test_a_place_is_the_same_in_every_turn(x: int, y: int, shape: tuple[int, int], reason: str) -> None:
    seen = list(views(marked(x, y), (x + 0.5, y + 0.5, SIZE), SIZE))
    assert [view.shape[:2] for view, _ in seen] == [shape, shape, shape[::-1], shape[::-1]], reason
    for view, (at_x, at_y, size_px) in seen:
        assert view[int(at_y), int(at_x)].tolist() == [255, 255, 255], reason
        assert size_px == SIZE


def test_no_turn_is_shown_twice() -> None:
    picture = np.random.default_rng(0).integers(0, 255, (90, 90, 3), np.uint8)
    seen = {view.tobytes() for view, _ in views(picture, (45.0, 45.0, SIZE), SIZE)}
    assert len(seen) == 4


def test_a_die_is_as_wide_as_was_asked_for() -> None:
    view, place = next(views(marked(100, 60), (100.5, 60.5, SIZE), SIZE / 2))
    assert view.shape[0] == view.shape[1] == pytest.approx(30.5, abs=0.5)
    assert place == pytest.approx((15.25, 15.25, SIZE / 2))
