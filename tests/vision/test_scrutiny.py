"""The second weighing of guesses: its traits, its weights and their fit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.pictures import all_faces, draw
from vision.body import find_bodies
from vision.candidates import find_spots
from vision.faces import find_faces
from vision.intruders import unspoilt
from vision.pips import fit_pips
from vision.scenes.folder import write
from vision.scrutiny import NAMES, SHARE_AGAINST, SHARE_FOR, fitted, scrutinised, together, traits
from vision.training import scrutiny
from vision.working import prepare


def test_every_trait_has_its_weights_and_its_column() -> None:
    weights = fitted()
    working = prepare(draw(all_faces()))
    pips = fit_pips(working, find_spots(working))
    faces = unspoilt(pips, find_faces(working, pips))
    found = traits(pips, faces, find_bodies(working, pips, faces))
    assert found.shape == (len(faces), len(NAMES))
    assert np.isfinite(found).all()
    assert weights.mean.shape == weights.spread.shape == (len(NAMES),)
    assert weights.inner.shape == (len(NAMES), len(weights.bias)) == (len(NAMES), len(weights.outer))


@pytest.mark.parametrize("face", range(1, 7))
def test_the_likeliest_guess_at_a_die_has_its_face(face: int) -> None:
    die = all_faces()[face - 1]
    working = prepare(draw([die]))
    pips = fit_pips(working, find_spots(working))
    faces = unspoilt(pips, find_faces(working, pips))
    bodies = find_bodies(working, pips, faces)
    chance = scrutinised(pips, faces, bodies)
    apart = np.hypot(*(faces.middle_px / working.factor - (die.x_px, die.y_px)).T)
    right = (apart < 4) & (faces.face == face)
    assert chance[right].max() > chance[~right].max(initial=0)


@pytest.mark.parametrize(
    ("first", "second", "share", "reason"),
    [
        (0.5, 0.5, SHARE_FOR, "agreement stays as it is"),
        (0.5, 0.99, SHARE_FOR, "what speaks for a die counts nearly whole"),
        (0.9, 0.1, SHARE_AGAINST, "what speaks against it counts less"),
    ],
)
def test_two_weighings_become_one_between_them(
    first: float, second: float, share: float, reason: str
) -> None:
    odds = [np.log(p / (1 - p)) for p in (first, second)]
    (one,) = together(np.array([first]), np.array([second]))
    assert np.log(one / (1 - one)) == pytest.approx((1 - share) * odds[0] + share * odds[1], abs=1e-4), reason


def test_weighings_that_are_quite_certain_stay_chances() -> None:
    chance = together(np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0]))
    assert np.isfinite(chance).all()
    assert ((chance >= 0) & (chance <= 1)).all()


def test_the_fit_finds_what_no_sum_can_tell() -> None:
    rng = np.random.default_rng(2)
    found = rng.normal(size=(6000, 3))
    right = found[:, 0] * found[:, 1] > 0
    odds = scrutiny.fit(found, right, epochs=80).odds(found)
    assert np.mean((odds > 0) == right) > 0.9


def test_a_folder_of_drawn_pictures_gives_a_file_of_weights(tmp_path: Path) -> None:
    list(write(tmp_path, 2, seed=5, difficulty="easy", style="box", dice=(4, 5), width_px=640, height_px=480))
    out = tmp_path / "weights.json"
    assert scrutiny.main([str(out), str(tmp_path)]) == 0
    shipped = scrutiny.as_data(fitted())
    written = json.loads(out.read_text(encoding="utf-8"))
    assert {name: np.shape(v) for name, v in written.items()} == {n: np.shape(v) for n, v in shipped.items()}
