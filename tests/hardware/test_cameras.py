"""USB cameras, what Linux knows of them, and which camera is chosen."""

import fcntl
import importlib
import re
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import errors
from hardware.cameras import reasons
from hardware.cameras.choose import Choice, Machine, choose, open_camera, this_machine
from hardware.cameras.deviceless import KEPT_S, PhonesCamera, SimulatedCamera
from hardware.cameras.reasons import Holder, VideoDevice, holders, usb_cameras
from hardware.cameras.usb import UsbCamera, against_flicker, lens_range, open_usb, why_not_open
from hardware.ports import Frame
from tests.hardware.fakes import FakeVideo
from tests.hardware.inline import InlineWorker

choosing = importlib.import_module("hardware.cameras.choose")  # the package has a function of that name
PI4 = "Raspberry Pi 4 Model B Rev 1.4"
CARD = np.full((120, 160, 3), (20, 30, 200), dtype=np.uint8)


def test_old_pictures_in_the_driver_are_passed_over(tmp_path, clock):
    video = FakeVideo(CARD)
    camera = UsbCamera(tmp_path, clock, lambda path: video)
    camera.capture()
    assert video.grabs > 1
    camera.close()
    assert not video.opened


def test_an_unplugged_usb_camera_is_missing_not_silent(tmp_path, clock):
    node, video = tmp_path / "video0", FakeVideo(CARD)
    node.touch()
    camera = UsbCamera(node, clock, lambda path: video)
    node.unlink()
    video.works = False
    with pytest.raises(errors.CameraMissing, match="was unplugged"):
        camera.capture()
    camera.close()


def test_why_a_usb_camera_does_not_open(tmp_path, clock):
    video = FakeVideo(CARD)
    video.opened = False
    with pytest.raises(errors.CameraMissing, match="There is no camera at"):
        UsbCamera(tmp_path / "video9", clock, lambda path: video)
    with pytest.raises(errors.CameraMissing, match="No USB camera"):
        open_usb("", cameras=tuple)
    node = tmp_path / "video0"
    node.touch()
    assert isinstance(why_not_open(node), errors.CameraNotStarting), "nobody holds it"


def test_the_first_usb_camera_is_taken():
    asked: list[str] = []

    def open_video(path: str) -> FakeVideo:
        asked.append(path)
        return FakeVideo(CARD)

    cameras = (VideoDevice(2, "Cam A"), VideoDevice(4, "Cam B"))
    for wanted in ("", "4", "cam b"):
        open_usb(wanted, cameras=lambda: cameras, open_video=open_video).close()
    assert asked == ["/dev/video2", "/dev/video4", "/dev/video4"]
    with pytest.raises(errors.CameraMissing, match="“Logi”; there are: Cam A, Cam B"):
        open_usb("Logi", cameras=lambda: cameras, open_video=open_video)


@pytest.mark.parametrize(("mains_hz", "value"), [(50.0, 1), (60.0, 2), (None, 0)])
def test_a_usb_camera_gets_the_frequency_of_the_lamps(mains_hz, value, tmp_path, monkeypatch):
    node, asked = tmp_path / "video0", list[tuple[int, bytes]]()
    node.touch()
    assert not against_flicker(node, mains_hz), "a file takes no controls"
    monkeypatch.setattr(fcntl, "ioctl", lambda device, request, control: asked.append((request, control)))
    assert against_flicker(node, mains_hz)
    assert asked == [(0xC008561C, struct.pack("Ii", 0x00980918, value))]
    assert not against_flicker(tmp_path / "gone", mains_hz)


def test_the_driver_says_how_far_the_lens_moves(tmp_path, monkeypatch):
    node = tmp_path / "video0"
    node.touch()
    assert lens_range(node) is None, "a file has no lens"

    def answer(device: int, request: int, control: bytearray) -> None:
        assert (request, len(control), control[:4]) == (0xC0445624, 68, struct.pack("I", 0x009A090A))
        struct.pack_into("4i", control, 40, 0, 250, 5, 0)

    monkeypatch.setattr(fcntl, "ioctl", answer)
    assert lens_range(node) == (0.0, 250.0)


