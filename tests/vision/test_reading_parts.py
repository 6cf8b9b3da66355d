"""The contract, the pictures drawn for people, and what is left over."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Drawn, draw
from vision.annotate import annotate
from vision.contract import to_json
from vision.read import WAYS, get_ready, read
from vision.values import Die, Doubt, Pip, Reading

DIE = Die(5, 100.0, 60.0, 40.0, 30.0, 0.99, False, "red", (Pip(100.0, 60.0, 4.0),), (2,), ("ways_differ",))
READING = Reading(400, 200, (DIE,), False, (Doubt("die_like", 20.0, 50.0, 40.0), Doubt("count")))


@pytest.mark.parametrize("reader", WAYS)
def test_every_way_of_reading_can_get_ready(reader):
    get_ready(reader)


def test_no_other_way_can():
    with pytest.raises(ValueError, match="reader must be one of pips, net, both"):
        get_ready("guess")


def test_the_contract_gives_fractions_of_width_and_height():
    data = json.loads(json.dumps(to_json(READING, "a.jpg", {"decode": 1.23, "read": 4.56})))
    (die,) = data["dice"]
    assert (data["file"], data["width"], data["height"], data["certain"]) == ("a.jpg", 400, 200, False)
    assert (die["x"], die["y"], die["size"]) == (0.25, 0.3, 0.1)
    assert die["pips"] == [[0.25, 0.3, 0.01]]
    assert (die["face"], die["others"], die["why"]) == (5, [2], ["ways_differ"])
    assert data["counts"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 1, "6": 0}
    assert data["doubts"] == [{"key": "die_like", "x": 0.05, "y": 0.25, "size": 0.1}, {"key": "count"}]
    assert data["ms"] == {"decode": 1.2, "read": 4.6}


def test_annotating_leaves_the_picture_alone_and_marks_each_place():
    picture = np.full((200, 400, 3), 120, np.uint8)
    drawn = annotate(picture, READING)
    assert (picture == 120).all()
    for x, y in ((80, 60), (20, 30)):
        assert (drawn[y - 8 : y + 8, max(0, x - 8) : x + 8] != 120).any()


@pytest.mark.parametrize("turn_deg", [0.0, 30.0])
@pytest.mark.parametrize("side_px", [24.0, 60.0, 200.0])
def test_a_certain_die_has_a_whole_line_and_a_doubtful_one_a_broken_one(side_px, turn_deg):
    def share_drawn(certain: bool) -> float:
        die = replace(DIE, x_px=200, y_px=200, size_px=side_px, angle_deg=turn_deg, certain=certain, pips=())
        drawn = annotate(np.zeros((400, 400, 3), np.uint8), Reading(400, 400, (die,), certain))
        corners = cv2.boxPoints(((200, 200), (side_px, side_px), turn_deg))
        border = np.concatenate([np.linspace(corners[k], corners[k - 1], 200) for k in range(4)])
        x, y = np.rint(border).astype(int).T
        return float((drawn[y, x] > 0).any(axis=1).mean())

    assert share_drawn(True) > 0.97
    assert 0.4 < share_drawn(False) < 0.9


def test_cost_is_bounded_on_a_cloth_of_dots():
    picture = np.full((480, 640, 3), 200, np.uint8)
    for y in range(8, 480, 12):
        for x in range(8, 640, 12):
            cv2.circle(picture, (x, y), 3, (20, 20, 20), -1, cv2.LINE_AA)
    assert not read(picture).dice


def test_a_cut_die_is_not_certain():
    (die,) = read(draw([Drawn(5, 611, 240, 70)]), reader="pips").dice
    assert not die.certain
    assert "cut_off" in die.why
