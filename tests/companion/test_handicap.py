"""Players who begin with fewer dice: what is refused, kept, remembered and played again."""

import pytest

from companion.errors import BadCommand
from companion.rules.presets import CLASSIC
from companion.table import commands as cmd
from companion.table.groups import Groups
from companion.table.parsing import parse
from companion.table.view import view
from tests.companion.at_table import dice, in_play, play
from tests.new_games import new_game
from tests.refusals import refused
from tests.unkept import Unkept

HOUSE = CLASSIC.with_house({"handicap": True})
PLAYERS = (("Ana", ""), ("Beto", ""), ("Carla", ""))
SENT = {
    "type": "new_game",
    "preset": "classic",
    "house": {"handicap": True},
    "players": [{"name": "Ana", "handicap": 3}, {"name": "Beto", "handicap": 0}, {"name": "Carla"}],
    "starter": "Beto",
}


@pytest.mark.parametrize(
    ("rules", "handicaps", "reason"),
    [
        (CLASSIC, (("Ana", 1),), "handicap_off"),
        (HOUSE, (("Zoe", 1),), "unknown_player"),
        (HOUSE, (("Ana", -1),), "handicap_too_large"),
    ],
)
def test_handicaps_that_cannot_be(rules, handicaps, reason):
    with refused(reason, BadCommand):
        new_game(rules, PLAYERS, "Ana", handicaps)


@pytest.mark.parametrize(
    ("house", "most", "why"),
    [
        ({}, 4, "one die is left"),
        ({"out_below": 3}, 2, "three dice keep one in the game"),
        ({"lives": 2, "out_below": 3}, 4, "a life is lost with the last die"),
        ({"starting_dice": 2, "out_below": 3}, 0, "all have too few"),
    ],
)
def test_one_begins_with_as_many_dice_as_it_takes(house, most, why):
    rules = HOUSE.with_house(house)
    assert new_game(rules, PLAYERS, "Ana", (("Ana", most),)).player("Ana").handicap == most, why
    with refused("handicap_too_large", BadCommand, player="Ana", most=most):
        new_game(rules, PLAYERS, "Ana", (("Ana", most + 1),))


def test_they_are_sent_shown_renamed_and_played_again(table):
    table.do(parse(SENT))
    players = view(table.snapshot())["game"]["players"]
    assert [(p["seat"], p["dice"], p["began"]) for p in players] == [(1, 2, 2), (2, 5, 5), (3, 5, 5)]
    table.do(cmd.Rename("Ana", "Anna"))
    play(table, "abandon, again")
    assert list(dice(table).items()) == [("Anna", 2), ("Beto", 5), ("Carla", 5)]


@pytest.mark.parametrize("script", ["abandon, Ana leaves, Ana joins", "Ana leaves, Ana joins, abandon"])
def test_who_comes_back_as_the_game_is_over_keeps_seat_dice_and_colour(table, script):
    table.do(parse({**SENT, "players": [{**one, "colour": "red"} for one in SENT["players"]]}))
    play(table, f"{script}, again")
    assert [(p.name, p.dice, p.colour) for p in in_play(table).players] == [
        ("Ana", 2, "red"),
        ("Beto", 5, "red"),
        ("Carla", 5, "red"),
    ]


def test_nobody_is_handed_more_than_the_beginning(table):
    table.do(parse(SENT))
    table.do(cmd.HandBack("Ana", 1))
    table.do(cmd.HandBack("Ana", 2))
    with refused("bad_count", BadCommand, most=2):
        table.do(cmd.HandBack("Ana", 3))


def test_a_group_remembers_them():
    groups = Groups(Unkept())
    groups.remember(parse(SENT))
    assert [player.handicap for player in groups.all()[0].players] == [3, 0, 0]
