"""What the nets learn from, as far as it needs no training framework: painted faces and grounds."""

from dataclasses import replace

import numpy as np
import pytest

from lab.training.pictures.faces import blank, pip_places, style
from lab.training.pictures.textures import ground, tufts, woven

pytestmark = pytest.mark.slow

STYLES = [style(np.random.default_rng(k)) for k in range(20)]


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("made", STYLES, ids=range(len(STYLES)))
def test_a_painted_face_has_its_pips_inside(face, made):
    places = pip_places(face, made, quarter=False)
    assert len(places) == face
    assert np.abs(places).max() + made.radius < 0.5


@pytest.mark.parametrize(("along_side", "together"), [(True, 0), (False, 1)])
def test_a_painted_two_lies_across_the_face_or_along_a_side(along_side, together):
    (ax, ay), (bx, by) = pip_places(2, replace(STYLES[0], two_along_side=along_side), quarter=False)
    sides = sorted([abs(ax - bx), abs(ay - by)])
    assert sides[0] == pytest.approx(together * sides[1])


@pytest.mark.parametrize("made", [m for m in STYLES if m.two_along_side])
def test_the_pips_of_a_two_along_a_side_do_not_touch(made):
    one, other = pip_places(2, made, quarter=False)
    assert np.linalg.norm(one - other) > 2.4 * made.radius


@pytest.mark.parametrize(
    ("skin", "least", "most"),
    [
        pytest.param({}, 0, 0, id="plain"),
        pytest.param({"vein": 0.6}, 0.1, 0.98, id="veins"),
        pytest.param({"glitter": 50.0, "flake_px": 1.0}, 0.03, 0.3, id="fine glitter"),
        pytest.param({"glitter": 50.0, "flake_px": 6.0}, 0.03, 0.3, id="coarse glitter"),
    ],
)
def test_a_body_shows_its_skin_on_a_part_of_it(skin, least, most):
    made = replace(STYLES[0], **({"marble": 0.0, "vein": 0.0, "glitter": 0.0} | skin))
    faces = [blank(np.random.default_rng(seed), made) for seed in range(6)]
    other = [(np.abs(face - made.body).max(axis=2) > 4).mean() for face in faces]
    assert least <= float(np.mean(other)) <= max(other) <= most, other


@pytest.mark.parametrize("make", [ground, tufts, woven])
@pytest.mark.parametrize("seed", range(8))
def test_every_ground_is_a_picture_of_its_seed(make, seed):
    once, again = (make(np.random.default_rng(seed), 60) for _ in range(2))
    assert once.shape == (60, 60, 3)
    assert np.isfinite(once).all()
    assert np.array_equal(once, again)


def test_a_woven_ground_shows_two_threads():
    seen = [woven(np.random.default_rng(k), 120).std(axis=(0, 1)).max() for k in range(8)]
    assert min(seen) > 4
