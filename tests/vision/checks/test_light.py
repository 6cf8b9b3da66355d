"""Light in which a reading cannot be believed is told: too dark, too bright, one side without light."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.pictures import Image, all_faces, draw
from vision.arrays import Floats
from vision.checks import light
from vision.checks.check import Checked
from vision.read import read


def table() -> Image:
    return cv2.GaussianBlur(draw(all_faces()), (0, 0), 0.8)


def lit(picture: Image, gain: float | Floats) -> Image:
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def shaded(rows: slice, columns: slice) -> Image:
    """With hardly any light on a part, the edge of the shadow soft."""
    gain = np.ones(table().shape[:2])
    gain[rows, columns] = 0.1
    return lit(table(), cv2.GaussianBlur(gain, (0, 0), 12)[..., None])


def burnt(share: float) -> Image:
    """White as can be from the left, to this share of the width."""
    picture = table()
    picture[:, : round(share * picture.shape[1])] = 255
    return picture


HALF, THIRD = slice(0, 240), slice(0, 320)
OTHER_HALF, OTHER_THIRD = slice(240, None), slice(320, None)
ALL = slice(None)


@pytest.mark.parametrize(
    ("reason", "make", "keys"),
    [
        ("as it should be", table, []),
        ("no lamp", lambda: lit(table(), 0.05), ["too_dark"]),
        ("the lamp is on the right", lambda: shaded(ALL, THIRD), ["too_dark"]),
        ("the lamp is on the left", lambda: shaded(ALL, OTHER_THIRD), ["too_dark"]),
        ("the lamp is below", lambda: shaded(HALF, ALL), ["too_dark"]),
        ("the lamp is above", lambda: shaded(OTHER_HALF, ALL), ["too_dark"]),
        ("a reflection of a tenth burns out", lambda: burnt(0.1), []),
        ("a quarter burns out: a white die would not be seen there", lambda: burnt(0.25), ["too_bright"]),
        ("a red lamp: the other colours still tell", lambda: lit(table(), np.array([0.8, 0.8, 9.0])), []),
    ],
)
def test_light_that_hides_dice_is_found(reason: str, make: Callable[[], Image], keys: list[str]) -> None:
    picture = make()
    assert light.check(Checked(picture, (), ())).keys == tuple(keys), reason


def test_no_empty_table_is_certain_where_white_dice_would_be_lost() -> None:
    white = np.full((480, 640, 3), 90, np.uint8)
    cv2.circle(white, (320, 240), 160, (255, 255, 255), -1)
    assert not read(white).certain
