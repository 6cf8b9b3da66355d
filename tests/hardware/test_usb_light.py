"""Exposure, white balance and lens of USB cameras: kept where the driver allows it, said where not."""

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import errors
from hardware.calibration.calibration import Calibration, camera_options
from hardware.cameras.reasons import VideoDevice
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.cameras.usb import MAX_PICTURES, UsbCamera, UsbMemory, open_usb
from tests.clocks import FakeClock
from tests.hardware import inline
from tests.hardware.fakes import FakeVideo, Image

AE, AE_VALUE = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE
AWB, AWB_VALUE = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE
BOTH = ("exposure", "white balance")


@dataclass
class FakeDriver(FakeVideo):
    """A USB camera at a table lit by `light` of the colour `kelvin`, whose automatics follow both at once.

    It knows the properties in `props`, and takes for a switch only what stands in `takes`. One that is
    `stale` tells of a value of long ago instead of what its automatics found, and falls back on it without
    them. Light that `flickers` is twice as bright in every other picture.
    """

    light: float = 100.0
    kelvin: float = 4000.0
    stale: bool = False
    flickers: bool = False
    pictures: int = 0
    props: dict[int, float] = field(default_factory=lambda: {AE: 3, AE_VALUE: 40, AWB: 1, AWB_VALUE: 6500})
    takes: dict[int, tuple[float, ...]] = field(default_factory=lambda: {AE: (1, 3), AWB: (0, 1)})

    def __post_init__(self) -> None:
        super().__init__(self.picture())

    def get(self, prop: int) -> float:
        self._follow()
        return self.props.get(prop, -1.0)

    def set(self, prop: int, value: float) -> bool:
        self._follow()
        if prop not in self.props or value not in self.takes.get(prop, (value,)):
            return False
        self.props[prop] = value
        return True

    def retrieve(self) -> tuple[bool, Image]:
        self.pictures += 1
        self.light *= (2.0 if self.pictures % 2 else 0.5) if self.flickers else 1.0
        return self.works, self.picture()

    def _follow(self) -> None:
        if not self.stale and self.props.get(AE) != 1:
            self.props[AE_VALUE] = 10_000 / self.light
        if not self.stale and self.props.get(AWB) != 0:
            self.props[AWB_VALUE] = self.kelvin

    def picture(self) -> Image:
        """Grey at 100 under the automatics; brighter and warmer as what is kept differs from the light."""
        exposed = self.props.get(AE_VALUE, 0.0) * self.light / 100 if self.props.get(AE) == 1 else 100.0
        warm = self.props.get(AWB_VALUE, 0.0) / self.kelvin if self.props.get(AWB) == 0 else 1.0
        bgr = np.clip([exposed / warm, exposed, exposed * warm], 0, 255)
        return np.full((120, 160, 3), np.rint(bgr), dtype=np.uint8)


def driver(**more: object) -> FakeDriver:
    return FakeDriver(**more)  # type: ignore[arg-type]


def camera(video: FakeDriver, clock: FakeClock, memory: UsbMemory | None = None) -> UsbCamera:
    return UsbCamera(Path("/dev/null"), clock, lambda path: video, memory)


def grey(camera: UsbCamera | ReconnectingCamera) -> float:
    return float(camera.capture().image_bgr.mean())


def test_a_frozen_camera_lets_the_picture_change_with_the_light(clock):
    video = driver()
    usb = camera(video, clock)
    assert usb.lock_exposure() == ()
    assert (video.props[AE], video.props[AWB], video.props[AWB_VALUE]) == (1, 0, 4000)
    video.light = 150.0
    assert grey(usb) == pytest.approx(150, abs=1), "nothing makes up for a hand or a shadow"
    usb.unlock_exposure()
    assert (video.props[AE], video.props[AWB]) == (3, 1)
    assert grey(usb) == pytest.approx(100, abs=1)
    usb.close()


@pytest.mark.parametrize(
    ("why", "more", "refused", "left"),
    [
        ("no such controls", {"props": {}}, BOTH, {}),
        ("values of long ago", {"stale": True}, BOTH, {AE: 3, AWB: 1}),
        ("no white balance", {"props": {AE: 3, AE_VALUE: 40}}, ("white balance",), {AE: 1}),
        ("a switch that sticks", {"takes": {AE: (3,), AWB: (0, 1)}}, ("exposure",), {AE: 3, AWB: 0}),
        ("automatic is 0 there", {"takes": {AE: (0, 1), AWB: (0, 1)}}, (), {AE: 1, AWB: 0}),
    ],
)
def test_what_a_driver_does_not_keep_stays_automatic_and_is_named(clock, caplog, why, more, refused, left):
    video = driver(**more)
    usb = camera(video, clock)
    assert (usb.lock_exposure(), usb.lock_exposure()) == (refused, refused), why
    assert {switch: video.props[switch] for switch in left} == left
    assert [name in caplog.text for name in BOTH] == [name in refused for name in BOTH]
    assert len(caplog.records) == bool(refused), "said once"
    usb.close()


