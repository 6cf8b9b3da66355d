"""`dudo read` tells the dice and every doubt, loses no photograph, and whatever is wrong is one sentence."""

import json
import os
import shutil
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from hardware.cameras.simulated_dice import LaidTable, laid
from tests.vision.conftest import each_detected_once
from tests.vision.pictures import all_faces, draw
from vision.arrays import Image
from vision.errors import shown

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PHOTO = bytes(cv2.imencode(".jpg", draw(all_faces()))[1])


@pytest.fixture(scope="module", autouse=True)
def one_detection():
    """Names and folders are tried here, with the same picture again and again."""
    with each_detected_once():
        yield


def photos(folder: Path, *names: str) -> list[str]:
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(PHOTO)
    return [str(folder / name) for name in names]


@pytest.mark.parametrize(
    ("read", "out", "written", "reason"),
    [
        (["a/x.jpg"], "out", ["x-seen"], "a folder of their own"),
        (["a/x.jpg"], "a", ["x-seen"], "the photograph's own"),
        (["a/x.jpg", "b/x.jpg"], "out", ["x-seen", "x-seen-2"], "equal names in two folders"),
        (["a/x.jpg", "b/X.jpg"], "out", ["x-seen", "X-seen-2"], "memory cards take small and large for one"),
        (["a/x.jpg"] * 2, "a", ["x-seen", "x-seen-2"], "one photograph twice"),
        (["a/x.jpg", "a/x-seen.jpg"], "a", ["x-seen-2", "x-seen-seen"], "what was written before is read"),
    ],
)
def test_no_photograph_is_overwritten(read, out, written, reason, tmp_path):
    paths = photos(tmp_path, *read)
    assert main(["read", "--reader", "pips", "--annotate", str(tmp_path / out), *paths]) == 0
    assert all(Path(path).read_bytes() == PHOTO for path in paths), reason
    found = {path.name for path in (tmp_path / out).iterdir() if str(path) not in paths}
    assert {f"{name}.jpg" for name in written} == found, reason


@pytest.mark.parametrize(
    ("folder", "words", "reason"),
    [
        ("/proc", "cannot be written", "nobody can write there"),
        ("/proc/dice", "cannot be made", "nor make a folder"),
        ("file", "cannot be made (File exists)", "a file in place of the folder"),
        ("file/x", "cannot be made (Not a directory)", "or above it"),
        ("locked", "cannot be written", "no rights to write"),
    ],
)
def test_a_folder_that_cannot_be_written_is_reported(folder, words, reason, tmp_path, capfd):
    (tmp_path / "file").touch()
    (tmp_path / "locked").mkdir(mode=0o500)
    if folder == "locked" and os.access(tmp_path / "locked", os.W_OK):
        pytest.skip("who runs this may write anywhere")
    options = ["--reader", "pips", "--annotate", str(tmp_path / folder)]
    assert main(["read", *options, *photos(tmp_path, "x.jpg")]) == 1
    output = capfd.readouterr().err
    assert words in output, reason
    assert output.startswith("dudo read: ")
    assert output.endswith(": name another folder, or make room.\n")
    assert output.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "out", "err", "status", "reason"),
    [
        ([], "b\\xff.jpg: 6 dice", "", 0, "the table"),
        (["--json"], '{"file": "b\\\\xff.jpg"', "", 0, "JSON: an escape of its own before the backslash"),
        (["--annotate", "out"], "b\\xff.jpg: 6 dice", "", 0, "a picture of that name"),
        (["--annotate", "x\udcff"], "b\\xff.jpg: 6 dice", "", 0, "a folder of that name"),
        (["--annotate", "b\udcff.jpg"], "", "dudo read: b\\xff.jpg cannot be made", 1, "in an error line"),
        (["no\udcff.jpg"], "b\\xff.jpg: 6 dice", "dudo read: no\\xff.jpg does not exist", 1, "not there"),
        (["--json", "no\udcff.jpg"], '"error": "no\\\\xff.jpg does not', "", 1, "not there, as JSON"),
    ],
)
def test_names_that_are_no_text_are_printed_escaped(
    arguments, out, err, status, reason, tmp_path, monkeypatch
):
    (tmp_path / "b\udcff.jpg").write_bytes(PHOTO)
    words = ["read", "--reader", "pips", *arguments, "b\udcff.jpg"]
    done = dudo_here(words, tmp_path, monkeypatch, "ascii")
    assert (done.returncode, out in done.stdout, err in done.stderr) == (status, True, True), reason
    assert "Traceback" not in done.stderr
    if "--json" in arguments:
        assert json.loads(done.stdout.splitlines()[-1])["file"] == "b\\xff.jpg"


@pytest.mark.parametrize("command", [["read"], ["judge", "--dice", "6", "--bid", "1x1"]])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_loop_of_links_costs_its_own_line_alone(command, form, tmp_path, monkeypatch):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "a.jpg").write_bytes(PHOTO)
    done = dudo_here([*command, *form, "loop", "loop/x.jpg", "a.jpg"], tmp_path, monkeypatch)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "loop cannot be opened (Too many levels of symbolic links)" in done.stdout + done.stderr
    assert "a.jpg" in done.stdout, "what can be read is read all the same"


@pytest.mark.parametrize("command", [["read"], ["judge", "--dice", "6", "--bid", "1x1"]])
def test_no_name_steers_the_terminal(command, tmp_path):
    name = "a\x1b]0;title\x07\x9b31m\nb: 6 dice, certain\r.jpg"
    (tmp_path / name).write_bytes(PHOTO)
    done = dudo([*command, name, name + "?"], tmp_path)
    assert done.returncode == 1
    assert "a\\x1b]0;title\\x07\\x9b31m\\nb: 6 dice, certain\\r.jpg:" in done.stdout
    assert all(letter.isprintable() or letter == "\n" for letter in done.stdout + done.stderr)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("name", "text"), [("ö.jpg", "ö.jpg"), ("b\udcff\udc80.jpg", "b\\xff\\x80.jpg")])
