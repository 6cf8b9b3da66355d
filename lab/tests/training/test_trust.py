"""The regression behind the fusion's weights finds weights that made the data."""

import numpy as np
import pytest

from lab.training.weights import trust


def test_known_weights_are_found_again():
    rng = np.random.default_rng(1)
    true = np.array([-1.0, 2.0, -3.0])
    found = np.column_stack([np.ones(20_000), rng.normal(size=20_000), rng.uniform(0, 2, 20_000)])
    right = rng.uniform(size=20_000) < 1 / (1 + np.exp(-found @ true))
    assert trust.fit(found, right, ridge=0.01) == pytest.approx(true, abs=0.15)
