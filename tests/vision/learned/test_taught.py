"""Emblems shown a few times are known again, however the die lies."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.learned import taught
from vision.learned.taught import Taught, embedding, recognise


def skull(face: Image) -> None:
    cv2.ellipse(face, (60, 52), (34, 30), 0, 0, 360, (250, 250, 250), -1)
    cv2.rectangle(face, (44, 74), (76, 100), (250, 250, 250), -1)
    for x in (48, 72):
        cv2.circle(face, (x, 54), 9, (60, 40, 20), -1)


def cross(face: Image) -> None:
    cv2.rectangle(face, (50, 18), (70, 102), (250, 250, 250), -1)
    cv2.rectangle(face, (18, 50), (102, 70), (250, 250, 250), -1)


def letter(face: Image) -> None:
    cv2.putText(face, "R", (28, 98), cv2.FONT_HERSHEY_DUPLEX, 3.2, (250, 250, 250), 9)


def shown(emblem: Callable[[Image], None], angle_deg: float, dim: float = 1.0) -> Image:
    """A blue die of 60 px with an emblem, turned, in the middle of a table of 240 px squared."""
    face = np.full((120, 120, 3), (160, 90, 40), np.uint8)
    emblem(face)
    table = np.full((240, 240, 3), 110, np.uint8)
    warp = cv2.getRotationMatrix2D((60, 60), -angle_deg, 0.5)
    warp[:, 2] += 60
    out = cv2.warpAffine(face, warp, (240, 240), table, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(out * dim, np.uint8)


def seen(emblem: Callable[[Image], None], angle_deg: float, dim: float = 1.0) -> taught.Embedding:
    return embedding(shown(emblem, angle_deg, dim), 120, 120, 60, angle_deg)


@pytest.mark.parametrize(("emblem", "face"), [(skull, 1), (cross, 6), (letter, 2)])
@pytest.mark.parametrize("angle_deg", [0.0, 37.0, 90.0, 200.0])
def test_a_taught_emblem_is_known_again(emblem, face, angle_deg):
    examples = [Taught(f, seen(e, 12.0)) for e, f in ((skull, 1), (cross, 6), (letter, 2))]
    match = recognise(seen(emblem, angle_deg, dim=0.85), examples)
    assert match.face == face


def five(face: Image) -> None:
    for x, y in ((30, 30), (90, 30), (60, 60), (30, 90), (90, 90)):
        cv2.circle(face, (x, y), 11, (250, 250, 250), -1)


@pytest.mark.parametrize("other", [five, lambda face: None], ids=["pips", "blank"])
def test_what_was_never_shown_is_doubted(other):
    match = recognise(seen(other, 20.0), [Taught(1, seen(skull, 0.0)), Taught(6, seen(cross, 0.0))])
    assert not match.certain


def test_without_teaching_nothing_is_recognised():
    assert recognise(seen(skull, 0.0), []) is None


def test_an_embedding_is_most_like_itself():
    one = seen(skull, 0.0)
    assert one @ one == pytest.approx(1.0, abs=1e-5)
    assert one @ seen(cross, 0.0) < 0.99
