"""Pauses before what failed is tried again."""

import pytest

from hardware.clock import BackOff
from tests.clocks import FakeClock


@pytest.mark.parametrize(
    ("set_up", "chance", "pauses_s", "why"),
    [
        ({}, 0.0, [1, 2, 4, 8, 16, 30, 30], "doubling up to the longest"),
        ({"first_s": 2.0, "longest_s": 5.0}, 0.0, [2, 4, 5, 5], "begun and ended otherwise"),
        ({"free": 2}, 0.0, [0, 0, 1, 2], "the first ones are free"),
        ({"longest_s": 3.0, "jitter": 0.5}, 0.0, [1, 2, 3, 3], "the longest that chance leaves"),
        ({"longest_s": 3.0, "jitter": 0.5}, 1.0, [0.5, 1, 1.5, 1.5], "half of it at most"),
    ],
)
def test_pauses_double_up_to_the_longest(set_up, chance, pauses_s, why):
    clock = FakeClock()
    pauses = BackOff(clock, chance=lambda: chance, **set_up)
    assert pauses.pause_s() == 0.0
    found = []
    for _ in pauses_s:
        pauses.failed()
        found.append(pauses.pause_s())
        clock.advance(found[-1])
        assert pauses.pause_s() == pytest.approx(0.0)
    assert found == pytest.approx(pauses_s), why
    assert pauses.failures == len(pauses_s)
    pauses.worked()
    assert (pauses.pause_s(), pauses.failures) == (0.0, 0)


def test_a_thousand_failures_are_no_number_too_large():
    pauses = BackOff(FakeClock())
    for _ in range(2000):
        pauses.failed()
    assert pauses.pause_s() == 30.0
