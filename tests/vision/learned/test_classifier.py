"""The crop classifier: the shipped model, what it is shown, and what it says of single places."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cameras.simulated_dice import laid
from vision.learned import classifier, net

REFERENCE = Path(__file__).with_name("classifier_reference.npz")


def test_it_answers_as_the_training_framework_did():
    with np.load(REFERENCE) as wanted:
        model = net.load(classifier.CLASSIFIER_MODEL)
        answers = [model.run(patch, "classes", "features") for patch in wanted["patches"]]
        for name in ("classes", "features"):
            np.testing.assert_allclose([answer[name] for answer in answers], wanted[name], atol=2e-3)


@pytest.mark.parametrize("faces", [(1, 2, 3), (4, 5, 6)])
def test_dice_of_an_easy_scene_have_their_faces_and_the_table_has_none(faces):
    picture = laid([(face, "ivory") for face in faces], 3, width_px=960, height_px=720)
    for die in picture.dice:
        seen = classifier.judged(picture.image_bgr, die.x_px, die.y_px, die.size_px)
        assert (seen.face, seen.evidence > 0.8) == (die.face, True)
    usual = picture.dice[0].size_px
    bare = [(x, y) for x in range(60, 900, 120) for y in range(60, 660, 120) if _far(picture.dice, x, y)]
    chances = [classifier.classes(picture.image_bgr, x, y, usual)[-1] for x, y in bare]
    assert min(chances) > 0.5


def _far(truth: object, x: float, y: float) -> bool:
    return all(np.hypot(die.x_px - x, die.y_px - y) > 2 * die.size_px for die in truth)  # type: ignore[attr-defined]


def test_a_face_fills_half_of_every_view():
    image = np.zeros((400, 400, 3), np.uint8)
    cv2.rectangle(image, (160, 110), (239, 189), (255, 255, 255), -1)
    for view, (_, zoom) in zip(classifier.views(image, 200, 150, 80), classifier.VIEWS, strict=True):
        assert view.shape == (classifier.SIDE_PX, classifier.SIDE_PX, 3)
        side = np.sqrt((view[:, :, 0] > 128).sum())
        assert side == pytest.approx(classifier.FACE_PX * zoom, rel=0.05)


@pytest.mark.parametrize("at", [(0.0, 0.0), (399.0, 10.0), (-30.0, 500.0)])
def test_places_at_and_beyond_the_border_get_an_answer(at):
    image = np.full((400, 400, 3), 90, np.uint8)
    assert classifier.classes(image, *at, 50.0).sum() == pytest.approx(1.0, abs=1e-5)


def says(face: int, share: float) -> NDArray[np.float32]:
    """What one view says: `share` for a face, the rest for the others alike."""
    shares = np.full(8, (1 - share) / 7, np.float32)
    shares[face] = share
    return shares


@pytest.mark.parametrize(
    ("answers", "asked", "face", "least", "reason"),
    [
        ([says(6, 0.97)], 1, 6, 0.95, "clear at once"),
        ([says(6, 0.7), says(6, 0.95)], 2, 6, 0.85, "clear after two"),
        ([says(6, 0.7), says(6, 0.7), says(6, 0.95)], 3, 6, 0.8, "clear after three"),
        ([says(4, 0.74), says(6, 0.98), says(6, 0.96), says(6, 0.88)], 3, 6, 0.8, "one outlier"),
        ([says(6, 0.92), says(4, 0.74), says(6, 0.6), says(4, 0.9)], 4, 6, 0.1, "one view is too few"),
        ([says(4, 0.6), says(6, 0.6), says(4, 0.6), says(6, 0.6)], 4, 6, 0.25, "never clear"),
    ],
)
def test_it_classifies_as_often_as_it_takes(answers, asked, face, least, reason, monkeypatch):
    said = iter(answers)
    monkeypatch.setattr(classifier, "_logits", lambda *_: np.log(next(said)))
    chances = classifier.classes(np.full((200, 200, 3), 90, np.uint8), 100.0, 100.0, 50.0)
    assert (len(answers) - len(list(said)), chances[face] >= least) == (asked, True), reason
    assert chances.sum() == pytest.approx(1.0, abs=1e-5)
