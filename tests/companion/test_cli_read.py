"""What `dudo read` tells people of a photograph: the dice, and every doubt as a sentence."""

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from hardware.cameras.simulated_dice import LaidTable, laid
from vision.arrays import Image


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
