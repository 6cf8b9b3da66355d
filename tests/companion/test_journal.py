"""The journal keeps what it acknowledged, whatever happens to the power."""

import errno
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from companion.errors import BadCommand, StorageError
from companion.storage.disk import Disk
from companion.storage.game_list import Loss
from companion.storage.journal import Journal


def bodies(journal, game):
    return [record.body for record in journal.records(game)]


def test_a_batch_is_written_whole_or_not_at_all(journal):
    game = journal.create()
    journal.append(game, 1, {"kind": "first"})
    for number in (1, 3):
        with pytest.raises(StorageError) as caught:
            journal.append(game, number, {"kind": "clashes"}, {"kind": "or leaves a gap"})
        assert caught.value.reason == "journal_unwritable"
    with pytest.raises(TypeError):
        journal.append(game, 2, {"kind": "second"}, {"kind": object()})
    assert bodies(journal, game) == [{"kind": "first"}]


HEAD = json.dumps({"format": "dudo-journal", "schema": 1, "game": "x", "created": "2026-01-01"})


@pytest.mark.parametrize(
    ("lines", "wrong_line"),
    [
        pytest.param([], 1, id="empty"),
        pytest.param(["{"], 1, id="no json"),
        pytest.param(['{"format": "chess"}'], 1, id="another format"),
        pytest.param([HEAD.replace("1", "99", 1)], 1, id="a newer schema"),
        pytest.param([HEAD.replace('"game"', '"name"')], 1, id="a game without an id"),
        pytest.param([HEAD, '{"number": 2, "at": "", "body": {}}'], 2, id="a record missing"),
        pytest.param([HEAD, '{"number": 1, "at": "", "body": {}}', "null"], 3, id="a line of no use"),
    ],
)
def test_a_bad_export_names_its_line_and_adds_nothing(journal, lines, wrong_line):
    with pytest.raises(BadCommand) as caught:
        journal.take_in(lines)
    assert caught.value.values == {"line": wrong_line}
    assert journal.games() == ()


WRITER = """
import sys
from pathlib import Path
from companion.storage.journal import Journal
journal = Journal(Path(sys.argv[1]))
game = journal.create()
number = 0
while True:
    number += 1
    journal.append(game, number, {"n": number})
    print(game, number, flush=True)
"""


def test_everything_acknowledged_is_there_after_a_kill(tmp_path):
    path = tmp_path / "games"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    acknowledged = [writer.stdout.readline().split() for _ in range(20)]
    writer.kill()
    rest = writer.stdout.read().split("\n")
    writer.wait()
    writer.stdout.close()
    later = [line for line in rest if len(line.split()) == 2]
    last = int((later[-1].split() if later else acknowledged[-1])[1])
    journal = Journal(path)
    kept = journal.records(acknowledged[0][0])
    journal.close()
    assert last <= len(kept) <= last + 1


def test_a_game_that_is_being_played_is_read_by_another_process_while_records_are_added(tmp_path):
    playing = Journal(tmp_path / "games")
    game = playing.create({"n": 1})
    for number in range(2, 30):
        playing.append(game, number, {"n": number})
        reading = Journal(tmp_path / "games", reading=True)
        assert [record.body["n"] for record in reading.records(game)] == list(range(1, number + 1))
        assert [(info.id, info.records) for info in reading.games()] == [(game, number)]
        reading.close()
    playing.close()


def test_many_threads_read_while_one_writes(journal):
    game = journal.create({"n": 1})
    with ThreadPoolExecutor(4) as readers:
        for number in range(2, 200):
            found = [readers.submit(journal.records, game) for _ in range(3)]
            journal.append(game, number, {"n": number})
            for one in found:
                numbers = [record.body["n"] for record in one.result()]
                assert numbers == list(range(1, len(numbers) + 1))


def test_a_game_is_lines_that_a_person_can_read(journal):
    game = journal.create({"kind": "started", "name": "Iñaki"})
    journal.append(game, 2, {"kind": "called"})
    text = (journal.path / f"{game}.jsonl").read_text(encoding="utf-8")
    assert (journal.path.with_name("games-mirror") / f"{game}.jsonl").read_text(encoding="utf-8") == text
    head, first, second = map(json.loads, text.splitlines())
    assert (head["format"], head["game"]) == ("dudo-journal", game)
    assert (first["number"], first["body"]["name"]) == (1, "Iñaki")
    assert second["number"] == 2


def test_the_version_that_writes_is_named_where_it_is_another_one(tmp_path):
    versions = []
    for version in ("1.0", "1.1", "1.1", "1.0"):
        journal = Journal(tmp_path / "games", version=version)
        game = journal.current() or journal.create({"n": 1})
        journal.append(game, len(journal.records(game)) + 1, {"n": 2}, {"n": 3})
        journal.append(game, len(journal.records(game)) + 1, {"n": 4})
        versions.append(journal.version_of(game))
        journal.close()
    assert versions == ["1.0", "1.1", "1.1", "1.0"]
    assert (tmp_path / "games" / f"{game}.jsonl").read_text().count('"version"') == 1 + 2 * 2


def vanished(path):
    shutil.rmtree(path.parent)


def emptied(path):
    for folder in (path, path.with_name("games-mirror")):
        for file in folder.iterdir():
            file.unlink()


def one_folder_gone(path):
    shutil.rmtree(path)


