"""From a picture to a reading: what must hold of drawn dice whatever the picture."""

import itertools
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.pictures import INK, IVORY, Colour, Drawn, Image, all_faces, draw
from vision.read import WAYS, get_ready, read
from vision.values import Reading

pytestmark = pytest.mark.slow

FACES = [1, 2, 3, 4, 5, 6]


def faces_of(reading: Reading) -> list[int]:
    return sorted(die.face for die in reading.dice)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "ivory and ink"),
        ({"body": (40, 40, 40), "ink": (235, 235, 235)}, "black with white pips"),
        ({"body": (40, 30, 190), "ink": (240, 240, 240)}, "red with white pips"),
        ({"body": (235, 235, 235), "ink": (40, 30, 200)}, "white with red pips"),
        ({"body": (180, 90, 20), "ink": (240, 240, 240)}, "blue with white pips"),
        ({"body": (30, 200, 240), "ink": (20, 20, 20)}, "yellow with black pips"),
        ({"side_px": 34.0}, "small"),
        ({"side_px": 110.0}, "large"),
        ({"pip": 0.07}, "small pips"),
        ({"pip": 0.12}, "large pips"),
        ({"spacing": 0.21}, "close-set pips"),
        ({"spacing": 0.28}, "pips set wide"),
        ({"narrow": 0.6}, "a narrow six"),
    ],
)
def test_all_faces_of_all_makes(changes, reason):
    assert faces_of(read(draw(all_faces(**changes)), reader="pips")) == FACES, reason


@pytest.mark.parametrize("turn", [0, 17, 30, 45, 60, 83])
def test_place_size_and_turn_are_right(turn):
    (die,) = read(draw([Drawn(5, 300, 200, 80, turn)]), reader="pips").dice
    assert (die.x_px, die.y_px) == pytest.approx((300, 200), abs=2)
    assert die.size_px == pytest.approx(80, rel=0.15)
    off = abs(die.angle_deg - turn % 90)
    assert min(off, 90 - off) < 5
    assert len(die.pips) == 5


@pytest.mark.parametrize("turn", [0, 17, 45, 83])
def test_a_two_along_a_side_is_a_two_and_lies_as_its_body_does(turn):
    others = [Drawn(5, 120, 120, 80), Drawn(4, 500, 120, 80), Drawn(6, 500, 380, 80)]
    two = Drawn(2, 300, 260, 80, turn, pip=0.11, along_side=True)
    (die,) = [die for die in read(draw([two, *others])).dice if abs(die.x_px - 300) < 20]
    off = abs(die.angle_deg - turn % 90)
    assert (die.face, set(die.why)) == (2, set())
    assert min(off, 90 - off) < 9  # bodies are tried at turns eight degrees apart
    assert die.size_px == pytest.approx(80, rel=0.15)


def aslant(high: float) -> Image:
    return np.asarray(cv2.resize(draw(all_faces()), None, fx=1, fy=high, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(aslant(0.95), id="a little aslant"),
        pytest.param(aslant(0.85), id="aslant"),
        pytest.param(draw([Drawn(face, 120.0 + 64 * face, 200, 62) for face in FACES]), id="touching"),
    ],
)
def test_dice_as_they_lie_are_read(picture):
    assert faces_of(read(picture, reader="pips")) == FACES


def numerals() -> Image:
    """Dice with numerals in place of pips."""
    picture = draw([])
    for face in FACES:
        x, y = 60 + 90 * face, 240
        cv2.rectangle(picture, (x - 30, y - 30), (x + 30, y + 30), IVORY, -1)
        cv2.putText(picture, str(face), (x - 14, y + 15), cv2.FONT_HERSHEY_SIMPLEX, 1.4, INK, 4, cv2.LINE_AA)
    return picture


TABLES: dict[str, Callable[[], Image]] = {
    "black": lambda: np.zeros((480, 640, 3), np.uint8),
    "white": lambda: np.full((480, 640, 3), 255, np.uint8),
    "plain": lambda: draw([]),
    "noise": lambda: np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8),
    "stripes": lambda: np.tile(
        np.where(np.arange(640) // 8 % 2, 200, 60).astype(np.uint8)[None, :, None], (480, 1, 3)
    ),
    "numerals": numerals,
}


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_read_for_certain_where_no_pips_lie(table):
    reading = read(TABLES[table](), reader="pips")
    assert not [die for die in reading.dice if die.certain]


