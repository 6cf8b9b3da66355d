"""Scenes are what was asked for, and their truth agrees with the pixels."""

from dataclasses import replace

import numpy as np
import pytest

from lab.scenes import DIFFICULTIES, STYLES, SceneError, render, table_scene, throw

pytestmark = pytest.mark.slow


def test_the_same_seed_draws_the_same_picture():
    a, b = (render(throw(5, difficulty="hard"), 480) for _ in range(2))
    assert a.truth == b.truth
    assert np.array_equal(a.image_bgr, b.image_bgr)


def test_other_seeds_throw_other_scenes():
    assert len({throw(seed).dice for seed in range(20)}) == 20


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("style", STYLES)
def test_the_faces_are_the_ones_asked_for(difficulty, style):
    faces = (1, 2, 3, 4, 5, 6)
    scene = throw(3, faces, difficulty=difficulty, style=style)
    assert tuple(d.face for d in scene.dice) == faces


@pytest.mark.parametrize("number", [0, 1, 2, 7, 30])
def test_one_to_thirty_dice_find_room(number):
    for seed in range(6):
        scene = throw(seed, [1 + k % 6 for k in range(number)], difficulty="normal")
        assert len(scene.dice) == number


def test_the_simulated_table_shows_each_players_dice():
    rolled = [(1 + k % 6, colour) for k, colour in enumerate(["red", "blue", "ivory", "black"] * 5)]
    truth = render(table_scene(rolled, 9), 640).truth
    assert [(t.face, t.colour) for t in truth] == rolled
    assert all(t.visible > 0.97 and not t.cut and not t.cocked for t in truth)


def test_pips_of_the_truth_stand_out_of_the_body():
    scene = table_scene([(f, c) for f in range(1, 7) for c in ("ivory", "red")], 4)
    picture = render(replace(scene, film=replace(scene.film, soften=0.0, jpeg=0)), 1280)
    grey = picture.image_bgr.astype(float).mean(axis=2)
    for die in picture.truth:
        assert len(die.pips) == die.face
        for pip in die.pips:
            inside = grey[round(pip.y_px), round(pip.x_px)]
            ring = [
                grey[
                    round(pip.y_px + 1.5 * pip.radius_px * np.sin(a)),
                    round(pip.x_px + 1.5 * pip.radius_px * np.cos(a)),
                ]
                for a in np.arange(8) * np.pi / 4
            ]
            assert abs(inside - np.median(ring)) > 40, (die.face, die.colour)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"difficulty": "mad"}, "difficulty"),
        ({"style": "mad"}, "style"),
        ({"faces": [7]}, "face"),
        ({"faces": [1], "colours": ["mauve"]}, "colour"),
        ({"faces": [1], "colours": []}, "colours"),
        ({"count": (5, 2)}, "range"),
        ({"count": (0, 999)}, "range"),
    ],
)
def test_what_cannot_be_thrown_is_refused_in_a_sentence(arguments, words):
    with pytest.raises(SceneError, match=words) as refused:
        throw(1, **arguments)  # type: ignore[arg-type]
    assert str(refused.value).endswith(".")
