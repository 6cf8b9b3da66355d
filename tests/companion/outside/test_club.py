"""All tables of a club: folded from what a broker tells, live against a real one, and by the page."""

import json
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.outside import club as folding
from companion.outside.club import Club, ClubLink, ClubPage, club_json, heard, standings
from companion.outside.outline import outline
from companion.settings import Mqtt
from companion.table.view import view
from tests.companion.outside.brokers import broker, wait_until
from tests.companion.outside.tables import ChanceTable, die, reporting, simulated_tables

TABLES = 6


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    with ChanceTable(tmp_path_factory.mktemp("table")) as table:
        for _ in range(4):
            now = table.act()
        return json.dumps(outline(view(now), "Table 3", "en"))


def game(name: str, winner: str) -> dict[str, object]:
    return {"game": name, "began": None, "ended": None, "players": ["Ana", "Beto"], "winner": winner}


def evening(*games: dict[str, object]) -> str:
    return json.dumps({"table": "Table 3", "games": list(games)})


def folded(*messages: tuple[str, str]) -> Club:
    club = Club()
    for topic, text in messages:
        club = heard(club, "dudo", topic, text.encode())
    return club


def test_a_table_is_made_of_its_topics(state):
    club = folded(
        ("dudo/t3/status", "online"), ("dudo/t3/state", state), ("dudo/t3/evening", evening(game("a", "Ana")))
    )
    (table,) = club.in_order
    assert (table.name, table.online) == ("Table 3", True)
    assert table.state == json.loads(state)
    assert [(place["name"], place["won"]) for place in standings(club.won)] == [("Ana", 1), ("Beto", 0)]
    assert len(club.won) == 1


def test_a_table_that_is_gone_keeps_its_games(state):
    club = folded(
        ("dudo/t3/state", state),
        ("dudo/t3/evening", evening(game("a", "Ana"))),
        ("dudo/t3/status", "offline"),
    )
    assert club.in_order[0].online is False
    assert len(club.won) == 1


def test_a_table_that_was_cleared_is_forgotten(state):
    club = folded(*((f"dudo/t3/{what}", "") for what in ("status", "state", "evening")))
    assert club == Club()
    club = folded(("dudo/t3/state", state), ("dudo/t3/state", ""))
    assert club == Club()


@pytest.mark.parametrize(
    ("new", "shown", "games", "why"),
    [
        ("kitchen-a1b2c3", 1, "b", "the same box under another name"),
        ("kitchen-ffffff", 2, "ab", "another box"),
    ],
)
def test_a_box_is_one_table_under_the_name_that_it_has_now(state, new, shown, games, why):
    """Regression: a box that was given a name stayed in the club as an offline table under its old one."""
    old = "table-3-a1b2c3"
    club = folded(
        (f"dudo/{old}/status", "offline"),
        (f"dudo/{old}/state", state),
        (f"dudo/{old}/evening", evening(game("a", "Ana"))),
        (f"dudo/{new}/status", "online"),
        (f"dudo/{new}/evening", evening(game("b", "Ana"))),
    )
    assert len(club.in_order) == shown, why
    assert "".join(sorted(one["game"] for one in club.won)) == games, why
    club = heard(club, "dudo", f"dudo/{new}/status", b"offline")
    assert len(club.in_order) == 2, "nobody can tell which one it is"


@pytest.mark.parametrize(
    ("topic", "text", "why"),
    [
        ("dudo/t3/events", "{}", "no topic of a table"),
        ("dudo/status", "online", "no table in it"),
        ("dudo//status", "online", "an empty table"),
        ("dudo/a/b/status", "online", "too deep"),
        ("other/t3/status", "online", "another prefix"),
        ("dudo/t3/status", "maybe", "no word of ours"),
        ("dudo/t3/state", "[]", "no object"),
        ("dudo/t3/state", '{"table": 3}', "members are missing"),
        ("dudo/t3/state", "[" * 100_000, "nested without end"),
        ("dudo/t3/evening", '{"table": "x", "games": [{"game": "a"}]}', "half a game"),
        ("dudo/t3/evening", '{"table": "' + "x" * 300_000 + '", "games": []}', "too long"),
        ("dudo/t3/state", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "no text"),
    ],
)
def test_what_is_no_message_of_a_table_is_left_out(topic, text, why):
    club = folded(("dudo/t1/status", "online"), (topic, text))
    assert club == folded(("dudo/t1/status", "online")), why


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text(max_size=20), st.binary(max_size=40))))
def test_whatever_a_broker_sends_does_no_harm(messages):
    club = Club()
    for topic, text in messages:
        club = heard(club, "dudo", f"dudo/{topic}", text)
    assert club_json(club)
    json.dumps(folding.club_json(club))


