"""The world of the scenes obeys the laws of dice and of cameras."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.scenes import marks, render, throw
from lab.scenes.lie import Pose, footprint, overlap
from lab.scenes.makes import any_make, plain_make
from lab.scenes.marks import EMBLEMS
from lab.scenes.pips import frame_of, layout, normal_of, turn_to_top
from lab.scenes.solids import Block, normals, trace
from lab.scenes.space import eye, yaw
from lab.scenes.truth import on_face
from lab.scenes.values import Lens, Lying

pytestmark = pytest.mark.slow

MAKES = [any_make(np.random.default_rng(k), odd=1.0) for k in range(12)]
LENSES = st.builds(
    Lens,
    target_mm=st.tuples(st.floats(-30, 30), st.floats(-30, 30)),
    distance_mm=st.floats(200, 900),
    tilt_deg=st.floats(0, 40),
    azimuth_deg=st.floats(0, 360),
    roll_deg=st.floats(0, 360),
    fov_deg=st.floats(30, 80),
    distortion=st.floats(-0.05, 0.05),
)


@pytest.mark.parametrize("left_handed", [False, True])
def test_opposite_faces_sum_to_seven(left_handed):
    for face in range(1, 7):
        assert np.allclose(normal_of(face, left_handed), -normal_of(7 - face, left_handed))


@pytest.mark.parametrize(("left_handed", "sense"), [(False, 1), (True, -1)])
def test_one_two_three_run_round_their_corner_as_the_hand_says(left_handed, sense):
    one, two, three = (normal_of(f, left_handed) for f in (1, 2, 3))
    assert round(float(np.cross(one, two) @ three)) == sense


@pytest.mark.parametrize("make", MAKES, ids=range(len(MAKES)))
@pytest.mark.parametrize("face", range(1, 7))
def test_the_asked_face_lies_on_top_and_bears_its_pips(face, make):
    turn = turn_to_top(face, make, 0.7)
    assert np.allclose(turn @ turn.T, np.eye(3))
    assert np.linalg.det(turn) == pytest.approx(1)
    assert np.allclose(turn @ normal_of(face, make.left_handed), (0, 0, 1))
    pips = layout(face, make)
    assert len(pips) == face
    assert (np.abs(pips[:, :2]).max(axis=1) + pips[:, 2] < 0.95).all()
    apart = [math.dist(a[:2], b[:2]) - a[2] - b[2] for a, b in itertools.combinations(pips, 2)]
    assert all(gap > 0 for gap in apart)


@pytest.mark.parametrize(("along_side", "turn_deg"), [(False, 45), (True, 0)])
def test_a_two_lies_across_the_face_or_along_a_side(along_side, turn_deg):
    (ax, ay, _), (bx, by, radius) = layout(2, replace(plain_make("white"), two_along_side=along_side))
    off_axis_deg = math.degrees(math.atan2(abs(ax - bx), abs(ay - by)))
    assert off_axis_deg == pytest.approx(turn_deg, abs=5)  # the drill's own error
    assert math.hypot(ax - bx, ay - by) > 2 * radius


def test_some_makes_but_few_have_their_two_along_a_side():
    along_side = [any_make(np.random.default_rng(k)).two_along_side for k in range(400)]
    assert 0.05 < np.mean(along_side) < 0.2


@settings(max_examples=60, deadline=None)
@given(LENSES, st.floats(60, 1200), st.floats(60, 900))
def test_a_pixels_ray_meets_the_table_where_it_is_projected_from(lens, x, y):
    view = eye(lens, 1280, 960)
    ray = view.rays(np.array([x], np.float32), np.array([y], np.float32))[:, 0]
    if ray[2] > -0.1:  # near the horizon: no table to speak of
        return
    point = view.on_table(np.array([x], np.float32), np.array([y], np.float32))[:, 0]
    assert np.allclose(view.project(np.array([[*point, 0.0]])), [[x, y]], atol=0.2)


def test_a_camera_without_tilt_shows_the_table_the_right_way_round():
    view = eye(Lens((0, 0), 400, 0, 0, 0, 50, 0), 1280, 960)
    (x0, y0), (x1, _), (_, y2) = view.project(np.array([(0, 0, 0), (10, 0, 0), (0, 10, 0)], float))
    assert (x0, y0) == pytest.approx((639.5, 479.5))
    assert x1 > x0
    assert y2 < y0


@settings(max_examples=80, deadline=None)
@given(st.floats(-30, 30), st.floats(-30, 30), st.floats(0, 6.2), st.floats(0, 6.2))
def test_overlap_agrees_with_points_of_both_squares(x, y, a, b):
    first, second = Pose(0, 0, 8, a), Pose(x, y, 9, b)
    grid = np.stack(np.meshgrid(*[np.linspace(-0.98, 0.98, 15)] * 2), axis=-1).reshape(-1, 2)
    inside = (grid * 8) @ yaw(a)[:2, :2].T - (x, y)
    own = inside @ yaw(b)[:2, :2]
    if (np.abs(own) < 8.8).all(axis=1).any():
        assert overlap(first, second)
    assert overlap(first, second) == overlap(second, first)
    assert footprint(first).shape == (4, 2)


def _square(die: Lying) -> Pose:
    turn = np.asarray(die.turn)
    return Pose(die.centre_mm[0], die.centre_mm[1], die.make.side_mm / 2, _yaw_of(turn))


def _yaw_of(turn: np.ndarray) -> float:
    """Turn of the upright cube's sides about the vertical."""
    flat = max((turn[:, k] for k in range(3)), key=lambda axis: abs(axis[0]) + abs(axis[1]) - abs(axis[2]))
    return math.atan2(flat[1], flat[0])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("difficulty", ["normal", "hard"])
