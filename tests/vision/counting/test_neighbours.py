"""Which pips may share a face: how far apart they may lie, and how that is bounded where pips abound."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.counting.made_pips import RADIUS_PX, pips_at
from vision.arrays import Floats
from vision.counting.neighbours import LONELY, LONELY_DIAGONAL, LONGEST_DIAGONAL, pairs_of


def square(diagonal: float) -> Floats:
    """A four whose opposite pips lie so many radii apart."""
    half = diagonal * RADIUS_PX / (2 * np.sqrt(2))
    return half * np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32) + 100


@pytest.mark.parametrize(
    ("diagonal", "quality", "pairs"),
    [
        pytest.param(3.6, 0.6, 6, id="large pips"),
        pytest.param(11.5, 0.1, 6, id="small pips"),
        pytest.param(20.0, 0.6, 6, id="very small ones, and nothing else near"),
        pytest.param(20.0, 0.1, 0, id="very small ones, hardly seen"),
        pytest.param(23.0, 0.6, 4, id="too far apart for a diagonal"),
        pytest.param(2.5, 0.6, 2, id="overlapping"),
    ],
)
def test_every_two_pips_of_a_four_are_a_pair(diagonal: float, quality: float, pairs: int) -> None:
    assert len(pairs_of(pips_at(square(diagonal), quality=quality))) == pairs


@pytest.mark.parametrize("mirror", [1, -1], ids=["the small one left", "the large one left"])
@pytest.mark.parametrize("radii", [8.0, 11.9, 12.1, 21.9])
def test_pips_of_two_sizes_are_a_pair_from_either_side(radii: float, mirror: int) -> None:
    small, large = 0.8 * RADIUS_PX, 1.2 * RADIUS_PX
    places = [[100, 100], [100 + mirror * radii * RADIUS_PX, 100]]
    assert len(pairs_of(pips_at(places, radius_px=[small, large]))) == 1


def test_dots_of_a_cloth_are_paired_with_near_ones_alone() -> None:
    step = 5 * RADIUS_PX
    grid = step * np.stack(np.meshgrid(np.arange(20), np.arange(20)), axis=-1).reshape(-1, 2)
    pips = pips_at(grid)
    pairs = pairs_of(pips)
    apart = np.linalg.norm(pips.xy_px[pairs[:, 0]] - pips.xy_px[pairs[:, 1]], axis=1) / RADIUS_PX
    inner = ((grid > 4 * step) & (grid < 15 * step)).all(axis=1)[pairs].any(axis=1)
    assert apart[inner].max() < LONGEST_DIAGONAL
    # beyond that go those at the corners of the cloth alone, which have few round them
    company = np.bincount(pairs[apart < LONGEST_DIAGONAL].ravel(), minlength=len(pips))
    assert (company[pairs[apart >= LONGEST_DIAGONAL]] < LONELY).all()


def test_each_pair_is_named_once_lower_number_first() -> None:
    places = np.random.default_rng(5).uniform(0, 30 * RADIUS_PX, (25, 2))
    pairs = pairs_of(pips_at(places))
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    apart = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    assert apart.max() < LONELY_DIAGONAL * RADIUS_PX
