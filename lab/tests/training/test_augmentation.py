"""What light and few pixels do to crops, and how scenes are seen."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.scenes import LEVELS, render, throw
from lab.training.pictures import augmentation, scened
from lab.training.pictures.crops import SIDE_PX

pytestmark = pytest.mark.slow


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("faces_px", "least", "why"),
    [
        ((), 0.35, "nothing needs to be read"),
        ((40.0,), 0.35, "a large face bears it"),
        ((16.0,), 0.5, "8 of 16 pixels are left"),
        ((9.0, 16.0, 30.0), 0.5, "as for the middle one"),
    ],
)
def test_coarse_pictures_keep_their_faces(faces_px, least, why, monkeypatch):
    sizes = list[float]()
    resize = cv2.resize
    monkeypatch.setattr(cv2, "resize", lambda i, size, **how: sizes.append(size[0]) or resize(i, size, **how))
    image = np.full((SIDE_PX, SIDE_PX, 3), 128, np.uint8)
    for seed in range(60):
        augmentation.coarsened(rng(seed), image, faces_px)
    shrunk = [size / SIDE_PX for size in sizes if size < SIDE_PX]
    assert least - 0.01 < min(shrunk) < least + 0.05, why
    assert max(shrunk) <= 0.76


def test_a_face_that_is_small_already_is_not_coarsened():
    image = rng().integers(0, 256, (SIDE_PX, SIDE_PX, 3)).astype(np.uint8)
    assert augmentation.coarsened(rng(), image, (10.0,)) is image


@pytest.mark.parametrize("seed", range(12))
def test_a_coarse_picture_does_not_move(seed):
    image = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    image[30:70, 90:130] = 255
    seen = augmentation.coarsened(rng(seed), image, (40.0,)).mean(2)
    rows, columns = np.nonzero(seen > 128)
    assert (rows.mean(), columns.mean()) == pytest.approx((49.5, 109.5), abs=0.7)


@pytest.mark.parametrize("seed", range(12))
def test_dim_light_leaves_bright_and_dark_apart(seed):
    image = np.full((SIDE_PX, SIDE_PX, 3), 40, np.uint8)
    image[:, 80:] = 200
    dim = augmentation.dimmed(rng(seed), image).astype(float)
    assert dim.mean() < image.mean()
    assert dim[:, 80:].mean() > 3 * dim[:, :80].mean()


def test_a_dark_picture_is_not_dimmed_to_black():
    image = np.full((SIDE_PX, SIDE_PX, 3), 30, np.uint8)
    assert min(augmentation.dimmed(rng(n), image).mean() for n in range(12)) > 15


@pytest.mark.parametrize("seed", range(4))
def test_scenes_are_rendered_so_large_that_dice_have_their_usual_width(seed):
    scene = throw(seed, count=(3, 6), level=replace(LEVELS["normal"], die_px=(60.0, 110.0)))
    sides = [die.size_px for die in scened.fitting(scene).truth]
    assert np.median(sides) == pytest.approx(scened.USUAL_PX, rel=0.25)


def test_a_scene_without_dice_is_rendered_at_a_usual_width():
    assert scened.fitting(throw(1, ())).image_bgr.shape == render(throw(1, ()), 1173, 879).image_bgr.shape


def test_half_the_scenes_are_slanting(monkeypatch):
    tilts = list[float]()
    monkeypatch.setattr(scened, "fitting", lambda scene: tilts.append(scene.lens.tilt_deg))
    for seed in range(60):
        list(scened.scene_crops(rng(seed), seed, 0))
    assert 0.4 < np.mean([tilt >= 10 for tilt in tilts]) < 0.8
    assert max(tilts) < 45
