"""USB cameras, what Linux knows of them, and which camera is chosen."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import errors
from hardware.cameras import Machine, choose, open_camera
from hardware.cameras.devices import VideoDevice, holder, usb_cameras
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.usb import UsbCamera, open_usb, why_not_open
from hardware.clock import FakeClock
from tests.hardware.fakes import FakeVideo

PI4 = "Raspberry Pi 4 Model B Rev 1.4"
CARD = np.full((120, 160, 3), (20, 30, 200), dtype=np.uint8)


def test_old_pictures_in_the_driver_are_passed_over(tmp_path: Path, clock: FakeClock) -> None:
    video = FakeVideo(CARD)
    camera = UsbCamera(tmp_path, clock, lambda path: video)
    camera.capture()
    assert video.grabs > 1
    camera.close()
    assert not video.opened


def test_an_unplugged_usb_camera_is_missing_not_silent(tmp_path: Path, clock: FakeClock) -> None:
    node, video = tmp_path / "video0", FakeVideo(CARD)
    node.touch()
    camera = UsbCamera(node, clock, lambda path: video)
    node.unlink()
    video.works = False
    with pytest.raises(errors.CameraMissing, match="was unplugged"):
        camera.capture()
    camera.close()


def test_why_a_usb_camera_does_not_open(tmp_path: Path, clock: FakeClock) -> None:
    video = FakeVideo(CARD)
    video.opened = False
    with pytest.raises(errors.CameraMissing, match="There is no camera at"):
        UsbCamera(tmp_path / "video9", clock, lambda path: video)
    with pytest.raises(errors.CameraMissing, match="No USB camera"):
        open_usb(None, clock, cameras=tuple)
    node = tmp_path / "video0"
    with node.open("w"):
        assert isinstance(why_not_open(node), errors.CameraBusy)


def test_the_first_usb_camera_is_taken(tmp_path: Path, clock: FakeClock) -> None:
    asked: list[str] = []

    def open_video(path: str) -> FakeVideo:
        asked.append(path)
        return FakeVideo(CARD)

    cameras = (VideoDevice(2, "Cam A"), VideoDevice(4, "Cam B"))
    open_usb(None, clock, lambda: cameras, open_video).close()
    open_usb(4, clock, lambda: cameras, open_video).close()
    assert asked == ["/dev/video2", "/dev/video4"]


def video_node(root: Path, number: int, driver: str, index: int = 0, name: str = "Cam") -> None:
    entry = root / f"video{number}"
    (entry / "device").mkdir(parents=True)
    (root / "drivers" / driver).mkdir(parents=True, exist_ok=True)
    (entry / "device" / "driver").symlink_to(root / "drivers" / driver)
    (entry / "index").write_text(f"{index}\n")
    (entry / "name").write_text(f"{name}\n")


def test_usb_cameras_are_found_among_codecs_and_second_nodes(tmp_path: Path) -> None:
    video_node(tmp_path, 10, "bcm2835-codec")
    video_node(tmp_path, 2, "uvcvideo", name="HD Webcam")
    video_node(tmp_path, 1, "uvcvideo", index=1)
    video_node(tmp_path, 0, "uvcvideo")
    assert usb_cameras(tmp_path) == (VideoDevice(0, "Cam"), VideoDevice(2, "HD Webcam"))
    assert usb_cameras(tmp_path / "missing") == ()


def test_the_holder_of_a_device_is_named(tmp_path: Path) -> None:
    process = tmp_path / "4242"
    (process / "fd").mkdir(parents=True)
    (process / "fd" / "7").symlink_to("/dev/media3")
    (process / "comm").write_text("rpicam-hello\n")
    (tmp_path / "self").mkdir()
    assert str(holder(("/dev/media", "/dev/video"), tmp_path)) == "rpicam-hello (process 4242)"
    assert holder(("/dev/gpio",), tmp_path) is None


@pytest.mark.parametrize(
    ("asked", "machine", "kind", "why"),
    [
        ("auto", Machine("", False, ()), "simulated", "there is no camera"),
        (
            "auto",
            Machine("", False, ("Webcam at /dev/video0",)),
            "simulated",
            "for Webcam at /dev/video0 set",
        ),
        ("auto", Machine(PI4, True, ()), "pi", PI4),
        ("auto", Machine(PI4, True, ("Webcam at /dev/video0",)), "pi", PI4),
        ("auto", Machine(PI4, False, ("Webcam at /dev/video0",)), "usb", "picamera2 is not installed"),
        ("auto", Machine(PI4, False, ()), "pi", PI4),
        ("usb", Machine("", False, ()), "usb", "the settings ask"),
        ("usb:2", Machine("", False, ()), "usb", "usb:2"),
        ("folder:/tmp/pictures", Machine(PI4, True, ()), "folder", "the settings ask"),
        ("simulated", Machine(PI4, True, ()), "simulated", "the settings ask"),
    ],
)
def test_which_camera_and_why(asked: str, machine: Machine, kind: str, why: str) -> None:
    choice = choose(asked, machine)
    assert choice.kind == kind
    assert why in choice.why


@pytest.mark.parametrize("asked", ["webcam", "", "usb:front", "pi:x", "folder:", "folder"])
def test_a_wrong_name_is_refused_with_the_right_ones(asked: str) -> None:
    with pytest.raises(errors.WrongChoice) as caught:
        choose(asked, Machine("", False, ()))
    assert "Use" in str(caught.value)


def test_open_camera_gives_each_kind(clock: FakeClock, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((30, 40, 3), 7, dtype=np.uint8))
    nothing = Machine("", False, ())
    simulated = open_camera("auto", clock=clock, draw=lambda: CARD, machine=nothing)
    folder = open_camera(f"folder:{tmp_path}", clock=clock, machine=nothing)
    assert "no camera" in simulated.why
    assert simulated.capture().image_bgr.shape == CARD.shape
    assert int(folder.capture().image_bgr[0, 0, 0]) == 7
    with pytest.raises(errors.WrongChoice, match="simulated table is not wanted"):
        open_camera("simulated", clock=clock, machine=nothing)


def test_a_missing_real_camera_is_a_fault_when_used_not_when_opened(
    clock: FakeClock, capfd: pytest.CaptureFixture[str]
) -> None:
    camera = open_camera("usb:97", clock=clock, machine=Machine("", False, ()))
    with pytest.raises(errors.CameraMissing):
        camera.preview()
    assert capfd.readouterr().err == "", "OpenCV would fill the log"
    assert isinstance(camera.fault, errors.CameraMissing)
    camera.close()


def test_the_simulated_camera_fails_on_purpose(clock: FakeClock) -> None:
    camera = SimulatedCamera(lambda: CARD, clock)
    camera.trouble = errors.CameraBusy("Held.")
    with pytest.raises(errors.CameraBusy):
        camera.preview()
    assert isinstance(camera.fault, errors.CameraBusy)
