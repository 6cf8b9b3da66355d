"""Groups of players: remembered as they last played, renamed, forgotten, and never in the way of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadCommand, StorageError
from companion.rules.presets import PRESETS
from companion.side_files import SideFile
from companion.table.commands import NewGame
from companion.table.groups import MAX_GROUPS, Groups


def game(*names: str, preset: str = "modern", cups: tuple[str, ...] = (), **house: object) -> NewGame:
    players = tuple((name, "red") for name in names)
    return NewGame(PRESETS[preset].with_house(house), players, cups=cups)


def called(groups: Groups) -> list[str]:
    return [one.name or " ".join(player.name for player in one.players) for one in groups.all()]


def test_a_group_is_who_they_are_with_seats_and_rules_of_their_last_game() -> None:
    groups = Groups()
    groups.remember(game("Ana", "Bea"))
    groups.remember(game("Carlos", "Zoë"))
    groups.remember(game("bea", "Ana", preset="classic", cups=("Ana",), starting_dice=3))
    newest = groups.all()[0]
    assert called(groups) == ["bea Ana", "Carlos Zoë"]
    assert (newest.preset, newest.house) == ("classic", {"starting_dice": 3})
    assert [one.name for one in newest.players if one.phone_cup] == ["Ana"]


def test_a_name_of_its_own_stays_through_the_next_game() -> None:
    groups = Groups()
    groups.remember(game("Ana", "Bea"))
    groups.rename(groups.all()[0].id, "  Friday \n evening ")
    groups.remember(game("Bea", "Ana"))
    assert called(groups) == ["Friday evening"]
    groups.rename(groups.all()[0].id, " ")
    assert called(groups) == ["Bea Ana"]


def test_the_oldest_go_first_and_the_forgotten_at_once() -> None:
    groups = Groups()
    for number in range(MAX_GROUPS + 2):
        groups.remember(game("Ana", f"guest {number}"))
    assert len(groups.all()) == MAX_GROUPS
    groups.forget(groups.all()[0].id)
    assert called(groups)[0] == f"Ana guest {MAX_GROUPS}"
    groups.remember(game("Ana", f"guest {MAX_GROUPS + 1}"))
    assert called(groups)[0] == f"Ana guest {MAX_GROUPS + 1}"


def test_groups_are_there_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "groups.json"
    before = Groups(SideFile(file))
    before.remember(game("Ana", "O'Neil", "يوسف", preset="perudo", cups=("Ana",), calza="off"))
    before.rename(before.all()[0].id, "Friday")
    again = Groups(SideFile(file))
    assert again.all() == before.all()


def test_a_folder_that_cannot_be_written_keeps_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "groups.json.new").mkdir()
    groups = Groups(SideFile(tmp_path / "groups.json"))
    groups.remember(game("Ana", "Bea"))
    assert groups.all() == ()


def test_what_cannot_be_written_is_not_believed(tmp_path: Path) -> None:
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
def test_a_name_that_cannot_be_is_refused(group: str | None, name: str, reason: str) -> None:
    groups = Groups()
    groups.remember(game("Ana", "Bea"))
    with pytest.raises(BadCommand) as refused:
        groups.rename(group or groups.all()[0].id, name)
    assert refused.value.reason == reason
