"""Things that lie still are known again in other light and after a nudge; what is laid on them is seen."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.scenes.render import render
from lab.scenes.space import eye
from lab.scenes.throw import table_scene
from lab.scenes.values import Scene, Thing
from vision.arrays import Image
from vision.picture.unchanged import is_unchanged, patch_of

WIDTH, HEIGHT = 800, 600
FLAT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
PEN = Thing("pen", (90.0, 9.0, 9.0), (-60.0, 40.0, 4.5), FLAT, (0.1, 0.1, 0.5), (0.8, 0.8, 0.8))
COIN = Thing("coin", (22.0, 22.0, 2.0), (70.0, -50.0, 1.0), FLAT, (0.7, 0.6, 0.3), (0.4, 0.3, 0.1))
DARK_BOX = Thing("box", (24.0, 14.0, 6.0), (10.0, 70.0, 3.0), FLAT, (0.05, 0.05, 0.05), (0.2, 0.2, 0.2))


def scene_of(dice: int, things: tuple[Thing, ...] = (PEN, COIN, DARK_BOX)) -> Scene:
    faces = [(1 + k % 6, ("white", "green", "red", "black", "ivory", "blue")[k % 6]) for k in range(dice)]
    return replace(table_scene(faces, 5, width_px=WIDTH, height_px=HEIGHT), things=things)


@pytest.fixture(scope="module")
def rounds():
    """Two rounds with the same things and other dice; where things lie, and where the second's dice do."""
    first, second = scene_of(0), scene_of(6)
    before, after = render(first).image_bgr, render(second)
    things = [_place(thing, first) for thing in first.things]
    dice = [(die.x_px / WIDTH, die.y_px / WIDTH, die.size_px / WIDTH) for die in after.truth]
    free = [t for t in things if all(max(abs(t[0] - d[0]), abs(t[1] - d[1])) > d[2] + t[2] for d in dice)]
    assert len(free) >= 2, "things that no die touches"
    return before, after.image_bgr, free, dice


def _place(thing: Thing, scene: Scene) -> tuple[float, float, float]:
    """Where a thing lies in the picture, its side that of a die."""
    x_px, y_px = eye(scene.lens, WIDTH, HEIGHT).project(np.array([thing.centre_mm]))[0]
    return float(x_px) / WIDTH, float(y_px) / WIDTH, 0.05


def again(image: Image, seed: int, *, gain: float = 1.0, ramp: float = 0.0, nudge_px: float = 0.0) -> Image:
    """The picture taken once more: other light, a nudge, noise, JPEG."""
    rng = np.random.default_rng(seed)
    move = np.array([[1, 0, nudge_px], [0, 1, -nudge_px / 2]])
    moved = cv2.warpAffine(image, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    light = gain * (1 + ramp * np.linspace(-1, 1, WIDTH))[None, :, None]
    noisy = np.clip(moved * light + rng.normal(0, 4, moved.shape), 0, 255).astype(np.uint8)
    kept = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize(
    "change", [{}, {"gain": 0.8}, {"gain": 1.2}, {"ramp": 0.15}, {"nudge_px": 1.0}, {"nudge_px": 3.0}]
)
def test_a_thing_that_lies_still_is_known_again_in_the_next_round(rounds, change):
    before, after, things, _ = rounds
    picture = again(after, 1, **change)
    for place in things:
        assert is_unchanged(patch_of(before, *place), picture), (place, change)


def test_a_die_that_comes_to_lie_on_a_place_changes_it(rounds):
    """Of any colour, that of the cloth too, and with any face."""
    before, after, _, dice = rounds
    for seed, (x, y, size) in enumerate(dice):
        picture = again(after, seed)
        for off in (-0.3, 0.0, 0.3):
            assert not is_unchanged(patch_of(before, x + off * size, y, size), picture), (x, y)
            assert not is_unchanged(patch_of(again(after, 9), x + off * size, y, size), before), "and gone"


@pytest.mark.slow
@pytest.mark.parametrize("thing", [PEN, COIN, DARK_BOX])
def test_a_die_on_a_thing_is_seen(thing):
    before = render(scene_of(0, (thing,))).image_bgr
    place = _place(thing, scene_of(0))
    for face in range(1, 7):
        scene = scene_of(0, (thing,))
        lying = table_scene([(face, "white")], 3, width_px=WIDTH, height_px=HEIGHT).dice[0]
        on_it = replace(lying, centre_mm=(*thing.centre_mm[:2], lying.centre_mm[2]))
        after = render(replace(scene, dice=(on_it,), things=())).image_bgr
        assert not is_unchanged(patch_of(before, *place), again(after, face))
