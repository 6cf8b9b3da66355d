"""One person at the table: no other comes under the same name, and who comes back is known again."""

import threading

import pytest

from companion.errors import BadCommand, CompanionError, StorageError
from companion.rules.presets import PRESETS
from companion.side_files import SideFile
from companion.storage.journal import Journal
from companion.table.commands import BOX, NewGame
from companion.table.groups import MAX_GROUPS, Groups
from companion.table.parsing import parse
from companion.table.snapshot import state_word
from companion.table.table import Table
from web import page_table as module

NAMES = ("Ana", "Bea", "Carlos")


@pytest.fixture
def table(journal):
    return Table(journal, frames=1, roll=lambda n: (6,) * n)


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
def test_nobody_comes_under_the_name_of_another(table, name):
    begin(table)
    say(table, "join", player="Dora")
    with pytest.raises(CompanionError) as refused:
        say(table, "join", player=name)
    assert refused.value.reason == "names_not_distinct"


def test_a_name_is_spelt_otherwise_by_its_own_player(table):
    begin(table)
    say(table, "rename", player="Ana", to="ANA")
    assert players(table) == ["ANA", "Bea", "Carlos"]


def test_who_comes_back_is_the_same_person_however_the_name_is_spelt(table):
    begin(table)
    say(table, "leave", player="Ana")
    say(table, "join", player="ANA")
    announcement, game = table.snapshot().announcement, table.snapshot().state.game
    assert announcement
    assert game
    assert (announcement.player, [one.name for one in game.waiting]) == ("Ana", ["Ana"])


def test_a_handicap_stays_who_leaves_the_roll_for_seats_and_comes_back(table):
    people = [{"name": name, "phone_cup": True, "handicap": 2 * (name == "Bea")} for name in NAMES]
    house = {"handicap": True, "order": "starter_only"}
    say(table, "new_game", players=people, preset="modern", house=house, roll_off=True)
    say(table, "leave", player="Bea")
    say(table, "join", player="bea")
    say(table, "roll_off", rolls=[{"Ana": 6, "Carlos": 2}])
    game = table.snapshot().state.game
    bea = game.player("Bea")
    assert (bea.dice, bea.handicap) == (3, 2)


def test_nobody_leaves_while_it_is_asked_whose_call_it_was(table):
    begin(table, house={"dudo_by": "anybody"})
    say(table, "press", button="calza")
    with pytest.raises(CompanionError) as refused:
        say(table, "leave", player="Bea")
    assert refused.value.reason == "answer_first"


def with_one_button(table: Table) -> module.PageTable:
    """The page's table of a box that shows its state word alone."""
    return module.PageTable(table, lambda command: None, lambda now: {"state": state_word(now)})  # type: ignore[arg-type,typeddict-item]


@pytest.fixture
def views(monkeypatch):
    """The versions that were turned into data."""
    versions: list[int] = []
    tell = module.view
    monkeypatch.setattr(module, "view", lambda now: (versions.append(now.version), tell(now))[1])
    return versions


def test_a_version_is_viewed_once_with_the_lamps_of_that_version(tmp_path, views):
    journal = Journal(tmp_path / "journal.db")
    seen = with_one_button(Table(journal))
    first = seen.snapshot()
    again = [seen.wait(first.version, 0, bool) for _ in range(40)][-1]
    assert again is first
    people = [{"name": name, "colour": "red"} for name in ("Ana", "Bea")]
    opening = {"type": "new_game", "players": people, "preset": "modern", "starter": "Ana"}
    begun = seen.do(parse(opening), None, BOX)
    seen.refresh()
    assert seen.snapshot().version == begun.version + 1
    assert (first.data["game"], begun.data["game"]["players"][0]["name"]) == (None, "Ana")
    assert [shown.data["box"]["state"] for shown in (first, begun)] == ["idle", "bidding"]
    assert views == [first.version, begun.version, begun.version + 1]
    journal.close()


