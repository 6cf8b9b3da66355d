"""The pictures behind a verdict as the phones get them: small, and never larger than they came."""

import cv2
import numpy as np
import pytest

from companion.app.reading.decoder import for_phones
from hardware.cameras.simulated_dice import laid

pytestmark = pytest.mark.slow

DICE = [(1 + k % 6, ("ivory", "red", "blue", "black", "green", "yellow")[k // 5]) for k in range(30)]
FIRST_VIEW_BYTES = 100_000
WITHOUT_PICTURE_BYTES = 30_000
"""What the verdict's page, style and scripts weigh, gzipped."""


@pytest.mark.parametrize(
    ("size", "longest", "reason"),
    [
        ((1600, 1200), 960, "a camera's picture is shrunk to what a phone shows"),
        ((640, 480), 640, "a small one is not enlarged"),
        ((1200, 1600), 960, "upright"),
    ],
)
def test_pictures_for_phones_are_as_large_as_phones_show_them(size, longest, reason):
    picture = cv2.resize(laid(DICE, 3).image_bgr, size)
    seen = cv2.imdecode(np.frombuffer(for_phones(picture), np.uint8), 1)
    assert max(seen.shape[:2]) == longest, reason


@pytest.mark.parametrize("seed", range(5))
def test_a_verdict_with_its_picture_stays_below_the_first_view(seed):
    picture = for_phones(laid(DICE, seed, width_px=1600, height_px=1200).image_bgr)
    assert len(picture) + WITHOUT_PICTURE_BYTES < FIRST_VIEW_BYTES