@pytest.mark.parametrize("expect", [6, None, 5, 7])
def test_another_number_than_expected_is_doubted(expect):
    reading = read(draw(all_faces()), reader="pips", expect=expect)
    assert ("count" in [d.key for d in reading.doubts]) is (expect not in (6, None))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ((235, 235, 235), "white"),
        ((25, 25, 25), "black"),
        ((40, 30, 190), "red"),
        ((180, 80, 20), "blue"),
        ((60, 140, 40), "green"),
        ((30, 210, 240), "yellow"),
        ((200, 228, 240), "ivory"),
        ((20, 120, 240), "orange"),
        ((150, 40, 110), "purple"),
    ],
)
def test_colours_are_named_beside_a_white_die(body, name):
    ink: Colour = (20, 20, 20) if sum(body) > 450 else (240, 240, 240)
    pair = [Drawn(5, 200, 240, 90, 10, body, ink), Drawn(4, 460, 240, 90, 30, (235, 235, 235))]
    dice = read(draw(pair, cloth=(95, 100, 105)), reader="pips").dice
    assert [die.colour for die in sorted(dice, key=lambda d: d.x_px)] == [name, "white"]


LAMPS = {
    "daylight": (1, 1, 1),
    "a warm lamp": (0.72, 1, 1.0),
    "the sky": (1.0, 0.92, 0.8),
    "dim": (0.4, 0.4, 0.4),
}


@pytest.mark.parametrize("lamp", LAMPS)
def test_yellow_stays_yellow_and_blue_stays_blue(lamp):
    bodies: list[Colour] = [(30, 210, 240), (180, 80, 20), (40, 30, 190), (60, 140, 40), (235, 235, 235)]
    inks: list[Colour] = [INK, (240, 240, 240), (240, 240, 240), (240, 240, 240), INK]
    row = [
        Drawn(5, 80.0 + 120 * k, 240, 80, 20.0 * k, *pair)
        for k, pair in enumerate(zip(bodies, inks, strict=True))
    ]
    lit = (draw(row, cloth=(95, 100, 105)) * np.array(LAMPS[lamp])).astype(np.uint8)
    dice = sorted(read(lit, reader="pips").dice, key=lambda d: d.x_px)
    assert [die.colour for die in dice] == ["yellow", "blue", "red", "green", "white"]


@pytest.mark.parametrize(("apart_px", "radius_px"), [(16, 5), (18, 6)])
def test_dice_on_a_cloth_of_dots_like_pips_are_not_crowded_out(apart_px, radius_px):
    dice = [Drawn(5, 300, 240, 80, 20), Drawn(6, 640, 500, 80, 65)]
    plain = draw(dice, size=(960, 720))
    dotted, on_dice = plain.copy(), np.zeros(plain.shape[:2], np.uint8)
    for place in itertools.product(range(0, 960, apart_px), range(0, 720, apart_px)):
        cv2.circle(dotted, place, radius_px, (225, 215, 200), -1, cv2.LINE_AA)
    for die in dice:
        body = cv2.boxPoints(((die.x_px, die.y_px), (1.16 * die.side_px,) * 2, die.turn_deg))
        cv2.fillPoly(on_dice, [body.astype(np.int32)], 1)
    dotted[on_dice > 0] = plain[on_dice > 0]
    assert faces_of(read(dotted, reader="pips")) == [5, 6]


@pytest.mark.parametrize("off", [0.1, 0.3, 0.6, 0.75, 1.0, 1.35, 1.6, 3.0, 10.0])
def test_a_calibration_misleads_nobody_and_a_wrong_one_changes_nothing(off):
    picture = draw(all_faces())
    scaled = read(picture, scale_px=off * all_faces()[0].side_px)
    assert faces_of(scaled) == FACES
    assert 0.7 < off < 1.4 or scaled == read(picture)


def test_a_calibration_alone_hides_no_die():
    blank = draw([])
    assert read(blank, scale_px=1000.0) == read(blank)


@pytest.mark.parametrize(
    ("image", "reader", "reason"),
    [
        (np.zeros((4, 4), np.uint8), "pips", "grey array"),
        (np.zeros((4, 4, 3), np.float32), "pips", "floats"),
        (np.zeros((0, 4, 3), np.uint8), "pips", "empty"),
        (np.zeros((4, 4, 3), np.uint8), "guess", "unknown reader"),
    ],
)
def test_wrong_arguments_are_refused(image, reader, reason):
    with pytest.raises(ValueError, match=r"expected|reader"):
        read(image, reader=reader)


@pytest.mark.parametrize("reader", ["pips", "net", "both"])
def test_a_picture_that_nobody_may_change_is_read(reader):
    """Pictures of the camera's process come so: other processes read the same memory."""
    picture = draw(all_faces())
    picture.setflags(write=False)
    assert faces_of(read(picture, reader=reader)) == FACES


@pytest.mark.parametrize("shape", [(1, 640), (8, 640), (47, 640), (60, 5000), (50, 65000), (4000, 64)])
def test_a_picture_too_small_for_dice_is_never_certain(shape):
    reading = read(np.full((*shape, 3), 120, np.uint8))
    assert not reading.certain
    assert "too_small" in [doubt.key for doubt in reading.doubts]


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


@pytest.mark.parametrize("reader", WAYS)
def test_every_way_of_reading_can_get_ready(reader):
    get_ready(reader)


def test_no_other_way_can():
    with pytest.raises(ValueError, match="reader must be one of pips, net, both"):
        get_ready("guess")
