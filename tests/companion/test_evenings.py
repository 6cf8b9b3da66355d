"""Which games make an evening, and what becomes of a player over the years."""

from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.statistics.evenings import PAUSE, Summary, careers, evenings, moment, standings
from companion.statistics.scores import Score
from tests.companion.games import won

LIMA = timezone(timedelta(hours=-5))


def game(game_id: str, began: str, ended: str, winner: str | None = "Ana", names: str = "Ana Bea") -> Summary:
    return won(game_id, f"{began}:00+00:00", f"{ended}:00+00:00", winner, names.split())


@pytest.mark.parametrize(
    ("times", "expected", "why"),
    [
        ([("2026-11-20T20:00", "2026-11-20T21:00"), ("2026-11-20T21:05", "2026-11-20T22:00")], ["ab"], "one"),
        (
            [("2026-11-20T22:30", "2026-11-20T23:50"), ("2026-11-21T00:10", "2026-11-21T01:00")],
            ["ab"],
            "night",
        ),
        (
            [("2026-11-20T14:00", "2026-11-20T15:00"), ("2026-11-20T20:00", "2026-11-20T21:00")],
            ["a", "b"],
            "pause",
        ),
        (
            [("2026-11-21T20:00", "2026-11-21T21:00"), ("2026-11-20T20:00", "2026-11-20T21:00")],
            ["b", "a"],
            "import",
        ),
        (
            [("2026-11-20T20:00", "2026-11-20T23:30"), ("2026-11-21T03:00", "2026-11-21T04:00")],
            ["ab"],
            "by the end",
        ),
        (
            [("1970-01-01T00:00", "1970-01-01T01:00"), ("2026-11-20T20:00", "2026-11-20T21:00")],
            ["a", "b"],
            "clock",
        ),
        ([], [], "nothing"),
    ],
)
def test_games_make_evenings(times, expected, why):
    games = [game(name, *labels) for name, labels in zip("ab", times, strict=False)]
    assert ["".join(one.id for one in found.games) for found in evenings(games)] == expected, why


def ticked(game_id: str, began: str, ended: str, ticks: tuple[str, str]) -> Summary:
    return replace(game(game_id, began, ended), began_tick=ticks[0], ended_tick=ticks[1])


@pytest.mark.parametrize(
    ("games", "expected", "day", "why"),
    [
        (
            [
                ("a", "1970-01-01T00:10", "1970-01-01T01:00", ("x+600", "x+3600")),
                ("b", "2026-11-20T20:10", "2026-11-20T21:00", ("x+4200", "x+7200")),
            ],
            ["ab"],
            date(2026, 11, 20),
            "set right between two games",
        ),
        (
            [
                ("a", "2026-11-28T20:00", "2026-11-28T20:50", ("x+600", "x+3600")),
                ("b", "2026-11-20T20:10", "2026-11-20T21:00", ("x+4200", "x+7200")),
            ],
            ["ab"],
            date(2026, 11, 20),
            "was ahead",
        ),
        (
            [
                ("a", "2026-10-02T09:00", "2026-11-20T20:50", ("x+600", "x+3600")),
                ("b", "2026-11-20T21:00", "2026-11-20T21:50", ("x+4200", "x+7200")),
            ],
            ["ab"],
            date(2026, 11, 20),
            "set right within a game",
        ),
        (
            [
                ("a", "1970-01-01T00:10", "1970-01-01T01:00", ("x+600", "x+3600")),
                ("b", "1970-01-01T08:00", "1970-01-01T09:00", ("x+28800", "x+32400")),
            ],
            ["a", "b"],
            None,
            "a long pause without any clock",
        ),
        (
            [
                ("a", "1970-01-01T00:10", "1970-01-01T01:00", ("x+600", "x+3600")),
                ("b", "2026-11-20T20:10", "2026-11-20T21:00", ("y+60", "y+3000")),
            ],
            ["a", "b"],
            None,
            "another start of the machine",
        ),
        (
            [
                ("a", "1970-01-01T00:10", "2026-11-20T20:50", ("", "")),
                ("b", "2026-11-20T21:00", "2026-11-20T21:50", ("", "")),
            ],
            ["ab"],
            date(2026, 11, 20),
            "set right within a game of an older journal",
        ),
        (
            [
                ("a", "2026-11-28T20:00", "2026-11-20T20:50", ("", "")),
                ("b", "2026-11-20T21:00", "2026-11-20T21:50", ("", "")),
            ],
            ["ab"],
            date(2026, 11, 20),
            "set back within a game of an older journal",
        ),
    ],
)
def test_a_clock_that_is_set_right_splits_no_evening(games, expected, day, why):
    found = evenings((ticked(*one) for one in games), LIMA)
    assert ["".join(one.id for one in each.games) for each in found] == expected, why
    assert found[0].day == day, why


def clock(up_s: int, off_s: int) -> str:
    """What a clock shows that is off by so much, so long after the start of the machine."""
    return f"{datetime(2026, 11, 20) + timedelta(seconds=up_s + off_s):%Y-%m-%dT%H:%M:%S}+00:00"


