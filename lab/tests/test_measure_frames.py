"""Frames of one place: what they say together of a die, as the measurement counts it."""

import pytest

from lab.measure.frames import Burst, loss, pooled

SURE, ELSE = (0.0, 0.0, 0.0, 0.0, 0.8, 0.1), (0.8, 0.0, 0.0, 0.0, 0.1, 0.0)


@pytest.mark.parametrize(
    ("frames", "missed", "weight", "five", "reason"),
    [
        ((SURE,), 0, 0.0, 0.8, "one frame: as it was read"),
        ((SURE, SURE), 0, 0.0, 0.8, "further frames of no weight say the same"),
        ((SURE, SURE), 0, 1.0, 0.97, "independent ones raise it"),
        ((SURE, ELSE), 0, 0.0, 0.73, "two that differ: five is likely to neither to be wrong"),
        ((SURE,), 1, 0.0, 0.68, "a frame that misses it speaks for no die"),
    ],
)
def test_frames_are_pooled(frames, missed, weight, five, reason):
    assert pooled(Burst(5, frames, missed), weight, 1.0)[5] == pytest.approx(five, abs=0.01), reason


def test_the_loss_is_least_where_the_truth_is_likely():
    right, wrong = Burst(5, (SURE,), 0), Burst(0, (SURE,), 0)
    assert loss([right], 0.0, 1.0) < loss([wrong], 0.0, 1.0)
