"""What lamps give at places, also at odd ones."""

import numpy as np
import pytest

from lab.scenes.light import irradiance
from lab.scenes.values import Bars, Light

LAMP_MM = (100.0, 0.0, 40.0)
BARS = Bars(angle_deg=30, pitch_mm=25, shift_mm=3, depth=0.7, soft_mm=5)


def strength_at(places: np.ndarray, bars: Bars | None) -> np.ndarray:
    return irradiance(Light(LAMP_MM, 5.0, (1.0, 1.0, 1.0), bars), places.astype(np.float32))[2]


@pytest.mark.parametrize("height_mm", [0.0, 20.0, 40.0, 60.0])
@pytest.mark.parametrize("bars", [None, BARS])
def test_a_lamp_lights_every_height_its_own_too(height_mm, bars):
    strength = strength_at(np.array([[0.0], [10.0], [height_mm]]), bars)
    assert 0 < strength.min() <= strength.max() < np.inf


def test_bars_only_ever_take_light_away():
    places = np.stack([np.linspace(-60, 60, 200), np.zeros(200), np.zeros(200)])
    share = strength_at(places, BARS) / strength_at(places, None)
    assert (share.min(), share.max()) == pytest.approx((1 - BARS.depth, 1))
