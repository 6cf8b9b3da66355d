"""What the rounds tell of the players, checked against games told by hand."""

from __future__ import annotations

from typing import Any

import pytest

from web.statistics import Course, Score, courses, lines, scores


def player(name: str, dice: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "colour": "red", "dice": dice, "lives": None, **more}


def judged(call: str, by: str, bidder: str, stands: bool, **changes: int) -> dict[str, Any]:
    verdict = {"stands": stands, "dice_change": changes, "lives_change": {}}
    return {"call": call, "by": by, "bidder": bidder, "verdict": verdict}


GAME = {
    "players": [player("Ana", 3), player("Bea", 5)],
    "house": {"lives": None},
    "history": [
        judged("dudo", "Bea", "Ana", False, Ana=-1),
        judged("dudo", "Ana", "Bea", True, Ana=-1),
        judged("calza", "Ana", "Bea", True, Ana=1),
        judged("calza", "Ana", "Bea", False, Ana=-1),
        judged("dudo_pass", "Bea", "Ana", True, Bea=0),
    ],
}


def test_dice_are_followed_back_from_what_is_left() -> None:
    assert courses(GAME) == (Course("Ana", "red", (5, 4, 3, 4, 3, 3)), Course("Bea", "red", (5,) * 6))


def test_a_game_with_lives_follows_lives() -> None:
    verdict = {"stands": True, "dice_change": {}, "lives_change": {"Ana": -1}}
    entry = {"call": "dudo", "by": "Ana", "bidder": "Bea", "verdict": verdict}
    game = {"players": [player("Ana", 5, lives=1)], "house": {"lives": 2}, "history": [entry]}
    assert courses(game) == (Course("Ana", "red", (2, 1)),)


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, Score("Ana", "red", 3, 1, 1, 0)), (1, Score("Bea", "red", 2, 1, 1, 1))],
)
def test_calls_and_bids_are_scored(number: int, expected: Score) -> None:
    assert scores(GAME)[number] == expected


@pytest.mark.parametrize("rounds", [0, 1, 40])
def test_a_plot_stays_inside_its_frame(rounds: int) -> None:
    found = [Course(str(n), "red", (5,) * (rounds + 1)) for n in range(12)]
    spots = [spot.split(",") for _, points in lines(found) for spot in points.split()]
    assert all(0 <= float(x) <= 320 and 0 <= float(y) <= 150 for x, y in spots)
    assert len(spots) == 12 * (rounds + 1)
