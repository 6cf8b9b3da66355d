"""Folders of every release, with a game in each of sixteen phases, and of one that does not exist yet."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from companion.errors import BadCommand, JournalDamaged
from companion.statistics.archive import Archive
from companion.storage import exports, form, old_journal
from companion.storage.exports import old_link, old_seed
from companion.storage.form import all_sealed, chain, joined, sealed
from companion.storage.game_list import Loss
from companion.storage.journal import Journal
from companion.table.parsing import parse
from companion.table.resuming import GAMES, open_journal, restorable, restore, waiting
from companion.table.table import Table
from companion.table.view import view

RELEASES = sorted(Path(__file__).with_name("releases").glob("*.sql"))
SCHEMA_2 = [file for file in RELEASES if "chain" in file.read_text(encoding="utf-8")]


@pytest.fixture(params=RELEASES, ids=lambda file: file.stem)
def folder(request, tmp_path):
    """A data folder as that release left it."""
    return laid_out(request.param, tmp_path)


def laid_out(release: Path, folder: Path) -> Path:
    with closing(sqlite3.connect(folder / old_journal.NAME)) as db:
        db.executescript(release.read_text(encoding="utf-8"))
    return folder


def rows(folder: Path) -> dict[str, list[object]]:
    """The bodies of every game in the old journal, as a plain query has them."""
    with closing(sqlite3.connect(folder / old_journal.NAME)) as db:
        games = db.execute("SELECT id FROM games ORDER BY rowid")
        found: dict[str, list[object]] = {game: [] for (game,) in games}
        for game, body in db.execute("SELECT game, body FROM records ORDER BY game, number"):
            found[game].append(json.loads(body))
    return found


def kept(journal: Journal) -> dict[str, list[object]]:
    return {info.id: [record.body for record in journal.records(info.id)] for info in journal.games()}


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / old_journal.NAME)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def play_on(folder: Path, game: str, *bodies: object) -> None:
    """As the older version would: more records of a game, with its checksums where it had any."""
    with closing(sqlite3.connect(folder / old_journal.NAME)) as db:
        found = db.execute("SELECT * FROM records WHERE game = ? ORDER BY number", (game,)).fetchall()
        before = found[-1][5].encode() if len(found[-1]) > 4 else b""
        for number, body in enumerate(bodies, len(found) + 1):
            text = json.dumps(body, separators=(",", ":"))
            before = old_link(before, number, "2026", "", text)
            row = (game, number, "2026", text, "", before.decode())[: len(found[-1])]
            db.execute(f"INSERT INTO records VALUES ({', '.join('?' * len(row))})", row)
        db.commit()


def test_every_game_of_a_release_is_there_and_its_table_stands_as_it_stood(folder):
    before, played = (folder / old_journal.NAME).read_bytes(), rows(folder)
    assert len(played) == 17
    with closing(open_journal(folder / GAMES)) as journal:
        assert kept(journal) == played
        assert list(kept(journal)) == list(played), "in their order"
        assert journal.losses() == ()
        assert journal.boots() == 2
        with closing(Archive(journal)) as archive:
            assert archive.overview().unreadable == ()
            assert len(archive.overview().games) == len(played)
        game = Table(journal).snapshot().state.game
        assert game is not None
        assert [str(bid.bid) for bid in game.round.bids] == ["2x3", "3x3"]  # type: ignore[union-attr]
    assert (folder / old_journal.NAME).read_bytes() == before, "left as it is"


def test_it_is_taken_over_once(folder):
    with closing(open_journal(folder / GAMES)) as journal:
        journal.delete(next(iter(kept(journal))))
        journal.put_notes({"current": None})
        there = kept(journal)
    with closing(open_journal(folder / GAMES)) as journal:
        assert (kept(journal), journal.current()) == (there, None)


def test_back_to_the_release_and_again_loses_nothing(folder):
    """Each version plays a game of its own meanwhile, and the older one goes on with one that both have."""
    with closing(open_journal(folder / GAMES)) as journal:
        both, first = journal.current() or "", kept(journal)
        own = journal.create({"event": "here"})
    play_on(folder, both, {"event": "there"})
    change(folder, "INSERT INTO games SELECT 'another', created" + _rest(folder) + " FROM games LIMIT 1")
    for _ in range(2):
        with closing(open_journal(folder / GAMES)) as journal:
            now = kept(journal)
            assert now[both] == [*first[both], {"event": "there"}]
            assert now[own] == [{"event": "here"}]
            assert {**now, both: first[both]} == {**first, own: [{"event": "here"}]}
            assert journal.current() == both, "what was played last is on the table"
            assert journal.losses() == ()


def _rest(folder: Path) -> str:
    """The other columns of the list of games, where there are some."""
    with closing(sqlite3.connect(folder / old_journal.NAME)) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(games)")]
    return "".join(f", {0 if name == 'records' else repr('')}" for name in columns[2:])


def test_a_game_that_both_versions_went_on_with_is_two_games(folder):
    with closing(open_journal(folder / GAMES)) as journal:
        both = journal.current() or ""
        first = kept(journal)
        journal.append(both, len(first[both]) + 1, {"event": "here"})
    for times in (1, 2):
        play_on(folder, both, {"event": "there", "n": times})
        for _ in range(2):
            with closing(open_journal(folder / GAMES)) as journal:
                now = kept(journal)
                assert now[both] == [*first[both], {"event": "here"}]
                (other,) = set(now) - set(first)
                played_on = [{"event": "there", "n": n} for n in range(1, times + 1)]
                assert now[other] == [*first[both], *played_on]
                assert journal.current() == other


@pytest.mark.parametrize("release", SCHEMA_2, ids=lambda file: file.stem)
def test_what_is_not_as_it_was_written_is_left_out_and_reported(release, tmp_path):
    folder = laid_out(release, tmp_path)
    played = rows(folder)
    game = max(played, key=lambda one: len(played[one]))
    change(folder, f"UPDATE records SET body = '{{}}' WHERE game = '{game}' AND number = 2")
    with closing(open_journal(folder / GAMES)) as journal:
        assert kept(journal) == {**played, game: played[game][:1]}
        (loss,) = journal.losses()
        assert (loss.records, loss.games, loss.file) == (len(played[game]) - 1, 1, old_journal.NAME)


def test_a_copy_has_what_the_journal_has_lost(folder):
    played = rows(folder)
    shutil.copy(folder / old_journal.NAME, folder / "games-copy-1.sqlite")
    for content in (b"", b"no database at all" * 99, None):
        (folder / old_journal.NAME).unlink(missing_ok=True)
        if content is not None:
            (folder / old_journal.NAME).write_bytes(content)
        shutil.rmtree(folder / GAMES, ignore_errors=True)
        shutil.rmtree(folder / f"{GAMES}-mirror", ignore_errors=True)
        with closing(open_journal(folder / GAMES)) as journal:
            assert kept(journal) == played


@pytest.mark.parametrize("page", range(1, 9))
def test_a_damaged_page_of_the_old_journal_costs_what_stands_on_it(page, tmp_path):
    folder = laid_out(RELEASES[-1], tmp_path)
    played, file = rows(folder), folder / old_journal.NAME
    data = file.read_bytes()
    file.write_bytes(data[: 4096 * page] + bytes(4096) + data[4096 * (page + 1) :])
    with closing(open_journal(folder / GAMES)) as journal:
        for game, bodies in kept(journal).items():
            assert bodies == played[game][: len(bodies)]
        assert journal.losses() or kept(journal) == played


def test_an_old_journal_that_nobody_can_read_is_reported_and_ends_nothing(tmp_path):
    (tmp_path / old_journal.NAME).write_bytes(b"no database at all" * 99)
    with closing(open_journal(tmp_path / GAMES)) as journal:
        assert journal.losses() == (Loss(file=old_journal.NAME, emptied=True),)


def test_a_deleted_game_is_in_no_file_of_an_older_version(folder):
    (folder / "games-damaged-2026.sqlite").write_bytes((folder / old_journal.NAME).read_bytes())
    with closing(open_journal(folder / GAMES)) as journal:
        game, other = list(kept(journal))[:2]
        (folder / "games-copy-1.sqlite").write_bytes(b"no database, with " + game.encode())
        (folder / "games-copy-2.sqlite").write_bytes(b"no database at all")
        journal.delete(game)
    assert (folder / "games-copy-2.sqlite").exists(), "what does not name it is left alone"
    left = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
    assert game.encode() not in left
    assert other.encode() in left


def test_games_are_brought_back_from_any_file(folder, tmp_path):
    played = rows(folder)
    with closing(open_journal(folder / GAMES)) as journal:
        journal.create({"event": "here"})
        whole = kept(journal)
    with closing(open_journal(tmp_path / "new" / GAMES)) as journal:
        for file in (folder / old_journal.NAME, folder / GAMES, folder / f"{GAMES}-mirror"):
            restore(journal, [file])
            assert set(played) <= set(kept(journal))
        assert kept(journal) == whole
        assert restore(journal, [folder / GAMES / f"{min(played)}.jsonl"]) == [min(played)]
        assert restorable(folder) == [folder / old_journal.NAME]
        for wrong in (folder / "nowhere", Path(__file__)):
            with pytest.raises(OSError, match=wrong.name):
                restore(journal, [wrong])


# A release that does not exist yet, with the same form of files or with another one.


NEXT = {
    "an event": {"v": 1, "event": "danced", "with": "the dice"},
    "a member": {"v": 2, "event": "colours_learnt", "colours": [], "by": "the lamp"},
}
SAID: dict[str, Callable[[Table], object]] = {
    "a bid": lambda table: say(table, "bid", by="Ana", quantity=2, face=3),
    "a challenge": lambda table: (SAID["a bid"](table), say(table, "dudo", by="Bea")),
    "a verdict": lambda table: (SAID["a challenge"](table), say(table, "type_count", count=4)),
    "the next round": lambda table: (SAID["a verdict"](table), say(table, "next_round")),
}


def say(table: Table, kind: str, **more: object) -> object:
    return table.do(parse({"type": kind, **more}))


@pytest.fixture(params=product(SAID, NEXT), ids=" and then ".join)
def newer(request, tmp_path):
    """A folder in which a later version has written the last record of the game on the table."""
    said, fresh = request.param
    with closing(open_journal(tmp_path / GAMES)) as journal:
        table = Table(journal, frames=1)
        people = [{"name": "Ana"}, {"name": "Bea"}]
        say(table, "new_game", players=people, starter="Ana")
        SAID[said](table)
        game = table.snapshot().game_id or ""
    with closing(Journal(tmp_path / GAMES, version="9.1")) as journal:
        journal.append(game, len(journal.records(game)) + 1, NEXT[fresh])
        journal.put_notes({"of_tomorrow": {"any": "thing"}})
    return tmp_path, game


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.startswith("list-")
    }


def test_a_game_of_a_later_version_is_put_aside_unwritten_and_comes_back(newer):
    folder, game = newer
    before = content(folder)
    for _ in range(2):
        with closing(open_journal(folder / GAMES)) as journal:
            table = Table(journal, frames=1)
            assert (table.snapshot().game_id, waiting(journal)) == (None, game)
            faults = {part: (fault.reason, dict(fault.values)) for part, fault in table.snapshot().faults}
            assert faults["journal_loss"][0] == "journal_unread"
            assert faults["journal_loss"][1]["version"] == "9.1"
            assert view(table.snapshot())["state"] == "fault"
            assert journal.note("of_tomorrow") == {"any": "thing"}
            with closing(Archive(journal)) as archive:
                assert [one.id for one in archive.overview().unreadable] == [game]
    assert content(folder) == before
    with closing(Journal(folder / GAMES)) as journal:
        journal.check(game)
    assert content(folder) == before
    _know_the_next_one(folder, game)


def _know_the_next_one(folder: Path, game: str) -> None:
    """A version that can read the game takes it up where it was, without a notice."""
    with pytest.MonkeyPatch.context() as patch, closing(open_journal(folder / GAMES)) as journal:
        records = journal.records
        patch.setattr(journal, "records", lambda game: records(game)[:-1])
        table = Table(journal, frames=1)
        assert (table.snapshot().game_id, journal.current(), waiting(journal)) == (game, game, None)
        assert table.snapshot().faults == ()
        assert table.snapshot().resumed


def test_it_waits_while_another_game_is_played(newer):
    folder, game = newer
    with closing(open_journal(folder / GAMES)) as journal:
        table = Table(journal, frames=1)
        say(table, "take_notice")
        assert table.snapshot().faults == ()
        say(table, "new_game", players=[{"name": "Cleo"}, {"name": "Dan"}], starter="Dan")
        other = table.snapshot().game_id
    with closing(open_journal(folder / GAMES)) as journal:
        table = Table(journal, frames=1)
        assert (table.snapshot().game_id, table.snapshot().held) == (other, False)
        say(table, "abandon")
        say(table, "put_away")
    with closing(open_journal(folder / GAMES)) as journal:
        assert waiting(journal) == game


def test_a_game_in_a_form_of_a_later_version_is_left_alone_and_named(tmp_path):
    head = {"format": "dudo-journal", "schema": 4, "game": "later", "created": "2027", "version": "9.1"}
    lines = [sealed(b"", head), b"?! nobody knows what stands here"]
    for name in (GAMES, f"{GAMES}-mirror"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "later.jsonl").write_bytes(joined(lines))
    before = content(tmp_path)
    for _ in range(2):
        with closing(open_journal(tmp_path / GAMES)) as journal:
            journal.check("later")
            with pytest.raises(JournalDamaged, match=r"9\.1"):
                journal.records("later")
            with closing(Archive(journal)) as archive:
                (one,) = archive.overview().unreadable
            assert (one.id, one.reason, dict(one.values)["version"]) == ("later", "event_newer", "9.1")
            Table(journal)
    assert content(tmp_path) == before


def test_a_game_that_a_later_version_has_put_into_a_form_of_its_own_is_no_loss(tmp_path):
    with closing(Journal(tmp_path / GAMES)) as journal:
        game = journal.create({"n": 1}, {"n": 2})
    head = {"format": "dudo-journal", "schema": 4, "game": game, "created": "2027", "version": "9.1"}
    for name in (GAMES, f"{GAMES}-mirror"):
        (tmp_path / name / f"{game}.jsonl").write_bytes(joined([sealed(b"", head), b"?! nobody knows"]))
    before = content(tmp_path)
    for _ in range(2):
        with closing(open_journal(tmp_path / GAMES)) as journal:
            assert journal.check(game) is None
            assert (journal.losses(), journal.current(), journal.version_of(game)) == ((), game, "9.1")
    assert content(tmp_path) == before


# The same game that comes in twice.


def game_lines(journal: Journal) -> list[str]:
    game = journal.create({"n": 1}, {"n": 2})
    journal.append(game, 3, {"n": 3})
    return list(journal.export(game))


def test_the_same_export_is_the_same_game_once(tmp_path):
    with closing(Journal(tmp_path / "there" / GAMES)) as there:
        lines = game_lines(there)
    with closing(Journal(tmp_path / GAMES)) as journal:
        ids = {journal.take_in(lines[:length]) for length in (2, 4, 3, 4)}
        assert ids == {info.id for info in journal.games()}
        assert [record.body for record in journal.records(ids.pop())] == [{"n": 1}, {"n": 2}, {"n": 3}]


@pytest.mark.parametrize("name", ["../../etc/passwd", "list-3", "a/b", "", "x" * 99])
def test_no_id_leads_out_of_the_folder(tmp_path, name):
    with closing(Journal(tmp_path / GAMES)) as journal:
        found = exports.Exported(name, "2026", (form.Record(1, "2026", {"n": 1}),))
        (game,) = journal.keep(found)
        assert journal.keep(found) == [game]
        assert (tmp_path / GAMES / f"{game}.jsonl").exists()
        assert len(game) == 12


@pytest.mark.parametrize("schema", [1, 2, 3])
def test_exports_of_every_schema_are_read(tmp_path, schema):
    records = [{"number": n, "at": "2026", "tick": "b+1", "body": {"n": n}} for n in (1, 2)]
    head = {"format": "dudo-journal", "schema": schema, "game": "a", "created": "2026"}
    lines = [json.dumps(head), *map(json.dumps, records)]
    if schema == 2:
        before = old_seed("a")
        for number, record in enumerate(records, 1):
            before = old_link(before, number, "2026", "b+1", json.dumps({"n": number}, separators=(",", ":")))
            lines[number] = json.dumps({**record, "chain": before.decode()})
    if schema == 3:
        lines = [line.decode() for line in all_sealed(head, records)]
    with closing(Journal(tmp_path / GAMES)) as journal:
        assert [one.body for one in journal.records(journal.take_in(lines))] == [{"n": 1}, {"n": 2}]
        if schema > 1:
            changed = [*lines[:2], lines[2].replace('"n":2', '"n":3').replace('"n": 2', '"n": 3')]
            with pytest.raises(BadCommand) as caught:
                journal.take_in(changed)
            assert (caught.value.reason, caught.value.values) == ("export_changed", {"line": 3})
    assert schema < 3 or chain(lines[0].encode())
