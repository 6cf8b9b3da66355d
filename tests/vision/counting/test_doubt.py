"""What is left unread, and what is no more than a mark on the table."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, INK, IVORY, Drawn, Image, all_faces, draw
from vision.counting import doubt
from vision.counting.way import found_in
from vision.read import read

pytestmark = pytest.mark.slow

DICE = all_faces()[:5]


def _with(*marks: tuple[str, int, int, int, tuple[int, int, int]]) -> Image:
    """Five dice, and discs (x, y, radius, colour) on the cloth."""
    picture = draw(DICE)
    for _, x, y, radius, colour in marks:
        cv2.circle(picture, (x, y), radius, colour, -1, cv2.LINE_AA)
    return picture


FAINT = tuple(int(0.75 * c) for c in CLOTH)


@pytest.mark.parametrize(
    ("marks", "doubted", "reason"),
    [
        ((), False, "nothing is left"),
        ((("spot", 530, 60, 34, FAINT),), False, "a faint stain without anything in it is no body"),
        (
            (("body", 530, 60, 34, IVORY),),
            True,
            "a disc in the dice's colour may be a die whose pips cannot be seen",
        ),
        (
            (("body", 530, 60, 34, (40, 40, 190)), ("pip", 530, 60, 8, INK)),
            True,
            "a body of another colour with something like a pip in it",
        ),
        ((("pip", 530, 60, 7, (250, 250, 250)),), True, "one very strong round spot"),
    ],
)
def test_places_left_unread(
    marks: tuple[tuple[str, int, int, int, tuple[int, int, int]], ...], doubted: bool, reason: str
) -> None:
    reading = read(_with(*marks), reader="pips")
    left = [d for d in reading.doubts if d.key.startswith("unread") or d.key == "die_like"]
    read_more = len(reading.dice) > len(DICE)
    assert bool(left or read_more) is doubted, (reason, reading.doubts)
    assert reading.certain is not doubted or read_more
    assert np.isfinite([d.x_px or 0.0 for d in left]).all()


@pytest.mark.parametrize(
    ("face", "pip", "certain", "reason"),
    [
        (4, 0.1, True, "pips of the usual size"),
        (4, 0.045, False, "very small ones set far apart may be the holes of a button"),
        (5, 0.045, True, "no button has five holes"),
    ],
)
def test_fours_like_holes_of_a_button(face: int, pip: float, certain: bool, reason: str) -> None:
    dice = [Drawn(face, x, 240, 90, 20, pip=pip) for x in (120, 320, 520)]
    reading = read(draw(dice, noise=1.0), reader="pips")
    assert [d.face for d in reading.dice] == [face] * 3
    assert [d.certain for d in reading.dice] == [certain] * 3, (reason, [d.why for d in reading.dice])


CORNERS = ((-1, -1), (1, 1), (1, -1), (-1, 1))


@pytest.mark.parametrize(
    ("face", "plain", "certain", "reason"),
    [
        (5, (), True, "all five alike faint"),
        (5, (*CORNERS, (0, 0)), True, "all five alike plain"),
        (5, CORNERS[:2], False, "a two, and the five beneath it shines through"),
        (5, (*CORNERS[:2], (0, 0)), False, "a three and the four beneath"),
        (5, CORNERS, False, "a four and the middle of the three beneath"),
        (5, CORNERS[:1], True, "a lamp on one pip: no face has that one alone"),
        (6, (), True, "all six alike faint"),
        (6, ((-1, 0),), False, "an ace, nearer the lens, and the six beneath"),
    ],
)
def test_faces_of_which_a_part_may_shine_through(
    face: int, plain: tuple[tuple[int, int], ...], certain: bool, reason: str
) -> None:
    faint, body = (84, 80, 76), (196, 188, 176)
    picture = draw([Drawn(face, x, 240, 90, body=body, ink=faint) for x in (120, 320, 520)], noise=1.0)
    for x in (120, 320, 520):
        for u, v in plain:
            cv2.circle(picture, (round(x + 22.5 * u), round(240 + 22.5 * v)), 9, INK, -1, cv2.LINE_AA)
    reading = read(picture, reader="pips")
    assert [d.face for d in reading.dice] == [face] * 3
    assert [d.certain for d in reading.dice] == [certain] * 3, (reason, [d.why for d in reading.dice])
    assert certain or all("shining_through" in d.why for d in reading.dice)


@pytest.mark.parametrize(
    ("strong", "certain", "reason"),
    [
        ((), True, "a five, all alike faint"),
        (
            ((0.45, -0.55),),
            False,
            "a pip of the top, nearer the lens, that the five beneath does not explain",
        ),
        (((1.7, 0.0),), True, "a strong pip beside the face is another die's or side's"),
    ],
)
def test_a_stronger_pip_inside_a_face_speaks_against_it(
    strong: tuple[tuple[float, float], ...], certain: bool, reason: str
) -> None:
    faint, body = (84, 80, 76), (196, 188, 176)
    picture = draw([Drawn(5, x, 240, 90, body=body, ink=faint) for x in (120, 320, 520)], noise=1.0)
    for u, v in strong:
        cv2.circle(picture, (round(320 + 22.5 * u), round(240 + 22.5 * v)), 8, INK, -1, cv2.LINE_AA)
    middle = next(d for d in read(picture, reader="pips").dice if abs(d.x_px - 320) < 20)
    assert (middle.face, "passed_over" not in middle.why) == (5, certain), (reason, middle.why)


@pytest.mark.parametrize(
    ("face", "places", "larger", "fainter", "doubted", "reason"),
    [
        (6, [(-1, 2.0)], 1.0, 1.0, True, "seven of a domino, eight of a brick"),
        (6, [(1.1, -1.9)], 1.1, 1.0, True, "at its other end, seen a little aslant"),
        (6, [(-1, 2.5)], 1.0, 1.0, False, "a pip of a die that touches it"),
        (6, [(0, 2.0)], 1.0, 1.0, False, "between the rows"),
        (6, [(2, 1.0)], 1.0, 1.0, False, "beside a row: the next die's"),
        (6, [(-1, 2.0)], 1.6, 1.0, False, "a larger dot of the table"),
        (6, [(-1, 2.0)], 1.0, 0.5, False, "a fainter one"),
        (4, [(-1, 3.0), (1, 3.1)], 1.1, 0.4, True, "a six whose last two lie in shadow"),
        (4, [(-2.8, -1), (-3, 1.0)], 1.0, 1.0, True, "one half of a domino"),
        (4, [(-1, 3.0)], 1.0, 1.0, False, "one dot beside it: no face goes on so"),
        (4, [(-1, 3.0), (1, -3.0)], 1.0, 1.0, False, "one at each end"),
        (4, [(-1, 4.0), (1, 4.0)], 1.0, 1.0, False, "too far: the next die's"),
    ],
)
def test_faces_whose_rows_go_on(
    face: int, places: list[tuple[float, float]], larger: float, fainter: float, doubted: bool, reason: str
) -> None:
    working, found = found_in(draw([Drawn(face, 320, 240, 80)], noise=1.0))
    assert doubt.reasons(working, found) == [()]
    lattice = np.stack([found.faces.row_px[0], found.faces.column_px[0]])
    own = found.pips.take(found.faces.pips[0][: len(places)])
    more = replace(
        own,
        xy_px=found.faces.middle_px + np.array(places) @ lattice,
        radius_px=own.radius_px * larger,
        contrast=own.contrast * fainter,
    )
    names = type(own).__slots__
    pips = type(own)(*(np.concatenate([getattr(found.pips, n), getattr(more, n)]) for n in names))
    assert doubt.reasons(working, replace(found, pips=pips)) == [("more_pips",) if doubted else ()], reason


def test_a_four_whose_neighbour_is_a_four_does_not_go_on() -> None:
    working, found = found_in(draw([Drawn(4, x, 240, 80) for x in (240, 321, 402)], noise=1.0))
    assert found.faces.face.tolist() == [4, 4, 4]
    assert doubt.reasons(working, found) == [()] * 3


@pytest.mark.parametrize("from_px", [250, 255, 260, 265])
@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 0.3])
def test_a_six_whose_last_two_lie_in_shadow_is_no_four_for_certain(from_px: int, share: float) -> None:
    picture = draw([Drawn(6, 320, 240, 120)], noise=1.0)
    picture[from_px:] = (picture[from_px:] * share).astype(np.uint8)
    assert all(die.face == 6 or not die.certain for die in read(picture).dice)
