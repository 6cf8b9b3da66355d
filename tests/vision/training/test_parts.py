"""What is counted of the nets for parts of dice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.learned import net
from vision.training import parts
from vision.training.nets.covered_cells import NOTHING, PART, UNJUDGED, Lesson
from vision.training.parts import Told

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


def test_the_shipped_nets_tell_most_of_what_is_drawn() -> None:
    for model, told in parts.measured(16, net.MODEL).items():
        assert told.shown > 0, model.stem
        assert told.told / told.shown > told.wrong / max(1, told.others), model.stem