def video_node(root: Path, number: int, driver: str, index: int = 0, name: str = "Cam") -> None:
    entry = root / f"video{number}"
    (entry / "device").mkdir(parents=True)
    (root / "drivers" / driver).mkdir(parents=True, exist_ok=True)
    (entry / "device" / "driver").symlink_to(root / "drivers" / driver)
    (entry / "index").write_text(f"{index}\n")
    (entry / "name").write_text(f"{name}\n")


def test_usb_cameras_are_found_among_codecs_and_second_nodes(tmp_path):
    video_node(tmp_path, 10, "bcm2835-codec")
    video_node(tmp_path, 2, "uvcvideo", name="HD Webcam")
    video_node(tmp_path, 1, "uvcvideo", index=1)
    video_node(tmp_path, 0, "uvcvideo")
    video_node(tmp_path, 4, "uvcvideo", name="HP IR Camera: HP IR Camera")
    video_node(tmp_path, 6, "uvcvideo", name="Integrated Camera: Integrated I")
    assert usb_cameras(tmp_path) == (VideoDevice(0, "Cam"), VideoDevice(2, "HD Webcam"))
    assert usb_cameras(tmp_path / "missing") == ()


def process(proc: Path, pid: int, parent: int, name: str, *opened: str) -> None:
    entry = proc / str(pid)
    (entry / "fd").mkdir(parents=True)
    for number, path in enumerate(opened):
        (entry / "fd" / str(number)).symlink_to(path)
    (entry / "comm").write_text(f"{name}\n")
    (entry / "stat").write_text(f"{pid} ({name} :) x) S {parent} 1 1\n")


def test_the_holders_of_a_device_are_named_and_the_boxs_own_are_known(tmp_path):
    process(tmp_path, 50, 1, "dudo")
    process(tmp_path, 60, 50, "python3")
    process(tmp_path, 70, 60, "proxy", "/dev/null", "/dev/media1")
    process(tmp_path, 4242, 1, "rpicam-hello", "/dev/media3")
    (tmp_path / "self").mkdir()
    found = sorted(holders(("/dev/media", "/dev/video"), 50, tmp_path), key=lambda one: one.pid)
    assert found == [Holder(70, "proxy", ours=True), Holder(4242, "rpicam-hello")]
    assert str(found[1]) == "rpicam-hello (process 4242)"
    assert holders(("/dev/gpio",), 50, tmp_path) == ()


NOBODY: tuple[Holder, ...] = ()
OTHER, OURS = Holder(4242, "rpicam-hello"), Holder(70, "python3", ours=True)
FAILED = RuntimeError("Camera __init__ sequence did not complete.")
ACQUIRING = "Failed to acquire camera: Device or resource busy"


