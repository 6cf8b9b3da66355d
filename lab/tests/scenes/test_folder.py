"""`python -m lab.scenes` writes labelled pictures, or says in a sentence why not."""

import json
from contextlib import nullcontext

import cv2
import pytest

from lab.scenes import SceneError, render, throw
from lab.scenes.__main__ import main
from lab.scenes.folder import label, write
from lab.scenes.render import SMALLEST_PX


def test_pictures_and_labels_go_together(tmp_path, capsys):
    size = ["--width", "320", "--height", "240"]
    assert main(["--out", str(tmp_path / "a"), "--count", "3", "--dice", "2-4", "--seed", "5", *size]) == 0
    assert "3/3" in capsys.readouterr().out
    labels = json.loads((tmp_path / "a" / "labels.json").read_text())
    assert len(labels) == 3
    for name, entry in labels.items():
        assert cv2.imread(str(tmp_path / "a" / name)).shape == (240, 320, 3)
        assert 2 <= len(entry["dice"]) <= 4
        for die in entry["dice"]:
            assert die["face"] in range(1, 7)
            assert -0.2 < die["x"] < 1.2
            assert 0 < die["size"] < 0.5


def test_positions_are_shares_of_the_pictures_sides():
    scene = throw(4, [2, 5])
    picture = render(scene, 640)
    first = label(scene, picture)["dice"][0]
    assert first["x"] * 640 == pytest.approx(picture.truth[0].x_px, abs=0.1)
    assert first["y"] * 480 == pytest.approx(picture.truth[0].y_px, abs=0.1)


@pytest.mark.parametrize(
    ("argument", "words", "reason"),
    [
        ("--count=0", "from 1 to 1000000", "no picture at all"),
        ("--count=²", "'²' is not a number of pictures", "a digit that is no decimal one"),
        ("--count=ten", "'ten' is not a number of pictures", "a word"),
        ("--seed=-1", "'-1' is not a seed: give a whole number from 0", "below zero"),
        ("--seed=²", "'²' is not a seed", "a digit that is no decimal one"),
        (f"--seed={'9' * 5000}", "is not a seed", "more digits than Python makes a number of"),
        ("--difficulty=mad", "'mad' (choose from", "no such difficulty"),
        ("--style=mad", "'mad' (choose from", "no such style"),
        ("--dice=9-3", "lowest first", "the highest first"),
        ("--dice=50-61", "within 0 to 60", "more than a scene holds"),
        ("--dice=many", "write it as 5-10", "a word"),
        ("--dice=3-", "write it as 5-10", "half a range"),
        ("--dice=-4", "write it as 5-10", "the other half"),
        ("--dice=1000", "within 0 to 60", "far too many"),
        ("--width=5", "from 32 to 6000", "too small"),
        ("--width=99999", "from 32 to 6000", "too large"),
        ("--height=31", "from 32 to 6000", "a little too small"),
        ("--height=1e3", "'1e3' is not a number of pixels", "no whole number"),
    ],
)
def test_wrong_use_is_reported_and_nothing_is_written(argument, words, reason, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--out", str(tmp_path / "x"), argument])
    assert stop.value.code == 2, reason
    assert words in capsys.readouterr().err, reason
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(("side_px", "fits"), [(31, False), (32, True), (6000, True), (6001, False)])
def test_the_sizes_are_those_that_are_drawn(side_px, fits):
    empty = throw(1, ())
    with nullcontext() if fits else pytest.raises(SceneError, match="32 to 6000 pixels"):
        render(empty, side_px, SMALLEST_PX)


@pytest.mark.parametrize(
    ("wrong", "words", "reason"),
    [
        ({"count": 0}, "1 or more", "no picture"),
        ({"width_px": 5}, "32 to 6000 pixels", "too small"),
        ({"height_px": 99_999}, "32 to 6000 pixels", "too large: dice would fit"),
        ({"style": "mad"}, "choose any", "no such style"),
        ({"dice": (60, 60), "width_px": 6000, "height_px": 32}, "do not fit", "no room on a strip"),
    ],
)
def test_what_cannot_be_drawn_leaves_no_folder(wrong, words, reason, tmp_path):
    with pytest.raises(SceneError, match=words):
        write(tmp_path / "x", **{"count": 1, **wrong})
    assert not (tmp_path / "x").exists(), reason


def test_labels_that_are_there_are_not_overwritten(tmp_path, capsys):
    (tmp_path / "labels.json").write_text("{}")
    assert main(["--out", str(tmp_path)]) == 1
    assert "labels already" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["--out", str(tmp_path / "file" / "x")]) == 1
    assert "file/x" in capsys.readouterr().err
