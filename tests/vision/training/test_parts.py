"""What is counted of the nets for parts of dice, for dice on dice and for prints."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.learned import net, surroundings
from vision.training import parts
from vision.training.nets.covered_cells import NOTHING, PART, UNJUDGED, Lesson
from vision.training.parts import Told
from vision.training.pictures.crops import IGNORED, SIDE_PX, Crop, Mark
from vision.training.pictures.flat import FLAT
from vision.training.pictures.perched import ALONE, PERCHED

pytestmark = pytest.mark.slow

LEAST = 1.0


def a_seer(odds: list[float]) -> Any:
    """A net that gives three cells these odds."""
    answer = np.array(odds, np.float32).reshape(1, 1, 1, -1)
    return SimpleNamespace(answers=lambda *_: [answer])


@pytest.mark.parametrize(
    ("cells", "odds", "expected", "reason"),
    [
        ([PART, NOTHING, NOTHING], [2, 0, 0], Told(1, 1, 0, 0), "the part is told"),
        ([PART, NOTHING, NOTHING], [0, 2, 0], Told(1, 0, 0, 0), "something else is told instead"),
        (
            [NOTHING, NOTHING, UNJUDGED],
            [0, 2, 0],
            Told(0, 0, 1, 1),
            "nothing is there, and it is told",
        ),
        ([NOTHING, NOTHING, UNJUDGED], [0, 0, 2], Told(0, 0, 1, 0), "what is told there nobody judges"),
    ],
)
def test_what_counts_of_parts(cells: list[int], odds: list[float], expected: Told, reason: str) -> None:
    lesson = Lesson(np.zeros((48, 1, 3), np.float16), np.array([cells], np.int8))
    assert parts.of_part([lesson], a_seer(odds), LEAST) == expected, reason


@pytest.mark.parametrize(
    ("face", "odds", "expected", "reason"),
    [
        (PERCHED, 9.0, Told(1, 1, 0, 0), "told"),
        (PERCHED, 0.0, Told(1, 0, 0, 0), "missed"),
        (ALONE, 9.0, Told(0, 0, 1, 1), "wrongly told"),
        (IGNORED, 9.0, Told(0, 0, 0, 0), "nobody judges it"),
    ],
)
def test_what_counts_of_dice_on_dice(
    face: int, odds: float, expected: Told, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "odds", lambda *_: np.array([odds]))
    monkeypatch.setattr(surroundings, "odds_again", lambda *_: odds)
    crop = Crop(np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8), (Mark(80, 80, 30, 0, face),), None)
    assert parts.of_perched([crop], a_seer([])) == expected, reason


@pytest.mark.parametrize(
    ("face", "odds", "expected", "reason"),
    [
        (FLAT, 1.0, Told(1, 1, 0, 0), "told"),
        (FLAT, -1.0, Told(1, 0, 0, 0), "missed"),
        (ALONE, 1.0, Told(0, 0, 1, 1), "a die is taken for a print"),
        (IGNORED, 1.0, Told(0, 0, 0, 0), "nobody judges it"),
    ],
)
def test_what_counts_of_prints(
    face: int, odds: float, expected: Told, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "odds", lambda *_: np.array([odds]))
    crop = Crop(np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8), (Mark(80, 80, 30, 0, face),), None)
    assert parts.of_prints([crop], a_seer([])) == expected, reason


def test_the_shipped_nets_tell_most_of_what_is_drawn() -> None:
    for model, told in parts.measured(16, net.MODEL).items():
        assert told.shown > 0, model.stem
        assert told.told / told.shown > told.wrong / max(1, told.others), model.stem