def test_light_that_never_settles_is_waited_for_only_so_long(clock):
    video = driver(flickers=True, props={AE: 1, AE_VALUE: 50.0}, takes={AE: (1,)})
    usb = camera(video, clock)
    assert usb.lock_exposure() == BOTH
    assert 2 * MAX_PICTURES <= video.pictures <= 2 * MAX_PICTURES + 10
    usb.close()


def test_a_camera_opened_anew_is_automatic_whatever_came_before(clock):
    video = driver(props={AE: 1, AE_VALUE: 900, AWB: 0, AWB_VALUE: 9000})
    usb = camera(video, clock)
    assert (video.props[AE], video.props[AWB]) == (3, 1)
    usb.close()


def test_what_was_frozen_survives_reopening_within_the_reveal(clock):
    memory = UsbMemory()
    usb = camera(driver(), clock, memory)
    usb.lock_exposure()
    usb.close()
    again = driver(light=300.0)
    usb = camera(again, clock, memory)
    assert (again.props[AE], again.props[AE_VALUE]) == (1, 100)
    usb.unlock_exposure()
    usb.close()
    assert memory == UsbMemory()


def test_a_camera_that_is_silent_while_it_settles_says_so_and_is_automatic_the_next_time(clock):
    video = driver()
    usb = camera(video, clock)
    video.works = False
    with pytest.raises(errors.CameraError):
        usb.lock_exposure()
    video.works = True
    assert usb.lock_exposure() == ()
    usb.close()


def test_a_camera_unplugged_while_frozen_is_free_when_it_comes_back_after_the_reveal(clock):
    memory, plugged = UsbMemory(), [driver()]
    reconnecting = inline.reconnecting(lambda: camera(plugged[-1], clock, memory), clock)
    reconnecting.lock_exposure()
    reconnecting.close()
    plugged.append(driver(light=200.0))
    reconnecting.unlock_exposure()
    assert grey(reconnecting) == pytest.approx(100, abs=1)
    assert plugged[-1].props[AE] == 3
    reconnecting.lock_exposure()
    reconnecting.close()
    plugged.append(driver(light=200.0))
    assert grey(reconnecting) == pytest.approx(100, abs=1), "in the reveal it stays as it was"
    assert plugged[-1].props[AE] == 1
    reconnecting.close()


FOCUSING, LENS = cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS


class LensDriver(FakeDriver):
    """A USB camera whose lens is sharpest at `best`; it focuses by itself until that is switched off."""

    best = 140.0

    def picture(self) -> Image:
        board = np.indices((120, 160)).sum(axis=0) % 8 < 4
        contrast = 100 / (1 + abs(self.props[LENS] - self.best) / 20)
        return np.repeat(np.rint(100 + contrast * board)[:, :, None], 3, axis=2).astype(np.uint8)


def lens_driver() -> LensDriver:
    return LensDriver(props={FOCUSING: 1, LENS: 0})


def lens_of(video: LensDriver) -> tuple[float, float]:
    return video.props[FOCUSING], video.props[LENS]


def test_the_sweep_of_the_lens_puts_it_where_it_is_sharpest_and_keeps_it_there(clock):
    memory, video = UsbMemory(), lens_driver()
    usb = UsbCamera(Path("/dev/null"), clock, lambda path: video, memory, lambda path: (0.0, 250.0))
    found = usb.focus()
    usb.close()
    assert (found.inside, found.clear) == (True, True)
    assert lens_of(video) == (0, found.position)
    assert found.position == pytest.approx(video.best, abs=5)
    again = lens_driver()
    camera(again, clock, memory).close()
    assert lens_of(again) == (0, found.position), "also when it is opened anew"


@pytest.mark.parametrize(
    ("kept", "left", "why"),
    [
        (Calibration("USB camera /dev/video0", 70.0), (0, 70), "it was calibrated"),
        (Calibration("Pi camera 0", 2.5), (1, 0), "dioptres are of another lens"),
        (None, (1, 0), "nobody says where it belongs"),
    ],
)
def test_a_stored_position_of_the_lens_is_taken_up(kept, left, why):
    video = lens_driver()
    there = (VideoDevice(0, "Cam"),)
    opened = open_usb(
        "", lens=camera_options(kept).usb_lens, cameras=lambda: there, open_video=lambda path: video
    )
    opened.close()
    assert lens_of(video) == left, why
    assert opened.focus() is None, "a file has no lens"
