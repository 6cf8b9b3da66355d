"""Which cups phones are to take pictures of."""

from typing import Any

import pytest

from web.pages.phone_camera import PHONES, missing, wanted
from web.sessions.access import Phone


def reveal(shown: dict[str, int], asked: str = "") -> Any:
    """A reveal of two cups with two dice each, so many of them `shown`; one question about a player's cup."""
    dice = [
        {"id": f"{name}{n}", "owner": name, "face": 3, "counted": True, "certain": True}
        for name, number in shown.items()
        for n in range(number)
    ]
    questions = [{"player": asked, "die": None}] if asked else []
    found = {"cups": [("Ana", 2), ("Bea", 2)], "dice": dice, "places": [], "questions": questions}
    return {
        "reveal": {**found, "settled": False},
        "box": {"camera": PHONES, "pictures": True},
        "verdict": None,
    }


@pytest.mark.parametrize(
    ("shown", "asked", "left", "ana_takes", "why"),
    [
        ({}, "", ["Ana", "Bea"], ["Ana"], "nothing was shown"),
        ({"Ana": 1}, "", ["Ana", "Bea"], ["Ana"], "a picture without all dice of the cup shows it in part"),
        ({"Ana": 1}, "Ana", ["Ana", "Bea"], [], "she is asked for what is missing"),
        ({"Ana": 1}, "Bea", ["Ana", "Bea"], ["Ana"], "Bea is asked, by her own phone"),
        ({"Ana": 2}, "", ["Bea"], [], "Bea's phone takes hers"),
    ],
)
def test_a_cup_is_missing_until_all_its_dice_are_shown(shown, asked, left, ana_takes, why):
    data = reveal(shown, asked)
    assert [cup.player for cup in missing(data)] == left, why
    phone = Phone("phone", led=True, joined=True, seat="Ana")
    assert [cup.player for cup in wanted(data, phone, {"Ana", "Bea"})] == ana_takes, why


@pytest.mark.parametrize(
    ("seat", "seated", "takes", "why"),
    [
        ("Bea", {"Bea"}, ["Bea", "Ana"], "her own first, and Ana's as well: Ana has no phone"),
        ("Bea", {"Ana", "Bea"}, ["Bea"], "Ana's phone takes Ana's"),
        (None, {"Bea"}, ["Ana"], "a phone without a player takes those of players without a phone"),
        (None, set(), ["Ana", "Bea"], "in the order of lifting"),
    ],
)
def test_any_phone_takes_the_dice_of_who_has_none(seat, seated, takes, why):
    phone = Phone("phone", led=True, joined=True, seat=seat)
    assert [cup.player for cup in wanted(reveal({}), phone, seated)] == takes, why
