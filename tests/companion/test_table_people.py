"""One person at the table: no other comes under the same name, and who comes back is known again."""

import threading
from functools import partial

import pytest

from companion.errors import BadCommand, StorageError
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.table.commands import BOX
from companion.table.groups import MAX_GROUPS, Groups
from companion.table.snapshot import state_word
from companion.table.table import Table
from tests.companion.at_table import begin as begin_with
from tests.companion.at_table import dice, in_play, new_game, play, say
from tests.refusals import refused
from tests.unkept import Unkept
from web import page_table as module

NAMES = ("Ana", "Bea", "Carlos")


@pytest.fixture
def table(journal):
    return Table(journal, frames=1, roll=lambda n: (6,) * n)


def begin(table: Table, script: str = "", **house: object) -> None:
    begin_with(table, "Ana Bea Carlos", script, **house)


TAKEN = ["bea", "Bea", "ＢＥＡ", "Bea\u3164", "Dora", "DORA", "all", "ALL", "phone", "Place 2", "hand.Cleo"]


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("command", [cmd.Join, partial(cmd.Rename, "Ana")], ids=["come", "rename"])
def test_nobody_comes_or_goes_on_under_the_name_of_another(table, command, name):
    begin(table, "Dora joins")
    with refused("names_not_distinct"):
        table.do(command(name))


def test_nobody_who_is_not_there_gets_another_name(table):
    begin(table)
    with refused("unknown_player"):
        table.do(cmd.Rename("Zoe", "Ana"))


def test_a_name_is_spelt_otherwise_by_its_own_player(table):
    begin(table)
    say(table, "rename", player="Ana", to="ANA")
    assert list(dice(table)) == ["ANA", "Bea", "Carlos"]


def test_who_comes_back_is_the_same_person_however_the_name_is_spelt(table):
    begin(table, "Ana leaves, ANA joins")
    waiting = [one.name for one in in_play(table).waiting]
    assert (table.snapshot().announcement.player, waiting) == ("Ana", ["Ana"])


def test_a_handicap_stays_who_leaves_the_roll_for_seats_and_comes_back(table):
    people = [{"name": name, "phone_cup": True, "handicap": 2 * (name == "Bea")} for name in NAMES]
    house = {"handicap": True, "order": "starter_only"}
    say(table, "new_game", players=people, preset="modern", house=house, roll_off=True)
    play(table, "Bea leaves, bea joins")
    say(table, "roll_off", rolls=[{"Ana": 6, "Carlos": 2}])
    bea = in_play(table).player("Bea")
    assert (bea.dice, bea.handicap) == (3, 2)


def test_nobody_leaves_while_it_is_asked_whose_call_it_was(table):
    begin(table, dudo_by="anybody")
    say(table, "press", button="calza")
    with refused("answer_first"):
        play(table, "Bea leaves")


def with_one_button(table: Table) -> module.PageTable:
    """The page's table of a box that shows its state word alone."""
    box = {"all_simulated": False}
    return module.PageTable(table, lambda command: None, lambda now: {**box, "state": state_word(now)})  # type: ignore[arg-type,typeddict-item]


@pytest.fixture
def views(monkeypatch):
    """The versions that were turned into data."""
    versions: list[int] = []
    tell = module.view
    monkeypatch.setattr(module, "view", lambda now: (versions.append(now.version), tell(now))[1])
    return versions


def test_a_version_is_viewed_once_with_the_lamps_of_that_version(table, views):
    seen = with_one_button(table)
    first = seen.snapshot()
    again = [seen.snapshot() for _ in range(40)][-1]
    assert again is first
    begun = seen.do(new_game("Ana Bea"), None, BOX)
    seen.refresh()
    assert seen.snapshot().version == begun.version + 1
    assert (first.data["game"], begun.data["game"]["players"][0]["name"]) == (None, "Ana")
    assert [shown.data["box"]["state"] for shown in (first, begun)] == ["idle", "bidding"]
    assert views == [first.version, begun.version, begun.version + 1]


def test_fifty_phones_that_wake_at_once_cost_one_view(table, views):
    seen = with_one_button(table)
    before = seen.snapshot().version
    heard: list[int] = []

    def wait() -> None:
        table.wait(before, 20)
        heard.append(seen.snapshot().version)

    phones = [threading.Thread(target=wait) for _ in range(50)]
    for phone in phones:
        phone.start()
    table.refresh()
    for phone in phones:
        phone.join(20)
    assert heard == [before + 1] * 50
    assert views == [before, before + 1]


def called(groups: Groups) -> list[str]:
    return [one.name or " ".join(player.name for player in one.players) for one in groups.all()]


def test_a_group_is_who_they_are_with_seats_and_rules_of_their_last_game():
    groups = Groups(Unkept())
    groups.remember(new_game("Ana Bea"))
    groups.remember(new_game("Carlos Zoë"))
    groups.remember(new_game("bea Ana", rules="classic", cups="Ana", starting_dice=3))
    newest = groups.all()[0]
    assert called(groups) == ["bea Ana", "Carlos Zoë"]
    assert newest.id == "418d0d8f4d47", "as it was written to files"
    assert (newest.preset, newest.house) == ("classic", {"starting_dice": 3})
    assert [one.name for one in newest.players if one.phone_cup] == ["Ana"]


def test_a_name_of_its_own_stays_through_the_next_game():
    groups = Groups(Unkept())
    groups.remember(new_game("Ana Bea"))
    groups.rename(groups.all()[0].id, "  Friday \n evening ")
    groups.remember(new_game("Bea Ana"))
    assert called(groups) == ["Friday evening"]
    groups.rename(groups.all()[0].id, " ")
    assert called(groups) == ["Bea Ana"]


def test_the_oldest_go_first_and_the_forgotten_at_once():
    groups = Groups(Unkept())
    for number in range(MAX_GROUPS + 2):
        groups.remember(new_game(f"Ana guest {number}"))
    assert len(groups.all()) == MAX_GROUPS
    groups.forget(groups.all()[0].id)
    assert called(groups)[0] == f"Ana guest {MAX_GROUPS}"
    groups.remember(new_game(f"Ana guest {MAX_GROUPS + 1}"))
    assert called(groups)[0] == f"Ana guest {MAX_GROUPS + 1}"


def test_groups_are_there_after_a_restart(tmp_path):
    file = tmp_path / "groups.json"
    before = Groups(SideFile(file))
    before.remember(new_game("Ana O'Neil يوسف", rules="perudo", cups="Ana", calza="off"))
    before.rename(before.all()[0].id, "Friday")
    again = Groups(SideFile(file))
    assert again.all() == before.all()


def test_a_folder_that_cannot_be_written_keeps_nobody_from_playing(tmp_path):
    (tmp_path / "groups.json.new").mkdir()
    groups = Groups(SideFile(tmp_path / "groups.json"))
    groups.remember(new_game("Ana Bea"))
    assert groups.all() == ()


def test_what_cannot_be_written_is_not_believed(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    groups = Groups(SideFile(folder / "groups.json"))
    groups.remember(new_game("Ana Bea"))
    (folder / "groups.json.new").mkdir()
    with pytest.raises(StorageError):
        groups.forget(groups.all()[0].id)
    assert called(groups) == ["Ana Bea"]


@pytest.mark.parametrize(
    ("group", "name", "reason"), [("nobody", "Friday", "unknown_group"), (None, "F" * 25, "name_too_long")]
)
def test_a_name_that_cannot_be_is_refused(group, name, reason):
    groups = Groups(Unkept())
    groups.remember(new_game("Ana Bea"))
    with refused(reason, BadCommand):
        groups.rename(group or groups.all()[0].id, name)
