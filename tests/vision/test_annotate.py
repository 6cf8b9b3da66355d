"""What is drawn for people on a picture: each die, and words that hide neither one another nor a die."""

from dataclasses import astuple

import cv2
import numpy as np
import pytest

from vision.annotate import Box, Labels, about, annotate, shared
from vision.values import Die, Doubt, Reading

RED, SIZE = (0, 0, 255), (1000, 800)


def written(things: list[Box], text: str = "5?", size: tuple[int, int] = SIZE) -> list[Box]:
    """Where the words of each thing were put, in a picture of a size (width, height)."""
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    labels = Labels(picture, things)
    for thing in things:
        labels.write(text, thing, RED, 0.6, 1)
    return labels._taken[len(things) :]


@pytest.mark.parametrize(
    "things",
    [
        pytest.param([about(300, 200, 20)], id="alone"),
        pytest.param([about(380 + 41 * k, 400, 20) for k in range(6)], id="a row that touches"),
        pytest.param(
            [about(460 + 41 * k, 360 + 41 * j, 20) for k in range(3) for j in range(3)], id="packed"
        ),
        pytest.param([about(500, 400, 20)] * 6, id="six of one place"),
        pytest.param([about(22, 22, 20), about(978, 778, 20), about(978, 22, 20)], id="in the corners"),
    ],
)
def test_labels_keep_clear_of_things_and_of_one_another(things):
    places = written(things)
    words, all_boxes = (np.array([astuple(box) for box in boxes]) for boxes in (places, [*places, *things]))
    hidden = shared(words, all_boxes)
    assert (hidden - np.eye(*hidden.shape) * hidden < 0.01 * hidden[0, 0]).all()
    assert all(min(p.left, p.top) >= 0 and p.right < 1000 and p.bottom < 800 for p in places)


def test_a_label_stands_above_its_thing_where_that_is_free():
    (place,) = written([about(300, 200, 20)])
    assert place.bottom == pytest.approx(180, abs=1)
    assert place.middle[0] == pytest.approx(300, abs=1)


def test_a_picture_smaller_than_its_words_is_written_on_all_the_same():
    (place,) = written([about(10, 10, 8)], "a long reason", size=(20, 20))
    assert (place.left, place.top) == (0, 0)


def die(x_px: float, y_px: float, size_px: float, angle_deg: float = 30, certain: bool = False) -> Die:
    return Die(5, x_px, y_px, size_px, angle_deg, 0.99, certain, "red", ())


def test_annotating_leaves_the_picture_alone_and_marks_each_place():
    picture = np.full((200, 400, 3), 120, np.uint8)
    drawn = annotate(picture, Reading(400, 200, (die(100, 60, 40),), False, (Doubt("die_like", 20, 50, 40),)))
    assert (picture == 120).all()
    for x, y in ((80, 60), (20, 30)):
        assert (drawn[y - 8 : y + 8, max(0, x - 8) : x + 8] != 120).any()


@pytest.mark.parametrize("turn_deg", [0.0, 30.0])
@pytest.mark.parametrize("side_px", [24.0, 60.0, 200.0])
def test_a_certain_die_has_a_whole_line_and_a_doubtful_one_a_broken_one(side_px, turn_deg):
    def share_drawn(certain: bool) -> float:
        shown = die(200, 200, side_px, turn_deg, certain)
        drawn = annotate(np.zeros((400, 400, 3), np.uint8), Reading(400, 400, (shown,), certain))
        corners = cv2.boxPoints(((200, 200), (side_px, side_px), turn_deg))
        border = np.concatenate([np.linspace(corners[k], corners[k - 1], 200) for k in range(4)])
        x, y = np.rint(border).astype(int).T
        return float((drawn[y, x] > 0).any(axis=1).mean())

    assert share_drawn(True) > 0.97
    assert 0.4 < share_drawn(False) < 0.9
