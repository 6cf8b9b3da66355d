"""The tilt of the view that each die tells, in rendered scenes from known tilts."""

from dataclasses import replace

import numpy as np
import pytest

from lab.scenes import LEVELS, render, throw
from vision.learned.classifier import tilt_deg
from vision.learned.maps import Detection

SEEDS = range(9_200_000, 9_200_008)
"""Of no scene that the weights were fitted on."""

ONE_DIE_DEG = 12.0
"""Root of the mean squared error of one die, `[tilt]` in `vision/models/fits.toml`."""


def seen_from(true_deg: float) -> list[tuple[float, float]]:
    """The estimated tilt and the true one of each die of scenes seen from this tilt or a little more."""
    level = replace(LEVELS["easy"], tilt_deg=true_deg, least_tilt_deg=true_deg)
    scenes = [throw(seed, (1, 2, 3, 6), style="phone", level=level) for seed in SEEDS]
    pictures = [render(scene, 640, 480) for scene in scenes]
    return [
        (tilt_deg(picture.image_bgr, die), die.tilt_deg)
        for picture in pictures
        for die in picture.truth
        if die.visible > 0.9
    ]


def test_the_estimated_tilt_follows_the_true_one():
    """The mean of some thirty dice; nearer to that of all scenes than the true one, as regressions are."""
    estimated, true = np.transpose([np.mean(seen_from(deg), axis=0) for deg in (0.0, 20.0, 40.0, 60.0)])
    assert (np.diff(estimated) > 0).all()
    assert np.abs(estimated - true).max() < ONE_DIE_DEG


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (639.0, 10.0), (-30.0, 900.0)])
def test_places_at_and_beyond_the_border_have_a_tilt(x, y):
    grey = np.full((480, 640, 3), 90, np.uint8)
    assert np.isfinite(tilt_deg(grey, Detection(x, y, 40.0, 0.0, 1.0, (1.0,))))