def caused(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("raised", "seen", "error", "words"),
    [
        (ModuleNotFoundError("No libcamera"), NOBODY, errors.CameraSoftwareMissing, "apt install python3"),
        (ImportError("undefined symbol"), NOBODY, errors.CameraSoftwareMissing, "full-upgrade"),
        (RuntimeError("Camera(s) not found"), NOBODY, errors.CameraMissing, "was not found"),
        (OSError(19, "No such device"), NOBODY, errors.CameraMissing, "was not found"),
        (PermissionError(13, "Permission denied"), NOBODY, errors.NoPermission, "may not use"),
        (errors.CameraMissing("0 found."), (OTHER,), errors.CameraMissing, "0 found"),
        (FAILED, (OTHER,), errors.CameraBusy, "used by rpicam-hello .process 4242."),
        (FAILED, (OURS, OTHER), errors.CameraBusy, "used by rpicam-hello"),
        (FAILED, (OURS,), errors.CameraNotStarting, "held by an attempt of the box"),
        (FAILED, NOBODY, errors.CameraNotStarting, "does not start .Camera __init__"),
        (caused(RuntimeError("Failed."), RuntimeError(ACQUIRING)), NOBODY, errors.CameraBusy, "another user"),
        (caused(RuntimeError("Failed."), RuntimeError(ACQUIRING)), (OURS,), errors.CameraNotStarting, "box"),
        (OSError(16, "Device or resource busy"), NOBODY, errors.CameraBusy, "another user"),
        (OSError(12, "Cannot allocate memory"), (OTHER,), errors.CameraNoMemory, "not enough memory"),
        (RuntimeError("camera: Cannot allocate memory"), NOBODY, errors.CameraNoMemory, "not enough"),
        (caused(RuntimeError("Failed."), MemoryError()), NOBODY, errors.CameraNoMemory, "not enough memory"),
    ],
)  # fmt: skip
def test_why_a_camera_does_not_work(monkeypatch, raised, seen, error, words):
    monkeypatch.setattr("hardware.cameras.reasons.holders", lambda devices, box: seen)
    explained = reasons.explained(raised, "Pi camera 0")
    assert type(explained) is error
    assert re.search(words, str(explained))


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
        ("auto", Machine(PI4, True, ("Webcam at /dev/video0",), own=1), "pi", PI4),
        ("auto", Machine(PI4, True, ("Webcam at /dev/video0",), own=None), "pi", PI4),
        ("auto", Machine(PI4, True, ("Webcam at /dev/video0",), own=0), "usb", "no camera of its own"),
        ("auto", Machine(PI4, True, (), own=0), "pi", PI4),
        ("auto", Machine(PI4, False, ("Webcam at /dev/video0",)), "usb", "picamera2 is not installed"),
        ("auto", Machine(PI4, False, ()), "pi", PI4),
        ("usb", Machine("", False, ()), "usb", "the settings ask"),
        ("usb:2", Machine("", False, ()), "usb", "usb:2"),
        ("usb:C920", Machine("", False, ()), "usb", "usb:C920"),
        ("folder:/tmp/pictures", Machine(PI4, True, ()), "folder", "the settings ask"),
        ("simulated", Machine(PI4, True, ()), "simulated", "the settings ask"),
        ("phones", Machine("", False, ()), "phones", "the settings ask"),
    ],
)
def test_which_camera_and_why(asked, machine, kind, why):
    choice = choose(asked, machine)
    assert choice.kind == kind
    assert why in choice.why


@pytest.mark.parametrize("asked", ["webcam", "", "pi:x", "folder:", "folder"])
def test_a_wrong_name_is_refused_with_the_right_ones(asked):
    with pytest.raises(errors.WrongChoice) as caught:
        choose(asked, Machine("", False, ()))
    assert "Use" in str(caught.value)


def test_open_camera_gives_each_kind(clock, tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), np.full((30, 40, 3), 7, dtype=np.uint8))
    nothing = Machine("", False, ())
    simulated = open_camera("auto", clock=clock, draw=lambda: CARD, machine=nothing)
    folder = open_camera(f"folder:{tmp_path}", clock=clock, machine=nothing)
    assert isinstance(open_camera("phones", clock=clock, machine=nothing), PhonesCamera)
    assert "no camera" in simulated.why
    assert simulated.capture().image_bgr.shape == CARD.shape
    assert int(folder.capture().image_bgr[0, 0, 0]) == 7
    with pytest.raises(errors.WrongChoice, match="simulated table is not wanted"):
        open_camera("simulated", clock=clock, machine=nothing)


def test_a_missing_real_camera_is_a_fault_when_used_not_when_opened(clock, capfd):
    camera = open_camera("usb:97", clock=clock, machine=Machine("", False, ()))
    with pytest.raises(errors.CameraMissing):
        camera.preview()
    assert capfd.readouterr().err == "", "OpenCV would fill the log"
    assert isinstance(camera.fault, errors.CameraMissing)
    camera.close()


def test_the_simulated_camera_fails_on_purpose(clock):
    camera = SimulatedCamera(lambda: CARD, clock)
    camera.fault = errors.CameraBusy("Held.")
    with pytest.raises(errors.CameraBusy):
        camera.preview()
    assert isinstance(camera.fault, errors.CameraBusy)


