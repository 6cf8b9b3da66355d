"""A die over a part of which something lies is never certain, whatever face is left of it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.agreement.misfits import doubting_hidden
from vision.agreement.trust import SETTLED
from vision.learned import covered
from vision.values import Die

TABLE = np.full((480, 640, 3), 90, np.uint8)


def die(face: int = 1, certain: bool = True, chance: float = 0.95) -> Die:
    why = () if certain else ("one_way",)
    return Die(face, 320, 240, 80, 0.0, chance, certain, "ivory", why=why)


@pytest.mark.parametrize(
    ("seen", "odds", "turned", "certain", "reason"),
    [
        (die(), 1.4, 1.8, False, "something covers it at first sight and in turned views"),
        (die(), 1.4, 1.6, True, "turned views say less: a whole die"),
        (die(), 0.7, 2.5, True, "at first sight nothing lies over it: it is not looked at again"),
        (die(chance=SETTLED), 1.4, 2.5, True, "of a die as clear as that more is asked first"),
        (die(chance=SETTLED), 1.9, 2.1, True, "and again"),
        (die(chance=SETTLED), 1.9, 2.3, False, "and is enough"),
        (die(4), 1.4, 2.5, False, "a four may be left of a six"),
        (die(5), 2.2, 2.5, True, "a five is part of no other face"),
        (die(6), 2.2, 2.5, True, "nor is a six, whatever lies at its edge"),
    ],
)
def test_a_die_that_seems_covered_is_doubted(
    seen: Die, odds: float, turned: float, certain: bool, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covered, "over", lambda _image, _die: turned)
    (doubted,) = doubting_hidden(TABLE, [seen], [odds])
    assert (doubted.certain, doubted.why) == (certain, () if certain else ("half_hidden",)), reason


def test_what_is_doubted_for_another_reason_keeps_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covered, "over", lambda _image, _die: 9.0)
    unsure = die(certain=False)
    assert doubting_hidden(TABLE, [unsure], [3.0]) == [unsure]
