"""One person at the table: no other comes under the same name, and who comes back is known again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.page import page_deps as module
from companion.app.page.page_deps import BoxFacts, PageTable
from companion.errors import CompanionError
from companion.storage.journal import Journal
from companion.table.commands import BOX
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


def page_table(table: Table) -> PageTable:
    """A table of a simulated box with one button."""
    facts = BoxFacts(simulated=False, camera="simulated", buttons=("dudo",))
    return PageTable(table, lambda command: None, lambda: facts)


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The versions that were turned into data."""
    versions: list[int] = []
    tell = module.view
    monkeypatch.setattr(module, "view", lambda now: (versions.append(now.version), tell(now))[1])
    return versions


def test_a_version_is_viewed_once_with_the_lamps_of_that_version(tmp_path: Path, views: list[int]) -> None:
    journal = Journal(tmp_path / "journal.db")
    seen = page_table(Table(journal))
    first = seen.snapshot()
    again = [seen.wait(first.version, 0) for _ in range(40)][-1]
    assert again is first
    people = [{"name": name, "colour": "red"} for name in ("Ana", "Bea")]
    opening = {"type": "new_game", "players": people, "preset": "modern", "starter": "Ana"}
    begun = seen.do(parse(opening), None, BOX)
    seen.refresh()
    assert seen.snapshot().version == begun.version + 1
    assert (first.data["game"], begun.data["game"]["players"][0]["name"]) == (None, "Ana")
    assert [shown.data["box"]["colour"] for shown in (first, begun)] == ["white", "blue"]
    assert views == [first.version, begun.version, begun.version + 1]
    journal.close()


def test_fifty_phones_that_wake_at_once_cost_one_view(tmp_path: Path, views: list[int]) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = Table(journal)
    seen = page_table(table)
    before = seen.snapshot().version
    heard: list[int] = []
    phones = [threading.Thread(target=lambda: heard.append(seen.wait(before, 20).version)) for _ in range(50)]
    for phone in phones:
        phone.start()
    table.refresh()
    for phone in phones:
        phone.join(20)
    assert heard == [before + 1] * 50
    assert views == [before, before + 1]
    journal.close()
