"""What is counted of the nets' readings."""

from dataclasses import replace

import cv2
import pytest

from lab.training import figures
from lab.training.figures import Figures
from lab.training.pictures.crops import IGNORED, OTHER
from lab.training.pictures.cutting import square
from vision.learned import net
from vision.learned.classifier import CLASSIFIER_MODEL

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def drawn():
    return next(figures.drawn(1))


def test_a_drawn_picture_is_read_by_both_nets(drawn):
    faces = sum(label.face > OTHER for label in drawn[1])
    for read in (
        figures.of_finder(drawn, net.load()),
        figures.of_classifier(drawn, net.load(), net.load(CLASSIFIER_MODEL)),
    ):
        assert (read.pictures, read.dice) == (1, faces)
        assert 0 < read.right <= read.found <= faces


@pytest.mark.parametrize(
    ("change", "expected", "reason"),
    [
        ({"face": IGNORED}, Figures(1, 0, 0, 0, 0), "nobody should judge these dice"),
        ({"face": OTHER}, Figures(1, 0, 0, 0, 1), "cubes without pips, read as faces with pips"),
        (
            {"centre_px": (-500.0, -500.0), "corners_px": square(-500, -500, 40)},
            Figures(1, 1, 0, 0, 1),
            "the labelled die lies elsewhere: it is missed, and what was found is a stranger",
        ),
    ],
)
def test_what_counts(change, expected, reason, drawn):
    image, labels = drawn
    near = replace(labels[0], **change)  # type: ignore[arg-type]
    others = [replace(label, face=IGNORED) for label in labels[1:]]
    read = figures.of_finder((image, [near, *others]), net.load())
    assert read == expected, reason


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "nowhere has no labels.json: name folders of labelled photographs"),
        (["--model", "none.onnx"], "there is no model none.onnx: train one, or leave --model away"),
    ],
)
def test_what_is_not_there_is_named(words, sentence, capsys):
    with pytest.raises(SystemExit, match="2"):
        figures.main(words)
    assert sentence in capsys.readouterr().err


def test_photographs_of_a_folder_are_counted(tmp_path, drawn, capsys):
    cv2.imwrite(str(tmp_path / "a.png"), drawn[0])
    (tmp_path / "labels.json").write_text('{"a.png": {"dice": []}}')
    assert figures.main([str(tmp_path)]) == 0
    assert "dice: {'pictures': 1, 'dice': 0, 'found': 0, 'right': 0" in capsys.readouterr().out
