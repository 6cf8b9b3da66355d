"""Whether the camera looks down aslant: all fours and fives together tell it, else the tilt at the dice."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.pictures import Drawn, draw
from vision.arrays import Floats
from vision.checks.check import Checked
from vision.checks.picture import SQUEEZED, squeeze
from vision.checks.picture import slanting as check
from vision.read import read
from vision.values import Die, Pip


def squares(tilt_deg: float, turn_deg: float, noise: float, count: int = 5) -> Floats:
    """Corners of squares turned anyhow and seen from `tilt_deg` off, the picture turned by `turn_deg`."""
    rng = np.random.default_rng(3)
    angle = rng.uniform(0, 2 * np.pi, (count, 1)) + np.arange(4) * np.pi / 2
    corners = np.stack([np.cos(angle), np.sin(angle)], axis=2)
    turn = np.radians(turn_deg)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    view = np.diag([1, np.cos(np.radians(tilt_deg))]) @ turned
    return np.asarray((corners + rng.normal(0, noise, corners.shape)) @ view)


@given(st.floats(0, 60), st.floats(0, 360))
def test_the_squeeze_is_the_cosine_of_the_tilt_whatever_the_turns(tilt_deg, turn_deg):
    assert squeeze(squares(tilt_deg, turn_deg, 0.0)) == pytest.approx(np.cos(np.radians(tilt_deg)), abs=0.01)


@pytest.mark.parametrize(
    ("tilt_deg", "slanting"),
    [(0, False), (15, False), (25, False), (37, True), (50, True)],
)
def test_ill_measured_dice_seem_aslant_together_or_not_at_all(tilt_deg, slanting):
    seen = squares(tilt_deg, 30, 0.05, count=20)
    assert (squeeze(seen) < SQUEEZED) is slanting
    assert squeeze(seen * np.arange(1, 21)[:, None, None]) == pytest.approx(squeeze(seen)), "of any size"


@pytest.mark.parametrize(
    ("faces", "high", "slanting"),
    [
        pytest.param((4, 5, 4), 1.0, False, id="from above"),
        pytest.param((4, 5, 4), 0.92, False, id="a little off"),
        pytest.param((4, 5, 4), 0.76, True, id="from 40 degrees"),
        pytest.param((2, 3, 1), 1.0, False, id="from above, and no square to tell"),
    ],
)
def test_a_slanting_view_is_doubted(faces, high, slanting):
    dice = [Drawn(face, 120 + 200 * k, 240, 90, 30 * k + 20) for k, face in enumerate(faces)]
    picture = cv2.resize(draw(dice), None, fx=1.0, fy=high, interpolation=cv2.INTER_AREA)
    reading = read(picture, reader="pips")
    assert [d.face for d in sorted(reading.dice, key=lambda d: d.x_px)] == list(faces)
    assert ("slanting" in {d.key for d in reading.doubts}) is slanting


@pytest.mark.parametrize(
    ("faces", "counted", "tilts_deg", "slanting", "doubted"),
    [
        pytest.param((2, 3), (2, 3), (20, 30), False, (), id="both from above"),
        pytest.param((2, 3), (2, 3), (30, 50), True, (0, 1), id="40 degrees on the mean"),
        pytest.param((6,), (6,), (36,), False, (), id="a lone die tells it ill"),
        pytest.param((6,), (6,), (38,), True, (0,), id="a lone die from farther off"),
        pytest.param((2, 3, 6), (2, 3, 6), (34, 34, 34), True, (0, 1, 2), id="three tell it better"),
        pytest.param((2, 3, 6), (2, 3, 0), (20, 30, 90), False, (), id="a die without pips is not asked"),
        pytest.param((6,), (0,), (90,), False, (), id="nor is it alone"),
        pytest.param((2, 4), (2, 0), (50, 90), True, (0, 1), id="a four without pips is no square"),
        pytest.param((2, 4), (2, 4), (90, 90), False, (), id="a four from above tells better"),
        pytest.param((), (), (), False, (), id="no die"),
    ],
)
def test_the_tilt_at_the_dice_decides_without_squares(faces, counted, tilts_deg, slanting, doubted):
    dice = tuple(die_at(k, face, pips) for k, (face, pips) in enumerate(zip(faces, counted, strict=True)))
    picture = np.zeros((9, 9, 3), np.uint8)
    change = check(Checked(picture, dice, (), lambda die: tilts_deg[int(die.x_px)]))
    assert change.keys == (("slanting",) if slanting else ())
    assert change.dice == doubted


@pytest.mark.parametrize(
    ("why", "slanting"),
    [
        pytest.param(
            "low_confidence", True, id="an uncertain die beside a four: squares of several tilts deceive"
        ),
        pytest.param("one_thing", False, id="two that touch are no sign of it"),
    ],
)
def test_the_tilt_is_asked_where_a_die_is_uncertain(why, slanting):
    four, other = die_at(0, 4, 4), replace(die_at(1, 2, 2), certain=False, why=(why,))
    picture = np.zeros((9, 9, 3), np.uint8)
    change = check(Checked(picture, (four, other), (), lambda die: 45.0))
    assert change.keys == (("slanting",) if slanting else ())


def die_at(place: int, face: int, pips: int) -> Die:
    """A die of which so many pips were counted, those of a four on a square."""
    around = [Pip(np.cos(a), np.sin(a), 0.1) for a in np.arange(pips) * 2 * np.pi / max(1, pips)]
    return Die(face, float(place), 0.0, 2.0, 0.0, 0.99, True, "white", tuple(around))
