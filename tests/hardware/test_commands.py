"""`dudo wiring`, `calibrate`, `doctor` and `hardware-test`, as a person uses them."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.__main__ import main
from companion.app.system.log import masked
from companion.cli import hardware_test
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


def test_wiring_prints_draws_and_gives_json(settings, tmp_path, capsys):
    svg = tmp_path / "mine.svg"
    path = add(settings, "[pins]\nring = 14\n")
    assert (
        main(["wiring", "--config", path, "--svg", str(svg), "--breadboard", str(tmp_path / "board.svg")])
        == 0
    )
    assert "GPIO14  light ring" in capsys.readouterr().out
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert main(["wiring", "--config", path, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["connections"]) == 14


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ("ring = 17", "GPIO17 is given to button dudo and light ring"),
        ("ring = 1", "GPIO1 (light ring) is reserved"),
        ("fan = 1", "[pins] has no fan"),
    ],
)
@pytest.mark.parametrize("command", ["wiring", "hardware-test"])
def test_a_wiring_that_cannot_work_is_one_sentence(settings, capsys, command, pins, words):
    assert main([command, "--config", add(settings, f"[pins]\n{pins}\n")]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"dudo {command}: ")
    assert words in captured.err
    assert not captured.out


def test_a_drawing_that_cannot_be_written(settings, capsys):
    assert main(["wiring", "--config", str(settings), "--svg", "/nowhere/at/all.svg"]) == 1
    assert "/nowhere/at/all.svg" in capsys.readouterr().err


def test_the_plan(capsys):
    assert main(["calibrate", "--plan", "--height", "300", "--camera", "module3"]) == 0
    assert "from 300 mm: sees 390 x 224 mm, dice 100 pixels" in capsys.readouterr().out
    assert main(["calibrate", "--plan", "--camera", "kodak"]) == 2
    assert "There is no camera called kodak; there are module3" in capsys.readouterr().err


def test_a_calibration_is_said_and_kept(settings, tmp_path, capsys):
    assert main(["calibrate", "--config", str(settings)]) == 0
    out = capsys.readouterr().out
    kept = json.loads((tmp_path / "data" / "calibration.json").read_text())
    assert f"Dice are {kept['die_px']:.0f} pixels wide." in out
    assert kept["camera"] == "simulated table"


def test_a_calibration_without_a_picture(settings, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("DUDO_CAMERA_USE", f"folder:{tmp_path / 'none'}")
    assert main(["calibrate", "--config", str(settings)]) == 1
    assert capsys.readouterr().err.startswith("dudo calibrate: There is no folder")


@pytest.mark.parametrize("height", ["high", "0", "-3", "99999", "nan"])
def test_a_height_that_is_none_is_wrong_use(height, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["calibrate", "--plan", f"--height={height}"])
    assert stopped.value.code == 2
    assert "--height" in capsys.readouterr().err


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
    assert "/nowhere/r.zip cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ('{"host_token": "s3cret", "bid": "5x3"}', "s3cret"),
        ("password = 'open sesame'", "open sesame"),
        ("wifi_psk=12345678;", "12345678"),
        ("Authorization: abcdef", "abcdef"),
        ('{\\"token\\": \\"s3cret\\"}', "s3cret"),
        ("listening on 192.168.1.17:8000", "192.168.1.17"),
        ("wlan0 dc:a6:32:01:02:03 up", "dc:a6:32:01:02:03"),
        ("/home/somebody/dudo/log", "somebody"),
        ('"url": "https://hooks.example/T0/s3cret"', "s3cret"),
    ],
)
def test_secrets_and_addresses_are_masked(text, hidden):
    assert hidden not in masked(text)


@pytest.mark.parametrize(
    "text", ["bid 5x3 by Ana at 21:07:33", "numpy 2.4.6 from /usr/lib", '"password_file": "/etc/x"']
)
def test_what_is_no_secret_stays(text):
    assert masked(text).split()[:2] == text.split()[:2]


def test_the_pixels_of_a_strip_are_tried_as_lamps(settings, capsys, monkeypatch):
    monkeypatch.setenv("DUDO_BOX_STRIP", "4")
    assert main(["hardware-test", "--config", str(settings), "--no-questions"]) == 0
    output = capsys.readouterr().out
    assert "lamp of seat 3: tried" in output
    assert "lamp of seat 4" not in output


def test_the_hardware_is_tried_without_questions(settings, capsys):
    assert main(["hardware-test", "--config", str(settings), "--no-questions"]) == 0
    out = capsys.readouterr().out
    for words in (
        "status red: tried",
        "lamp of seat 6: tried",
        "button ok: pressed",
        "sharpness",
        "Everything works.",
    ):
        assert words in out


def test_answers_say_what_failed(settings, capsys, monkeypatch):
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "n" if "seat 2" in question or "buzzer" in question else ""

    monkeypatch.setattr(hardware_test, "_ask", ask)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    assert main(["hardware-test", "--config", str(settings)]) == 1
    assert "Failed: lamp of seat 2, buzzer." in capsys.readouterr().out
    assert len(asked) == 11


def test_a_camera_that_fails_is_said(settings, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("DUDO_CAMERA_USE", f"folder:{tmp_path / 'none'}")
    assert main(["hardware-test", "--config", str(settings), "--no-questions"]) == 1
    out = capsys.readouterr().out
    assert "There is no folder" in out
    assert "Failed: camera." in out


def test_a_companion_at_work_keeps_its_pins_and_camera(settings, tmp_path, capsys, monkeypatch):
    with DataFolder(tmp_path / "data"):
        assert main(["doctor", "--config", str(settings)]) == 0
        assert "the companion is running" in capsys.readouterr().out
        monkeypatch.setenv("DUDO_BOX_PINS", "auto")
        assert main(["hardware-test", "--config", str(settings), "--no-questions"]) == 1
        assert "use its page http://localhost:8000/hardware-test, or stop it" in capsys.readouterr().err
        monkeypatch.setenv("DUDO_CAMERA_USE", "usb:7")
        assert main(["calibrate", "--config", str(settings)]) == 1
        assert "use its page http://localhost:8000/calibrate, or stop it" in capsys.readouterr().err
    monkeypatch.delenv("DUDO_CAMERA_USE")
    assert main(["doctor", "--config", str(settings)]) == 0
    assert "the companion is running" not in capsys.readouterr().out


@pytest.mark.parametrize("command", [["doctor"], ["hardware-test", "--no-questions"], ["games"]])
def test_each_command_takes_a_data_folder(settings, tmp_path, capsys, command):
    other = tmp_path / "other"
    name, *more = command
    main([name, "--config", str(settings), "--data", str(other), *more])
    assert "Traceback" not in capsys.readouterr().err
    assert name != "games" or (other / "games").exists()
