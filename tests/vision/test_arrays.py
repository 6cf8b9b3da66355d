"""What several stages ask of arrays is what numpy's slower ways give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import along, medians


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
