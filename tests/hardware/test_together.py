"""Two buttons held together: a gesture that no press and no hold of single buttons ever makes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.debounce import Timing
from hardware.buttons.pin_buttons import PinButtons, SimulatedBox
from hardware.clock import SkippingClock
from hardware.gpio.pins import Pins, open_pins
from hardware.gpio.wiring import Wiring
from hardware.ports import SWITCH_OFF, TOGETHER, Press
from tests.clocks import FakeClock

SHARED = (("dudo", 17), ("calza", 27), ("ok", 22))
SEATS = (("seat1", 5), ("seat2", 6), ("seat3", 13), ("ok", 22))
WITHOUT_OK = (("dudo", 17), ("calza", 27), ("seat1", 5))

Span = tuple[str, float, float]
"""A button, when it goes down and when it is let go, in seconds."""


def heard_of(buttons: tuple[tuple[str, int], ...], spans: list[Span]) -> list[tuple[str, bool, float]]:
    """What a box tells of fingers at those times, every hundredth of a second."""
    pins = open_pins("mock", FakeClock())
    wiring = Wiring(buttons=buttons, status=None, seats=(), ring=None, buzzer=None)
    opened, heard = PinButtons(wiring, pins), list[Press]()
    opened.listen(heard.append)
    start_s = pins.clock.now_s()
    edges = sorted([(at, name, True) for name, at, _ in spans] + [(at, name, False) for name, _, at in spans])
    for at_s, name, down in [*edges, (60.0, "", False)]:
        _until(pins, opened, start_s + at_s)
        if name:
            pin = pins.factory.pin(f"GPIO{dict(buttons)[name]}")
            (pin.drive_low if down else pin.drive_high)()
    opened.close()
    pins.close()
    return [(press.button, press.held, round(press.at_s - start_s, 1)) for press in heard]


def _until(pins: Pins, opened: PinButtons, at_s: float) -> None:
    assert isinstance(pins.clock, SkippingClock)
    while (left_s := at_s - pins.clock.now_s()) > 0:
        due_s = opened.settle()
        pins.clock.skip(min(left_s, max(0.01, due_s or left_s)))
    opened.settle()


CASES = {
    "both together": (SHARED, [("ok", 1, 6), ("dudo", 1.4, 6)], [(TOGETHER, True, 4.4)]),
    "the other one first": (SHARED, [("calza", 1, 6), ("ok", 2, 6)], [(TOGETHER, True, 5.0)]),
    "with the button of a seat": (SEATS, [("ok", 1, 6), ("seat3", 1, 6)], [(TOGETHER, True, 4.0)]),
    "without an OK": (WITHOUT_OK, [("dudo", 1, 6), ("calza", 1, 6)], [(TOGETHER, True, 4.0)]),
    "three at once": (SHARED, [("ok", 1, 6), ("dudo", 1, 6), ("calza", 1, 6)], [(TOGETHER, True, 4.0)]),
    "let go too early": (SHARED, [("ok", 1, 3.5), ("dudo", 1, 6)], []),
    "one tap beside a hold": (
        SHARED,
        [("ok", 1, 4), ("dudo", 1.5, 2.4)],
        [("dudo", False, 2.4), ("ok", True, 2.2)],
    ),
    "the second comes after the hold was reported": (
        SHARED,
        [("ok", 1, 9), ("dudo", 2.5, 9)],
        [("ok", True, 2.2), ("dudo", True, 3.7)],
    ),
    "two short presses": (
        SHARED,
        [("ok", 1, 2), ("dudo", 1.2, 2)],
        [("dudo", False, 2.0), ("ok", False, 2.0)],
    ),
    "two players claim calza": (
        SEATS,
        [("seat1", 1, 7), ("seat2", 1, 7)],
        [("seat1", True, 2.2), ("seat2", True, 2.2)],
    ),
    "beside a button that is stuck": (
        SHARED,
        [("ok", 1, 50), ("dudo", 30, 32)],
        [("ok", True, 2.2), ("dudo", True, 31.2)],
    ),
    "no OK in it": (SHARED, [("dudo", 1, 6), ("calza", 1, 6)], [("dudo", True, 2.2), ("calza", True, 2.2)]),
    "once only": (
        SHARED,
        [("ok", 1, 12), ("dudo", 1, 6), ("dudo", 7, 12)],
        [(TOGETHER, True, 4.0)],
    ),
    "two others, beside a tap on OK": (
        SHARED,
        [("dudo", 2, 8), ("calza", 2.3, 8), ("ok", 2.8, 3.7)],
        [("ok", False, 3.7), ("dudo", True, 3.2), ("calza", True, 3.5)],
    ),
    "held on for ten seconds": (
        SHARED,
        [("ok", 1, 14), ("dudo", 1.4, 14)],
        [(TOGETHER, True, 4.4), (SWITCH_OFF, True, 11.4)],
    ),
    "let go just before": (SHARED, [("ok", 1, 11.3), ("dudo", 1.4, 14)], [(TOGETHER, True, 4.4)]),
    "not by holding one on and the other again": (
        SHARED,
        [("ok", 1, 18), ("dudo", 1, 6), ("dudo", 7, 18)],
        [(TOGETHER, True, 4.0)],
    ),
    "again after both were let go": (
        SHARED,
        [("ok", 1, 6), ("dudo", 1, 6), ("ok", 8, 13), ("dudo", 8, 13)],
        [(TOGETHER, True, 4.0), (TOGETHER, True, 11.0)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_two_buttons_say(case):
    buttons, spans, presses = CASES[case]
    assert sorted(heard_of(buttons, spans)) == sorted(presses)


@st.composite
def fingers(draw: st.DrawFn) -> list[Span]:
    """Fingers on three buttons; each button is pressed several times, for up to some seconds."""
    spans: list[Span] = []
    for name, _ in SHARED:
        at_s = 0.0
        for _ in range(draw(st.integers(0, 3))):
            at_s += draw(st.integers(3, 40)) / 10
            long_s = draw(st.integers(1, 45)) / 10 + 0.05
            spans.append((name, at_s, at_s + long_s))
            at_s += long_s
    return spans


@given(fingers())
def test_the_gesture_takes_ok_and_another_down_together_for_seconds(spans):
    """And presses that overlap with no other are reported as before."""
    presses = heard_of(SHARED, spans)
    overlaps = [
        min(a[2], b[2]) - max(a[1], b[1]) for a in spans for b in spans if a[0] == "ok" and b[0] != "ok"
    ]
    if not any(long_s > Timing().together_s - 0.05 for long_s in overlaps):
        assert TOGETHER not in [name for name, _, _ in presses]
    alone = [one for one in spans if not any(_meet(one, two) for two in spans if two[0] != one[0])]
    for name, down_s, up_s in alone:
        held = up_s - down_s >= Timing().hold_s + 0.01
        at_s = round(down_s + Timing().hold_s, 1) if held else round(up_s, 1)
        close = [
            at
            for button, as_held, at in presses
            if (button, as_held) == (name, held) and abs(at - at_s) < 0.11
        ]
        assert close, (name, down_s, up_s, presses)


def _meet(one: Span, two: Span) -> bool:
    return one[1] <= two[2] + 0.3 and two[1] <= one[2] + 0.3


def test_the_simulated_box_makes_the_gesture_too():
    pins = open_pins("mock", FakeClock())
    wiring = Wiring()
    opened, heard = PinButtons(wiring, pins), list[Press]()
    opened.listen(heard.append)
    SimulatedBox(opened, wiring, pins).hold_together("ok", "dudo")
    SimulatedBox(opened, wiring, pins).press("ok", held=True)
    opened.close()
    pins.close()
    assert [(press.button, press.held) for press in heard] == [(TOGETHER, True), ("ok", True)]
