"""Games for other programs, and the archive that has them all at hand."""

import csv
import io
import json
import re
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import BadCommand
from companion.statistics.archive import Archive
from companion.statistics.exporting import COLUMNS, MARK, csv_rows, json_text, whole
from companion.statistics.record import GameRecord
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.table.table import Table
from tests.companion.games import observation, record, say, start

RUN = tuple("=+-@＝＋－＠")


def play(journal: Journal, names: tuple[str, ...] = ("Ana", "Bea")) -> str:
    """One judged round with dice."""
    table = Table(journal, frames=1)
    game = start(table, tuple((name, "") for name in names), house={"starting_dice": 1, "palifico": "off"})
    say(table, "bid", by=names[0], quantity=1, face=3)
    say(table, "dudo", by=names[1])
    table.do(observation({"red": (3,), **{f"colour {n}": (5,) for n in range(1, len(names))}}))
    return game


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix(MARK), newline="")))


def test_the_csv_has_a_line_for_every_round(journal):
    found = record(journal, play(journal))
    text = "".join(whole("csv", map(csv_rows, [found])))
    (row,) = rows(text)
    assert text.startswith(MARK + ",".join(COLUMNS) + "\r\n")
    assert (row["players"], row["caller"], row["call"], row["right"]) == ("Ana; Bea", "Bea", "dudo", "0")
    assert (row["quantity"], row["face"], row["count_lo"], row["count_hi"]) == ("1", "3", "1", "1")
    assert (row["loser"], row["winner"], row["shown"]) == ("Bea", "Ana", "3 5")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    kept = Journal(tmp_path_factory.mktemp("games") / "games")
    found = record(kept, play(kept))
    kept.close()
    return found


def called(played: GameRecord, name: str) -> list[str]:
    """The one row of a game whose preset and whose first player have this name."""
    game = replace(played, preset=name, players=((name, "red"), ("Bea", "blue")))
    text = "".join(whole("csv", map(csv_rows, [game]))).removeprefix(MARK)
    header, row = csv.reader(io.StringIO(text, newline=""))
    assert len(header) == len(row)
    return row


def parts(row: list[str]) -> list[str]:
    """What a spreadsheet of any country might take for the beginning of a cell."""
    return [part.strip() for cell in row for part in re.split(r"[;,|\t\r\n]", cell)]


@pytest.mark.slow
@given(text=st.text(max_size=30) | st.text(alphabet="=+-@＝＋－＠;,|\t\r\n '\"a1", max_size=12))
def test_no_text_breaks_out_of_its_cell(played, text):
    row = called(played, text)
    assert [part for part in parts(row) if part.startswith(RUN)] == []
    assert row[COLUMNS.index("preset")].replace("'", "") == text.replace("'", "")


def test_the_json_says_everything(journal):
    games = [record(journal, play(journal)), record(journal, play(journal, ("Zoë", "李小龙")))]
    found = json.loads("".join(whole("json", map(json_text, games))))
    assert (found["format"], found["version"], len(found["games"])) == ("dudo-games", 1, 2)
    (one,) = found["games"][0]["rounds"]
    assert one["bids"] == [
        {"by": "Ana", "quantity": 1, "face": 3, "chance": pytest.approx(5 / 9), "own_chance": None}
    ]
    assert (one["count"], one["right"], one["loser"]) == ([1, 1], False, "Bea")
    assert found["games"][0]["scores"]["Ana"]["held"] == 1
    assert found["games"][1]["players"][1]["name"] == "李小龙"


def test_nothing_kept_is_an_empty_export():
    assert json.loads("".join(whole("json", map(json_text, []))))["games"] == []
    assert rows("".join(whole("csv", map(csv_rows, [])))) == []


def test_the_archive_remembers_sums_until_a_game_grows(journal, tmp_path):
    sums = tmp_path / "sums.sqlite"
    archive = Archive(journal, SideFile(sums))
    game = play(journal)
    first = archive.overview()
    assert [(one.id, one.winner) for one in first.games] == [(game, "Ana")]
    archive.close()
    with sqlite3.connect(sums) as kept:
        kept.execute('UPDATE sums_2 SET body = replace(body, \'"winner": "Ana"\', \'"winner": "Eva"\')')
    kept.close()
    again = Archive(journal, SideFile(sums))
    assert again.overview().games[0].winner == "Eva", "taken from the file, not folded again"
    Table(journal, frames=1).do(cmd.Undo())
    assert again.overview().games[0].winner is None
    again.close()


def test_sums_that_cannot_be_read_are_made_anew(journal, tmp_path):
    sums = tmp_path / "sums.sqlite"
    game = play(journal)
    with closing(Archive(journal, SideFile(sums))) as archive:
        archive.overview()
    with sqlite3.connect(sums) as kept:
        kept.execute("UPDATE sums_2 SET body = '{}'")
    kept.close()
    archive = Archive(journal, SideFile(sums))
    assert archive.overview().games[0].id == game
    archive.close()


def test_what_an_export_had_to_make_is_remembered(journal, tmp_path):
    """Each export of games without sums took as long as the first one."""
    play(journal)
    journal.create({"v": 99, "event": "started"})
    sums = tmp_path / "sums.sqlite"
    with closing(Archive(journal, SideFile(sums))) as archive:
        first = list(archive.exported("csv"))
    with closing(Archive(journal, SideFile(sums), timeout_s=0.0)) as again:
        assert len(again.overview().games) == 1
        assert list(again.exported("csv")) == first


def test_an_unknown_game_is_refused(journal):
    archive = Archive(journal)
    with pytest.raises(BadCommand):
        archive.record("nope")
    archive.close()
