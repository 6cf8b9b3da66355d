"""One wrong bit: where no checksum is, and at any place of the log and of the copies, sampled with a seed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import cast

import pytest

from companion.errors import JournalDamaged
from companion.storage import copies
from companion.storage.pages import _cells
from companion.storage.salvage import Readable
from companion.table.journal import Journal
from companion.table.repairing import repair_games
from tests.soak.data_folder import NAME, Folder, Outcome, flipped, played, restarted, started

pytestmark = pytest.mark.slow

PAGE = 4096


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A game and a half, the box switched off in good order."""
    return played(tmp_path_factory.mktemp("closed"), 1, 1, closed=True)


WRITE_VERSION, SCHEMA_FORMAT = range(8 * 18, 8 * 19), range(8 * 44, 8 * 48)
SCHEMA_TEXT = range(8 * 3300, 8 * PAGE)


@pytest.mark.parametrize(
    "bits",
    [
        pytest.param(WRITE_VERSION, id="which SQLite may write"),
        pytest.param(SCHEMA_FORMAT, id="format of the schema"),
        *(pytest.param(SCHEMA_TEXT[n::1201], id=f"schema, {n}") for n in range(0, 1201, 97)),
        pytest.param(range(29455, 29472, 8), id="name of a column that is no text"),
    ],
)
def test_no_flipped_bit_of_the_first_page_ends_the_start(closed: Folder, tmp_path: Path, bits: range) -> None:
    for bit in bits:
        found = restarted(closed, tmp_path / "x", NAME, flipped(closed.files[NAME], bit))
        assert (found.changed, found.wrong) == (False, 0), f"bit {bit}"


def _root(folder: Folder, place: Path, name: str) -> int:
    """Where the first page of a table or index begins."""
    with closing(sqlite3.connect(folder.laid_out(place))) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return (int(page) - 1) * PAGE


@pytest.mark.parametrize("index", ["sqlite_autoindex_games_1", "sqlite_autoindex_notes_1"])
def test_no_flipped_bit_of_an_index_ends_a_start(closed: Folder, tmp_path: Path, index: str) -> None:
    root = _root(closed, tmp_path / "x", index)
    for bit in range(8 * (root + PAGE - 80), 8 * (root + PAGE), 7):
        found = restarted(closed, tmp_path / "x", NAME, flipped(closed.files[NAME], bit))
        assert (found.changed, found.wrong) == (False, 0), f"bit {bit}"


def test_what_only_reading_every_record_finds_is_brought_back_by_the_next_start(
    closed: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = closed.laid_out(tmp_path / "x")
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "changed_games", _refused)
        with pytest.raises(JournalDamaged):
            repair_games(path)
    assert started(path, closed) == Outcome(True, 0, 0, True)


def _refused(journal: Journal) -> list[str]:
    raise JournalDamaged("journal_damaged", path=journal.path)


class _Circle:
    """A damaged index: after every game it names the next one of the circle, and so on for ever."""

    def __init__(self, games: Sequence[object]) -> None:
        self._games, self._at = games, 0

    def execute(self, query: str, values: tuple[bytes]) -> _Circle:
        self._at += 1
        return self

    def fetchone(self) -> tuple[object]:
        return (self._games[self._at % len(self._games)],)


@pytest.mark.parametrize("games", [("a", "b", "c"), (None,), (b"a", b"b"), (7, "a"), ("",)])
def test_an_index_that_leads_in_a_circle_is_left(
    closed: Folder, tmp_path: Path, games: Sequence[object]
) -> None:
    with closing(Readable(closed.laid_out(tmp_path / "x"))) as journal:
        with closing(journal._db):
            journal._db = cast("sqlite3.Connection", _Circle(games))
        assert set(journal._ids_of_records()) <= set(map(str, games))
        journal._db = sqlite3.connect(":memory:")


@pytest.mark.parametrize("table", ["games", "notes"])
def test_no_flipped_bit_in_the_head_of_a_row_ends_a_start(closed: Folder, tmp_path: Path, table: str) -> None:
    """It makes bytes, a number or nothing of a text."""
    data, root = closed.files[NAME], _root(closed, tmp_path / "x", table)
    for start in _cells(data[root : root + PAGE], 8):
        for bit in range(8 * (root + start), 8 * (root + start + 9), 8):
            found = restarted(closed, tmp_path / "x", NAME, flipped(data, bit))
            assert found.wrong == 0, f"bit {bit}"
            assert found.reported or not found.changed, f"bit {bit}"


