"""`dudo read --examples` and what `dudo games delete` leaves behind."""

import json
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.reveal.evidence import Evidence, Example, Label
from companion.side_files import SideFile
from companion.storage.journal import Journal


def kept(folder: Path, game: str) -> str:
    """One verdict picture of a game, also kept as an example; returns its name."""
    store = Evidence(SideFile(folder / "evidence.sqlite"))
    name = store.keep(game, b"marked", b"clean")
    store.keep_verdict(game, 1, (name,))
    store.keep_examples((Example(name, (Label(0.5, 0.5, 0.05, 3, "red", read=5),)),))
    store.close()
    return name


def test_examples_are_written(tmp_path, capsys):
    name = kept(tmp_path / "data", "one")
    assert main(["read", "--data", str(tmp_path / "data"), "--examples", str(tmp_path / "set")]) == 0
    assert "1 example in" in capsys.readouterr().err
    labels = json.loads((tmp_path / "set" / "labels.json").read_text("utf-8"))
    assert labels == {
        f"{name}.jpg": {"dice": [{"x": 0.5, "y": 0.5, "size": 0.05, "face": 3, "colour": "red"}]}
    }


def test_examples_are_written_and_then_forgotten(tmp_path, capsys):
    kept(tmp_path / "data", "one")
    into = ["read", "--data", str(tmp_path / "data"), "--examples", str(tmp_path / "set")]
    assert main([*into, "--forget-examples"]) == 0
    assert json.loads((tmp_path / "set" / "labels.json").read_text("utf-8")) != {}
    assert main(into) == 0
    assert json.loads((tmp_path / "set" / "labels.json").read_text("utf-8")) == {}
    assert "all examples are deleted" in capsys.readouterr().err


def test_neither_photos_nor_examples_is_a_wrong_use(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["read"])
    assert ended.value.code == 2
    assert "at least one photo" in capsys.readouterr().err


def test_a_deleted_game_takes_its_pictures_and_corrected_dice_along(tmp_path):
    journal = Journal(tmp_path / "games")
    game = journal.create()
    journal.close()
    name = kept(tmp_path, game)
    assert main(["games", "--data", str(tmp_path), "delete", game]) == 0
    store = Evidence(SideFile(tmp_path / "evidence.sqlite"))
    assert store.picture(name) is None
    assert store.examples() == ()
    store.close()
