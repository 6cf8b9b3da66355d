"""One wrong bit where no checksum is: in the first page of the journal, and in its indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from companion.errors import JournalDamaged
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


def test_what_only_a_look_at_every_record_finds_is_brought_back_by_the_next_start(
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
            assert found.told or not found.changed, f"bit {bit}"


ROOT_OF_RECORDS = range(8 * 8, 8 * 40, 9)
"""Where the page says on which pages the records are."""


def test_a_flipped_bit_above_the_records_ends_no_start(closed: Folder, tmp_path: Path) -> None:
    root = 8 * _root(closed, tmp_path / "x", "records")
    for bit in ROOT_OF_RECORDS:
        found = restarted(closed, tmp_path / "x", NAME, flipped(closed.files[NAME], root + bit))
        assert found.wrong == 0, f"bit {bit}"
        assert found.told or not found.changed, f"bit {bit}"
