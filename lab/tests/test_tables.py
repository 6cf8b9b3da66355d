"""How tables are laid and composed, and how pictures of them are measured."""

import json
import math

import cv2
import numpy as np
import pytest

from lab.measure import tables
from lab.scenes.makes import plain_make
from lab.scenes.pips import normal_of, turn_to_top
from lab.scenes.space import eye, turn_about
from lab.tables import lay, render
from lab.tables.composed import KINDS, compose, makes
from lab.tables.cuts import FOLDER, SPLITS, cuts, largest
from lab.tables.drop import fallen
from lab.tables.evening import DICE, SIZES, VIEWS, evening, lens, things
from lab.tables.lay import Lain


def apart(dice: list[Lain]) -> float:
    return min(math.hypot(d.x - e.x, d.y - e.y) for k, d in enumerate(dice) for e in dice[:k])


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0.0, 0.0), (0.5, 0.4, 0.9), (1.0, 1.0, 1.0)])
def test_dice_of_a_cup_lie_beside_one_another(share, least, most):
    cups = [lay.cup(np.random.default_rng(seed), 5, share) for seed in range(40)]
    assert min(map(apart, cups)) >= 1
    assert least <= sum(map(lay.touching, cups)) / len(cups) <= most


def test_a_table_keeps_cups_apart_and_within_the_picture():
    found = (lay.table(np.random.default_rng(seed), [5, 4, 3, 2], 0.5, 26.0, 20.0) for seed in range(20))
    for dice in filter(None, found):
        assert [sum(d.owner == k for d in dice) for k in range(4)] == [5, 4, 3, 2]
        assert all(1 <= d.x <= 25 and 1 <= d.y <= 19 for d in dice)
        assert all(math.hypot(d.x - e.x, d.y - e.y) > 2.5 for d in dice for e in dice if d.owner != e.owner)


def test_packed_dice_all_touch():
    dice = lay.rack(np.random.default_rng(3), 33)
    assert len(dice) == 33
    assert lay.touching(dice) == 1
    assert apart(dice) >= 1


def test_the_largest_free_rectangle_is_found():
    taken = np.zeros((24, 24), bool)
    taken[:, 4] = taken[20] = True
    edges = np.arange(25) * 10
    assert largest(taken, edges, edges) == (50, 0, 240, 200)


def test_fit_and_test_share_no_source():
    families = {split: {name.rpartition("/")[2] for name in sets} for split, sets in SPLITS.items()}
    assert not families["fit"] & families["test"]
    for split, sets in SPLITS.items():
        assert {cut.photo.rpartition("/")[0] for cut in cuts(split)} <= set(sets)
        assert len(makes(split)) >= 5


def test_without_photographs_a_sentence_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(tables, "FOLDER", tmp_path / "none")
    with pytest.raises(SystemExit) as ended:
        tables.main([])
    assert ended.value.code == 2
    assert "photographs to compose tables of are not there" in capsys.readouterr().err


def test_pictures_of_a_folder_are_measured(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "a.png"), np.full((480, 640, 3), 90, np.uint8))
    die = {"x": 0.5, "y": 0.5, "size": 0.1, "face": 3}
    (tmp_path / "labels.json").write_text(json.dumps({"a.png": {"dice": [die], "kind": "empty"}}))
    assert tables.main(["--folder", str(tmp_path), "--jobs", "1"]) == 0
    assert "| empty | 1 | 1 | 0.0 % | 7 | " in capsys.readouterr().out, "a die that is not seen is asked for"


@pytest.mark.shared
@pytest.mark.skipif(not FOLDER.is_dir(), reason="the photographs are not here")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_table_is_the_same_each_time(kind):
    first, again, other = (compose(kind, "test", seed) for seed in (4, 4, 5))
    assert np.array_equal(first.image_bgr, again.image_bgr)
    assert first.label == again.label != other.label


def test_an_evening_is_the_same_each_time_and_another_for_each_split():
    assert evening("test", 7) == evening("test", 7)
    assert evening("test", 7) != evening("test", 8)
    assert evening("test", 7) != evening("fit", 7)


@pytest.mark.parametrize("number", range(12))
def test_players_have_dice_of_one_mould_in_colours_of_their_own(number):
    made = evening("test", number)
    assert made.view == VIEWS[number % 3]
    assert len(made.makes) == len(made.places_mm) == len({make.body for make in made.makes})
    assert len({make.side_mm for make in made.makes}) == 1
    assert not any(make.left_handed or make.marks for make in made.makes), "western dice with pips alone"
    assert bool(made.closed_mm) == (made.view == "cup"), "cup by cup the others still stand"
    assert all(math.dist(a, b) > 2 * made.cup_mm for a in made.places_mm for b in made.closed_mm)


@pytest.mark.parametrize("number", range(12))
def test_every_camera_has_all_dice_in_view_and_nothing_on_them(number):
    made, rng = evening("fit", number), np.random.default_rng(number)
    places = np.repeat(np.array(made.places_mm), DICE, axis=0) + rng.uniform(
        -30, 30, (DICE * len(made.makes), 2)
    )
    dice = np.column_stack([places, np.full(len(places), 8.0)])
    width, height = SIZES[made.view]
    seen = eye(lens(made, dice), width, height).project(dice)
    assert ((seen > 0) & (seen < (width, height))).all()
    for thing in things(made, places)[0]:
        away = np.hypot(*(places - thing.centre_mm[:2]).T).min()
        assert away > (85 if thing.kind == "hand" else 60)


@pytest.mark.parametrize(
    ("lean_deg", "z", "face", "why"),
    [
        (0.0, 8.0, 4, "flat on the table"),
        (0.7, 8.1, 4, "as flat as bodies of the engine lie"),
        (9.0, 8.9, None, "cocked: thrown again"),
        (0.0, 24.0, None, "on another die"),
    ],
)
def test_a_fallen_die_has_its_face(lean_deg, z, face, why):
    pose = np.eye(4)
    pose[:3, :3] = turn_about((1, 0, 0), math.radians(lean_deg)) @ turn_to_top(4, plain_make("white"), 0.4)
    pose[:3, 3] = (3.0, 5.0, z)
    found = fallen(pose, 16.0)
    assert (found and found.face) == face, why
    assert found is None or float(np.asarray(found.turn)[2] @ normal_of(4, False)) > 0.999


def test_without_blender_a_sentence_names_the_extra(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(render, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        render.main(["--folder", str(tmp_path)])
    assert ended.value.code == 2
    assert "install the extra [render]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
