"""The journal comes up whatever the card did to it, with all that is left, and says what is missing."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.app.bundle import pack
from companion.errors import JournalDamaged, StorageError
from companion.storage import copies
from companion.storage.database import KEPT_ASIDE, log_of, name_aside, set_aside, set_aside_files
from companion.storage.mark import MarkFile
from companion.table.journal import Journal
from companion.table.losses import Loss, faults_of, losses, take_notice
from companion.table.opening import _Opening, open_journal, restore
from companion.table.repairing import repair_games
from tests.soak.data_folder import NAME, Folder, Outcome, flipped, games_of, played, restarted, started

pytestmark = pytest.mark.slow

PAGE = 4096


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Some games, the box switched off in good order."""
    return played(tmp_path_factory.mktemp("closed"), 3, 1, closed=True)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The same with second copies."""
    return played(tmp_path_factory.mktemp("copied"), 3, 1, copy=True, closed=True)


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Some games, and the power gone in the middle of one: its records are in SQLite's log."""
    return played(tmp_path_factory.mktemp("cut_off"), 2, 1)


def spoilt(data: bytes, page: int, random: Random) -> bytes:
    start = page * PAGE
    return data[:start] + random.randbytes(PAGE) + data[start + PAGE :]


def assert_nothing_unnoticed(found: Outcome) -> None:
    assert found.wrong == 0
    assert found.reported or not found.changed


def test_a_sound_folder_comes_up_as_it_was(closed: Folder, cut_off: Folder, tmp_path: Path) -> None:
    for folder in (closed, cut_off):
        assert started(folder.laid_out(tmp_path / "x"), folder) == Outcome(False, 0, 0, True)
        assert set_aside_files(tmp_path / "x" / NAME) == []


@pytest.mark.parametrize("seed", range(12))
def test_no_flipped_bit_changes_or_hides_anything(closed: Folder, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        data = flipped(closed.files[NAME], random.randrange(8 * len(closed.files[NAME])))
        assert_nothing_unnoticed(restarted(closed, tmp_path / "x", NAME, data))


@pytest.mark.parametrize("page", [0, 1, 2, 3, 4, 5, 9, 20, 33])
def test_a_damaged_page_costs_only_what_stood_on_it(closed: Folder, tmp_path: Path, page: int) -> None:
    data = spoilt(closed.files[NAME], page, Random(page))
    found = restarted(closed, tmp_path / "x", NAME, data)
    assert_nothing_unnoticed(found)
    assert found.reported
    whole = sum(map(len, closed.games.values()))
    assert found.missing < whole / 2


@pytest.mark.parametrize("page", [0, 1, 2, 3, 4, 5, 9, 20])
def test_a_copy_gives_back_what_stood_on_a_damaged_page(copied: Folder, tmp_path: Path, page: int) -> None:
    found = restarted(copied, tmp_path / "x", NAME, spoilt(copied.files[NAME], page, Random(page)))
    assert (found.reported, found.wrong) == (True, 0)
    assert found.cut <= {copied.current}, "no copy is made within a game"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(None, id="deleted"),
        pytest.param(b"", id="emptied"),
        pytest.param(b"not a database, not at all" * 500, id="junk"),
    ],
)
def test_copies_come_up_where_the_journal_is_gone(
    copied: Folder, tmp_path: Path, content: bytes | None
) -> None:
    found = restarted(copied, tmp_path / "x", NAME, content)
    lost, running = len(copied.games[copied.current or ""]), frozenset({copied.current})
    assert found == Outcome(reported=True, missing=lost, wrong=0, resumed=False, cut=running)


@pytest.mark.parametrize("content", [None, b"", b"junk" * 4000])
@pytest.mark.parametrize("marked", [True, False])
def test_a_folder_that_has_had_games_never_starts_as_if_new(
    closed: Folder, tmp_path: Path, content: bytes | None, marked: bool
) -> None:
    path = closed.laid_out(tmp_path / "x")
    (tmp_path / "x" / "groups.json").write_text("[]")
    if not marked:
        (tmp_path / "x" / "games.mark").unlink()
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    found = started(path, closed)
    assert found.reported
    assert found.wrong == 0


def test_an_older_journal_put_in_its_place_is_detected(closed: Folder, tmp_path: Path) -> None:
    older = played(tmp_path / "older", 1, 1, closed=True)
    found = restarted(closed, tmp_path / "x", NAME, older.files[NAME])
    assert found.reported


