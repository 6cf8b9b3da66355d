"""The body round a candidate's face: its size and turn, and what tells it from no body."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pictures import CLOTH, INK, IVORY, Drawn, draw
from vision.arrays import Image
from vision.counting.body import Bodies, cast_rays, find_bodies
from vision.counting.candidates import find_spots
from vision.counting.faces import Faces, find_faces
from vision.counting.pips import fit_pips
from vision.picture.working import prepare

pytestmark = pytest.mark.slow


def body_of(picture: Image, face: int, half_px: float | None = None) -> tuple[float, Faces, Bodies]:
    """The face candidate with the most pips found nearest the picture's middle, and its body; lengths of
    the working picture over those of this one first."""
    working = prepare(picture)
    pips = fit_pips(working, find_spots(working))
    faces = find_faces(working, pips)
    off = np.linalg.norm(faces.middle_px / working.factor - (320, 240), axis=1)
    full = (faces.face == face) & ((faces.pips >= 0).sum(axis=1) == face)
    best = np.array([np.where(full, off, np.inf).argmin()])
    assert off[best[0]] < 4
    faces = faces.take(best)
    wanted = None if half_px is None else half_px * working.factor
    return working.factor, faces, find_bodies(faces, cast_rays(working, pips, faces), wanted)


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 40.0])
@pytest.mark.parametrize(
    ("face", "side_px", "spacing"),
    [(1, 90, 0.25), (2, 90, 0.25), (3, 60, 0.25), (4, 90, 0.22), (5, 120, 0.27), (6, 40, 0.25)],
)
def test_a_rounded_square_is_found_with_its_size(
    face: int, side_px: float, spacing: float, turn_deg: float
) -> None:
    picture = draw([Drawn(face, 320, 240, side_px, turn_deg, spacing=spacing)], noise=1.0)
    factor, faces, bodies = body_of(picture, face)
    side = 2 * float(faces.half_px[0] * bodies.scale[0]) / factor
    assert side == pytest.approx(side_px, rel=0.1)
    assert bodies.sides[0].min() > 0.6
    assert bodies.clean[0] > 0.85
    assert bodies.outside[0] > 0.85
    assert bodies.own[0] > 0.85


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 40.0, 70.0])
def test_the_body_of_an_ace_tells_its_turn(turn_deg: float) -> None:
    """Its pip tells none: the lattice of an ace lies along the picture's axes."""
    _, _, bodies = body_of(draw([Drawn(1, 320, 240, 110, turn_deg)], noise=1.0), 1)
    off = (np.degrees(bodies.turn_rad[0]) - turn_deg + 45) % 90 - 45
    assert abs(off) <= 6  # every ten degrees are tried


def test_pips_on_bare_cloth_have_no_body() -> None:
    picture = draw([])
    for x, y in ((-20, -20), (20, -20), (-20, 20), (20, 20)):
        cv2.circle(picture, (320 + x, 240 + y), 8, tuple(255 - v for v in CLOTH), -1, cv2.LINE_AA)
    _, _, bodies = body_of(picture, 4)
    assert bodies.sides[0].max() < 0.4
    assert bodies.outside[0] < 0.3


def test_a_body_with_a_side_in_its_own_colour_lacks_one_edge() -> None:
    picture = draw([Drawn(4, 320, 240, 90)], noise=1.0)
    cv2.rectangle(picture, (355, 180), (450, 300), IVORY, -1)
    _, _, bodies = body_of(picture, 4)
    sides = bodies.sides[0]
    assert sides[2] > 0.5 > sides[3]
    assert (np.diff(sides) <= 0).all(), "most first"


def test_a_known_size_is_preferred_to_a_stronger_border() -> None:
    """A disc round the pip has a border of its own; the other dice tell how large this one is."""
    picture = draw([Drawn(1, 320, 240, 110)], noise=1.0)
    cv2.circle(picture, (320, 240), 30, (150, 170, 185), -1, cv2.LINE_AA)
    cv2.circle(picture, (320, 240), 11, INK, -1, cv2.LINE_AA)
    factor, faces, bodies = body_of(picture, 1, half_px=55)
    assert 2 * float(faces.half_px[0] * bodies.scale[0]) / factor == pytest.approx(110, rel=0.15)
