"""Patches of a picture: what they cover, and that every picture and place gives an answer. Whether things are
known again is asked of rendered scenes, in the lab's tests."""

import cv2
import numpy as np
import pytest

from vision.picture.unchanged import CELLS, Patch, is_same, is_unchanged, made_small, patch_of


def test_a_patch_covers_what_lies_whole_in_it():
    patch = Patch(0.5, 0.5, 0.1, np.zeros((CELLS, CELLS, 3), np.uint8))
    assert patch.covers(0.5, 0.5, 0.1)
    assert patch.covers(0.52, 0.49, 0.12)
    assert not patch.covers(0.54, 0.5, 0.1)
    assert not patch.covers(0.5, 0.5, 0.2)


@pytest.mark.parametrize("shape", [(48, 48), (60, 4000), (3000, 90)])
def test_any_picture_and_any_place_give_an_answer(shape):
    grain = np.random.default_rng(1).integers(0, 255, (*shape, 3), np.uint8)
    image = np.asarray(cv2.GaussianBlur(grain, (0, 0), 3), np.uint8)
    for place in ((0.0, 0.0, 0.001), (1.0, shape[0] / shape[1], 0.9), (0.5, 0.1, 0.05)):
        assert is_unchanged(patch_of(image, *place), image)
        assert isinstance(is_unchanged(patch_of(image, *place), 255 - image), bool)


@pytest.mark.parametrize(
    ("why", "noise", "light", "pip", "same"),
    [
        ("the sensor's noise changes nothing", 6.0, 1.0, 0, True),
        ("a pip on the smallest die does", 3.0, 1.0, 8, False),
        ("and so does the light", 3.0, 0.8, 0, False),
    ],
)
def test_pictures_are_the_same_to_a_pip_and_in_the_same_light(why, noise, light, pip, same):
    rng, table = np.random.default_rng(2), np.full((864, 1536, 3), 120.0)

    def taken(bare: np.ndarray) -> np.ndarray:
        return np.asarray(np.clip(bare + rng.normal(0, noise, bare.shape), 0, 255), np.uint8)

    after = light * table
    after[400 : 400 + pip, 700 : 700 + pip] -= 40
    assert is_same(made_small(taken(table)), made_small(taken(after))) is same, why