@given(st.lists(st.integers(1, 3000), min_size=2, max_size=12), st.integers(-(10**7), 10**7), st.data())
def test_wherever_the_clock_was_set_right_the_evening_is_one(pauses, off_s, data):
    """Games of one start follow one another; the clock is off by `off_s` until the last label of one."""
    right_from = data.draw(st.integers(0, len(pauses) - 1))
    games, up = [], 100
    for number, pause in enumerate(pauses):
        began, ended = up, up + 1200
        one = won(
            str(number),
            clock(began, 0 if number > right_from else off_s),
            clock(ended, 0 if number >= right_from else off_s),
            "Ana",
            ("Ana", "Bea"),
        )
        games.append(replace(one, began_tick=f"x+{began}", ended_tick=f"x+{ended}"))
        up = ended + pause
    (found,) = evenings(games, LIMA)
    assert [one.id for one in found.games] == [one.id for one in games]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("2026-11-21T03:00:00+00:00", date(2026, 11, 20)),
        ("2026-11-21T12:00:00+00:00", date(2026, 11, 21)),
        ("1970-01-01T12:00:00+00:00", None),
        ("2026-11-21T12:00:00", None),
        ("some day", None),
    ],
)
def test_a_day_is_local_and_unknown_where_the_clock_was_never_set(label, expected):
    (found,) = evenings([won("a", label, label, "Ana", ["Ana", "Bea"])], LIMA)
    assert found.day == expected


def test_an_evening_takes_its_day_from_the_first_label_that_can_be_believed():
    (found,) = evenings([game("a", "1970-01-01T00:10", "2026-11-20T21:00")], LIMA)
    assert found.day == date(2026, 11, 20)


def test_careers_add_up_over_spellings():
    games = [
        game("a", "2026-11-20T20:00", "2026-11-20T21:00", "ana", "ana Bea"),
        game("b", "2026-11-21T20:00", "2026-11-21T21:00", "Bea", "Ana Bea Carlos"),
        game("c", "2026-11-22T20:00", "2026-11-22T21:00", None, "Ana Bea"),
    ]
    ana, bea, carlos = careers(games)
    assert (ana.name, ana.games, ana.finished, ana.won, ana.score) == ("Ana", 3, 2, 1, Score(rounds=3))
    assert (bea.won, carlos.won, carlos.games) == (1, 0, 1)
    assert ana.even == pytest.approx(1 / 2 + 1 / 3)
    assert sum(career.won for career in (ana, bea, carlos)) == 2


def test_wins_add_up_game_by_game():
    games = [
        game("a", "2026-11-20T20:00", "2026-11-20T21:00", "ana", "ana Bea"),
        game("b", "2026-11-20T21:10", "2026-11-20T22:00", None, "Ana Bea"),
        game("c", "2026-11-20T22:10", "2026-11-20T23:00", "Bea", "Bea Ana"),
        game("d", "2026-11-20T23:10", "2026-11-20T23:30", "Bea", "Bea Carlos"),
    ]
    found = standings(games, "ana")
    assert [(step.game, step.won, step.even) for step in found] == [("a", 1, 0.5), ("c", 1, 1.0)]


LABELS = st.datetimes(datetime(2026, 1, 1), datetime(2026, 3, 1)).map(lambda at: f"{at:%Y-%m-%dT%H:%M}")
GAMES = st.lists(
    st.builds(
        lambda began, minutes, winner: (began, minutes, winner),
        LABELS,
        st.integers(1, 120),
        st.sampled_from(["Ana", "Bea", "Carlos", None]),
    ),
    max_size=30,
)


def played(found: list[tuple[str, int, str | None]]) -> list[Summary]:
    ends = [f"{datetime.fromisoformat(at) + timedelta(minutes=m):%Y-%m-%dT%H:%M}" for at, m, _ in found]
    return [
        game(str(n), began, end, winner, "Ana Bea Carlos")
        for n, ((began, _, winner), end) in enumerate(zip(found, ends, strict=True))
    ]


@given(GAMES)
def test_every_game_is_in_one_evening_in_order(found):
    games = played(found)
    grouped = evenings(games, LIMA)
    began = [one.began for evening in grouped for one in evening.games]
    assert sorted(one.id for evening in grouped for one in evening.games) == sorted(one.id for one in games)
    assert began == sorted(began)
    for before, after in pairwise(grouped):
        gap = moment(after.games[0].began) - moment(before.games[-1].ended)  # type: ignore[operator]
        assert gap >= PAUSE


@given(GAMES)
def test_wins_and_even_shares_both_add_up_to_the_finished_games(found):
    games = played(found)
    finished = sum(one.winner is not None for one in games)
    assert sum(career.won for career in careers(games)) == finished
    assert sum(career.even for career in careers(games)) == pytest.approx(finished)
    for career in careers(games):
        steps = standings(games, career.key)
        assert (steps[-1].won if steps else 0) == career.won
