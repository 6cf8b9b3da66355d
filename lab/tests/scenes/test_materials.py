"""Covers look like what they are called: fibres lie their way, noise follows no grid, dust is no pip."""

import numpy as np
import pytest

from lab.scenes.covers import PAINTERS, littered, paint
from lab.scenes.noise import grains, strokes
from lab.scenes.values import Cover

SHAPE, MM_PER_PX = (180, 240), 0.25
MIN_PIP_MM = 0.7
"""Radius of the smallest pip of a die 12 mm wide."""


def cover(kind: str, seed: int = 5, pitch_mm: float = 2.0) -> Cover:
    return Cover(kind, (0.6, 0.4, 0.2), (0.3, 0.2, 0.1), pitch_mm, 1.0, 0.0, 30.0, seed, litter=0.5)


@pytest.mark.parametrize("kind", PAINTERS)
@pytest.mark.parametrize("mm_per_px", [0.05, 0.25, 1.5])
def test_every_cover_is_an_albedo_at_every_distance(kind, mm_per_px):
    canvas = paint(cover(kind), SHAPE, mm_per_px)
    assert canvas.shape == (*SHAPE, 3)
    assert canvas.dtype == np.float32
    assert 0 < canvas.min() <= canvas.max() < 1


@pytest.mark.parametrize("kind", PAINTERS)
def test_a_cover_is_the_same_for_its_seed_and_another_for_another(kind):
    first, again, other = (paint(cover(kind, seed), SHAPE, MM_PER_PX) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.01


@pytest.mark.parametrize("pitch_px", [1.0, 4.0, 30.0])
def test_grains_are_around_nought_and_as_far_apart_as_asked(pitch_px):
    noise = grains(np.random.default_rng(3), (400, 500), pitch_px)
    assert noise.std() == pytest.approx(1, rel=0.25)
    alike = [float((noise[:, :-step] * noise[:, step:]).mean()) for step in (1, round(2 * pitch_px))]
    assert alike[1] < 0.3, "bumps twice as far away have nothing to do with one another"
    assert pitch_px < 2 or alike[0] > 0.5, "neighbours within a bump are alike"


def test_grain_of_wood_runs_along_the_board():
    grey = paint(cover("wood", pitch_mm=6.0), SHAPE, MM_PER_PX).mean(axis=2)
    along, across = (np.abs(np.diff(grey, axis=axis)).mean() for axis in (1, 0))
    assert across > 2 * along


def test_strokes_lie_along_the_way_asked_for():
    lines = strokes(np.random.default_rng(1), SHAPE, 200, (30, 60), along_rad=0.0, bend=0.0)
    along, across = (np.abs(np.diff(lines, axis=axis)).mean() for axis in (1, 0))
    assert across > 4 * along
    assert np.abs(lines).max() <= 1.005


@pytest.mark.parametrize("seed", range(6))
def test_no_crumb_is_as_large_as_a_pip(seed):
    ground = np.full((*SHAPE, 3), 0.3, np.float32)
    marked = np.abs(littered(ground, np.random.default_rng(seed), 0.1, much=1.0) - ground).max(axis=2) > 0.1
    radius_px = MIN_PIP_MM / 0.1
    y, x = np.mgrid[-8:9, -8:9]
    disc = ((x * x + y * y) <= radius_px**2).astype(np.float32)
    full = np.lib.stride_tricks.sliding_window_view(marked, disc.shape)
    assert np.einsum("ijkl,kl->ij", full.astype(np.float32), disc).max() < 0.75 * disc.sum()
