"""What waits is bounded, the newest state alone, events in order; pauses double and end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.outside.connection import FIRST_S, LONGEST_S, BackOff
from companion.outside.topics import Message, Outbox


def emptied(box: Outbox) -> list[str]:
    found = []
    while (message := box.take()) is not None:
        found.append(message.text)
    return found


def test_of_a_state_the_newest_alone_waits() -> None:
    box = Outbox()
    for text in ("a", "b", "b"):
        box.put(Message("state", text, retained=True))
    box.put(Message("events", "1"))
    assert emptied(box) == ["b", "1"]
    box.put(Message("state", "b", retained=True))
    assert emptied(box) == [], "it says what it said"
    box.renew()
    assert emptied(box) == ["b"], "a new connection gets it again"


@given(st.lists(st.integers(0, 99)), st.integers(1, 5), st.integers(0, 5))
def test_events_stay_in_order_and_the_oldest_go_first(numbers: list[int], most: int, taken: int) -> None:
    box = Outbox(most)
    for number in numbers:
        box.put(Message("events", str(number)))
    under_way = [message for _ in range(taken) if (message := box.take())]
    box.give_back(under_way)
    assert box.counts() == (min(most, len(numbers)), max(0, len(numbers) - most))
    assert emptied(box) == [str(number) for number in numbers][-most:]


@pytest.mark.parametrize(("chance", "share"), [(0.0, 0.5), (1.0, 1.0)])
def test_pauses_double_up_to_the_longest(chance: float, share: float) -> None:
    now = [0.0]
    pauses = BackOff(lambda: now[0], lambda: chance)
    found = []
    for _ in range(12):
        pauses.failed()
        found.append(pauses.pause_s())
        now[0] += found[-1]
        assert pauses.pause_s() == pytest.approx(0.0)
    assert found == pytest.approx([share * min(LONGEST_S, FIRST_S * 2**n) for n in range(12)])
    pauses.worked()
    assert (pauses.pause_s(), pauses.failures) == (0.0, 0)
