"""What seems a part of a die must seem so in turned views, too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.learned.parts import (
    die_at,
    level,
    told_of,
    turned_to_say,
)
from vision.values import Die, Doubt

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("cell", "said", "cut", "told", "reason"),
    [
        ((10, 20), [3.0, 2.0, 2.0, 3.0], [-9.0] * 4, 1, "every turn shows a covered die"),
        ((10, 20), [4.0, -1.0, 2.0, -2.0], [-9.0] * 4, 1, "on the mean they do"),
        ((10, 20), [2.0, -3.0, -2.0, -1.0], [-9.0] * 4, 0, "one turn alone does: a chance likeness"),
        ((10, 20), [-1.0] * 4, [0.4] * 4, 1, "most of a die is covered: it looks like one cut off"),
        ((10, 20), [-1.0] * 4, [0.2] * 4, 0, "neither net shows enough"),
        ((10, 0), [-9.0] * 4, [1.0, 0.0, -1.0, 0.1], 1, "cut by the border on the mean"),
        ((10, 0), [3.0] * 4, [1.0, 0.0, -1.0, -0.1], 0, "what is covered does not count at the border"),
    ],
)
def test_parts_are_told_that_outlast_turning(
    cell: tuple[int, int],
    said: list[float],
    cut: list[float],
    told: int,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turned_to_say(monkeypatch, said, cut)
    assert len(told_of([level([cell])], [die_at(120, 80)], [])) == told, reason


@pytest.mark.usefixtures("odds_are_features")
@pytest.mark.parametrize(
    ("odds", "dice", "told", "found", "looks", "reason"),
    [
        (-1.4, [die_at(60, 60)], [], 1, 4, "little is enough where turned views say so, too"),
        (-1.6, [die_at(60, 60)], [], 0, 0, "less is not"),
        (-1.4, [die_at(125, 84)], [], 0, 0, "nor so near a die: it may be its side face"),
        (0.1, [die_at(125, 84)], [], 1, 4, "what is clearer is looked at there, too"),
        (0.5, [die_at(60, 60)], [Doubt("glare")], 0, 0, "a picture in doubt is not looked at again"),
        (1.2, [die_at(60, 60)], [Doubt("glare")], 1, 0, "but what is likely is told there, too"),
        (1.2, [replace(die_at(60, 60), certain=False)], [], 1, 0, "an uncertain die is a doubt"),
        (3.5, [], [], 1, 0, "nor where no die was read: so clear must a part be there"),
    ],
)
def test_turned_views_are_asked_where_nothing_else_is_in_doubt(
    odds: float,
    dice: list[Die],
    told: list[Doubt],
    found: int,
    looks: int,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = turned_to_say(monkeypatch, [4.0] * 4)
    assert len(told_of([level([(10, 20)], odds=odds)], dice, told)) == found, reason
    assert len(looked_at) == looks, reason
