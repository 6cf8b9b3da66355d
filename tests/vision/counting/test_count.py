"""Pips on a face of known place and size are counted, whatever the die's colours, turn and size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.pictures import CLOTH, INK, IVORY, Colour, Drawn, draw
from vision.arrays import Floats, Image
from vision.counting.count import CLEAR, LAYOUTS, Count, as_laid_out, but_layout, counted, misfit
from vision.counting.face import Spots, spots

BLUE, RED, WHITE, BLACK = (170, 90, 40), (40, 40, 190), (250, 250, 250), (25, 25, 25)
MIDDLE = (160.0, 120.0)
EMPTY = np.zeros((1, 1, 3), np.float32)


def face_of(picture: Image, side_px: float, off: tuple[float, float] = (0.0, 0.0)) -> int | None:
    """The face counted on the die in the middle, the place being `off` by so many sides."""
    count = count_of(picture, side_px, off)
    return count and count.face


def count_of(picture: Image, side_px: float, off: tuple[float, float] = (0.0, 0.0)) -> Count | None:
    return counted(picture, MIDDLE[0] + off[0] * side_px, MIDDLE[1] + off[1] * side_px, side_px)


def lone(face: int, side_px: float = 60.0, **how: object) -> Image:
    """A picture of one die in the middle."""
    return draw([Drawn(face, *MIDDLE, side_px, **how)], (320, 240))  # type: ignore[arg-type]


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 45.0, 70.0])
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({}, "ivory with dark pips"),
        ({"body": BLUE, "ink": WHITE}, "blue with white pips"),
        ({"body": WHITE, "ink": RED}, "white with red pips, as light as many a body"),
        ({"body": BLACK, "ink": WHITE}, "black on a dark cloth"),
        ({"body": CLOTH, "ink": WHITE}, "of the cloth's colour: the net tells where it lies"),
        ({"spacing": 0.2, "pip": 0.08}, "small pips close together"),
        ({"spacing": 0.3, "pip": 0.12}, "large pips far apart"),
        ({"narrow": 0.75}, "narrow sixes"),
        ({"side_px": 24.0}, "as small as the net reads"),
        ({"side_px": 140.0}, "near to the camera"),
    ],
)
def test_every_face_is_counted(face, turn_deg, how, reason):
    side_px = float(how.get("side_px", 60.0))  # type: ignore[arg-type]
    picture = lone(face, turn_deg=turn_deg, **{"side_px": side_px, **how})
    assert face_of(picture, side_px) == face, reason


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("off", [(0.06, 0.0), (-0.04, 0.04)])
@pytest.mark.parametrize("times", [0.94, 1.12])
def test_place_and_size_need_not_be_exact(face, off, times):
    assert face_of(lone(face), 60.0 * times, off) == face


@given(st.integers(1, 6), st.floats(0, 360), st.integers(0, 255), st.integers(0, 255))
def test_a_count_is_the_same_inverted(face, turn_deg, body, ink):
    """Neither dark nor light pips are preferred."""
    grey: tuple[Colour, Colour] = ((body,) * 3, (ink,) * 3)  # type: ignore[assignment]
    picture = lone(face, turn_deg=turn_deg, body=grey[0], ink=grey[1])
    if abs(body - ink) > 90 and min(body, ink) > 30:
        assert face_of(picture, 60.0) == face == face_of(np.asarray(255 - picture), 60.0)


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (np.full((240, 320, 3), 128, np.uint8), "a blank"),
        (np.zeros((240, 320, 3), np.uint8), "black"),
        (lone(1, pip=0.35), "a disc as large as the face"),
    ],
)
def test_what_is_no_face_is_not_counted_clearly(picture, reason):
    count = count_of(picture, 60.0)
    assert count is None or count.confidence < 0.3, reason


@pytest.mark.parametrize(
    ("drawn", "confident"),
    [({"ink": INK}, True), ({"ink": (195, 218, 230)}, False)],
    ids=["clear pips", "pips hardly darker than the body"],
)
def test_faint_pips_make_no_clear_count(drawn, confident):
    count = count_of(lone(5, **drawn), 60.0)
    assert (count is not None and count.confidence > 0.5) is confident


@pytest.mark.parametrize(
    "place",
    [(-500.0, 40.0), (10_000.0, 10_000.0), (0.0, 0.0), (319.0, 239.0), (160.0, -3.0)],
)
@pytest.mark.parametrize("size_px", [0.5, 40.0, 5_000.0])
def test_any_place_and_size_has_an_answer(place, size_px):
    found = spots(lone(6), *place, size_px)
    assert (np.diff(found.strength) <= 0).all(), "the strongest first"
    counted(lone(6), *place, size_px)


def test_pips_lie_where_they_were_drawn():
    count = count_of(lone(5), 60.0)
    assert count
    places = sorted((round(pip.x_px), round(pip.y_px)) for pip in count.pips)
    want = sorted((160 + x, 120 + y) for x, y in [(0, 0), (-15, -15), (15, -15), (-15, 15), (15, 15)])
    assert np.abs(np.array(places) - want).max() <= 2


@pytest.mark.parametrize("face", range(1, 7))
def test_the_bodys_colour_is_measured_between_the_pips(face):
    count = count_of(lone(face), 60.0)
    assert count
    assert 255 * count.body**2 == pytest.approx(np.array(IVORY), abs=8)


@given(st.integers(1, 6), st.floats(0, 360), st.floats(0.05, 0.4))
def test_a_layout_fits_itself_in_any_turn_and_size(face, turn_deg, scale):
    assert misfit(turned(LAYOUTS[face][0], turn_deg) * np.float32(scale)) < 0.05 * scale


def turned(places: Floats, turn_deg: float) -> Floats:
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(places @ turn, np.float32)


@pytest.mark.parametrize(
    ("middles", "strength", "number", "least", "most", "reason"),
    [
        ([(-0.2, 0), (0.2, 0)], [1.0, 1.0], 2, 0.9, 1.0, "two alike, nothing else"),
        ([(-0.2, 0), (0.2, 0)], [1.0, 1.0], 1, 0.0, 0.0, "the second is as strong: it is not one"),
        ([(0, 0), (0.2, 0)], [1.0, 0.4], 1, 0.5, 0.7, "one, and something fainter"),
        ([(0.3, 0)], [1.0], 1, 0.0, 0.0, "a lone spot at the rim is no ace"),
        ([(0, 0)], [CLEAR / 3], 1, 0.3, 0.4, "hardly any contrast"),
        ([(-0.2, 0), (0, 0.2), (0.2, 0)], [1.0] * 3, 3, 0.0, 0.2, "three that are not in a row"),
        ([(0, 0)], [1.0], 2, 0.0, 0.0, "fewer spots than pips"),
    ],
)
def test_a_fit_weighs_gap_contrast_layout_and_middle(middles, strength, number, least, most, reason):
    found = Spots(np.array(middles, np.float32), np.array(strength, np.float32), EMPTY)
    assert least <= but_layout(found)[number - 1] * as_laid_out(found, number) <= most, reason
