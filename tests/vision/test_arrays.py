"""What several stages ask of arrays is what numpy's slower ways give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import along, lengths, medians, picked, without


@given(st.integers(0, 4), st.integers(1, 5), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_what_is_picked_is_what_was_numbered(rows: int, rays: int, samples: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.random((rows, rays, samples, 3))
    which = random.integers(0, samples, (rows, rays))
    wanted = np.take_along_axis(values, which[:, :, None, None], axis=2)[:, :, 0]
    assert (picked(values, which) == wanted).all()
    assert (picked(values[..., 0], which) == wanted[..., 0]).all()


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_products_and_lengths_are_those_of_linear_algebra(parts: int) -> None:
    random = np.random.default_rng(parts)
    vectors, axis = random.random((5, 4, parts)), random.random((5, 1, parts))
    assert along(vectors, axis) == pytest.approx((vectors * axis).sum(axis=-1))
    assert lengths(vectors) == pytest.approx(np.linalg.norm(vectors, axis=-1))


@pytest.mark.parametrize("shape", [(0, 5, 3), (4, 3), (4, 2, 5, 3), (4, 0, 3)])
def test_what_is_taken_from_each_row_is_its_own(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(len(shape))
    vectors, base = random.random(shape), random.random((shape[0], 3))
    wanted = vectors - base.reshape(shape[0], *[1] * (len(shape) - 2), 3)
    assert (without(vectors, base) == wanted).all()


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@given(count=st.integers(1, 9), seed=st.integers(0, 2**32 - 1))
def test_medians_are_those_of_numpy(kind: type, count: int, seed: int) -> None:
    rows = np.random.default_rng(seed).integers(0, 256, (count, 3)).astype(kind)
    assert (medians(rows) == np.median(rows, axis=0)).all()