def one_file_gone(path):
    """That of the game on the table: it alone has a second record."""
    next(file for file in path.glob("????????????.jsonl") if b'"n":2' in file.read_bytes()).unlink()


ACTS = {
    "a record": lambda journal, game: journal.append(game, 3, {"n": 3}),
    "a game": lambda journal, game: journal.create({"n": 1}),
    "put away": lambda journal, game: journal.put_notes({"current": None}),
    "nothing, but somebody looks": lambda journal, game: journal.trouble(),
}


class OnceNoRename(Disk):
    """The nth renaming fails, once."""

    left = 0

    def rename(self, path, to):
        self.left -= 1
        if self.left == 0:
            raise OSError(errno.EIO, "Input/output error")
        super().rename(path, to)


@pytest.mark.parametrize("nth", [1, 2])
def test_a_change_that_stops_between_both_files_is_made_the_next_time(tmp_path, nth):
    disk = OnceNoRename()
    journal = Journal(tmp_path / "games", disk=disk)
    game = journal.create({"n": 1})
    disk.left = nth
    with pytest.raises(StorageError):
        journal.put_notes({"lamp": "on"})
    assert journal.trouble() is None, "its own file is not another's"
    journal.put_notes({"lamp": "off"})
    journal.append(game, 2, {"n": 2})
    journal.close()
    again = Journal(tmp_path / "games")
    assert (again.note("lamp"), len(again.records(game)), again.losses()) == ("off", 2, ())
    again.close()


@pytest.mark.parametrize("nth", [1, 2])
def test_a_game_whose_files_were_replaced_half_goes_on_as_it_was(tmp_path, nth):
    disk = OnceNoRename()
    journal = Journal(tmp_path / "games", disk=disk)
    game = journal.create({"n": 1})
    lines = list(journal.export(game))
    journal.append(game, 2, {"n": 2})
    more = list(journal.export(game))
    journal.delete(game)
    journal.take_in(lines)
    assert journal.current() is None, "a deleted game that comes back is not on the table"
    journal.put_notes({"current": game})
    assert journal.check(game) is None
    disk.left = nth
    with pytest.raises(StorageError):
        journal.take_in(more)
    journal.append(game, 2, {"n": 3})
    again = Journal(tmp_path / "games")
    assert (bodies(again, game), again.losses()) == ([{"n": 1}, {"n": 3}], ())
    again.close()
    journal.close()


@pytest.mark.parametrize("lose", [vanished, emptied, one_folder_gone, one_file_gone])
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_what_vanishes_under_the_running_box_is_written_anew_and_reported(tmp_path, lose, act):
    path = tmp_path / "x" / "games"
    journal = Journal(path)
    older = journal.create({"n": 1})
    game = journal.create({"n": 1}, {"n": 2})
    assert journal.trouble() is None
    lose(path)
    act(journal, game)
    lost = () if lose in (one_folder_gone, one_file_gone) else (Loss(1, 1, game=older, missing=1),)
    assert journal.losses() == (Loss(vanished=True), *lost)
    there = [info.id for info in journal.games()]
    assert (older in there, game in there) == (not lost, True)
    journal.close()
    again = Journal(path)
    assert [info.id for info in again.games()] == there
    assert [record.body["n"] for record in again.records(game)][:2] == [1, 2]
    assert again.losses() == (Loss(vanished=True), *lost)
    again.close()


def test_a_journal_that_vanishes_before_anything_was_written_is_reported(tmp_path):
    path = tmp_path / "games"
    with closing(Journal(path)) as journal:
        game = journal.create({"n": 1})
        journal.put_notes({"current": None})
    with closing(Journal(path)) as journal:
        emptied(path)
        assert journal.trouble() is None
        assert journal.losses() == (Loss(vanished=True), Loss(1, 1, game=game, missing=1))


def test_a_file_in_place_of_its_own_is_none_that_vanished(tmp_path):
    path = tmp_path / "games"
    with closing(Journal(path)) as journal:
        game = journal.create({"n": 1})
        for file in (*path.glob("list*"), *path.with_name("games-mirror").glob("list*")):
            file.unlink()
        mine = path / f"{game}.jsonl"
        (tmp_path / "other").write_bytes(mine.read_bytes())
        (tmp_path / "other").replace(mine)
        assert journal.trouble().reason == "journal_gone"


def test_a_loss_is_noted_once_and_what_another_version_noted_stays(journal):
    journal.put_notes({}, Loss(), Loss(1, 1))
    journal.put_notes({}, Loss())
    assert journal.losses() == (Loss(), Loss(1, 1))
    theirs = [{"records": "many"}]
    journal.put_notes({"losses": theirs})
    journal.put_notes({"lamp": "on"})
    assert (journal.note("losses"), journal.losses()) == (theirs, ())


def test_nothing_is_written_where_other_files_are_in_place_of_its_own(tmp_path):
    path = tmp_path / "games"
    journal = Journal(path)
    game = journal.create({"n": 1}, {"n": 2})
    for name in ("games", "games-mirror"):
        (tmp_path / name).rename(tmp_path / f"{name}-gone")
    other = Journal(path)
    other.create({"n": 7})
    before = {file: file.read_bytes() for file in path.iterdir()}
    for act in list(ACTS.values())[:3]:
        with pytest.raises(StorageError) as caught:
            act(journal, game)
        assert caught.value.reason == "journal_gone"
    assert journal.trouble().reason == "journal_gone"
    assert {file: file.read_bytes() for file in path.iterdir()} == before
    other.close()
