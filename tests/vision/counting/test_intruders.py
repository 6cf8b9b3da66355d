"""Which pips speak against a face candidate: those like its own, inside it and round it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.counting.made_pips import HALF_PX, RADIUS_PX, face_of, pips_at, places_of
from vision.counting.intruders import counted


@pytest.mark.parametrize(
    ("out", "guest", "inside", "around"),
    [
        pytest.param(0.0, {}, 1, 0, id="a pip in the middle makes it a five"),
        pytest.param(0.7, {}, 1, 0, id="a like one towards the border"),
        pytest.param(0.85, {}, 0, 1, id="one beyond the border of a wide layout"),
        pytest.param(1.5, {}, 0, 1, id="a like one beside the face"),
        pytest.param(2.5, {}, 0, 0, id="one far off"),
        pytest.param(0.0, {"radius_px": 1.0}, 0, 0, id="a speck"),
        pytest.param(0.0, {"contrast": 0.35}, 0, 0, id="a far pip shines through a clear body"),
        pytest.param(0.0, {"quality": 0.2}, 0, 0, id="a flake of a marbled body"),
        pytest.param(0.0, {"flat": 0.6}, 1, 0, id="a flat pip inside: a glare cuts it"),
        pytest.param(1.5, {"flat": 0.6}, 0, 0, id="a flat pip beside: it lies on a side face"),
        pytest.param(0.0, {"flat": 0.45}, 0, 0, id="a scratch"),
    ],
)
def test_like_pips_are_counted(out: float, guest: dict[str, float], inside: int, around: int) -> None:
    usual = {"radius_px": RADIUS_PX, "flat": 0.9, "contrast": 0.8, "quality": 0.6}
    columns = {name: [value] * 4 + [guest.get(name, value)] for name, value in usual.items()}
    places = np.concatenate([places_of(4), [[200 + out * HALF_PX, 200]]])
    found = counted(pips_at(places, **columns), face_of(4))
    assert (float(found.inside[0]), float(found.around[0])) == (inside, around)
