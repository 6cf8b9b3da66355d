"""Candidates, pips and faces on drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pictures import INK, LAYOUTS, Colour, Drawn, all_faces, draw
from vision.counting.candidates import LARGEST_PIP, MOST_ALIKE, find_spots
from vision.counting.faces import OCCUPIED, find_faces
from vision.counting.pips import COVERED, NESTED, fit_pips
from vision.picture.working import KNOWN_DIE_PX, LONG_SIDE_PX, MAX_UPSCALING, prepare

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("size", "factor", "reason"),
    [
        ((640, 480), 1.5, "small pictures are enlarged"),
        ((1920, 1080), 0.5, "large ones shrunk to the long side"),
        ((100, 100), MAX_UPSCALING, "but never enlarged more"),
        ((LONG_SIDE_PX, 500), 1.0, "the right size stays"),
    ],
)
def test_working_size(size: tuple[int, int], factor: float, reason: str) -> None:
    working = prepare(np.zeros((size[1], size[0], 3), np.uint8))
    assert working.factor == pytest.approx(factor), reason
    assert (working.width_px, working.height_px) == (round(size[0] * factor), round(size[1] * factor))


def test_a_known_scale_shrinks_and_never_enlarges() -> None:
    picture = np.zeros((960, 960, 3), np.uint8)
    assert prepare(picture, scale_px=KNOWN_DIE_PX / 0.6).factor == pytest.approx(0.6)
    assert prepare(picture, scale_px=KNOWN_DIE_PX / 0.2).factor == pytest.approx(0.5), "dice look like pips"
    assert prepare(picture, scale_px=20).factor == pytest.approx(1.0)


def test_spots_are_bounded_and_sorted() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    spots = find_spots(prepare(noise))
    assert np.unique(spots.radius_px, return_counts=True)[1].max() <= MOST_ALIKE
    assert (np.diff(spots.response) <= 0).all()


@pytest.mark.parametrize(("every", "reason"), [(12, "more than 30 dice have"), (60, "five dice on a cloth")])
def test_no_strong_spot_gives_way_to_others_of_its_size(every: int, reason: str) -> None:
    places = [(14 + 24 * column, 14 + 24 * row) for column in range(39) for row in range(39)]
    strong = {place for number, place in enumerate(places) if number % every == 0}
    picture = np.full((960, 960, 3), 160, np.uint8)
    for place in places:
        cv2.circle(picture, place, 4, (30, 30, 30) if place in strong else (130, 130, 130), -1, cv2.LINE_AA)
    spots = find_spots(prepare(picture))
    assert strong <= {tuple(xy) for xy in np.rint(spots.xy_px).astype(int).tolist()}, reason


def test_no_spot_is_larger_than_the_largest_ace_of_dice_whose_size_is_known() -> None:
    picture = draw(all_faces())
    largest = {
        known: float(find_spots(prepare(picture, all_faces()[0].side_px if known else None)).radius_px.max())
        for known in (True, False)
    }
    assert largest[True] <= 1.1 * LARGEST_PIP * KNOWN_DIE_PX, "half an octave is the step of the scales"
    assert largest[False] > 0.4 * KNOWN_DIE_PX, "else the body itself is a spot"


def test_a_plain_table_has_no_spots() -> None:
    assert len(find_spots(prepare(np.full((480, 640, 3), 90, np.uint8)))) == 0


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("radius_px", [3.0, 6.0, 15.0])
def test_a_disc_becomes_one_pip_with_its_place_and_radius(radius_px: float, light: bool) -> None:
    body, ink = ((40, 40, 40), (230, 230, 230)) if light else ((230, 230, 230), (40, 40, 40))
    side = radius_px * 10
    picture = draw([Drawn(1, 300, 240, side, 20, body, ink)])
    working = prepare(picture)
    pips = fit_pips(working, find_spots(working))
    near = np.hypot(*(pips.xy_px / working.factor - (300, 240)).T) < 2
    mine = pips.take(near & (pips.light == light) & (pips.radius_px < 0.3 * side * working.factor))
    assert len(mine) == 1
    assert mine.radius_px[0] / working.factor == pytest.approx(radius_px, rel=0.2, abs=0.4)
    assert mine.flat[0] > (0.85 if radius_px > 4 else 0.65)


@pytest.mark.parametrize("light", [False, True])
def test_no_two_pips_overlap_unless_one_is_a_die_round_the_other(light: bool) -> None:
    noise = np.random.default_rng(7).integers(0, 255, (120, 160, 3), dtype=np.uint8)
    working = prepare(cv2.resize(noise, (640, 480), interpolation=cv2.INTER_CUBIC))
    pips = fit_pips(working, find_spots(working))
    mine = pips.take(pips.light == light)
    first, second = np.triu_indices(len(mine), 1)
    radii = np.stack([mine.radius_px[first], mine.radius_px[second]])
    apart = np.linalg.norm(mine.xy_px[first] - mine.xy_px[second], axis=1)
    nested = radii.max(axis=0) >= NESTED * radii.min(axis=0)
    assert len(mine) > 50
    assert (nested | (apart >= COVERED * radii.min(axis=0))).all()


def test_layouts_occupy_as_many_places_as_they_have_pips() -> None:
    assert {face: len(places) for face, places in OCCUPIED.items()} == {f: len(p) for f, p in LAYOUTS.items()}


@pytest.mark.parametrize("face", range(1, 7))
def test_each_layout_is_a_candidate_where_it_lies(face: int) -> None:
    die = all_faces()[face - 1]
    working = prepare(draw([die]))
    faces = find_faces(working, fit_pips(working, find_spots(working)))
    apart = np.hypot(*(faces.middle_px / working.factor - (die.x_px, die.y_px)).T)
    assert ((apart < 3) & (faces.face == face)).any()


@pytest.mark.parametrize(
    ("body", "ink", "reason"),
    [
        ((10, 200, 235), (255, 12, 195), "pink on yellow: darker to the eye, lighter as a sum of colours"),
        ((255, 12, 195), (10, 200, 235), "and yellow on pink the other way round"),
        ((240, 240, 240), (40, 40, 200), "red on white"),
        ((160, 60, 30), (235, 235, 235), "white on blue"),
        ((60, 60, 200), (40, 200, 235), "gold on red"),
    ],
)
def test_pips_of_any_colours_are_found(body: Colour, ink: Colour, reason: str) -> None:
    working = prepare(draw([Drawn(6, 300, 240, 80, 20, body=body, ink=ink)]))
    faces = find_faces(working, fit_pips(working, find_spots(working)))
    apart = np.hypot(*(faces.middle_px / working.factor - (300, 240)).T)
    assert ((apart < 3) & (faces.face == 6)).any(), reason


@pytest.mark.parametrize("share", [0.1, 0.16, 0.2, 0.24, 0.27])
@pytest.mark.parametrize("turn_deg", [0, 20, 45])
def test_an_ace_may_be_half_as_wide_as_its_face(share: float, turn_deg: float) -> None:
    working = prepare(draw([Drawn(1, 300, 240, 80, turn_deg, pip=share)]))
    pips = fit_pips(working, find_spots(working))
    faces = find_faces(working, pips)
    apart = np.hypot(*(faces.middle_px / working.factor - (300, 240)).T)
    radius = pips.radius_px[faces.pips[:, 0]] / working.factor
    found = (apart < 3) & (faces.face == 1) & (np.abs(radius - 80 * share) < 3)
    assert found.sum() == 1, "once, whichever square it is alone in"


def test_a_corner_pip_may_have_lost_its_round_edge() -> None:
    die = Drawn(4, 300, 240, 80)
    picture = draw([die])
    picture[254:266, 318:352] = INK  # a scratch from one pip to the border: no round edge any more
    working = prepare(picture)
    faces = find_faces(working, fit_pips(working, find_spots(working)))
    apart = np.hypot(*(faces.middle_px / working.factor - (300, 240)).T)
    assert ((apart < 6) & (faces.face == 4)).any()