def test_dice_lie_on_the_table_and_not_within_one_another(difficulty, seed):
    scene = throw(seed, difficulty=difficulty, count=(8, 30))
    for die in scene.dice:
        corners = np.array([(u, v) for u in (-1, 1) for v in (-1, 1)])
        every = np.concatenate([on_face(die, f, corners) for f in (die.face, 7 - die.face)])
        feet = [0.0] + [2 * other.centre_mm[2] for other in scene.dice]
        foot = min(feet, key=lambda z: abs(z - every[:, 2].min()))
        assert every[:, 2].min() == pytest.approx(foot, abs=0.15 * die.make.side_mm if die.cocked else 1e-6)
    flat = [replace_half(_square(d), 0.995) for d in scene.dice if not d.cocked and _stands(d)]
    assert not any(overlap(a, b) for a, b in itertools.combinations(flat, 2))


def _stands(die: Lying) -> bool:
    """Whether the die stands on the table, not on another die."""
    return die.centre_mm[2] < 0.51 * die.make.side_mm


def test_now_and_then_a_die_lies_on_another():
    scenes = [throw(s, difficulty="hard", count=(5, 9)) for s in range(60)]
    high = [d for s in scenes for d in s.dice if not d.cocked and not _stands(d)]
    assert 1 <= len(high) <= 12


def replace_half(pose: Pose, by: float) -> Pose:
    return replace(pose, half_mm=pose.half_mm * by)


def test_some_dice_touch_and_some_lean_where_it_is_hard():
    scenes = [throw(s, difficulty="hard", count=(10, 20)) for s in range(30)]
    assert any(d.cocked for s in scenes for d in s.dice)
    gaps = [
        overlap(replace_half(a, 1.04), replace_half(b, 1.04))
        for s in scenes
        for a, b in itertools.combinations([_square(d) for d in s.dice], 2)
    ]
    assert sum(gaps) > 30


@pytest.mark.parametrize("make", MAKES[:6], ids=range(6))
def test_side_faces_of_the_truth_are_the_dies_neighbours(make):
    scene = throw(11, (1, 2, 3, 4, 5, 6), difficulty="hard")
    for die in render(scene, 640).truth:
        assert len(die.sides) == len(die.sides_px) <= 3
        assert die.face not in die.sides
        assert not any(a + b == 7 for a, b in itertools.combinations(die.sides, 2))
    for face in range(1, 7):
        u, v, n = frame_of(face, make)
        assert np.allclose(np.cross(u, v), n)


def test_rays_meet_a_rounded_box_on_its_surface():
    box = Block((8.0, 8.0, 8.0), 2.0, 11.5)
    rng = np.random.default_rng(1)
    goals = rng.uniform(-6, 6, (3, 400)).astype(np.float32)
    origin = np.array([30.0, 20.0, 80.0], np.float32)
    rays = goals - origin[:, None]
    rays /= np.linalg.norm(rays, axis=0)
    hit, length = trace(box, origin, rays.astype(np.float32))
    points = origin[:, None] + rays[:, hit] * length
    assert len(hit) == 400
    assert np.abs(box.distance(points.astype(np.float32))).max() < 0.05
    assert (np.einsum("ij,ij->j", normals(box, points.astype(np.float32)), rays[:, hit]) < 0.05).all()


@pytest.mark.parametrize("places", [0, 1, 1023, 1024, 1025, 40_000])
def test_a_mark_is_sampled_at_any_number_of_places_none_too(places):
    u, v = np.random.default_rng(places).uniform(-1, 1, (2, places))
    cover = marks.sample(EMBLEMS[0], u, v)
    assert cover.shape == (places,)
    assert ((cover >= 0) & (cover <= 1)).all()
