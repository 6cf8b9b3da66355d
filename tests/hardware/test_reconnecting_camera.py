"""The camera that mends itself."""

import numpy as np
import pytest

from hardware import errors
from hardware.cameras.deviceless import SimulatedCamera
from tests.clocks import FakeClock
from tests.hardware import inline

CARD = np.full((120, 160, 3), (20, 30, 200), dtype=np.uint8)


class Opener:
    """Opens simulated cameras, or raises a given error."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock, self.opened, self.trouble = clock, [], None
        self.asleep: errors.HardwareError | None = None
        self.tries = 0

    def __call__(self) -> SimulatedCamera:
        self.tries += 1
        if self.trouble is not None:
            raise self.trouble
        self.opened.append(SimulatedCamera(lambda: CARD, self.clock))
        self.opened[-1].fault = self.asleep
        return self.opened[-1]


@pytest.fixture
def opener(clock):
    return Opener(clock)


@pytest.fixture
def reconnecting(opener, clock):
    return inline.reconnecting(opener, clock)


def test_it_opens_only_when_needed(reconnecting, opener):
    assert opener.tries == 0
    reconnecting.capture()
    reconnecting.preview()
    assert opener.tries == 1


SILENT, GONE = errors.CameraSilent("Asleep."), errors.CameraMissing("Gone.")


@pytest.mark.parametrize(
    ("faults", "tries", "why"),
    [
        ([SILENT], 1, "one miss is forgiven"),
        ([SILENT, SILENT], 2, "two are not"),
        ([SILENT, None] * 3, 1, "a good picture between two misses forgives the first"),
        ([GONE], 2, "an unplugged camera is opened anew"),
    ],
)
def test_a_camera_that_fails_is_opened_anew_soon_enough(reconnecting, opener, faults, tries, why):
    reconnecting.capture()
    for fault in faults:
        opener.opened[0].fault = fault
        if fault is None:
            reconnecting.capture()
        else:
            with pytest.raises(type(fault)):
                reconnecting.capture()
            assert opener.tries == 1
    opener.opened[0].fault = None
    reconnecting.capture()
    assert (opener.tries, reconnecting.fault) == (tries, None), why


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(errors.CameraMissing("None there."), id="missing"),
        pytest.param(errors.CameraSilent("It is slow to set up."), id="slow to open"),
        pytest.param(errors.CameraNotStarting("It does not start."), id="does not start"),
    ],
)
def test_a_camera_that_does_not_open_is_tried_again_ever_more_rarely(reconnecting, opener, clock, trouble):
    opener.trouble = trouble
    tried_at = []
    for second in range(100):
        before = opener.tries
        with pytest.raises(type(trouble), match=trouble.sentence):
            reconnecting.preview()
        if opener.tries > before:
            tried_at.append(second)
        clock.advance(1.0)
    assert tried_at == [0, 1, 3, 7, 15, 31, 61, 91]
    assert isinstance(reconnecting.fault, type(trouble))
    opener.trouble = None
    clock.advance(30.0)
    reconnecting.preview()
    assert reconnecting.fault is None


def test_one_that_opens_but_never_gives_a_picture_is_opened_ever_more_rarely(reconnecting, opener, clock):
    opener.asleep = errors.CameraSilent("Asleep.")
    for _ in range(100):
        with pytest.raises(errors.CameraSilent):
            reconnecting.preview()
        clock.advance(1.0)
    assert opener.tries == 8
    opener.asleep = None
    clock.advance(30.0)
    reconnecting.preview()
    assert reconnecting.fault is None


def test_a_camera_whose_process_ends_is_opened_anew_at_once_if_it_had_worked(reconnecting, opener):
    for times in range(1, 4):
        reconnecting.capture()
        assert opener.tries == times
        reconnecting._worker.end()
        with pytest.raises(errors.CameraSilent, match="Killed"):
            reconnecting.capture()


def test_closing_and_using_it_again_opens_it_again(reconnecting, opener):
    reconnecting.capture()
    reconnecting.close()
    reconnecting.close()
    reconnecting.capture()
    assert opener.tries == 2


class Freezing(SimulatedCamera):
    """A camera with exposure and focus, of which the first control never obeys."""

    def lock_exposure(self) -> tuple[str, ...]:
        self.capture()
        return ("ExposureTime",)

    def unlock_exposure(self) -> None:
        self.capture()
        self.unlocked = True


def test_freezing_reaches_the_camera_and_its_faults_are_noted(clock):
    inner = Freezing(lambda: CARD, clock)
    reconnecting = inline.reconnecting(lambda: inner, clock)
    reconnecting.unlock_exposure()
    assert not hasattr(inner, "unlocked"), "a camera that is closed has nothing to let go"
    assert reconnecting.lock_exposure() == ("ExposureTime",)
    reconnecting.unlock_exposure()
    assert inner.unlocked
    assert reconnecting.focus() is None
    inner.fault = errors.CameraSilent("Asleep.")
    with pytest.raises(errors.CameraSilent):
        reconnecting.lock_exposure()
    assert isinstance(reconnecting.fault, errors.CameraSilent)


def test_what_was_frozen_by_half_is_free_when_the_camera_is_used_again(clock):
    inner = Freezing(lambda: CARD, clock)
    reconnecting = inline.reconnecting(lambda: inner, clock)
    inner.fault = errors.CameraSilent("Asleep.")
    with pytest.raises(errors.CameraSilent):
        reconnecting.lock_exposure()
    with pytest.raises(errors.CameraSilent):
        reconnecting.preview()
    assert not hasattr(inner, "unlocked")
    inner.fault = None
    clock.advance(60.0)
    reconnecting.preview()
    assert inner.unlocked