def test_a_phones_picture_stands_for_the_table_until_it_is_old(clock):
    camera = PhonesCamera(clock)
    with pytest.raises(errors.NoPhonePicture):
        camera.capture()
    camera.show(np.full((960, 1280, 3), 90, np.uint8))
    clock.advance(KEPT_S)
    assert camera.capture().image_bgr.shape == (960, 1280, 3)
    clock.advance(0.1)
    with pytest.raises(errors.NoPhonePicture):
        camera.preview()
    assert camera.check() is None


WEBCAM = VideoDevice(0, "HD Webcam")


@pytest.mark.parametrize(
    ("asked", "model", "picamera2", "usb", "own"),
    [
        ("auto", PI4, True, (WEBCAM,), 2),
        (" auto ", PI4, True, (WEBCAM,), 2),
        ("auto", PI4, True, (), None),
        ("auto", PI4, False, (WEBCAM,), None),
        ("auto", "", True, (WEBCAM,), None),
        ("pi", PI4, True, (WEBCAM,), None),
    ],
)
def test_libcamera_is_asked_only_where_there_is_something_to_choose(
    monkeypatch, asked, model, picamera2, usb, own
):
    monkeypatch.setattr(choosing, "pi_model", lambda: model)
    monkeypatch.setattr(choosing, "usb_cameras", lambda: usb)
    monkeypatch.setattr(choosing.importlib.util, "find_spec", lambda name: object() if picamera2 else None)
    monkeypatch.setattr(choosing, "_own_cameras", lambda: 2)
    assert this_machine(asked).own == own


@pytest.mark.parametrize(
    ("library", "own"),
    [
        ("", 0),
        ("class Picamera2:\n global_camera_info = staticmethod(lambda: [{'Id': '/base/imx708'}])", 1),
        ("class Picamera2:\n global_camera_info = staticmethod(lambda: [{'Id': '/base/usb@1'}])", 0),
        ("raise ImportError('libcamera is missing')", 0),
        ("raise RuntimeError('libcamera does not answer')", None),
        ("import os; os.abort()", None),
    ],
)
def test_libcamera_is_asked_in_a_process_that_may_break(monkeypatch, tmp_path, library, own):
    """An empty library has no class to import, as when picamera2 is broken."""
    (tmp_path / "picamera2.py").write_text(library)
    monkeypatch.syspath_prepend(tmp_path)
    assert choosing._own_cameras() == own


def test_a_usb_camera_plugged_in_later_is_taken_by_auto_and_by_nothing_else(monkeypatch, clock):
    opened: list[str] = []

    class Missing(SimulatedCamera):
        def capture(self, timeout_s: float = 5.0) -> Frame:
            raise errors.CameraMissing("There is no Pi camera number 0; 0 found.")

    def in_process(choice: Choice, *given: object) -> InlineWorker:
        opened.append(choice.kind)
        return InlineWorker(
            lambda: (Missing if choice.kind == "pi" else SimulatedCamera)(lambda: CARD, clock)
        )

    monkeypatch.setattr(choosing, "_in_process", in_process)
    machines = iter([Machine(PI4, True, (), own=0), Machine(PI4, True, ("Webcam at /dev/video0",), own=0)])
    monkeypatch.setattr(choosing, "this_machine", lambda asked="auto": next(machines))
    auto, fixed = (
        open_camera("auto", clock=clock),
        open_camera("pi", clock=clock, machine=Machine(PI4, True, ())),
    )
    for camera in (auto, fixed):
        with pytest.raises(errors.CameraMissing):
            camera.capture()
    clock.advance(60)
    assert auto.capture().image_bgr.size
    assert (auto.name, "no camera of its own" in auto.why) == ("USB camera", True)
    with pytest.raises(errors.CameraMissing):
        fixed.capture()
    assert opened == ["pi", "pi", "usb", "pi"]
