"""`dudo games`, and `dudo read --examples` of what games leave: what people do, and what they do wrong."""

import io
import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.reveal.evidence import Evidence, Example, Label
from companion.statistics.archive import SUMS, Archive
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table.folder import DataFolder
from companion.table.parsing import parse
from companion.table.table import Table
from tests.companion.at_table import begin


@pytest.fixture
def kept(tmp_path):
    """A data folder with one game in it, and the game's id."""
    journal = Journal(tmp_path / "games")
    table = Table(journal)
    begin(table, "Ana Beto", "Ana 2x3", rules="classic")
    journal.close()
    return tmp_path, table.snapshot().game_id


def dudo(folder, *words):
    return main(["games", "--data", str(folder), *words])


def test_games_are_listed_with_who_played_and_how_it_stands(kept, capsys):
    folder, game = kept
    assert dudo(folder) == 0
    line = capsys.readouterr().out
    assert line.startswith(game)
    assert "classic  Ana, Beto  round 1, not over" in line


def test_the_folder_may_be_named_after_the_action(kept, capsys):
    folder, game = kept
    for words in (["export", game], ["export"], ["list"], ["restore", "--list"]):
        assert main(["games", *words, "--data", str(folder)]) == 0
        after = capsys.readouterr().out
        assert dudo(folder, *words) == 0
        assert capsys.readouterr().out == after


def test_a_game_goes_out_and_comes_back_the_same(kept, capsys, tmp_path):
    folder, game = kept
    assert dudo(folder, "export", game) == 0
    exported = capsys.readouterr().out
    file = tmp_path / "game.jsonl"
    file.write_text(exported, encoding="utf-8")
    for before in ((), ("delete", game)):
        assert not before or dudo(folder, *before) == 0
        assert dudo(folder, "import", str(file)) == 0
        assert capsys.readouterr().out.strip() == game
        assert dudo(folder, "export", game) == 0
        assert rows(capsys.readouterr().out) == rows(exported)


def rows(exported):
    """What the lines of a game say; its checksums go by its id."""
    return [{**json.loads(line), "chain": ""} for line in exported.splitlines()[1:]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(("export", "nope"), "There is no game nope.", id="unknown game"),
        pytest.param(("delete", "nope"), "There is no game nope.", id="nothing to delete"),
        pytest.param(("import", "/nowhere"), "/nowhere cannot be read", id="no file"),
        pytest.param(("import", __file__), "Line 1 of the file is not a game", id="another kind of file"),
    ],
)
def test_a_mistake_gets_one_sentence(kept, capsys, words, sentence):
    assert dudo(kept[0], *words) == (1 if "/nowhere" in words else 2)
    errors = capsys.readouterr().err
    assert sentence in errors
    assert errors.count("\n") == 1


HEAD = '{"format":"dudo-journal","schema":1,"game":"a","created":"2026-11-25"}'


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "an empty file"),
        ("\n\n", 1, "empty lines"),
        ("[" * 100_000, 1, "brackets without end"),
        (HEAD + "\n" + '{"a":' * 100_000, 2, "and in a record"),
        (HEAD.replace("2026", "\\ud800"), 1, "half of a surrogate pair in the head"),
        (HEAD + '\n{"number":1,"at":"","body":{"event":"\\ud800"}}', 2, "and in a record"),
        (HEAD + '\n{"number":1,"at":"","body":{}}\n' + HEAD + "\n{", 4, "the second game: none goes in"),
        (HEAD + '\n{"number":1,"at":"","body":{"n":' + "9" * 5000 + "}}", 2, "a number nobody can read"),
    ],
)
@pytest.mark.parametrize("by", ["file", "standard input"])
def test_a_file_that_holds_no_game_is_named_by_its_line(
    kept, capsys, monkeypatch, tmp_path, text, line, reason, by
):
    file = tmp_path / "game.jsonl"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    before = games(kept[0])
    assert dudo(kept[0], "import", str(file) if by == "file" else "-") == 2
    errors = capsys.readouterr().err
    assert errors == f"dudo games: Line {line} of the file is not a game exported by this companion.\n", (
        reason
    )
    assert games(kept[0]) == before, reason


def games(folder):
    with closing(Journal(folder / "games")) as journal:
        return journal.games()


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x0b", "\x1c"], ids=ascii)
def test_a_name_with_another_sign_for_the_end_of_a_line_comes_back(kept, capsys, tmp_path, sign):
    """Nobody can type such a name on a phone; a game that was taken in may have it."""
    folder, game = kept
    dudo(folder, "export", game)
    exported = re.sub(r'"chain":"\w+"', '"chain":""', capsys.readouterr().out)  # it is changed on purpose
    exported = exported.replace("Beto", json.dumps(f"Be{sign}to", ensure_ascii=False)[1:-1])
    file = tmp_path / "game.jsonl"
    file.write_bytes(exported.encode())
    assert dudo(folder, "import", str(file)) == 0
    assert dudo(folder, "list") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3, "the new id, and a line for each game"


