"""`dudo render` writes labelled pictures, or says in a sentence why not."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.__main__ import main
from vision.scenes import render, throw
from vision.scenes.folder import label


def test_pictures_and_labels_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = ["--width", "320", "--height", "240"]
    assert (
        main(["render", "--out", str(tmp_path / "a"), "--count", "3", "--dice", "2-4", "--seed", "5", *size])
        == 0
    )
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


def test_positions_are_shares_of_the_pictures_sides() -> None:
    scene = throw(4, [2, 5])
    picture = render(scene, 640)
    first = label(scene, picture)["dice"][0]
    assert first["x"] * 640 == pytest.approx(picture.truth[0].x_px, abs=0.1)
    assert first["y"] * 480 == pytest.approx(picture.truth[0].y_px, abs=0.1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--count", "0"], "1 or more"),
        (["--difficulty", "mad"], "difficulty"),
        (["--style", "mad"], "style"),
        (["--dice", "9-3"], "range"),
        (["--width", "9"], "pixels"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "--out", str(tmp_path / "x"), *arguments]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith("dudo render: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("dice", ["many", "3-", "-4", "1000"])
def test_a_range_that_is_none_is_wrong_use(dice: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["render", "--out", str(tmp_path), f"--dice={dice}"])
    assert stop.value.code == 2


def test_labels_that_are_there_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.json").write_text("{}")
    assert main(["render", "--out", str(tmp_path)]) == 1
    assert "labels already" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["render", "--out", str(tmp_path / "file" / "x")]) == 1
    assert "file/x" in capsys.readouterr().err