def test_tables_have_an_end(monkeypatch):
    monkeypatch.setattr(folding, "MAX_TABLES", 3)
    club = folded(*((f"dudo/t{number}/status", "online") for number in range(5)))
    assert list(club.tables) == ["t0", "t1", "t2"]


def test_tables_are_in_the_order_that_people_expect():
    club = folded(*((f"dudo/table-{number}/status", "online") for number in (10, 9, 1, 100)))
    assert [table.key for table in club.in_order] == ["table-1", "table-9", "table-10", "table-100"]


@pytest.mark.slow
def test_an_evening_of_many_tables_one_of_which_dies(tmp_path):
    """Nobody says goodbye for it, and its games count all the same."""
    with broker(tmp_path / "broker") as running, ExitStack() as opening:
        link = ClubLink(Mqtt("127.0.0.1", running.port))
        opening.callback(link.close)
        tables, names = [], [f"Table {number}" for number in range(1, TABLES + 1)]
        for number, name in enumerate(names):
            tables.append(opening.enter_context(ChanceTable(tmp_path / name, seed=number)))
            dying = opening.enter_context(reporting(tables[-1], running.port, name))
        for table in tables:
            table.play(1)
        wait_until(lambda: len(link.club.won) == TABLES, "all first games")
        die(dying)
        wait_until(lambda: _offline(link) == names[-1:], "the broker says that it is gone")
        for table in tables[:-1]:
            table.play(1)
        won = [name for table in tables for name in table.winners]
        wait_until(lambda: len(link.club.won) == len(won), "no game is lost")
        wins = {place["name"]: place["won"] for place in standings(link.club.won)}
        assert wins == {name: won.count(name) for name in wins}
        assert sum(wins.values()) == len(won)
        found = club_json(link.club)
        assert {table["name"]: table["presence"] for table in found["tables"]} == {
            name: "offline" if name == names[-1] else "online" for name in names
        }
        assert {place["name"]: place["won"] for place in found["standings"]} == wins
        assert found["online"] == TABLES - 1


def _offline(link: ClubLink) -> list[str]:
    return [table.name for table in link.club.in_order if table.online is False]


def test_a_club_comes_back_with_its_broker(tmp_path, monkeypatch):
    """A broker that has lost what it retained gets it again from the tables that are there."""
    monkeypatch.setattr("companion.outside.connection.FIRST_S", 0.01)
    with (
        broker(tmp_path / "broker", "persistence false") as running,
        ChanceTable(tmp_path / "table") as table,
        reporting(table, running.port, "Table 1"),
    ):
        link = ClubLink(Mqtt("127.0.0.1", running.port))
        try:
            table.play(1)
            wait_until(lambda: len(link.club.won) == 1, "the game is published")
            running.stop()
            wait_until(lambda: link.club.in_order[0].online is None, "who is there is not known any more")
            assert len(link.club.won) == 1
            running.start()
            wait_until(lambda: link.connected and link.club.in_order[0].online is True, "it is back")
            assert len(link.club.won) == 1
        finally:
            link.close()


AT = "2026-11-25T20:00:00+00:00"


def known(page: ClubPage) -> tuple[list[str], int, int]:
    """The tables by name, how many of them are online, and how many games they have played."""
    club = page.now().club
    return [table["name"] for table in club["tables"]], club["online"], club["games"]


def test_it_listens_while_a_page_asks(tmp_path):
    with (
        broker(tmp_path / "broker") as running,
        simulated_tables(tmp_path / "table", running.port, ["Table 2", "Table 10"]) as tables,
    ):
        page = ClubPage(Mqtt("127.0.0.1", running.port))
        assert page._link is None
        page.now()
        assert page._link is not None
        tables[1].win("Ana", AT, "Beto")
        wait_until(lambda: known(page) == (["Table 2", "Table 10"], 2, 1), "all is known")
        now = page.now()
        assert [(place["rank"], place["name"]) for place in now.club["standings"]] == [
            (1, "Ana"),
            (2, "Beto"),
        ]
        assert page.now().mark == now.mark, "nothing has changed"
        page._lease.close()  # as after a minute in which no page has asked
        assert page._link is None
        running.stop()
        again = page.now()
        assert again.mark != now.mark
        assert again.club["tables"] == [], "what the broker says now counts, not what it once said"
        page.close()
        page.close()
        assert page._link is None


def test_it_leaves_by_itself(monkeypatch, free_port):
    monkeypatch.setattr(folding, "AWAY_S", 0.01)
    page = ClubPage(Mqtt("127.0.0.1", free_port))
    page.now()
    wait_until(lambda: page._link is None, "no page asks any more")


def test_a_broker_that_is_away_is_a_sentence(free_port):
    page = ClubPage(Mqtt("127.0.0.1", free_port))
    try:
        wait_until(lambda: page.now().fault != "", "it is known soon")
        assert page.now().fault == "mqtt_away"
        assert not page.now().connected
    finally:
        page.close()
