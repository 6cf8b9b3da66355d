"""A box at work whose card fails: it comes up with all that is left and says what is missing."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.companion import Companion
from companion.errors import StorageError
from companion.storage.game_list import NAME
from companion.storage.journal import Journal
from companion.table.resuming import GAMES
from companion.table.view import view
from hardware.ports import BoxState
from tests.companion.storage.data_folder import MIRROR, played
from tests.hardware.shown import shown
from tests.whole.at_box import PEOPLE, eventually, faults_shown, page, say, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Two games and a half, the box switched off in good order."""
    return played(tmp_path_factory.mktemp("evening"), 2, 5, closed=True)


def lamp(companion: Companion) -> BoxState:
    companion.signals.show(companion.table.snapshot())
    return shown(companion.parts.lights).view.state


def test_a_damaged_journal_comes_up_is_reported_and_is_dismissed(evening, tmp_path):
    path = evening.laid_out(tmp_path / "data")
    damage(path / f"{evening.current}.jsonl")
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        assert faults_shown(companion.table.snapshot()) == {"journal_mended"}
        assert companion.table.snapshot().game_id == evening.current
        assert lamp(companion) is BoxState.FAULT
        assert "The memory card is failing: the journal was damaged." in page(companion)
        say(companion, "take_notice")
        wait_until(companion, lambda now: not faults_shown(now))
        assert "memory card" not in page(companion)
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        assert not faults_shown(companion.table.snapshot())


BOTH = (GAMES, MIRROR)


@pytest.mark.parametrize(("folders", "reported"), [((GAMES,), "journal_mended"), (BOTH, "journal_lost")])
def test_a_finished_game_changed_on_the_card_is_put_right_at_work(evening, tmp_path, folders, reported):
    path = evening.laid_out(tmp_path / "data")
    for folder in folders:
        damage(path.with_name(folder) / f"{next(iter(evening.games))}.jsonl")
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        wait_until(companion, lambda now: reported in faults_shown(now))
        assert companion.table.snapshot().game_id == evening.current


def damage(file: Path) -> None:
    """Another letter in the middle of a game."""
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2] + b"\x00" + content[len(content) // 2 + 1 :])


def removed(path: Path) -> None:
    _delete(path.parent)


def emptied(path: Path) -> None:
    for folder in (path, path.with_name(MIRROR)):
        _delete(folder)


def _delete(folder: Path) -> None:
    """At one stroke: the box at work may make a file in a folder that is emptied one by one."""
    away = folder.rename(folder.with_name(f"{folder.name}-deleted"))
    shutil.rmtree(away)


@pytest.mark.parametrize("lose", [removed, emptied])
def test_a_journal_that_vanishes_is_written_again_and_reported(tmp_path, lose):
    path = tmp_path / "data" / GAMES
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        say(companion, "new_game", players=PEOPLE, starter="Ana")
        lose(path)
        wait_until(companion, lambda now: "journal_vanished" in faults_shown(now))
        assert lamp(companion) is BoxState.FAULT
        assert "deleted while in use" in page(companion)
        say(companion, "bid", by="Ana", quantity=2, face=3)
        before = companion.table.snapshot()
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        assert companion.table.snapshot().state == before.state


def test_nothing_is_acknowledged_once_other_files_are_in_its_place(tmp_path):
    path = tmp_path / "data" / GAMES
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        say(companion, "new_game", players=PEOPLE, starter="Ana")
        for folder in (path, path.with_name(MIRROR)):
            shutil.copytree(folder, folder.with_name("copy"))
            folder.rename(folder.with_name(f"{folder.name}-gone"))
            folder.with_name("copy").rename(folder)
        wait_until(companion, lambda now: "journal_gone" in faults_shown(now))
        assert view(companion.table.snapshot())["state"] == "fault"
        for _ in range(2):
            with pytest.raises(StorageError) as caught:
                say(companion, "bid", by="Ana", quantity=2, face=3)
            assert caught.value.reason == "journal_gone"
        assert "Nothing is being saved" in page(companion)


def test_between_rounds_it_is_written_down_how_far_the_game_has_got(tmp_path):
    path = tmp_path / "data" / GAMES
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        say(companion, "new_game", players=PEOPLE, starter="Ana", house={"starting_dice": 2})
        say(companion, "bid", by="Ana", quantity=2, face=3)
        say(companion, "dudo", by="Bea")
        say(companion, "type_count", count=0)
        say(companion, "next_round")
        game = companion.table.snapshot().game_id or ""
        eventually(lambda: listed_records(path) == len(companion.kept.journal.records(game)))


def listed_records(path: Path) -> int:
    return int(json.loads((path / NAME).read_bytes().splitlines()[-1])["records"])


def test_one_unreadable_game_is_named_and_given_out_as_it_is(tmp_path):
    path = tmp_path / "data" / GAMES
    with closing(Journal(path)) as journal:
        bad = journal.create({"v": 1, "event": "danced"})
        journal.put_notes({"current": None})
    with at_work(path.parent, "simulated", by_itself=False) as companion:
        shown = page(companion, "/statistics")
        assert "1 game cannot be read and is left out." in shown
        assert f"/api/v1/games/{bad}.jsonl" in shown
        assert '"event":"danced"' in page(companion, f"/api/v1/games/{bad}.jsonl")
