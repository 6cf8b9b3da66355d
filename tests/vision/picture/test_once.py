"""What one reading makes of its picture is made once, and forgotten with it."""

import numpy as np
import pytest

from vision.picture.working import once, reading

PICTURE, ANOTHER = np.zeros((2, 4, 4, 3), np.uint8)


class Maker:
    """Tells how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return self.times


@pytest.mark.parametrize(
    ("asked", "times", "reason"),
    [
        ([(PICTURE, "size")] * 3, 1, "one and the same"),
        ([(PICTURE, ("rays", 1)), (PICTURE, ("rays", 2)), (PICTURE, ("rays", 1))], 2, "of two places"),
        ([(ANOTHER, "size")] * 2, 2, "another picture than is being read"),
        ([(PICTURE.copy(), "size"), (PICTURE, "size")], 2, "a like picture may change meanwhile"),
    ],
)
def test_within_a_reading_each_thing_is_made_once(asked, times, reason):
    maker = Maker()
    with reading(PICTURE):
        for picture, what in asked:
            once(picture, what, maker)
    assert maker.times == times, reason


def test_nothing_is_kept_without_a_reading_or_after_one():
    maker = Maker()
    for _ in range(2):
        once(PICTURE, "size", maker)
    for _ in range(2):
        with reading(PICTURE):
            once(PICTURE, "size", maker)
    assert maker.times == 4
