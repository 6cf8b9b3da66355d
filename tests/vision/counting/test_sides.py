"""Side faces of dice seen aslant are no dice."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.corpus import scene_of
from tests.vision.counting.made_pips import pips_at
from tests.vision.scoring import Score, score
from vision.counting.dice import _sides
from vision.counting.faces import Faces
from vision.read import read
from vision.scenes import render
from vision.scenes.folder import label

pytestmark = pytest.mark.slow

HALF_PX = 30.0


def aces(apart: float) -> Faces:
    """Two candidates for an ace so many half sides from one another."""
    none, ones = np.zeros(2, np.float32), np.ones(2, np.float32)
    members = np.full((2, 6), -1, np.int32)
    members[:, 0] = 0, 1
    middle = np.array([[100, 100], [100, 100 + apart * HALF_PX]], np.float32)
    half = np.array([[HALF_PX / 2, 0]] * 2, np.float32)
    return Faces(np.ones(2, np.int32), members, middle, half, half[:, ::-1].copy(), none, ones, *[none] * 3)


@pytest.mark.parametrize(
    ("apart", "flat", "size", "chance", "side"),
    [
        pytest.param(1.8, 0.6, 0.8, 0.5, True, id="beside the top face, its pip flatter"),
        pytest.param(1.8, 0.8, 0.8, 0.5, False, id="a die that touches: its pip is as round"),
        pytest.param(2.4, 0.6, 0.8, 0.5, False, id="some way off"),
        pytest.param(1.8, 0.6, 1.2, 0.5, False, id="a larger die"),
        pytest.param(1.8, 0.6, 0.8, 0.9, False, id="clear by itself"),
    ],
)
def test_a_flatter_face_beside_a_likelier_one_is_its_side(
    apart: float, flat: float, size: float, chance: float, side: bool
) -> None:
    faces = aces(apart)
    pips = pips_at(faces.middle_px, flat=[0.85, flat])
    half = HALF_PX * np.array([1, size], np.float32)
    found = _sides(pips, faces, half, np.array([0.95, chance], np.float32))
    assert found.tolist() == [False, side]


def test_top_faces_are_read_from_35_degrees() -> None:
    total = Score()
    for seed in range(704_100, 704_106):
        scene = scene_of("35 degrees", seed)
        picture = render(scene)
        total += score(label(scene, picture), read(picture.image_bgr, reader="pips"))
    assert total.dice >= 20
    assert total.right >= 0.7 * total.dice
    assert total.extra <= 0.2 * total.dice
