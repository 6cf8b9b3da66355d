"""Both runtimes of the nets give the same answers, so that a reading does not tell which of them made it."""

import numpy as np
import pytest

from hardware.cameras.simulated_dice import laid
from vision.learned import classifier, net
from vision.learned.maps import sigmoid, softmax
from vision.learned.runtimes import Ncnn, OpenCv

pytestmark = pytest.mark.slow

LARGEST = 1e-4
"""Of a probability. On 1 131 photographs no face, certainty or doubt differed, and no confidence by more."""


@pytest.fixture(scope="module")
def pictures():
    pytest.importorskip("ncnn", reason="this machine has no ncnn")
    colours = ("ivory", "red", "blue", "green", "black")
    return [
        laid([(1 + k % 6, colours[n % 5]) for k in range(2 + n)], n, width_px=640, height_px=480).image_bgr
        for n in range(10)
    ]


def test_ten_pictures_have_the_same_scores(pictures):
    one, other = (net.Net(kind(net.MODEL)) for kind in (Ncnn, OpenCv))
    for picture in pictures:
        mine, theirs = one.faces(picture), other.faces(picture)
        np.testing.assert_allclose(sigmoid(mine[0]), sigmoid(theirs[0]), atol=LARGEST)
        np.testing.assert_allclose(softmax(mine[1:8]), softmax(theirs[1:8]), atol=LARGEST)
        np.testing.assert_allclose(mine[8:], theirs[8:], atol=10 * LARGEST)


def test_a_hundred_crops_have_the_same_shares(pictures):
    one, other = (net.Net(kind(classifier.CLASSIFIER_MODEL)) for kind in (Ncnn, OpenCv))
    places = [(x, y) for x in range(32, 640, 64) for y in (200.0,)]
    for picture in pictures:
        for x, y in places:
            mine, theirs = (classifier.classes(picture, x, y, 40.0, model) for model in (one, other))
            np.testing.assert_allclose(mine, theirs, atol=LARGEST)
