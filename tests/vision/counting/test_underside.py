"""Faces that a clear body's underside may make, told by which pips stand out more than which."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.counting.made_pips import HALF_PX, RADIUS_PX, face_of, pips_at, places_of
from vision.arrays import Floats
from vision.counting.body import Bodies
from vision.counting.dice import Found
from vision.counting.doubt import reasons
from vision.counting.pips import Pips
from vision.counting.underside import shining_through
from vision.picture.working import Working

FAINT, PLAIN = 0.4, 0.8


def found(face: int, pips: Pips) -> Found:
    """One die of the first pips."""
    one, none, dice = np.ones(1, np.float32), np.zeros(1, np.float32), face_of(face)
    shade = np.full((1, 3), 0.5, np.float32)
    bodies = Bodies(one, none, np.ones((1, 4), np.float32), one, one, one, shade)
    return Found(
        pips, dice, bodies, one, np.zeros((1, 6), np.float32), dice.take(np.zeros(0, int)), np.zeros(1, int)
    )


def doubted(die: Found) -> bool:
    """Whether anything speaks against a die that is clear but for what lies on it."""
    (why,) = reasons(Working(np.zeros((400, 400, 3), np.float32), 1.0), die)
    return bool(why)


def strengths(face: int, plain: tuple[int, ...]) -> Floats:
    """Contrasts of a face's pips of which those in `plain` stand out more."""
    return np.array([PLAIN if k in plain else FAINT for k in range(face)], np.float32)


@pytest.mark.parametrize(
    ("face", "plain", "shines", "reason"),
    [
        (5, (), False, "all alike faint"),
        (5, (0, 1, 2, 3, 4), False, "all alike plain"),
        (5, (0, 1), True, "a two, the five beneath"),
        (5, (2, 3), True, "a two along the other diagonal"),
        (5, (0, 1, 4), True, "a three, the four beneath"),
        (5, (2, 3, 4), True, "and along the other diagonal"),
        (5, (0, 1, 2, 3), True, "a four, the middle of the three beneath"),
        (5, (0,), False, "no face is one corner"),
        (5, (4,), False, "an ace has the six beneath, which has no middle"),
        (5, (0, 2), False, "no face is one side"),
        (5, (0, 1, 2), False, "no face is three corners"),
        (6, (), False, "all alike"),
        (6, (4,), True, "an ace, nearer the lens, and the six beneath"),
        (6, (0, 1, 2), True, "three much fainter than three"),
        (4, (0, 1), False, "a four is no sum of a face and its underside"),
        (3, (2,), False, "nor is a three"),
    ],
)
def test_a_larger_face_may_be_two(face: int, plain: tuple[int, ...], shines: bool, reason: str) -> None:
    pips = pips_at(places_of(face), contrast=strengths(face, plain))
    assert shining_through(found(face, pips)).tolist() == [shines], reason


@pytest.mark.parametrize(("times", "shines"), [(1.25, False), (1.35, True)])
def test_a_lamp_may_make_some_pips_a_little_stronger(times: float, shines: bool) -> None:
    pips = pips_at(places_of(5), contrast=np.where(np.arange(5) < 2, FAINT * times, FAINT))
    assert shining_through(found(5, pips)).tolist() == [shines]


@pytest.mark.parametrize("missing", range(5))
@pytest.mark.parametrize(("plain", "shines"), [((0, 1, 4), True), ((), False)])
def test_a_pip_that_was_not_found_speaks_neither_way(
    plain: tuple[int, ...], shines: bool, missing: int
) -> None:
    die = found(5, pips_at(places_of(5), contrast=strengths(5, plain)))
    members = die.faces.pips.copy()
    members[0, missing] = -1
    assert shining_through(replace(die, faces=replace(die.faces, pips=members))).tolist() == [shines]


@pytest.mark.parametrize(
    ("out", "contrast", "radius", "passed", "reason"),
    [
        (0.4, 0.6, 1.0, True, "a pip of the top, stronger than the five beneath, is none of it"),
        (0.4, 0.45, 1.0, False, "one as strong: a scratch"),
        (0.4, 0.2, 1.0, False, "a fainter one shines through"),
        (1.2, 0.6, 1.0, False, "beside the face: another die's, or a side's"),
        (0.4, 0.6, 0.3, False, "a speck"),
        (0.4, 0.6, 2.5, False, "a disc the pips lie on"),
    ],
)
def test_a_stronger_pip_that_is_passed_over(
    out: float, contrast: float, radius: float, passed: bool, reason: str
) -> None:
    places = np.concatenate([places_of(5), [[200 + out * HALF_PX, 200]]])
    radii = RADIUS_PX * np.array([1, 1, 1, 1, 1, radius])
    pips = pips_at(places, contrast=[FAINT] * 5 + [contrast], radius_px=radii)
    assert doubted(found(5, pips)) == passed, reason


def test_a_lighter_pip_among_dark_ones_is_a_glare() -> None:
    places = np.concatenate([places_of(5), [[200 + 0.4 * HALF_PX, 200]]])
    pips = pips_at(places, contrast=[FAINT] * 5 + [PLAIN])
    assert not doubted(found(5, replace(pips, light=np.arange(6) == 5)))
