"""The weighing of candidates, by themselves and among others: features, weights and their fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Drawn, all_faces, draw
from vision.arrays import Image
from vision.counting import family
from vision.counting.body import Bodies, cast_rays, find_bodies
from vision.counting.candidates import find_spots
from vision.counting.dice import anchors, of_usual_size
from vision.counting.faces import Faces, find_faces
from vision.counting.family import company, weigh_among
from vision.counting.intruders import unspoilt
from vision.counting.pips import Pips, fit_pips
from vision.counting.scrutiny import (
    FIRST_NAMES,
    MAX_CANDIDATES,
    NAMES,
    as_chance,
    features,
    first_features,
    fitted,
    promising,
    weigh,
)
from vision.picture.working import prepare
from vision.scenes import render, throw
from vision.scenes.folder import write
from vision.training.weights import scrutiny

pytestmark = pytest.mark.slow

COLUMNS = {"first": len(FIRST_NAMES), "alone": len(NAMES), "among": len(NAMES) + len(family.NAMES)}


def candidates(picture: Image) -> tuple[float, Pips, Faces, Bodies]:
    """Working pixels per pixel, and all face candidates of a picture."""
    working = prepare(picture)
    pips = fit_pips(working, find_spots(working))
    faces = unspoilt(pips, find_faces(working, pips))
    return working.factor, pips, faces, find_bodies(faces, cast_rays(working, pips, faces))


COLUMNS_OF_DOTS, ROWS_OF_DOTS = 40, 30


def dotted() -> Image:
    """A cloth of dots as large as pips and nothing on it."""
    picture = np.full((480, 640, 3), 200, np.uint8)
    for x, y in np.ndindex(COLUMNS_OF_DOTS, ROWS_OF_DOTS):
        cv2.circle(picture, (8 + 16 * x, 8 + 16 * y), 4, (40, 40, 40), -1, cv2.LINE_AA)
    return picture


def drawn_table() -> Image:
    return render(throw(7, count=(5, 5))).image_bgr


def named(faces: Faces) -> set[tuple[int, ...]]:
    """Each candidate by its face and its pips."""
    return set(map(tuple, np.column_stack([faces.face, faces.pips]).tolist()))


@pytest.mark.parametrize("name", COLUMNS)
def test_every_feature_has_its_weights(name: str) -> None:
    weights = fitted(name)
    assert weights.mean.shape == weights.spread.shape == (COLUMNS[name],)
    assert weights.inner.shape == (COLUMNS[name], len(weights.bias)) == (COLUMNS[name], len(weights.outer))


@pytest.mark.parametrize("with_anchors", [True, False])
def test_every_feature_has_its_column(with_anchors: bool) -> None:
    _, pips, faces, bodies = candidates(draw(all_faces()))
    weighed = weigh(pips, faces, bodies)
    sure = anchors(pips, faces, bodies, weighed)
    round_it = company(pips, faces, bodies, weighed, sure if with_anchors else sure[:0])
    assert first_features(pips, faces).shape == (len(faces), len(FIRST_NAMES))
    assert features(pips, faces, bodies).shape == (len(faces), len(NAMES))
    assert round_it.shape == (len(faces), len(family.NAMES))
    assert np.isfinite(round_it).all()


@pytest.mark.parametrize("face", range(1, 7))
def test_the_likeliest_candidate_at_a_die_has_its_face(face: int) -> None:
    die = all_faces()[face - 1]
    factor, pips, faces, bodies = candidates(draw([die]))
    weighed = weigh(pips, faces, bodies)
    among = weigh_among(pips, faces, bodies, weighed, anchors(pips, faces, bodies, weighed))
    apart = np.hypot(*(faces.middle_px / factor - (die.x_px, die.y_px)).T)
    right = (apart < 4) & (faces.face == face)
    for odds in (weighed.alone, among):
        assert odds[right].max() > odds[~right].max(initial=-np.inf)


@pytest.mark.parametrize(
    ("picture", "most"),
    [
        pytest.param(lambda: draw(all_faces()), 1.0, id="dice and their sides: all may be something"),
        pytest.param(drawn_table, 0.7, id="a drawn table: much is nothing"),
        pytest.param(lambda: np.full((480, 640, 3), 90, np.uint8), 1.0, id="an empty table"),
    ],
)
def test_candidates_that_may_be_dice_are_worth_a_body_others_are_not(
    picture: Callable[[], Image], most: float
) -> None:
    _, pips, faces, bodies = candidates(picture())
    kept = promising(pips, faces)
    assert len(kept) <= min(most * len(faces), MAX_CANDIDATES)
    likely = faces.take(weigh(pips, faces, bodies).chance > 0.5)
    assert named(likely) <= named(kept) or len(kept) == MAX_CANDIDATES


def test_the_work_on_a_cloth_of_dots_is_bounded() -> None:
    """In numbers: the share that is kept says how many candidates the cap drops, not how many are left."""
    _, pips, faces, _ = candidates(dotted())
    assert len(faces) <= COLUMNS_OF_DOTS * ROWS_OF_DOTS, "one candidate for each dot"
    assert len(promising(pips, faces)) <= MAX_CANDIDATES


def test_company_tells_likeness_rivals_and_loose_pips() -> None:
    _, pips, faces, bodies = candidates(draw(all_faces()))
    weighed = weigh(pips, faces, bodies)
    sure = anchors(pips, faces, bodies, weighed)
    round_it = dict(zip(family.NAMES, company(pips, faces, bodies, weighed, sure).T, strict=True))
    none = dict(zip(family.NAMES, company(pips, faces, bodies, weighed, sure[:0]).T, strict=True))
    assert round_it["likest"][sure].min() > 0.3, "the dice are of one make"
    assert (none["lone"] == 1).all()
    assert (none["likest"] == 0).all()
    assert (none["loose_pips"] == none["pips"]).all(), "without dice every pip is loose"
    assert (round_it["loose_pips"] < round_it["pips"]).all()
    assert (round_it["fuller_rival"] <= round_it["rival"]).all()


def test_odds_beyond_all_measure_stay_chances() -> None:
    chance = as_chance(np.array([-1e6, 0.0, 1e6]))
    assert chance == pytest.approx([0.0, 0.5, 1.0])


def test_the_fit_finds_what_no_sum_can_tell() -> None:
    rng = np.random.default_rng(2)
    found = rng.normal(size=(6000, 3))
    right = found[:, 0] * found[:, 1] > 0
    odds = scrutiny.fit(found, right, epochs=80).odds(found)
    assert np.mean((odds > 0) == right) > 0.9


def test_perceptrons_joined_say_the_mean_of_what_each_says() -> None:
    found = np.random.default_rng(3).normal(size=(300, 4))
    parts = [scrutiny.fit(found, found[:, 0] > found[:, 1], seed=seed, epochs=3) for seed in range(3)]
    assert np.ptp([part.odds(found) for part in parts], axis=0).max() > 0.01, "each errs in its own way"
    mean = np.mean([part.odds(found) for part in parts], axis=0)
    assert scrutiny.joined(parts).odds(found) == pytest.approx(mean, abs=1e-4)


def test_an_ace_on_a_veined_body_is_as_large_as_the_other_dice() -> None:
    picture = draw([Drawn(5, 120, 120), Drawn(4, 520, 360), Drawn(1, 320, 240)])
    vein = cv2.ellipse(np.zeros((480, 640), np.uint8), (320, 240), (13, 24), 30, 0, 360, 1, -1) > 0
    picture[vein] = (picture[vein] * 0.6).astype(np.uint8)
    factor, pips, faces, bodies = candidates(picture)
    ace = (faces.face == 1) & (np.hypot(*(faces.middle_px / factor - (320, 240)).T) < 4)
    better, _ = of_usual_size(pips, faces, cast_rays(prepare(picture), pips, faces))
    sides = [(2 * faces.half_px * b.scale / factor)[ace] for b in (bodies, better)]
    assert sides[0] < 40, "alone, the vein passes for the body"
    assert sides[1] == pytest.approx(60, abs=8), "the other dice tell the size"


def test_a_folder_of_drawn_pictures_gives_a_file_of_weights(tmp_path: Path) -> None:
    list(write(tmp_path, 2, seed=5, difficulty="easy", style="box", dice=(4, 5), width_px=640, height_px=480))
    out = tmp_path / "weights.json"
    assert scrutiny.main([str(out), str(tmp_path)]) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    for name in COLUMNS:
        shipped = scrutiny.as_data(fitted(name))
        assert {key: np.shape(v) for key, v in written[name].items()} == {
            key: np.shape(v) for key, v in shipped.items()
        }
