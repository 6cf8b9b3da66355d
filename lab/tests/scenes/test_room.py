"""What dice and varnish mirror of a room."""

import numpy as np
import pytest

from lab.scenes.room import mirrored, room

TURNS = np.linspace(0, 2 * np.pi, 400, dtype=np.float32)
BRIGHTEST = 9.0


def ring(height: float) -> np.ndarray:
    """Directions (3, n) all round at one height."""
    flat = np.sqrt(1 - height * height)
    return np.stack([flat * np.cos(TURNS), flat * np.sin(TURNS), np.full_like(TURNS, height)])


@pytest.mark.parametrize("seed", range(8))
def test_a_room_is_dark_and_bright_in_places_but_never_less_than_nothing(seed):
    seen = np.concatenate([mirrored(room(seed), ring(z), np.zeros(400, np.float32)) for z in (0.1, 0.5, 0.9)])
    assert 0 <= seen.min() < seen.max() <= BRIGHTEST


def test_nothing_is_mirrored_from_under_the_table():
    assert mirrored(room(1), ring(-0.9), np.zeros(400, np.float32)).max() == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_rough_surface_mirrors_softer(seed):
    sharp, soft = (mirrored(room(seed), ring(0.6), np.full(400, rough, np.float32)) for rough in (0.0, 0.8))
    assert np.abs(np.diff(soft)).max() <= np.abs(np.diff(sharp)).max()


def test_the_room_is_the_same_for_a_scene_and_another_for_another():
    views = [mirrored(room(seed), ring(0.5), np.zeros(400, np.float32)) for seed in (3, 3, 4)]
    np.testing.assert_array_equal(views[0], views[1])
    assert np.abs(views[0] - views[2]).max() > 0.1
