"""A slanting view is read as if from above; its dice are told where they lie in the picture as it came."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pictures import all_faces, draw
from vision.arrays import Image
from vision.counting.straight import Straight, straightened
from vision.counting.view import squeeze
from vision.counting.way import found_in
from vision.read import read
from vision.stages import write_stages
from vision.values import Die, Pip

pytestmark = pytest.mark.slow


def aslant(left: float, turn_deg: float) -> tuple[Image, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """All six faces, of whose lengths a view along `turn_deg` leaves `left`; and the middles of the dice."""
    dice = all_faces()
    turn = np.radians(turn_deg)
    along = np.array([np.cos(turn), np.sin(turn)])
    flat = np.eye(2) - (1 - left) * np.outer(along, along)
    warp = np.column_stack([flat, np.array([320, 240]) - flat @ [320, 240]])
    picture = draw(dice)
    ground = tuple(float(v) for v in np.median(picture.reshape(-1, 3), axis=0))
    seen = cv2.warpAffine(picture, warp, (640, 480), flags=cv2.INTER_AREA, borderValue=ground)
    middles = np.array([[d.x_px, d.y_px] for d in dice]) @ flat.T + warp[:, 2]
    return np.asarray(seen, np.uint8), middles


@pytest.mark.parametrize("turn_deg", [0, 30, 90, 135])
@pytest.mark.parametrize("left", [0.82, 0.7])
def test_slanting_dice_are_read_where_they_lie(left: float, turn_deg: float) -> None:
    picture, middles = aslant(left, turn_deg)
    reading = read(picture, reader="pips")
    for face, (x, y) in enumerate(middles, start=1):
        (die,) = [d for d in reading.dice if np.hypot(d.x_px - x, d.y_px - y) < 8]
        assert die.face == face
        assert all(np.hypot(p.x_px - x, p.y_px - y) < 40 for p in die.pips), "its pips lie on it"
        assert die.size_px == pytest.approx(60 * np.sqrt(left), rel=0.15)
    assert {"slanting"} <= {d.key for d in reading.doubts}, "the box is to be held level all the same"


def test_the_stages_of_a_slanting_view_are_drawn_both_ways(tmp_path: Path) -> None:
    picture, _ = aslant(0.75, 30)
    names = [path.name for path in write_stages(picture, tmp_path, "dice")]
    stages = ("1-spots", "2-pips", "3-faces", "4-bodies", "5-dice")
    assert names == [f"dice-{way}{stage}.jpg" for way in ("", "straight-") for stage in stages]
    first, second = (cv2.imread(str(tmp_path / names[k])).shape for k in (0, len(stages)))
    assert first != second, "the straightened picture has another shape"


def test_a_large_picture_is_straightened_small() -> None:
    picture, middles = aslant(0.75, 40)
    large = np.asarray(cv2.resize(picture, None, fx=5, fy=5, interpolation=cv2.INTER_CUBIC), np.uint8)
    view = straightened(large, found_in(large)[1])
    assert view is not None
    assert max(view.image_bgr.shape) < 2000
    dice = sorted(read(large, reader="pips").dice, key=lambda die: die.face)
    assert [die.face for die in dice] == [1, 2, 3, 4, 5, 6]
    assert np.array([[d.x_px, d.y_px] for d in dice]) == pytest.approx(5 * middles, abs=25)


@pytest.mark.parametrize("turn_deg", [0, 40, 110])
def test_stretching_makes_squares_of_squares(turn_deg: float) -> None:
    picture, _ = aslant(0.75, turn_deg)
    _, found = found_in(picture)
    view = straightened(picture, found)
    assert view is not None
    square = (found.faces.face == 4) | (found.faces.face == 5)
    row, column = (side[square] @ view.warp[:, :2].T for side in (found.faces.row_px, found.faces.column_px))
    assert squeeze(row, column)[0] == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize(
    ("left", "faces", "reason"),
    [
        (1.0, range(1, 7), "seen from above"),
        (0.93, range(1, 7), "hardly aslant: stretching would only blur"),
        (0.75, (1, 2, 3, 6), "no four or five to tell by how much"),
        (0.75, (), "no dice"),
    ],
)
def test_other_views_stay_as_they_are(left: float, faces: tuple[int, ...], reason: str) -> None:
    picture = draw([die for die in all_faces() if die.face in faces])
    seen = np.asarray(cv2.resize(picture, None, fx=1, fy=left, interpolation=cv2.INTER_AREA), np.uint8)
    assert straightened(seen, found_in(seen)[1]) is None, reason


def test_what_lies_beyond_the_border_of_the_picture_is_left_out() -> None:
    warp = np.array([[1.0, 0.0, 0.0], [0.5, 2.0, 10.0]])
    view = Straight(np.zeros((200, 100, 3), np.uint8), warp, 100, 60)
    inside, beyond = (_die(*(warp[:, :2] @ place + warp[:, 2])) for place in ((40, 30), (40, -5)))
    (home,) = view.dice_home([inside, beyond])
    assert (home.x_px, home.y_px) == pytest.approx((40, 30))
    assert (home.pips[0].x_px, home.pips[0].y_px) == pytest.approx((40, 30))
    assert (home.size_px, home.pips[0].radius_px) == pytest.approx((20 / np.sqrt(2), 3 / np.sqrt(2)))
    assert home.angle_deg == pytest.approx(np.degrees(np.arctan2(-0.25, 1)) % 90)


def _die(x_px: float, y_px: float) -> Die:
    return Die(1, x_px, y_px, 20.0, 0.0, 0.9, False, "red", (Pip(x_px, y_px, 3.0),))
