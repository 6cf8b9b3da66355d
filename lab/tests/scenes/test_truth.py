"""What the truth says is what the pixels show."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.scenes import Scene, render, table_scene, throw
from lab.scenes.space import eye
from lab.scenes.values import Flat, Lens, Thing

pytestmark = pytest.mark.slow


def _clean(scene: Scene) -> Scene:
    """The scene on a perfect film."""
    film = replace(
        scene.film, soften=0, motion=(0, 0), coarse=1, noise=0, grain=0, jpeg=0, smear=False, hole=0
    )
    return replace(scene, film=film)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_each_die_stands_where_the_truth_says(difficulty, seed):
    scene = throw(seed, difficulty=difficulty, count=(3, 7))
    scene = _clean(replace(scene, things=(), flats=(), tray=None))
    picture = render(scene, 640)
    empty = render(replace(scene, dice=()), 640).image_bgr
    changed = np.abs(picture.image_bgr.astype(int) - empty).max(axis=2)
    for die in picture.truth:
        if die.visible < 0.9:
            continue
        top = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(
            top,
            np.round((np.array(die.corners_px) - (die.x_px, die.y_px)) * 0.8 + (die.x_px, die.y_px)).astype(
                int
            ),
            1,
        )
        assert np.median(changed[top > 0]) > 3, (die.face, die.colour)


def test_most_pips_can_be_read_and_the_truth_knows_which_cannot():
    truths = [t for s in range(10) for t in render(throw(s, difficulty="normal", count=(4, 8)), 640).truth]
    legible = [t for t in truths if t.contrast >= 8]
    assert len(legible) > 0.93 * len(truths)
    scene = table_scene([(5, "ivory"), (6, "red")], 1)
    drowned = render(replace(scene, film=replace(scene.film, soften=40.0)), 640)
    assert all(t.contrast < 8 for t in drowned.truth)


@pytest.mark.parametrize(
    ("target_mm", "visible", "cut"),
    [((0.0, 0.0), 1.0, False), ((148.0, 0.0), 0.5, True), ((140.0, 0.0), 1.0, True)],
    ids=["in the middle", "half beyond the border", "only its side beyond the border"],
)
def test_the_border_cuts_dice_and_the_truth_says_so(target_mm, visible, cut):
    scene = table_scene([(3, "red")], 1)
    alone = replace(scene.dice[0], centre_mm=(0.0, 0.0, scene.dice[0].centre_mm[2]))
    lens = Lens(target_mm, 330.0, 0.0, 0.0, 0.0, 50.0, 0.0)
    (die,) = render(replace(scene, dice=(alone,), lens=lens), 640).truth
    assert die.cut == cut
    assert die.visible == pytest.approx(visible, abs=0.3)


def test_a_cup_over_a_die_hides_it():
    scene = table_scene([(3, "red")], 1)
    x, y, _ = scene.dice[0].centre_mm
    cup = Thing("cup", (70.0, 60.0, 60.0), (x, y, 40.0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0.3, 0.2, 0.1))
    assert render(scene, 640).truth[0].visible > 0.95
    assert render(replace(scene, things=(cup,)), 640).truth[0].visible < 0.05


def test_the_round_opening_hides_what_lies_beyond_it():
    scene = table_scene([(3, "red")], 1)
    hidden = render(replace(scene, film=replace(scene.film, hole=0.05)), 640).truth
    assert hidden[0].visible < 0.05


def test_what_is_printed_reads_from_left_to_right():
    scene = table_scene([], 1)
    card = Flat("card", (0.0, 0.0), (63.0, 88.0), 0.0, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), 4)
    scene = replace(scene, lens=replace(scene.lens, azimuth_deg=0.0), flats=(card,))
    grey = render(scene, 960).image_bgr.mean(axis=2)
    view = eye(scene.lens, 960, 720)

    def ink(x_mm: float) -> float:  # a card's index stands in its upper left corner, and there alone
        x, y = np.round(view.project(np.array([[x_mm, 37.0, 0.0]]))[0]).astype(int)
        return float(np.ptp(grey[y - 10 : y + 10, x - 6 : x + 6]))

    assert ink(-26.5) > 2 * ink(26.5)


@pytest.mark.parametrize("seed", range(4))
def test_a_table_without_dice_has_clutter_and_no_truth(seed):
    scene = throw(seed, difficulty="hard", count=(0, 0))
    assert render(scene, 480).truth == ()
    assert scene.things or scene.flats


def test_numerals_and_emblems_are_no_pips():
    found = [t for s in range(40) for t in _emblems(s)]
    assert found
    assert all(t.pips == () and t.symbol for t in found)


def _emblems(seed: int) -> list:  # type: ignore[type-arg]
    scene = throw(seed, [1, 6, 1, 6], difficulty="hard")
    if not any(d.make.marks for d in scene.dice):
        return []
    return [t for t in render(scene, 320).truth if t.symbol]