@pytest.mark.parametrize("seed", range(10))
def test_no_damaged_log_takes_records_away_unnoticed(cut_off: Folder, tmp_path: Path, seed: int) -> None:
    random, name = Random(seed), f"{NAME}-wal"
    log = cut_off.files[name]
    for content in (
        flipped(log, random.randrange(8 * len(log))),
        log[: random.randrange(len(log))],
        spoilt(log, random.randrange(len(log) // PAGE), random),
    ):
        assert_nothing_unnoticed(restarted(cut_off, tmp_path / "x", name, content))


def test_records_behind_a_damaged_place_of_the_log_come_back(cut_off: Folder, tmp_path: Path) -> None:
    name = f"{NAME}-wal"
    found = restarted(cut_off, tmp_path / "x", name, flipped(cut_off.files[name], 8 * 60))
    assert found == Outcome(reported=True, missing=0, wrong=0, resumed=True)


@pytest.mark.parametrize("content", [None, b"", b"junk", b"\xff" * 512])
def test_a_spoilt_mark_does_no_harm(closed: Folder, tmp_path: Path, content: bytes | None) -> None:
    assert restarted(closed, tmp_path / "x", "games.mark", content) == Outcome(False, 0, 0, True)


def test_the_file_set_aside_is_left_as_it_was(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    damaged = spoilt(closed.files[NAME], 1, Random(1))
    path.write_bytes(damaged)
    open_journal(path).close()
    (aside,) = set_aside_files(path)
    assert aside.read_bytes() == damaged
    names = {file.name for file in path.parent.iterdir()}
    assert names == {NAME, aside.name}


@pytest.mark.parametrize("step", ["replace", "_put", "put_in_place", "rebuilt"])
def test_a_power_cut_while_it_is_brought_back_costs_nothing(
    copied: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = copied.laid_out(tmp_path / "x")
    path.write_bytes(spoilt(copied.files[NAME], 3, Random(3)))
    log_of(path).write_bytes(b"the log of the damaged one" * 99)
    owner = Path if step == "replace" else _Opening
    with monkeypatch.context() as cut:
        cut.setattr(owner, step, power_cut)
        with pytest.raises(KeyboardInterrupt):
            open_journal(path)
    found = started(path, copied)
    assert (found.reported, found.wrong, found.resumed) == (True, 0, True)
    assert found.cut <= {copied.current}


def power_cut(*said: object) -> None:
    raise KeyboardInterrupt


def test_few_damaged_files_are_kept(tmp_path: Path) -> None:
    path = tmp_path / NAME
    for number in range(KEPT_ASIDE + 2):
        path.write_text(str(number))
        set_aside(path, name_aside(path))
    assert [file.read_text() for file in set_aside_files(path)] == ["2", "3", "4"]


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / NAME
    Journal(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    (tmp_path / "games.mark").unlink(missing_ok=True)
    with pytest.raises(JournalDamaged) as caught:
        open_journal(path)
    assert (caught.value.reason, path.read_bytes()) == ("journal_newer", before)


def test_what_was_lost_is_reported_until_somebody_takes_notice(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    path.write_bytes(closed.files[NAME][: len(closed.files[NAME]) // 2])
    for _ in range(2):
        with closing(open_journal(path)) as journal:
            found = losses(journal)
            assert len(found) == 1
            assert found[0].file == set_aside_files(path)[0].name
    with closing(open_journal(path)) as journal:
        take_notice(journal)
        assert losses(journal) == ()


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param((), [], id="nothing"),
        pytest.param((Loss(file="f"),), [("journal_loss", "journal_mended")], id="all brought back"),
        pytest.param((Loss(3, 1, "f"),), [("journal_loss", "journal_lost")], id="a file set aside"),
        pytest.param((Loss(3, 1),), [("journal_loss", "journal_short")], id="the end gone"),
        pytest.param((Loss(emptied=True),), [("journal_loss", "journal_emptied")], id="all gone"),
        pytest.param((Loss(3, 1, unread=True),), [("journal_loss", "journal_unread")], id="not understood"),
        pytest.param(
            (Loss(3, 1, "f", "now", 3), Loss(4, 1)),
            [("game_cut", "game_cut"), ("journal_loss", "journal_lost")],
            id="the game on the table",
        ),
        pytest.param((Loss(3, 1, "f", "old", 3),), [("journal_loss", "journal_lost")], id="another game"),
        pytest.param(
            (Loss(3, 1, "f", gone=True),),
            [("journal_loss", "journal_lost")],
            id="the game on the table gone, and another one begun since",
        ),
    ],
)
def test_losses_have_their_sentences(found: tuple[Loss, ...], expected: list[tuple[str, str]]) -> None:
    assert [(part, reason) for part, (reason, _) in faults_of(found, "now").items()] == expected


def changed_game(path: Path, game: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        change = "UPDATE records SET body = ? WHERE game = ? AND number = 9"
        db.execute(change, (json.dumps({"something": "else, altogether"}), game))
        db.commit()


def test_a_finished_game_that_was_changed_is_cut_and_kept_as_lines(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    game = next(iter(closed.games))
    changed_game(path, game)
    with closing(open_journal(path)) as journal:
        assert repair_games(path) == Loss(len(closed.games[game]) - 8, 1)
        assert len(journal.records(game)) == 8
        assert list(journal.changed_games()) == []
        assert list(games_of(journal)) == list(closed.games), "in its old place"
    aside = (tmp_path / "x" / f"games-damaged-{game}.jsonl").read_text().splitlines()
    assert len(aside) == 1 + len(closed.games[game])
    assert "something" in aside[9]


def test_a_finished_game_that_was_changed_is_whole_again_with_a_copy(copied: Folder, tmp_path: Path) -> None:
    path = copied.laid_out(tmp_path / "x")
    game = next(iter(copied.games))
    changed_game(path, game)
    with closing(open_journal(path)) as journal:
        assert repair_games(path) == Loss(0, 0)
        assert repair_games(path) is None
        assert games_of(journal) == copied.games


def test_copies_are_two_and_checked(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    with closing(open_journal(path)) as journal:
        for expected in (1, 2, 2):
            assert copies.make(path)
            assert len(copies.existing(path)) == expected
            journal.create({"n": 1})
        newest, older = copies.existing(path)
        before = newest.read_bytes()
        changed_game(path, next(iter(closed.games)))
        with pytest.raises(JournalDamaged):
            copies.make(path)
        assert newest.read_bytes() == before
    with closing(Journal(older)) as copy:
        assert len(copy.games()) == len(closed.games) + 1


def test_no_copy_fills_the_disk(closed: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = closed.laid_out(tmp_path / "x")
    monkeypatch.setattr(copies, "SPARE_BYTES", 10**18)
    assert not copies.make(path)
    assert copies.existing(path) == []


def test_a_deleted_game_is_in_no_copy(copied: Folder, tmp_path: Path) -> None:
    path = copied.laid_out(tmp_path / "x")
    game = next(iter(copied.games))
    with closing(open_journal(path)) as journal:
        journal.delete(game)
    path.write_bytes(b"")
    with closing(open_journal(path)) as journal:
        assert game not in games_of(journal)
    assert all(game.encode() not in file.read_bytes() for file in path.parent.glob("games-copy-*"))


def test_a_deleted_game_is_in_nothing_that_was_set_aside(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    game, other, *_ = closed.games
    changed_game(path, game)
    with closing(open_journal(path)) as journal:
        repair_games(path)
        shutil.copy(path, path.with_name("games-damaged-2026.sqlite"))
        path.with_name("games-damaged-2025.sqlite").write_bytes(b"something else" * 1000)
        journal.delete(game)
        assert set(games_of(journal)) == set(closed.games) - {game}
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert game.encode() not in left
    assert other.encode() in left
    assert [file.name for file in set_aside_files(path)] == ["games-damaged-2025.sqlite"]


def test_a_report_has_the_games_of_a_damaged_journal(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    path.write_bytes(spoilt(closed.files[NAME], 40, Random(1)))
    pack(tmp_path / "b.zip", findings="", settings={}, secrets=(), data_folder=path.parent)
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        lines = bundle.read("games.jsonl").decode().splitlines()
    assert len(lines) > sum(map(len, closed.games.values())) / 2
    assert {json.loads(line)["game"] for line in lines} == set(closed.games)


def test_games_are_restored_from_a_file(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "there")
    here = tmp_path / "here" / NAME
    with closing(Journal(here)) as journal:
        own = journal.create({"n": 1})
    found = restore(here, path)
    assert set(found.kept) == {own, *closed.games}
    with closing(open_journal(here)) as journal:
        assert journal.current() == own
        assert losses(journal) == ()
    with pytest.raises(StorageError, match="nowhere"):
        restore(here, tmp_path / "nowhere")


def test_starts_are_counted_on_whatever_is_lost(closed: Folder, tmp_path: Path) -> None:
    path = closed.laid_out(tmp_path / "x")
    before = MarkFile(path.with_suffix(".mark")).read()
    path.write_bytes(b"")
    with closing(open_journal(path)) as journal:
        assert before
        assert journal.boots() == before.boots + 1


def test_a_game_that_was_on_the_table_and_is_gone_is_reported_as_such(tmp_path: Path) -> None:
    """Its one record in the list of games and all its own are damaged; older games are in a copy."""
    path = tmp_path / NAME
    with closing(Journal(path)) as journal:
        journal.create({"v": 1})
        journal.settle()
        copies.make(path)
        now = journal.create({"v": 2})
    path.write_bytes(bytes(path.stat().st_size))
    with closing(open_journal(path)) as journal:
        assert now not in {info.id for info in journal.games()}
        (loss,) = losses(journal)
        assert loss.gone
        reported = {part: reason for part, (reason, _) in faults_of((loss,), journal.current()).items()}
    assert reported == {"game_cut": "game_gone", "journal_loss": "journal_lost"}
