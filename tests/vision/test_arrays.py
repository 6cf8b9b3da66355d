"""What several stages ask of arrays is what numpy's slower ways give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import along, medians, quantiles


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_products_are_those_of_linear_algebra(parts):
    random = np.random.default_rng(parts)
    vectors, axis = random.random((5, 4, parts)), random.random((5, 1, parts))
    assert along(vectors, axis) == pytest.approx((vectors * axis).sum(axis=-1))


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@given(count=st.integers(1, 9), seed=st.integers(0, 2**32 - 1))
def test_medians_are_those_of_numpy(kind, count, seed):
    rows = np.random.default_rng(seed).integers(0, 256, (count, 3)).astype(kind)
    assert (medians(rows) == np.median(rows, axis=0)).all()


@pytest.mark.parametrize("share", [0.0, 0.5, 0.75, 0.99, 1.0])
@given(count=st.integers(1, 12), seed=st.integers(0, 2**32 - 1))
def test_quantiles_are_those_of_numpy(share, count, seed):
    rows = np.random.default_rng(seed).random((3, count)).astype(np.float32)
    assert quantiles(rows, share) == pytest.approx(np.quantile(rows, share, axis=1), rel=1e-6)


def test_a_median_of_what_is_impossible_for_half_is_impossible():
    """Names of colours that cannot be have a logarithm of minus infinity."""
    assert medians(np.array([[-np.inf, 1.0], [-np.inf, 2.0], [1.0, 4.0]])).tolist() == [-np.inf, 2.0]
    assert medians(np.array([[-np.inf], [2.0]])).tolist() == [-np.inf]