ROOT_OF_RECORDS = range(8 * 8, 8 * 40, 9)
"""Where the page says on which pages the records are."""


def test_a_flipped_bit_above_the_records_ends_no_start(closed: Folder, tmp_path: Path) -> None:
    root = 8 * _root(closed, tmp_path / "x", "records")
    for bit in ROOT_OF_RECORDS:
        found = restarted(closed, tmp_path / "x", NAME, flipped(closed.files[NAME], root + bit))
        assert found.wrong == 0, f"bit {bit}"
        assert found.reported or not found.changed, f"bit {bit}"


ABOVE, LEAF = (2, 12), (10, 8)
"""Kinds of pages of a tree whose keys are records, and how long their heads are (SQLite, "Database File
Format", section 1.6)."""


@pytest.mark.parametrize("page", [ABOVE, LEAF], ids=["above others", "on a leaf"])
def test_a_wrong_bit_in_the_id_of_a_record_takes_nothing_from_its_game(
    closed: Folder, tmp_path: Path, page: tuple[int, int]
) -> None:
    data, finished = closed.files[NAME], next(game for game in closed.games if game != closed.current)
    places = list(_ids_on_pages(data, *page, finished))
    bits = [
        *range(8 * places[0], 8 * (places[0] + len(finished)), 13),
        *(8 * at + at % 8 for at in places[1::7]),
    ]
    for bit in bits:
        found = restarted(closed, tmp_path / "x", NAME, flipped(data, bit))
        assert (found.changed, found.wrong) == (False, 0), f"bit {bit}"


def _ids_on_pages(data: bytes, kind: int, head: int, game: str) -> Iterator[int]:
    """Where the id of a game stands in its records on pages of a kind."""
    for start in range(PAGE, len(data), PAGE):
        if data[start] == kind:
            for cell in sorted(_cells(data[start : start + PAGE], head)):
                at = data.find(game.encode(), start + cell, start + cell + 30)
                if at >= 0:
                    yield at


SAMPLES = 24


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A game and a half with copies, the power cut: the journal's log is there."""
    return played(tmp_path_factory.mktemp("cut off"), 2, 1, copy=True)


LOG_HEAD, FRAME_HEAD, FRAME = 32, 24, 24 + PAGE
"""SQLite, "Database File Format", section 4: a log is a header and frames, each a header and a page."""


def _bits_of_log(data: bytes, random: Random) -> list[int]:
    """Bits of the log's header, of the heads of its frames, and of the pages in them."""
    starts = range(LOG_HEAD, len(data), FRAME)
    of_header = random.sample(range(LOG_HEAD), 16)
    of_heads = [random.choice(starts) + random.randrange(FRAME_HEAD) for _ in range(SAMPLES)]
    of_pages = [random.choice(starts) + random.randrange(FRAME_HEAD, FRAME) for _ in range(SAMPLES)]
    return [8 * at + random.randrange(8) for at in (*of_header, *of_heads, *of_pages)]


def test_a_flipped_bit_of_the_log_changes_nothing_unnoticed(cut_off: Folder, tmp_path: Path) -> None:
    log = f"{NAME}-wal"
    for bit in _bits_of_log(cut_off.files[log], Random(37)):
        found = restarted(cut_off, tmp_path / "x", log, flipped(cut_off.files[log], bit))
        assert found.wrong == 0, f"bit {bit}"
        assert found.reported or not found.changed, f"bit {bit}"


def test_a_flipped_bit_of_a_copy_is_never_brought_back(cut_off: Folder, tmp_path: Path) -> None:
    """The journal is gone: all that is left is two copies, one of them with a wrong bit."""
    random = Random(37)
    for _ in range(SAMPLES):
        path = cut_off.laid_out(tmp_path / "x")
        copy = random.choice(copies.existing(path))
        data = copy.read_bytes()
        copy.write_bytes(flipped(data, bit := random.randrange(8 * len(data))))
        for file in (path, path.with_name(f"{NAME}-wal")):
            file.unlink()
        found = started(path, cut_off)
        assert found.wrong == 0, f"bit {bit} of {copy.name}"
        assert found.reported, f"bit {bit} of {copy.name}"
