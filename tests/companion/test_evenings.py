"""Which games make an evening, what becomes of a player over the years, and two names of one person."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import BadCommand
from companion.statistics.archive import Archive
from companion.statistics.evenings import PAUSE, Evening, Summary, careers, evenings, moment, standings
from companion.statistics.scores import Score
from companion.storage.side_files import SideFile
from companion.table.table import Table
from tests.companion.at_table import begin
from tests.companion.games import won
from tests.refusals import refused

LIMA = timezone(timedelta(hours=-5))


def game(game_id: str, times: str, winner: str | None = "Ana", names: str = "Ana Bea") -> Summary:
    """A game of so long, "20T20:00-20T21:00" in November 2026; "@00:10" by a clock that was never set."""
    labels = (f"1970-01-01T{t[1:]}" if t[0] == "@" else f"2026-11-{t}" for t in times.split("-"))
    began, ended = (f"{label}:00+00:00" for label in labels)
    return won(game_id, began, ended, winner, names.split())


def grouped(found: Iterable[Evening]) -> str:
    """The games of each evening by their ids."""
    return " ".join("".join(one.id for one in evening.games) for evening in found)


@pytest.mark.parametrize(
    ("times", "expected", "why"),
    [
        ("20T20:00-20T21:00 20T21:05-20T22:00", "ab", "one"),
        ("20T22:30-20T23:50 21T00:10-21T01:00", "ab", "night"),
        ("20T14:00-20T15:00 20T20:00-20T21:00", "a b", "pause"),
        ("21T20:00-21T21:00 20T20:00-20T21:00", "b a", "import"),
        ("20T20:00-20T23:30 21T03:00-21T04:00", "ab", "by the end"),
        ("@00:00-@01:00 20T20:00-20T21:00", "a b", "clock"),
        ("", "", "nothing"),
    ],
)
def test_games_make_evenings(times, expected, why):
    games = [game(name, time) for name, time in zip("ab", times.split(), strict=False)]
    assert grouped(evenings(games)) == expected, why


FIRST = ("x+600", "x+3600")
TICKS, LATER = (FIRST, ("x+4200", "x+7200")), (FIRST, ("x+28800", "x+32400"))
OTHER, NONE = (FIRST, ("y+60", "y+3000")), (("", ""), ("", ""))
"""When two games began and ended, by seconds since one start of the machine or another."""


@pytest.mark.parametrize(
    ("times", "ticks", "expected", "day", "why"),
    [
        ("@00:10-@01:00 20T20:10-20T21:00", TICKS, "ab", 20, "set right between two games"),
        ("28T20:00-28T20:50 20T20:10-20T21:00", TICKS, "ab", 20, "was ahead"),
        ("02T09:00-20T20:50 20T21:00-20T21:50", TICKS, "ab", 20, "set right within a game"),
        ("@00:10-@01:00 @08:00-@09:00", LATER, "a b", None, "a long pause without any clock"),
        ("@00:10-@01:00 20T20:10-20T21:00", OTHER, "a b", None, "another start of the machine"),
        ("@00:10-20T20:50 20T21:00-20T21:50", NONE, "ab", 20, "set right within a game of an older journal"),
        ("28T20:00-20T20:50 20T21:00-20T21:50", NONE, "ab", 20, "set back within a game of such"),
    ],
)
def test_a_clock_that_is_set_right_splits_no_evening(times, ticks, expected, day, why):
    games = [
        replace(game(name, time), began_tick=began, ended_tick=ended)
        for name, time, (began, ended) in zip("ab", times.split(), ticks, strict=True)
    ]
    found = evenings(games, LIMA)
    assert grouped(found) == expected, why
    assert found[0].day == (date(2026, 11, day) if day else None), why


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
    (found,) = evenings([game("a", "@00:10-20T21:00")], LIMA)
    assert found.day == date(2026, 11, 20)


def test_careers_add_up_over_spellings():
    games = [
        game("a", "20T20:00-20T21:00", "ana", "ana Bea"),
        game("b", "21T20:00-21T21:00", "Bea", "Ana Bea Carlos"),
        game("c", "22T20:00-22T21:00", None, "Ana Bea"),
    ]
    ana, bea, carlos = careers(games)
    assert (ana.name, ana.games, ana.finished, ana.won, ana.score) == ("Ana", 3, 2, 1, Score(rounds=3))
    assert (bea.won, carlos.won, carlos.games) == (1, 0, 1)
    assert ana.even == pytest.approx(1 / 2 + 1 / 3)
    assert sum(career.won for career in (ana, bea, carlos)) == 2


def test_wins_add_up_game_by_game():
    games = [
        game("a", "20T20:00-20T21:00", "ana", "ana Bea"),
        game("b", "20T21:10-20T22:00", None, "Ana Bea"),
        game("c", "20T22:10-20T23:00", "Bea", "Bea Ana"),
        game("d", "20T23:10-20T23:30", "Bea", "Bea Carlos"),
    ]
    found = standings(games, "ana")
    assert [(step.game, step.won, step.even) for step in found] == [("a", 1, 0.5), ("c", 1, 1.0)]


LABELS = st.datetimes(datetime(2026, 1, 1), datetime(2026, 3, 1))
WINNERS = st.sampled_from(["Ana", "Bea", "Carlos", None])
GAMES = st.lists(st.tuples(LABELS, st.integers(1, 120), WINNERS), max_size=30)


def played(found: list[tuple[datetime, int, str | None]]) -> list[Summary]:
    spans = [(began, began + timedelta(minutes=minutes)) for began, minutes, _ in found]
    return [
        won(str(n), *(f"{at:%Y-%m-%dT%H:%M}:00+00:00" for at in span), winner, ("Ana", "Bea", "Carlos"))
        for n, (span, (_, _, winner)) in enumerate(zip(spans, found, strict=True))
    ]


@given(GAMES)
def test_every_game_is_in_one_evening_in_order(found):
    games = played(found)
    parted = evenings(games, LIMA)
    began = [one.began for evening in parted for one in evening.games]
    assert sorted(one.id for evening in parted for one in evening.games) == sorted(one.id for one in games)
    assert began == sorted(began)
    for before, after in pairwise(parted):
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


@pytest.fixture
def archive(tmp_path, journal):
    """Ana beats Beto, Anita beats Caro, Anna beats Beto: one die each."""
    for winner, loser in (("Ana", "Beto"), ("Anita", "Caro"), ("Anna", "Beto")):
        begin(Table(journal), f"{winner} {loser}", "1x3, dudo, 1, away", starting_dice=1)
    return Archive(journal, persons=SideFile(tmp_path / "persons.json"))


def wins(archive: Archive) -> dict[str, int]:
    return {career.name: career.won for career in careers(archive.overview().games) if career.won}


def test_two_names_are_one_person_until_they_are_separated(archive, tmp_path):
    archive.join("Anita", "Ana")
    assert wins(archive) == {"Ana": 2, "Anna": 1}
    archive.join("ana", "Anna")
    assert wins(archive) == {"Anna": 3}, "who was counted as Ana is counted as Anna"
    assert wins(Archive(archive._journal, persons=SideFile(tmp_path / "persons.json"))) == {"Anna": 3}
    assert archive.ids(), "the games keep their names"
    archive.join("ANA", "")
    assert wins(archive) == {"Ana": 1, "Anna": 2}


@pytest.mark.parametrize(
    ("other", "name", "reason"),
    [("Ana", "ANA", "names_not_distinct"), ("Beto", "Ana", "played_together")],
)
def test_what_cannot_be_one_person_is_refused(archive, other, name, reason):
    with refused(reason, BadCommand):
        archive.join(other, name)
    assert wins(archive) == {"Ana": 1, "Anita": 1, "Anna": 1}


def test_two_who_are_one_already_are_not_turned_round(archive):
    archive.join("Anita", "Ana")
    with pytest.raises(BadCommand):
        archive.join("Ana", "Anita")
