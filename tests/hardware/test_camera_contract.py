"""What every camera keeps, real side (on stand-ins for the libraries below) and simulated side alike."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.deviceless import KEPT_S, PhonesCamera, SimulatedCamera
from hardware.cameras.folder import FolderCamera
from hardware.cameras.pi import CameraOptions, PiCamera
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.cameras.usb import UsbCamera
from hardware.errors import CameraMissing, CameraSilent, HardwareError, NoPhonePicture
from hardware.ports import Camera, Frame
from tests.clocks import FakeClock
from tests.hardware import child_cameras
from tests.hardware.camera_kills import Make
from tests.hardware.child_cameras import WELL, set_mood
from tests.hardware.fakes import FakePicamera2, FakeVideo

pytestmark = pytest.mark.slow

RED_CARD_BGR = (20, 30, 200)


@dataclass
class Side:
    """A camera that sees a red card, with ways to make it fail and to repair it."""

    camera: Camera | PiCamera | UsbCamera
    fail: Callable[[], None]
    repair: Callable[[], None]
    fault: type[HardwareError]


def card() -> np.ndarray:
    return np.full((960, 1280, 3), RED_CARD_BGR, dtype=np.uint8)


def switched(camera: Camera, thing: object, name: str, bad: object, good: object) -> Side:
    """A camera that is silent while an attribute of the thing is bad."""
    return Side(camera, lambda: setattr(thing, name, bad), lambda: setattr(thing, name, good), CameraSilent)


ASLEEP = CameraSilent("It is asleep.")


def simulated(clock: FakeClock, folder: Path) -> Side:
    camera = SimulatedCamera(card, clock)
    return switched(camera, camera, "fault", ASLEEP, None)


def from_folder(clock: FakeClock, folder: Path) -> Side:
    path, away = folder / "card.png", folder / "card.away"
    cv2.imwrite(str(path), card())
    return Side(
        FolderCamera(folder, clock), lambda: _rename(path, away), lambda: _rename(away, path), CameraMissing
    )


def _rename(path: Path, new: Path) -> None:
    path.rename(new)


def usb(clock: FakeClock, folder: Path) -> Side:
    video = FakeVideo(card())
    node = folder / "video0"
    node.touch()
    return switched(UsbCamera(node, clock, lambda path: video), video, "works", False, True)


def pi(clock: FakeClock, folder: Path) -> Side:
    below = FakePicamera2(card())
    camera = PiCamera(clock, CameraOptions(), open_pi=lambda number: below)
    return switched(camera, below, "silent", True, False)


def pi_in_process(clock: FakeClock, folder: Path) -> Side:
    return _in_process(child_cameras.pi, clock, folder)


def usb_in_process(clock: FakeClock, folder: Path) -> Side:
    return _in_process(child_cameras.usb, clock, folder)


def _in_process(make: Make, clock: FakeClock, folder: Path) -> Side:
    set_mood(folder, WELL)
    camera = ReconnectingCamera("camera", "", lambda memory: make(folder, clock, memory), clock)
    return Side(camera, lambda: set_mood(folder, "silent"), lambda: set_mood(folder, WELL), CameraSilent)


class ShownAnew(PhonesCamera):
    """Phones of which one takes a picture each time, unless that is away."""

    away = False

    def capture(self, timeout_s: float = 5.0) -> Frame:
        if not self.away:
            self.show(card())
        return super().capture(timeout_s)


def by_phones(clock: FakeClock, folder: Path) -> Side:
    camera = ShownAnew(clock)

    def leave() -> None:
        camera.away = True
        clock.advance(KEPT_S + 1)

    return Side(camera, leave, lambda: setattr(camera, "away", False), NoPhonePicture)


SIDES = [simulated, by_phones, from_folder, usb, pi, pi_in_process, usb_in_process]


@pytest.fixture(params=SIDES, ids=lambda make: make.__name__)
def side(request, clock, tmp_path):
    made: Side = request.param(clock, tmp_path)
    yield made
    made.camera.close()
    made.camera.close()


@pytest.mark.parametrize("method", ["capture", "preview"])
def test_a_red_card_is_red_in_the_third_channel(side, method):
    image = getattr(side.camera, method)().image_bgr
    assert (image.dtype, image.ndim, image.shape[2]) == (np.uint8, 3, 3)
    assert np.abs(image.reshape(-1, 3).astype(int) - RED_CARD_BGR).max() <= 3


def test_a_still_is_large_and_a_preview_small(side):
    still, preview = side.camera.capture().image_bgr, side.camera.preview().image_bgr
    assert still.shape[1] >= 1280
    assert 320 <= preview.shape[1] <= 960


def test_the_still_does_not_share_memory_with_the_next(side):
    first = side.camera.capture().image_bgr.copy()
    image = side.camera.capture().image_bgr
    assert (first == side.camera.capture().image_bgr).all()
    assert image.flags["C_CONTIGUOUS"]


def test_a_frame_says_when_it_was_taken(side, clock):
    clock.advance(7.0)
    frame = side.camera.capture()
    assert frame.taken_s == clock.now_s()
    assert all(isinstance(value, float) for value in frame.metadata.values())


def test_what_is_kept_for_a_reveal_is_free_again_after_it(side):
    refused = side.camera.lock_exposure()
    assert all(isinstance(name, str) for name in refused)
    frozen = side.camera.capture()
    side.camera.unlock_exposure()
    side.camera.unlock_exposure()
    assert (side.camera.capture().image_bgr == frozen.image_bgr).all()


def test_a_fault_has_words_and_a_reason_and_the_camera_recovers(side, clock):
    side.camera.capture()
    side.fail()
    for method in (side.camera.capture, side.camera.preview, side.camera.capture):
        with pytest.raises(side.fault) as caught:
            method()
        assert caught.value.reason == side.fault.reason
        assert str(caught.value).endswith(".")
    side.repair()
    clock.advance(60.0)
    assert side.camera.capture().image_bgr.size


@pytest.mark.parametrize("side", [simulated, from_folder, pi_in_process, usb_in_process], indirect=True)
def test_the_box_asks_its_camera_for_the_present_fault(side, clock):
    """Phones that take no picture are no fault, and the process of a camera has no memory of one."""
    assert (side.camera.check(), side.camera.fault) == (None, None)
    side.fail()
    with pytest.raises(side.fault):
        side.camera.capture()
    assert side.camera.check().reason == side.fault.reason
    side.repair()
    clock.advance(60.0)
    side.camera.capture()
    assert side.camera.check() is None
    side.camera.stop()
