"""One person at the table: no other comes under the same name, and who comes back is known again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.storage.journal import Journal
from companion.table.parsing import parse
from companion.table.table import Table

NAMES = ("Ana", "Bea", "Carlos")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    journal = Journal(tmp_path / "games")
    yield Table(journal, frames=1, roll=lambda n: (6,) * n)
    journal.close()


def say(table: Table, kind: str, **more: object) -> None:
    table.do(parse({"type": kind, **more}))


def begin(table: Table, **more: object) -> None:
    people = [{"name": name} for name in NAMES]
    say(table, "new_game", players=people, **{"preset": "modern", "starter": NAMES[0], **more})


def players(table: Table) -> list[str]:
    game = table.snapshot().state.game
    assert game
    return [player.name for player in game.players if not player.out]


@pytest.mark.parametrize("name", ["bea", "ＢＥＡ", "Bea\u3164", "DORA", "all", "Place 2"])
def test_nobody_comes_under_the_name_of_another(table: Table, name: str) -> None:
    begin(table)
    say(table, "join", player="Dora")
    with pytest.raises(CompanionError) as refused:
        say(table, "join", player=name)
    assert refused.value.reason == "names_not_distinct"


def test_a_name_is_spelt_otherwise_by_its_own_player(table: Table) -> None:
    begin(table)
    say(table, "rename", player="Ana", to="ANA")
    assert players(table) == ["ANA", "Bea", "Carlos"]


def test_who_comes_back_is_the_same_person_however_the_name_is_spelt(table: Table) -> None:
    begin(table)
    say(table, "leave", player="Ana")
    say(table, "join", player="ANA")
    announcement, game = table.snapshot().announcement, table.snapshot().state.game
    assert announcement
    assert game
    assert (announcement.player, [one.name for one in game.waiting]) == ("Ana", ["Ana"])


def test_a_handicap_stays_who_leaves_the_roll_for_seats_and_comes_back(table: Table) -> None:
    people = [{"name": name, "phone_cup": True, "handicap": 2 * (name == "Bea")} for name in NAMES]
    house = {"handicap": True, "order": "starter_only"}
    say(table, "new_game", players=people, preset="modern", house=house, roll_off=True)
    say(table, "leave", player="Bea")
    say(table, "join", player="bea")
    say(table, "roll_off", rolls=[{"Ana": 6, "Carlos": 2}])
    game = table.snapshot().state.game
    assert game
    bea = game.player("Bea")
    assert (bea.dice, bea.handicap) == (3, 2)


def test_nobody_leaves_while_it_is_asked_whose_call_it_was(table: Table) -> None:
    begin(table, house={"dudo_by": "anybody"})
    say(table, "press", button="calza")
    with pytest.raises(CompanionError) as refused:
        say(table, "leave", player="Bea")
    assert refused.value.reason == "answer_first"
