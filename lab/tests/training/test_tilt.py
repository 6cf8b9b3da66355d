"""The fit of the tilt finds weights that made the data; its scenes are seen from above and steeply."""

import numpy as np
import pytest

from lab.scenes import SceneError
from lab.training.weights import tilt
from lab.training.weights.tilt import Row


def noisy(noise_deg: float, count: int = 3_000) -> list[Row]:
    """Faces whose tilt is 30 degrees, 8 more for one unit of the first feature and 4 less for the second."""
    rng = np.random.default_rng(2)
    features = rng.normal(1.0, [0.5, 2.0, 1.0], (count, 3))
    tilts = 30 + features @ [8.0, -4.0, 0.0] + rng.normal(0, noise_deg, count)
    return [Row(k // 4, row, float(deg)) for k, (row, deg) in enumerate(zip(features, tilts, strict=True))]


def test_known_weights_are_found_again(monkeypatch):
    monkeypatch.setattr(tilt, "RIDGE", 1e-4)
    found = tilt.fit(noisy(5.0))
    assert found["features"] == pytest.approx([8.0, -4.0, 0.0], abs=0.5)
    assert found["constant"] == pytest.approx([30.0], abs=1.0)


@pytest.mark.parametrize("noise_deg", [2.0, 6.0])
def test_the_error_is_that_of_scenes_left_out(noise_deg, monkeypatch):
    monkeypatch.setattr(tilt, "RIDGE", 1e-4)
    assert tilt.left_out_error(noisy(noise_deg)) == pytest.approx(noise_deg, rel=0.1)


def test_half_of_the_scenes_are_steep():
    tilts = []
    for seed in range(60):
        try:
            tilts.append(tilt.scene(seed).lens.tilt_deg)
        except SceneError:
            continue
    assert 0.3 < np.mean(np.array(tilts) >= tilt.STEEP_DEG[0]) < 0.75
    assert max(tilts) > 45


@pytest.mark.slow
def test_faces_of_rendered_scenes_are_rows_with_their_tilts():
    found = list(tilt.rows(range(9_300_000, 9_300_004)))
    assert len(found) > 4
    assert {row.features.shape for row in found} == {(112,)}
    assert all(0 <= row.tilt_deg < 90 for row in found)
