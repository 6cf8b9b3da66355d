"""A few drawn pictures of each class: no die that is called certain is wrong, and easy ones are read exactly.

`python -m tests.vision.measure` reads hundreds of them; these are the ones that every run of the suite holds.
"""

from __future__ import annotations

import pytest

from tests.vision.corpus import scene_of
from tests.vision.scoring import Score, false_dice, score
from vision.read import read
from vision.scenes import render
from vision.scenes.folder import label
from vision.values import Reading

WIDTH_PX = 960
"""Readers work at this size anyway; drawing larger only takes time."""

NEVER = {
    "easy": 900_001,
    "normal": 901_001,
    "hard": 902_001,
    "clutter": 903_001,
    "35 degrees": 904_001,
    "touching": 905_001,
    "packed": 906_001,
    "glare": 907_001,
    "dim": 908_001,
    "coloured trays": 909_001,
    "640 px, coarse": 910_001,
    "grey camera": 911_001,
    "polyhedra beside": 912_001,
    "dominoes beside": 913_001,
    "numeral dice": 914_001,
    "emblem faces": 915_001,
    "no dice": 916_001,
    "up to 35 degrees": 917_001,
}
EXACT = (900_002, 900_003, 900_004)


def seen(name: str, seed: int) -> tuple[Score, Reading, list[str]]:
    """Score and reading of one picture, and which of its dice are certain and wrong."""
    scene = scene_of(name, seed)
    picture = render(scene, min(WIDTH_PX, scene.width_px))
    labels, reading = label(scene, picture), read(picture.image_bgr)
    false = [f"{d.face} at {d.x_px:.0f}, {d.y_px:.0f}" for d in false_dice(labels, reading)]
    return score(labels, reading), reading, false


@pytest.mark.parametrize("name", NEVER)
def test_nothing_is_wrong_for_certain(name: str) -> None:
    result, _, false = seen(name, NEVER[name])
    assert false == []
    assert not result.false_photos


@pytest.mark.parametrize("seed", EXACT)
def test_easy_pictures_are_read_exactly(seed: int) -> None:
    result, reading, false = seen("easy", seed)
    assert false == []
    assert result.exact == 1, [(d.face, d.confidence) for d in reading.dice]
