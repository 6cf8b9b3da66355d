"""The evening of a table, and the standings of a club that follow from all of them."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.outside.club import EveningJson, ResultJson, evening, standings, this_evening
from companion.outside.reporter import Reporter
from companion.outside.topics import Message, Topics
from companion.statistics.archive import Archive
from companion.table import commands as cmd
from tests.companion.games import won
from tests.companion.outside.tables import ChanceTable


def result(game: str, began: str | None, ended: str | None, winner: str, names: str) -> ResultJson:
    labels = [f"2026-11-{at}:00+00:00" if at else None for at in (began, ended)]
    return {"game": game, "began": labels[0], "ended": labels[1], "players": names.split(), "winner": winner}


def table(*games: ResultJson) -> EveningJson:
    return {"table": "t", "games": list(games)}


def test_the_evening_has_the_last_games_that_were_won():
    games = [
        won("old", "2026-11-20T20:00:00+00:00", "2026-11-20T21:00:00+00:00", "Ana", ["Ana", "Bea"]),
        won("one", "2026-11-25T20:00:00+00:00", "2026-11-25T21:00:00+00:00", "Bea", ["Ana", "Bea"]),
        won("stopped", "2026-11-25T21:05:00+00:00", "2026-11-25T21:10:00+00:00", None, ["Ana", "Bea"]),
        won("two", "2026-11-25T21:10:00+00:00", "2026-11-25T22:00:00+00:00", "Ana", ["Ana", "Bea"]),
    ]
    found = evening(games, "Table 3")
    assert [game["game"] for game in found["games"]] == ["one", "two"]
    assert found["games"][0]["players"] == ["Ana", "Bea"]
    assert evening([], "Table 3") == {"table": "Table 3", "games": []}


A = result("a", "25T20:00", "25T21:00", "Ana", "Ana Bea")
B = result("b", "25T23:50", "26T00:40", "Bea", "Bea Carla")
C = result("c", "26T00:10", "26T01:30", "Ana", "Ana Dino")
LAST_WEEK = result("w", "18T20:00", "18T21:00", "Bea", "Ana Bea")
EARLY = result("e", "25T10:00", "25T11:00", "Bea", "Ana Bea")
NO_CLOCK = result("n", None, None, "Dino", "Ana Dino")
LONG = result("l", "25T20:30", "26T00:05", "Bea", "Ana Bea")


@pytest.mark.parametrize(
    ("tables", "games", "why"),
    [
        ([table(A), table(B)], "ab", "two tables, one evening"),
        ([table(B), table(C)], "bc", "over midnight"),
        ([table(LAST_WEEK), table(A)], "a", "a table that is at home since last week"),
        ([table(EARLY), table(A)], "a", "a game of the morning"),
        ([table(A, B), table(A)], "ab", "a game of two tables counts once"),
        ([table(NO_CLOCK), table(A)], "na", "a box without a clock played tonight"),
        ([table(LONG), table(A), table(C)], "alc", "a long game bridges a pause of others"),
        ([], "", "nothing yet"),
    ],
)
def test_tonight(tables, games, why):
    assert "".join(game["game"] for game in this_evening(tables)) == games, why


def test_standings_are_by_wins_then_by_what_chance_gives():
    games = [
        result("1", None, None, "Ana", "Ana Bea"),
        result("2", None, None, "ANA", "Ana Bea Carla"),
        result("3", None, None, "Bea", "Bea Carla Dino Elsa"),
        result("4", None, None, "Carla", "Carla Dino"),
    ]
    found = standings(games)
    assert [(place["rank"], place["name"], place["won"], place["games"]) for place in found] == [
        (1, "Ana", 2, 2),
        (2, "Bea", 1, 3),
        (2, "Carla", 1, 3),
        (4, "Elsa", 0, 1),
        (5, "Dino", 0, 2),
    ]


def test_partners_win_together_and_old_messages_still_count():
    pairs: ResultJson = {**result("1", None, None, "Ana", "Ana Bea Carla Dino"), "winners": ["Ana", "CARLA"]}
    strange: ResultJson = {**result("2", None, None, "Ana", "Ana Bea"), "winners": ["Ana", "Nobody", "Ana"]}
    found = standings([pairs, strange, result("3", None, None, "Bea", "Ana Bea")])
    assert [(place["name"], place["won"], place["games"], place["even"]) for place in found] == [
        ("Ana", 2, 3, 1.5),
        ("Carla", 1, 1, 0.5),
        ("Bea", 1, 3, 1.5),
        ("Dino", 0, 1, 0.5),
    ]


def test_partners_of_a_played_game_are_in_its_evening(tmp_path):
    people = ("Ana", "Beto", "Carla", "Dino")
    with ChanceTable(tmp_path, 2, people, teams="share_win", team_count=2) as table:
        table.play()
        archive = Archive(table.journal)
        (game,) = evening(archive.overview().games, "t")["games"]
        archive.close()
    assert game["winner"] in game["winners"]
    assert set(game["winners"]) in ({"Ana", "Carla"}, {"Beto", "Dino"})
    assert [place["won"] for place in standings([game])] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("change", "winners", "why"),
    [
        (lambda table, archive, game: None, 2, "nothing has changed"),
        (lambda table, archive, game: (table.forget(game), archive.forget(game)), 1, "a game is deleted"),
        (lambda table, archive, game: archive.join("Ana", "Anna"), 2, "two names are one person"),
        (lambda table, archive, game: table.do(cmd.PutAway()), 2, "the last game is put away"),
        (lambda table, archive, game: table.do(cmd.Undo()), 1, "the end is taken back"),
    ],
)
def test_an_evening_is_published_as_soon_as_its_games_are_others(tmp_path, change, winners, why):
    sent: list[Message] = []
    with ChanceTable(tmp_path) as table:
        archive = Archive(table.journal)
        reporter = Reporter((sent.append,), archive, Topics("dudo", "t"), "t", "en")
        table.play(2)
        reporter.report_evening(table.table.snapshot())
        change(table.table, archive, archive.ids()[0])
        reporter.report_evening(table.table.snapshot())
        found = evening(archive.overview().games, "t")
        archive.close()
    assert json.loads(sent[-1].text) == found, why
    assert len(found["games"]) == winners, why
    assert len(sent) <= 2


@given(st.integers(0, 10_000))
def test_standings_add_up_whatever_the_order(seed):
    random = Random(seed)
    names = ("Ana", "Bea", "Carla", "Dino", "Elsa")
    games = []
    for number in range(random.randint(0, 20)):
        people = random.sample(names, random.randint(2, 5))
        games.append(result(str(number), None, None, random.choice(people), " ".join(people)))
    found = standings(games)
    assert sum(place["won"] for place in found) == len(games)
    assert sum(place["games"] for place in found) == sum(len(game["players"]) for game in games)
    assert sum(place["even"] for place in found) == pytest.approx(len(games))
    assert [place["rank"] for place in found] == sorted(place["rank"] for place in found)
    mixed = games[:]
    random.shuffle(mixed)
    placed = [[(p["rank"], p["name"], p["won"]) for p in one] for one in (standings(mixed), found)]
    assert placed[0] == placed[1]