def test_fifty_phones_that_wake_at_once_cost_one_view(tmp_path, views):
    journal = Journal(tmp_path / "journal.db")
    table = Table(journal)
    seen = with_one_button(table)
    before = seen.snapshot().version
    heard: list[int] = []

    def wait() -> None:
        heard.append(seen.wait(before, 20, bool).version)

    phones = [threading.Thread(target=wait) for _ in range(50)]
    for phone in phones:
        phone.start()
    table.refresh()
    for phone in phones:
        phone.join(20)
    assert heard == [before + 1] * 50
    assert views == [before, before + 1]
    journal.close()


def game(*names: str, preset: str = "modern", cups: tuple[str, ...] = (), **house: object) -> NewGame:
    players = tuple((name, "red") for name in names)
    return NewGame(PRESETS[preset].with_house(house), players, cups=cups)


def called(groups: Groups) -> list[str]:
    return [one.name or " ".join(player.name for player in one.players) for one in groups.all()]


def test_a_group_is_who_they_are_with_seats_and_rules_of_their_last_game():
    groups = Groups()
    groups.remember(game("Ana", "Bea"))
    groups.remember(game("Carlos", "Zoë"))
    groups.remember(game("bea", "Ana", preset="classic", cups=("Ana",), starting_dice=3))
    newest = groups.all()[0]
    assert called(groups) == ["bea Ana", "Carlos Zoë"]
    assert (newest.preset, newest.house) == ("classic", {"starting_dice": 3})
    assert [one.name for one in newest.players if one.phone_cup] == ["Ana"]


def test_a_name_of_its_own_stays_through_the_next_game():
    groups = Groups()
    groups.remember(game("Ana", "Bea"))
    groups.rename(groups.all()[0].id, "  Friday \n evening ")
    groups.remember(game("Bea", "Ana"))
    assert called(groups) == ["Friday evening"]
    groups.rename(groups.all()[0].id, " ")
    assert called(groups) == ["Bea Ana"]


def test_the_oldest_go_first_and_the_forgotten_at_once():
    groups = Groups()
    for number in range(MAX_GROUPS + 2):
        groups.remember(game("Ana", f"guest {number}"))
    assert len(groups.all()) == MAX_GROUPS
    groups.forget(groups.all()[0].id)
    assert called(groups)[0] == f"Ana guest {MAX_GROUPS}"
    groups.remember(game("Ana", f"guest {MAX_GROUPS + 1}"))
    assert called(groups)[0] == f"Ana guest {MAX_GROUPS + 1}"


def test_groups_are_there_after_a_restart(tmp_path):
    file = tmp_path / "groups.json"
    before = Groups(SideFile(file))
    before.remember(game("Ana", "O'Neil", "يوسف", preset="perudo", cups=("Ana",), calza="off"))
    before.rename(before.all()[0].id, "Friday")
    again = Groups(SideFile(file))
    assert again.all() == before.all()


def test_a_folder_that_cannot_be_written_keeps_nobody_from_playing(tmp_path):
    (tmp_path / "groups.json.new").mkdir()
    groups = Groups(SideFile(tmp_path / "groups.json"))
    groups.remember(game("Ana", "Bea"))
    assert groups.all() == ()


def test_what_cannot_be_written_is_not_believed(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    groups = Groups(SideFile(folder / "groups.json"))
    groups.remember(game("Ana", "Bea"))
    (folder / "groups.json.new").mkdir()
    with pytest.raises(StorageError):
        groups.forget(groups.all()[0].id)
    assert called(groups) == ["Ana Bea"]


@pytest.mark.parametrize(
    ("group", "name", "reason"), [("nobody", "Friday", "unknown_group"), (None, "F" * 25, "name_too_long")]
)
def test_a_name_that_cannot_be_is_refused(group, name, reason):
    groups = Groups()
    groups.remember(game("Ana", "Bea"))
    with pytest.raises(BadCommand) as refused:
        groups.rename(group or groups.all()[0].id, name)
    assert refused.value.reason == reason