def test_names_that_are_text_stay(name, text):
    assert shown(Path("a") / name) == f"a/{text}"


@pytest.fixture
def house(tmp_path):
    """The project with models of its own, to be spoilt."""
    for room in ("companion", "hardware", "web"):
        (tmp_path / room).symlink_to(ROOT / room)
    (tmp_path / "vision").mkdir()
    for part in (ROOT / "vision").iterdir():
        if part.name not in ("models", "__pycache__"):
            (tmp_path / "vision" / part.name).symlink_to(part)
    shutil.copytree(ROOT / "vision" / "models", tmp_path / "vision" / "models")
    shutil.copy(ROOT / "docs" / "dice.jpg", tmp_path)
    (tmp_path / "settings.toml").write_text('[camera]\nuse = "simulated"\n[box]\npins = "mock"\n')
    return tmp_path


COMMANDS = {
    "read": ["read", "dice.jpg"],
    "doctor": ["doctor", "--config", "settings.toml"],
}


ONE_AFTER_THE_OTHER = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from companion.__main__ import main

def done(words):
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        status = main(words)
    return status, output.getvalue()

print(json.dumps({name: done(words) for name, words in json.loads(sys.argv[1]).items()}))
"""


@pytest.mark.parametrize(
    ("model", "left", "words", "reason"),
    [
        ("dice.*", 0.0, "the model dice.onnx can't be used", "missing"),
        ("dice.*", 0.5, "the model dice.onnx can't be used", "cut short"),
        ("classifier.*", 0.5, "the model classifier.onnx can't be used", "one that waits for dice"),
        ("fits.toml", 0.5, "the models can't be used (", "cut short: no colours"),
    ],
)
def test_a_missing_or_damaged_model_is_a_sentence(model, left, words, reason, house):
    """By each command; a process of its own for each would take three times as long."""
    for path in (house / "vision" / "models").glob(model):
        whole = path.read_bytes()
        path.write_bytes(whole[: int(left * len(whole))]) if left else path.unlink()
    done = python(["-c", ONE_AFTER_THE_OTHER, json.dumps(COMMANDS)], house)
    assert done.returncode == 0, done.stderr
    outputs = json.loads(done.stdout.splitlines()[-1])
    assert outputs.keys() == COMMANDS.keys()
    for command, (status, output) in outputs.items():
        assert status == 1, (command, reason)
        assert "Traceback" not in output + done.stderr, (command, reason)
        assert words in output, (command, reason)
        assert "install the project again" in output, (command, reason)


def test_the_doctor_finds_nothing_wrong_with_the_models(house):
    assert "ok   reading    pictures can be read" in dudo(COMMANDS["doctor"], house).stdout


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("²", "a digit that is no decimal one"),
        ("-1", "below zero"),
        ("9" * 5000, "endless"),
        ("two", "a word"),
    ],
)
def test_a_number_of_dice_that_is_none_is_wrong_use(number, reason, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["read", f"--expect={number}", "x.jpg"])
    assert stop.value.code == 2, reason
    assert "is not a number of dice: give 0 to 9999" in capsys.readouterr().err, reason


def dudo_here(
    arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    """`dudo` within this process, its output as if it had one of its own: an interpreter costs a second."""
    out, err = BytesIO(), BytesIO()
    with monkeypatch.context() as process:
        process.chdir(folder)
        process.setenv("DUDO_DATA_FOLDER", str(folder))
        process.setattr(sys, "stdout", TextIOWrapper(out, name, "strict", write_through=True))
        process.setattr(sys, "stderr", TextIOWrapper(err, name, "backslashreplace", write_through=True))
        status = main(arguments)
        return subprocess.CompletedProcess(
            arguments, status, out.getvalue().decode(), err.getvalue().decode()
        )


def dudo(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """`dudo` as a process of its own in a folder, with the project that lies there or else this one."""
    return python(["-m", "companion", *arguments], folder)


def python(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    home = folder if (folder / "companion").exists() else ROOT
    env = {**os.environ, "PYTHONPATH": str(home), "DUDO_DATA_FOLDER": str(folder)}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)


@pytest.fixture(scope="module")
def picture():
    return laid([(face, "ivory") for face in (3, 4, 5, 6)], 42)


def whole(picture: LaidTable) -> Image:
    return picture.image_bgr


def cut(picture: LaidTable) -> Image:
    """The border runs through the three, beside its pips."""
    three = next(die for die in picture.dice if die.face == 3)
    return np.ascontiguousarray(picture.image_bgr[:, round(three.x_px - 0.3 * three.size_px) :])


def dark(picture: LaidTable) -> Image:
    return np.asarray(picture.image_bgr // 20, np.uint8)


@pytest.mark.parametrize(
    ("reason", "view", "first", "doubts"),
    [
        ("nothing to doubt", whole, "4 dice, certain", []),
        (
            "a die is cut by the border",
            cut,
            "4 dice, not certain",
            [],
        ),
        ("the whole picture is doubtful", dark, "not certain", ["  ? It is too dark."]),
    ],
)
def test_people_read_sentences(reason, view, first, doubts, picture, tmp_path, capsys):
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), view(picture))
    assert main(["read", str(file)]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert first in head, reason
    assert [line for line in lines if line.startswith("  ? ")] == doubts, reason
    assert "_" not in "".join(lines), "no key stands where a sentence should"
