"""One button's edges, with every time given."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.debounce import (
    ButtonEvent,
    ButtonState,
    EventKind,
    Timing,
    advance,
    at_rest,
    due_s,
    edge,
)

T = Timing(stable_s=0.03, minimum_s=0.05, lockout_s=0.25, hold_s=1.0, stuck_s=20.0)
DOWN, UP = True, False


def play(edges: list[tuple[float, bool]], until_s: float, timing: Timing = T) -> list[tuple[str, float]]:
    """Feed edges and let the clock run on exactly when `due_s` asks for it, as the thread does."""
    state, reports = at_rest(UP, 0.0), []

    def run_to(state: ButtonState, now_s: float) -> ButtonState:
        while (due := due_s(state, timing)) is not None and due <= now_s:
            state, more = advance(state, due, timing)
            reports.extend(more)
        return state

    for at_s, level in edges:
        state, more = edge(run_to(state, at_s), level, at_s, timing)
        reports.extend(more)
    run_to(state, until_s)
    return [(h.kind.value, round(h.at_s, 6)) for h in reports]


CASES = [
    ("a clean press speaks when it is let go", [(1.0, DOWN), (1.2, UP)], [("short", 1.2)]),
    ("nothing happens before the release", [(1.0, DOWN)], []),
    ("contact bounce at both ends is one press",
     [(1, DOWN), (1.002, UP), (1.005, DOWN), (1.2, UP), (1.203, DOWN), (1.204, UP)], [("short", 1.204)]),
    ("a spike shorter than the stable time is noise", [(1.0, DOWN), (1.02, UP)], []),
    ("a spike that settles but is below the minimum is noise", [(1.0, DOWN), (1.04, UP)], []),
    ("exactly the minimum counts", [(1.0, DOWN), (1.05, UP)], [("short", 1.05)]),
    ("a dropout in the middle of a press does not split it",
     [(1.0, DOWN), (1.1, UP), (1.12, DOWN), (1.3, UP)], [("short", 1.3)]),
    ("a second press within the lock-out is not heard", [(1, DOWN), (1.1, UP), (1.3, DOWN), (1.4, UP)],
     [("short", 1.1)]),
    ("a second press after the lock-out is heard", [(1, DOWN), (1.1, UP), (1.35, DOWN), (1.45, UP)],
     [("short", 1.1), ("short", 1.45)]),
    ("noise does not start a lock-out", [(1, DOWN), (1.04, UP), (1.1, DOWN), (1.2, UP)], [("short", 1.2)]),
    ("a hold speaks while the finger is down and not again", [(1.0, DOWN), (3.0, UP)], [("held", 2.0)]),
    ("just below the hold is a short press", [(1.0, DOWN), (1.999, UP)], [("short", 1.999)]),
    ("a press within the lock-out cannot become a hold", [(1, DOWN), (1.1, UP), (1.2, DOWN), (4.0, UP)],
     [("short", 1.1)]),
    ("a button nobody lets go of is stuck, then freed", [(1.0, DOWN), (30.0, UP)],
     [("held", 2.0), ("stuck", 21.0), ("freed", 30.0)]),
    ("the same level twice changes nothing", [(1, DOWN), (1.1, DOWN), (1.2, UP), (1.25, UP)],
     [("short", 1.2)]),
]  # fmt: skip


@pytest.mark.parametrize(("edges", "reports"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_edges_become_presses(edges, reports):
    until_s = 40.0 if edges[-1][1] is UP else 1.9
    assert play(edges, until_s) == reports


def test_a_button_that_is_down_at_the_start_is_ignored_until_it_has_been_let_go():
    state = at_rest(DOWN, 0.0)
    state, reports = advance(state, 5.0, T)
    assert reports == ()
    state, reports = edge(state, UP, 6.0, T)
    state, reports = advance(state, 6.1, T)
    assert reports == ()
    state, reports = edge(state, DOWN, 7.0, T)
    state, reports = edge(state, UP, 7.2, T)
    assert advance(state, 7.3, T)[1] == (ButtonEvent(EventKind.SHORT, 7.2),)


def test_an_edge_stamped_before_the_last_one_counts_as_coming_now():
    state, _ = edge(at_rest(UP, 0.0), DOWN, 1.0, T)
    state, _ = edge(state, UP, 0.9, T)
    assert state.level_s == 1.0


gaps = st.lists(st.floats(0.0005, 3.0), min_size=1, max_size=40)


@given(gaps)
def test_presses_keep_their_distance_and_their_order(waits):
    edges = [(at_s, n % 2 == 0) for n, at_s in enumerate(accumulate(waits))]
    times = [at_s for kind, at_s in play(edges, 200.0) if kind in ("short", "held")]
    assert times == sorted(times)
    assert all(later - earlier >= T.lockout_s for earlier, later in pairwise(times))


@given(gaps)
def test_never_more_presses_than_times_the_button_went_down(waits):
    edges = [(at_s, n % 2 == 0) for n, at_s in enumerate(accumulate(waits))]
    presses = [kind for kind, _ in play(edges, 200.0) if kind in ("short", "held")]
    assert len(presses) <= sum(down for _, down in edges)


@given(st.floats(0.06, 0.95), st.lists(st.floats(0.0001, 0.004), max_size=6))
def test_bounce_never_changes_what_a_press_says(length_s, bounces):
    flicker = [(1.0 + at_s, n % 2 == 1) for n, at_s in enumerate(accumulate(bounces))]
    rests_s = 1.0 + sum(bounces) + 0.0001
    pressed = [(1.0, DOWN), *flicker, (rests_s, DOWN), (rests_s + length_s, UP)]
    assert [kind for kind, _ in play(pressed, 10.0)] == ["short"]


@given(gaps)
def test_nothing_is_pending_for_a_button_long_at_rest(waits):
    edges = [(at_s, n % 2 == 0) for n, at_s in enumerate(accumulate(waits))] + [(150.0, UP)]
    state = at_rest(UP, 0.0)
    for at_s, level in edges:
        state, _ = edge(state, level, at_s, T)
    state, _ = advance(state, 151.0, T)
    assert due_s(state, T) is None
