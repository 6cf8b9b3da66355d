"""Colours and patterns: every state distinguishable, gentle to eyes, and as the page in docs says."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.lamps import patterns
from hardware.lamps.patterns import FAULT_FLASHES, SEAT, STATUS, status_rgb, status_signal
from hardware.ports import BoxState, SeatLamp
from tests.hardware import lamp_page as table

ALL = {f"status {state}": STATUS[state].pattern for state in BoxState}
ALL |= {f"fault {reason}": status_signal(BoxState.FAULT, reason).pattern for reason in FAULT_FLASHES}
ALL |= {f"seat {lamp}": SEAT[lamp] for lamp in SeatLamp}


def test_every_state_has_a_pattern_and_a_meaning():
    assert set(STATUS) == set(table.MEANINGS) == set(BoxState)
    assert set(SEAT) == set(table.SEAT_MEANINGS) == set(SeatLamp)
    assert set(FAULT_FLASHES) == set(table.FAULT_MEANINGS)


@pytest.mark.parametrize(("one", "other"), list(combinations(BoxState, 2)))
def test_states_are_distinguished_without_colour(one, other):
    times = [n / 20 for n in range(400)]
    first, second = STATUS[one].pattern, STATUS[other].pattern
    assert sum(abs(first.level(t) - second.level(t)) > 0.3 for t in times) > 20


def test_faults_are_distinguished_by_their_number_of_flashes():
    shared_by_the_pins = {"pin_taken", "pins_missing"}
    counts = [count for reason, count in FAULT_FLASHES.items() if reason not in shared_by_the_pins]
    assert len(set(counts)) == len(counts)


@pytest.mark.parametrize("pattern", ALL.values(), ids=ALL.keys())
def test_nothing_flashes_more_than_three_times_a_second(pattern):
    lit = [pattern.level(n / 100) > 0.5 for n in range(1000)]
    starts = [n for n in range(1, 1000) if lit[n] and not lit[n - 1]]
    assert all(later - earlier >= 100 for earlier, later in zip(starts, starts[3:], strict=False))


@given(st.sampled_from(list(BoxState)), st.sampled_from(["", *FAULT_FLASHES]), st.floats(0, 1e6))
def test_levels_stay_within_bounds_and_repeat(state, fault, since_s):
    rgb = status_rgb(state, fault, since_s)
    assert all(0 <= level <= 1 for level in rgb)
    pattern = status_signal(state, fault).pattern
    if pattern.smooth:
        assert pattern.level(since_s + pattern.period_s) == pytest.approx(pattern.level(since_s), abs=1e-3)


@given(st.sampled_from(list(ALL.values())), st.floats(0, 1e4))
def test_the_next_change_is_when_the_level_changes(pattern, since_s):
    pause_s = pattern.next_change_s(since_s)
    if pattern.smooth:
        assert pause_s == patterns.FRAME_S
    elif pause_s is None:
        assert pattern.level(since_s) == pattern.level(since_s + 12.3)
    else:
        assert pause_s >= 0.001
        assert pause_s < 0.01 or pattern.level(since_s + 0.001) == pattern.level(since_s + pause_s - 0.001)


@pytest.mark.parametrize(
    ("state", "fault", "since_s", "rgb"),
    [
        (BoxState.BIDDING, "", 3.7, (0.0, 0.1, 1.0)),
        (BoxState.STANDS, "", 1.3, (0.0, 1.0, 0.1)),
        (BoxState.STANDS, "", 1.5, (0.0, 0.0, 0.0)),
        (BoxState.FAILS, "", 0.4, (1.0, 0.0, 0.0)),
        (BoxState.FAILS, "", 0.6, (0.0, 0.0, 0.0)),
        (BoxState.FAULT, "camera_missing", 0.8, (1.0, 0.0, 0.0)),
        (BoxState.FAULT, "camera_missing", 1.1, (0.0, 0.0, 0.0)),
        (BoxState.FAULT, "camera_busy", 1.1, (1.0, 0.0, 0.0)),
        (BoxState.IDLE, "camera_busy", 0.0, (0.075, 0.075, 0.075)),
    ],
)
def test_the_status_light_at_a_moment(state, fault, since_s, rgb):
    assert status_rgb(state, fault, since_s) == pytest.approx(rgb)


def test_states_that_sound_are_distinguished_by_ear():
    assert len(set(patterns.SOUNDS.values())) == len(patterns.SOUNDS)
    assert len({table.in_words(state) for state in patterns.SOUNDS}) == len(patterns.SOUNDS)


@pytest.mark.parametrize(
    ("state", "since_s", "expected"),
    [
        (BoxState.QUESTION, 0.0, (True, 0.08)),
        (BoxState.QUESTION, 0.1, (False, 0.1)),
        (BoxState.QUESTION, 0.21, (True, 0.07)),
        (BoxState.QUESTION, 0.3, (False, None)),
        (BoxState.IDLE, 0.0, (False, None)),
    ],
)
def test_the_buzzer_at_a_moment(state, since_s, expected):
    on, pause_s = patterns.sounding(state, since_s)
    assert on is expected[0]
    assert pause_s == (None if expected[1] is None else pytest.approx(expected[1]))
