"""The checksum chain of the journal: which damage it detects, what is repaired, how old journals get one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadCommand, JournalDamaged
from companion.storage.chain import Row, chained, combined, good_records, seed
from companion.storage.database import tolerant_text
from companion.storage.rebuild import woven
from companion.storage.ticks import Tick, ticking
from companion.table.journal import Journal

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=20)
ROWS = st.lists(TEXT.map(lambda text: json.dumps({"text": text})), min_size=1, max_size=6).map(
    lambda bodies: chained("game", (Row(n, f"at {n}", body, "b+1") for n, body in enumerate(bodies, 1)))
)


@given(ROWS)
def test_a_chain_holds_and_is_its_own_weave(rows: tuple[Row, ...]) -> None:
    assert good_records("game", rows) == len(rows)
    assert woven("game", reversed(rows)) == rows
    assert good_records("other game", rows) == 0


@given(ROWS, st.data())
def test_no_change_of_a_record_goes_unseen(rows: tuple[Row, ...], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(("at", "body", "tick")))
    changed = replace(rows[at], **{name: data.draw(TEXT.filter(lambda t: t != getattr(rows[at], name)))})
    spoilt = (*rows[:at], changed, *rows[at + 1 :])
    assert good_records("game", spoilt) == at


@given(ROWS, st.data())
def test_one_wrong_bit_is_made_right(rows: tuple[Row, ...], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(("at", "body", "tick", "chain")))
    text = bytearray(getattr(rows[at], name).encode())
    bit = data.draw(st.integers(0, 8 * len(text) - 1))
    text[bit // 8] ^= 1 << bit % 8
    spoilt = replace(rows[at], **{name: tolerant_text(bytes(text))})
    assert woven("game", (*rows[:at], spoilt, *rows[at + 1 :])) == rows


@given(ROWS)
def test_a_gap_ends_the_chain(rows: tuple[Row, ...]) -> None:
    assert woven("game", rows[1:]) == ()
    assert woven("game", rows[:-1]) == rows[:-1]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=8, unique=True))
def test_seals_are_combined_in_any_order(numbers: list[int]) -> None:
    seals = [f"{number:016x}" for number in numbers]
    assert combined(seals) == combined(reversed(seals))
    assert not seals or combined(seals[1:]) == combined([combined(seals), seals[0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3f2a91c4+18", Tick("3f2a91c4", 18)),
        ("", None),
        ("3f2a91c4", None),
        ("+18", None),
        ("a+-1", None),
        ("a+1.5", None),
    ],
)
def test_a_tick_is_read_back(text: str, expected: Tick | None) -> None:
    assert Tick.parse(text) == expected
    assert expected is None or str(expected) == text


def test_ticks_go_on() -> None:
    first, second = Tick.parse(ticking()), Tick.parse(ticking())
    assert first
    assert second
    assert first.boot == second.boot
    assert 0 <= second.up_s - first.up_s < 60


OLD_TABLES = """
CREATE TABLE games (id TEXT PRIMARY KEY, created TEXT NOT NULL) STRICT;
CREATE TABLE records (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
PRAGMA user_version = 1;
"""


def old_journal(path: Path) -> None:
    """A journal as version 1 wrote it."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD_TABLES)
        db.execute("INSERT INTO games VALUES ('a', '2026-01-01'), ('b', '2026-01-02')")
        rows = [(game, n, "2026", json.dumps({"n": n})) for game in "ab" for n in range(1, 4)]
        db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
        db.execute("INSERT INTO notes VALUES ('current', 'b'), ('boots', '7')")
        db.commit()


def test_a_journal_of_version_1_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    old_journal(path)
    for _ in range(2):
        with closing(Journal(path)) as journal:
            assert [(info.id, info.records) for info in journal.games()] == [("a", 3), ("b", 3)]
            assert [record.body for record in journal.records("a")] == [{"n": 1}, {"n": 2}, {"n": 3}]
            assert (journal.current(), journal.is_listed_whole()) == ("b", True)
            assert list(journal.changed_games()) == []
    with closing(Journal(path)) as journal:
        assert journal.boots() == 8
        journal.append("b", 4, {"n": 4})
        assert len(journal.records("b")) == 4


def test_an_export_of_version_1_is_still_read(tmp_path: Path) -> None:
    head = {"format": "dudo-journal", "schema": 1, "game": "x", "created": "2026-01-01"}
    lines = [json.dumps(head), '{"number":1,"at":"2026","body":{"n":1}}']
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        game = journal.take_in(lines)
        assert [record.body for record in journal.records(game)] == [{"n": 1}]
        assert list(journal.changed_games()) == []


def test_an_export_that_was_changed_names_its_line(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        game = journal.create({"n": 1}, {"n": 2})
        lines = list(journal.export(game))
        lines[2] = lines[2].replace('"n":2', '"n":3')
        with pytest.raises(BadCommand) as caught:
            journal.take_in(lines)
        assert (caught.value.reason, caught.value.values) == ("export_changed", {"line": 3})
        assert len(journal.games()) == 1


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE records SET body = '{\"n\":9}' WHERE number = 2", id="body"),
        pytest.param("UPDATE records SET at = 'then' WHERE number = 2", id="label"),
        pytest.param("UPDATE records SET tick = 'x+1' WHERE number = 2", id="tick"),
        pytest.param("UPDATE records SET chain = 'x' WHERE number = 2", id="checksum"),
        pytest.param("UPDATE records SET number = 9 WHERE number = 3", id="number"),
        pytest.param("DELETE FROM records WHERE number = 3", id="last gone"),
        pytest.param("DELETE FROM records WHERE number = 1", id="first gone"),
        pytest.param("UPDATE games SET head = 'x'", id="head"),
        pytest.param("UPDATE games SET records = 2", id="count"),
    ],
)
def test_what_the_card_changes_is_seen(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.sqlite"
    with closing(Journal(path)) as journal:
        game = journal.create({"n": 1}, {"n": 2}, {"n": 3})
    with closing(sqlite3.connect(path)) as db:
        db.execute(change)
        db.commit()
    with closing(Journal(path)) as journal:
        with pytest.raises(JournalDamaged) as caught:
            journal.records(game)
        assert caught.value.reason == "record_changed"
        assert list(journal.changed_games()) == [game]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("DELETE FROM games WHERE id = :other", id="a game gone"),
        pytest.param("UPDATE games SET created = 'then'", id="when it began"),
        pytest.param("UPDATE games SET id = 'x' WHERE id = :other", id="its name"),
        pytest.param("UPDATE notes SET value = 'x' WHERE key = 'current'", id="the game on the table"),
        pytest.param("UPDATE notes SET key = 'x' WHERE key = 'boots'", id="the name of a note"),
        pytest.param("DELETE FROM notes WHERE key = 'ledger'", id="the list itself"),
    ],
)
def test_a_list_that_is_not_whole_is_seen(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.sqlite"
    with closing(Journal(path)) as journal:
        other = journal.create({"n": 1})
        journal.create({"n": 1})
        journal.boots()
        assert journal.is_listed_whole()
    with closing(sqlite3.connect(path)) as db:
        db.execute(change, {"other": other} if ":other" in change else {})
        db.commit()
    with closing(Journal(path)) as journal:
        assert not journal.is_listed_whole()


@pytest.mark.parametrize("act", [Journal.put_away, Journal.boots, lambda journal: journal.create({"n": 1})])
def test_what_the_journal_does_itself_stays_whole(tmp_path: Path, act: Callable[[Journal], object]) -> None:
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        first = journal.create({"n": 1})
        act(journal)
        journal.delete(first)
        assert journal.is_listed_whole()
        assert list(journal.changed_games()) == []


def test_the_first_checksum_goes_by_the_game() -> None:
    assert seed("a") != seed("b")