@pytest.mark.parametrize("words", [("import", "-"), ("delete", "GAME"), ("restore",)])
def test_a_folder_in_use_is_not_changed(kept, capsys, monkeypatch, words):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(HEAD.encode())))
    with DataFolder(kept[0]):
        assert dudo(kept[0], *words) == 1
    assert capsys.readouterr().err != ""


@pytest.mark.parametrize(
    "words", [("list",), ("export",), ("export", "--as", "csv"), ("export", "--as", "json")]
)
def test_games_are_read_beside_a_companion_at_work(kept, capsys, words):
    """As the service's folder is read: another connection has the journal open and goes on writing."""
    folder, game = kept
    assert dudo(folder, *words) == 0
    alone = capsys.readouterr().out
    before = {path.name for path in folder.iterdir()}
    with DataFolder(folder), closing(Journal(folder / "games")) as journal:
        assert dudo(folder, *words) == 0
        assert capsys.readouterr().out == alone
        Table(journal).do(parse({"type": "bid", "by": "Beto", "quantity": 3, "face": 3}))
        assert dudo(folder, "export", game) == 0
        assert len(capsys.readouterr().out.splitlines()) == 4
    assert {path.name for path in folder.iterdir()} - before <= {"lock"}


def test_a_folder_whose_journal_is_just_being_made_is_left_alone(tmp_path, capsys):
    with DataFolder(tmp_path):
        assert dudo(tmp_path) == 1
        assert "Another companion (process" in capsys.readouterr().err
        assert not (tmp_path / "games").exists()


def test_all_games_go_out_and_come_back(kept, capsys, tmp_path):
    folder, _ = kept
    assert dudo(folder, "export") == 0
    file = tmp_path / "all.jsonl"
    file.write_text(capsys.readouterr().out * 2, encoding="utf-8")
    assert dudo(folder, "import", str(file)) == 0
    assert len(set(capsys.readouterr().out.split())) == 1, "it is the same game each time"
    assert dudo(folder) == 0
    assert capsys.readouterr().out.count("classic  Ana, Beto") == 1


@pytest.mark.parametrize(
    ("form", "start"), [("csv", "\ufeffgame,began,"), ("json", '{"format": "dudo-games"')]
)
def test_games_go_out_for_other_programs(kept, capsys, form, start):
    folder, game = kept
    for which in ((), (game,)):
        assert dudo(folder, "export", *which, "--as", form) == 0
        assert capsys.readouterr().out.startswith(start)
    assert dudo(folder, "export", "nope", "--as", form) == 2
    assert "There is no game nope." in capsys.readouterr().err


def with_example(folder: Path, game: str) -> str:
    """One verdict picture of a game, also kept as an example; returns its name."""
    store = Evidence(SideFile(folder / "evidence.sqlite"))
    name = store.keep(game, b"marked", b"clean")
    store.keep_verdict(game, 1, (name,))
    store.keep_examples((Example(name, (Label(0.5, 0.5, 0.05, 3, "red"),)),))
    store.close()
    return name


def test_examples_are_written_and_then_forgotten(tmp_path, capsys):
    name = with_example(tmp_path / "data", "one")
    into = ["read", "--data", str(tmp_path / "data"), "--examples", str(tmp_path / "set")]
    die = {"x": 0.5, "y": 0.5, "size": 0.05, "face": 3, "colour": "red"}
    for forget in ([], ["--forget-examples"]):
        assert main([*into, *forget]) == 0
        errors = capsys.readouterr().err
        assert ("1 example in" in errors, "all examples are deleted" in errors) == (True, bool(forget))
        labels = json.loads((tmp_path / "set" / "labels.json").read_text("utf-8"))
        assert labels == {f"{name}.jpg": {"dice": [die]}}
    assert main(into) == 0
    assert json.loads((tmp_path / "set" / "labels.json").read_text("utf-8")) == {}


def test_neither_photos_nor_examples_is_a_wrong_use(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["read"])
    assert ended.value.code == 2
    assert "at least one photo" in capsys.readouterr().err


def test_a_deleted_game_takes_its_pictures_corrected_dice_and_sums_along(kept):
    folder, game = kept
    with closing(Journal(folder / "games")) as journal:
        archive = Archive(journal, SideFile(folder / SUMS))
        assert len(archive.overview().games) == 1
        archive.close()
    name = with_example(folder, game)
    assert dudo(folder, "delete", game) == 0
    assert b"Beto" not in (folder / SUMS).read_bytes()
    with closing(Evidence(SideFile(folder / "evidence.sqlite"))) as store:
        assert (store.picture(name), store.examples()) == (None, ())
