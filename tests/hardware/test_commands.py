"""`dudo wiring` and `doctor`, as a person uses them."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.storage.journal import Journal
from companion.table.folder import DataFolder


@pytest.fixture
def settings(tmp_path):
    file = tmp_path / "companion.toml"
    file.write_text(
        f'[data]\nfolder = "{tmp_path / "data"}"\n[box]\npins = "mock"\n[camera]\nuse = "simulated"\n'
    )
    return file


def add(settings: Path, text: str) -> str:
    settings.write_text(settings.read_text() + text)
    return str(settings)


def test_wiring_prints_and_gives_json(settings, capsys):
    path = add(settings, "[pins]\nring = 14\n")
    assert main(["wiring", "--config", path]) == 0
    assert "GPIO14  light ring" in capsys.readouterr().out
    assert main(["wiring", "--config", path, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["connections"]) == 14


def test_a_wiring_that_cannot_work_is_one_sentence(settings, capsys):
    assert main(["wiring", "--config", add(settings, "[pins]\nring = 17\n")]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("dudo wiring: ")
    assert "GPIO17 is given to button dudo and light ring" in captured.err
    assert not captured.out


def test_doctor_says_what_it_found_and_packs_a_report(settings, tmp_path, capsys):
    data = tmp_path / "data"
    data.mkdir()
    with closing(Journal(data / "games")) as journal:
        journal.create({"token": "abc123", "bid": "5x3"})
    with sqlite3.connect(data / "evidence.sqlite") as evidence:
        evidence.execute("CREATE TABLE pictures (number, id, jpeg)")
        evidence.executemany(
            "INSERT INTO pictures VALUES (?, ?, ?)", [(n, f"p{n}", b"jpeg") for n in range(30)]
        )
    evidence.close()
    report = tmp_path / "report.zip"
    assert main(["doctor", "--config", str(settings), "--bundle", str(report)]) == 0
    out = capsys.readouterr().out
    assert "simulated, because the settings ask for it" in out
    with zipfile.ZipFile(report) as archive:
        assert all(name in out for name in archive.namelist())
        pictures = [name for name in archive.namelist() if name.startswith("pictures/")]
        assert len(pictures) == 20
        assert pictures[0] == "pictures/p29.jpg"
        games_text = archive.read("games.jsonl").decode()
        assert json.loads(archive.read("settings.json"))["box"]["pins"] == "mock"
        assert "machine" in archive.read("findings.txt").decode()
    assert "5x3" in games_text
    assert "abc123" not in games_text


def test_doctor_finds_what_is_bad_and_says_so_by_its_status(settings, capsys):
    assert main(["doctor", "--config", add(settings, "[pins]\nring = 17\n")]) == 1
    assert "BAD  pins" in capsys.readouterr().out


def test_a_report_that_cannot_be_written(settings, capsys):
    assert main(["doctor", "--config", str(settings), "--bundle", "/nowhere/r.zip"]) == 1
    assert "No such file or directory: /nowhere/r.zip" in capsys.readouterr().err


def test_a_companion_at_work_is_named(settings, tmp_path, capsys):
    with DataFolder(tmp_path / "data"):
        assert main(["doctor", "--config", str(settings)]) == 0
        assert "the companion is running" in capsys.readouterr().out
    assert main(["doctor", "--config", str(settings)]) == 0
    assert "the companion is running" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["doctor", "games"])
def test_each_command_takes_a_data_folder(settings, tmp_path, capsys, command):
    other = tmp_path / "other"
    main([command, "--config", str(settings), "--data", str(other)])
    assert "Traceback" not in capsys.readouterr().err
    assert command != "games" or (other / "games").exists()
