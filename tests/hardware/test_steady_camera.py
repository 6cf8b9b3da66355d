"""Calls that hang, and the camera that mends itself."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from hardware import errors
from hardware.cameras.reconnecting import Patiently, SteadyCamera
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.timeout import Patience
from hardware.clock import FakeClock

CARD = np.full((120, 160, 3), (20, 30, 200), dtype=np.uint8)


def test_a_call_that_hangs_is_given_up_and_later_calls_refuse_at_once() -> None:
    free = threading.Event()
    patience = Patience("camera")
    with pytest.raises(errors.CameraSilent, match="no picture within"):
        patience.call(free.wait, 0.01)
    with pytest.raises(errors.CameraSilent, match="still hangs"):
        patience.call(lambda: 1, 10)
    free.set()
    patience.close()
    patience._thread.join()


def test_what_a_call_raises_comes_to_the_caller() -> None:
    patience = Patience("camera")
    with pytest.raises(ZeroDivisionError):
        patience.call(lambda: 1 / 0, 10)
    assert patience.call(lambda: 2, 10) == 2
    patience.close()
    patience.close()
    with pytest.raises(errors.CameraSilent, match="is closed"):
        patience.call(lambda: 3, 10)


class Opener:
    """Opens simulated cameras, or raises what it is told to."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock, self.opened, self.trouble = clock, [], None
        self.tries = 0

    def __call__(self) -> SimulatedCamera:
        self.tries += 1
        if self.trouble is not None:
            raise self.trouble
        self.opened.append(SimulatedCamera(lambda: CARD, self.clock))
        return self.opened[-1]


@pytest.fixture
def opener(clock: FakeClock) -> Opener:
    return Opener(clock)


@pytest.fixture
def steady(opener: Opener, clock: FakeClock) -> SteadyCamera:
    return SteadyCamera("camera", "because", opener, clock, Patiently(misses=2))


def test_it_opens_only_when_needed(steady: SteadyCamera, opener: Opener) -> None:
    assert opener.tries == 0
    steady.capture()
    steady.preview()
    assert opener.tries == 1


def test_one_miss_is_forgiven_two_reopen(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    opener.opened[0].trouble = errors.CameraSilent("Asleep.")
    for expected in (1, 1, 2):
        if expected == 1:
            with pytest.raises(errors.CameraSilent):
                steady.capture()
        else:
            steady.capture()
        assert opener.tries == expected
    assert steady.fault is None


def test_a_good_picture_between_two_misses_forgives_the_first(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    for _ in range(3):
        opener.opened[0].trouble = errors.CameraSilent("Asleep.")
        with pytest.raises(errors.CameraSilent):
            steady.capture()
        opener.opened[0].trouble = None
        steady.capture()
    assert opener.tries == 1


def test_an_unplugged_camera_is_opened_anew(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    opener.opened[0].trouble = errors.CameraMissing("Gone.")
    with pytest.raises(errors.CameraMissing):
        steady.capture()
    steady.capture()
    assert opener.tries == 2


def test_a_missing_camera_is_tried_again_ever_more_rarely(
    steady: SteadyCamera, opener: Opener, clock: FakeClock
) -> None:
    opener.trouble = errors.CameraMissing("None there.")
    tried_at = []
    for second in range(100):
        before = opener.tries
        with pytest.raises(errors.CameraMissing, match="None there"):
            steady.preview()
        if opener.tries > before:
            tried_at.append(second)
        clock.advance(1.0)
    assert tried_at == [0, 1, 3, 7, 15, 31, 61, 91]
    assert isinstance(steady.fault, errors.CameraMissing)
    opener.trouble = None
    clock.advance(30.0)
    steady.preview()
    assert steady.fault is None


def test_an_opening_that_hangs_is_tried_again_far_more_rarely(
    steady: SteadyCamera, opener: Opener, clock: FakeClock
) -> None:
    opener.trouble = errors.CameraSilent("It hangs.")
    for _ in range(601):
        with pytest.raises(errors.CameraSilent):
            steady.preview()
        clock.advance(1.0)
    assert opener.tries == 3


def test_closing_and_using_it_again_opens_it_again(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    steady.close()
    steady.close()
    steady.capture()
    assert opener.tries == 2


class Freezing(SimulatedCamera):
    """A camera with exposure and focus, of which the first control never obeys."""

    def freeze(self) -> tuple[str, ...]:
        self.capture()
        return ("ExposureTime",)

    def thaw(self) -> None:
        self.capture()
        self.thawed = True


def test_freezing_reaches_the_camera_and_its_faults_are_noted(clock: FakeClock) -> None:
    inner = Freezing(lambda: CARD, clock)
    steady = SteadyCamera("camera", "", lambda: inner, clock)
    steady.thaw()
    assert not hasattr(inner, "thawed"), "a camera that is closed has nothing to let go"
    assert steady.freeze() == ("ExposureTime",)
    steady.thaw()
    assert inner.thawed
    assert steady.focus() is None
    inner.trouble = errors.CameraSilent("Asleep.")
    with pytest.raises(errors.CameraSilent):
        steady.freeze()
    assert isinstance(steady.fault, errors.CameraSilent)


def test_what_was_frozen_by_half_is_free_when_the_camera_is_used_again(clock: FakeClock) -> None:
    inner = Freezing(lambda: CARD, clock)
    steady = SteadyCamera("camera", "", lambda: inner, clock)
    inner.trouble = errors.CameraSilent("Asleep.")
    with pytest.raises(errors.CameraSilent):
        steady.freeze()
    with pytest.raises(errors.CameraSilent):
        steady.preview()
    assert not hasattr(inner, "thawed")
    inner.trouble = None
    clock.advance(60.0)
    steady.preview()
    assert inner.thawed
