"""A camera in a process of its own: what it gives, how it ends, and how it comes back."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hardware import errors
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.clock import SystemClock
from hardware.ports import Clock
from tests.hardware import camera_kills
from tests.hardware.camera_kills import Make
from tests.hardware.child_cameras import WELL, pi, set_mood, usb
from tests.hardware.test_worker import RushingClock, hangs, once

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    set_mood(tmp_path, WELL)
    return tmp_path


@pytest.fixture
def opened(folder):
    """Opens a camera in a process, on a clock."""
    cameras = list[ReconnectingCamera]()

    def camera(make: Make, clock: Clock) -> ReconnectingCamera:
        cameras.append(ReconnectingCamera("camera", "", lambda memory: make(folder, clock, memory), clock))
        return cameras[-1]

    yield camera
    for one in cameras:
        one.close()


@pytest.fixture
def at_once(monkeypatch):
    """No pause before a camera is tried again."""
    monkeypatch.setattr("hardware.clock.BackOff.pause_s", lambda back_off: 0.0)


def pid_of(camera: ReconnectingCamera) -> int | None:
    return camera._worker.pid if camera._worker else None


def test_the_boxs_own_process_need_not_know_the_cameras_libraries(opened):
    camera = opened(usb, SystemClock())
    camera.capture()
    assert pid_of(camera) not in (None, os.getpid())
    camera.close()
    assert pid_of(camera) is None


@pytest.mark.parametrize(
    ("module", "foreign"),
    [
        ("hardware.cameras.choose", ("cv2", "picamera2", "gpiozero", "multiprocessing")),
        ("hardware.cameras.pi", ("cv2", "picamera2", "gpiozero", "companion", "vision", "web", "flask")),
        ("hardware.cameras.process", ("cv2", "picamera2", "gpiozero", "companion", "vision", "web", "flask")),
    ],
)
def test_neither_side_imports_what_only_the_other_needs(module, foreign):
    code = f"import sys, {module}; print([name for name in {foreign} if name in sys.modules])"
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=path, check=True)
    assert run.stdout == "[]\n"


def test_focus_and_lens_are_those_of_the_camera(opened):
    camera = opened(pi, SystemClock())
    assert not camera.can_focus()
    camera.preview()
    assert camera.can_focus()
    assert camera.focus() is not None
    camera = opened(usb, SystemClock())
    assert (camera.focus(), camera.can_focus()) == (None, False)


def test_what_was_asked_of_the_camera_survives_its_process(opened):
    camera = opened(pi, SystemClock())
    assert camera.lock_exposure() == ()
    exposed = camera.capture().metadata["ExposureTime"]
    camera._worker.kill()
    with pytest.raises(errors.CameraSilent):
        camera.capture()
    assert camera.capture().metadata["ExposureTime"] == exposed == 20_000
    camera.unlock_exposure()
    for _ in range(3):  # controls take effect some frames later
        camera.preview()
    assert camera.capture().metadata["ExposureTime"] == 23_456


@pytest.mark.parametrize("make", [pi, usb])
@pytest.mark.parametrize("how", ["frame hang", "frame die", "frame garbage"])
def test_a_camera_whose_process_ends_is_silent_and_opened_anew(opened, folder, make, how):
    camera = opened(make, SystemClock())
    camera.capture()
    pid = pid_of(camera)
    set_mood(folder, how)
    camera._worker._clock = RushingClock()
    with pytest.raises(errors.CameraSilent):
        camera.capture()
    assert not Path(f"/proc/{pid}").exists()
    set_mood(folder, WELL)
    assert camera.capture().image_bgr.size


@pytest.mark.parametrize(
    ("how", "error", "words"),
    [
        ("open busy", errors.CameraBusy, "used by rpicam-hello .process 4242."),
        ("open missing", errors.CameraMissing, "0 found"),
        ("open no memory", errors.CameraNoMemory, "not enough memory"),
        ("open broken", errors.CameraNotStarting, "Camera __init__ sequence did not complete"),
        ("open die", errors.CameraNotStarting, "SIGSEGV"),
        ("frame die", errors.CameraNotStarting, "SIGSEGV"),
        ("silent", errors.CameraSilent, "no picture within"),
    ],
)
def test_what_hinders_opening_is_distinguished(opened, folder, how, error, words):
    set_mood(folder, how)
    camera = opened(pi, SystemClock())
    with pytest.raises(error, match=words) as caught:
        camera.capture()
    assert type(caught.value) is error
    assert pid_of(camera) is None


def test_an_opening_that_hangs_is_silent(opened, folder):
    set_mood(folder, "open hang")
    with pytest.raises(errors.CameraSilent, match="did not open within 30 seconds"):
        opened(pi, RushingClock()).capture()


def test_what_the_software_wrote_is_reported_once_for_each_reason(opened, folder, caplog, at_once):
    camera = opened(pi, SystemClock())
    for mood in ("open broken", "open broken", WELL, "open broken"):
        set_mood(folder, mood)
        if mood == WELL:
            camera.capture()
            camera.close()
        else:
            with pytest.raises(errors.CameraNotStarting):
                camera.capture()
    assert caplog.text.count("camera wrote:") == 2
    assert "the driver says nothing good" in caplog.text


def test_a_picture_that_comes_again_is_none(opened, folder):
    """A stalled driver gives the dice of the round before, and answers every call."""
    camera = opened(usb, SystemClock())
    set_mood(folder, "lit")
    assert not np.array_equal(camera.capture().image_bgr, camera.capture().image_bgr)
    set_mood(folder, "stalled")
    for _ in range(2):
        with pytest.raises(errors.CameraSilent, match="old picture"):
            camera.capture()
    set_mood(folder, "lit")
    assert camera.capture().image_bgr.any()


def test_a_sensor_whose_clock_stands_still_sees_nothing(opened, folder):
    camera = opened(usb, SystemClock())
    set_mood(folder, "lit")
    camera.capture()
    set_mood(folder, "stopped clock")
    with pytest.raises(errors.CameraSilent, match="old picture"):
        [camera.capture() for _ in range(2)]


def test_a_covered_lens_is_dark_and_not_silent(opened):
    camera = opened(usb, SystemClock())
    assert [camera.capture().image_bgr.shape for _ in range(3)] == [(960, 1280, 3)] * 3


@pytest.mark.parametrize("mood", ["frame hang", "open hang"])
def test_closing_ends_a_call_or_an_opening_in_progress(opened, folder, mood):
    camera = opened(pi, SystemClock())
    camera.capture()
    if mood == "open hang":
        camera.close()
    set_mood(folder, mood)
    closing = once(lambda: hangs(camera._worker), camera.close)
    with pytest.raises(errors.CameraSilent):
        camera.capture(1000)
    closing.join()
    assert pid_of(camera) is None, "it is not opened again"


@pytest.mark.parametrize("make", [pi, usb])
def test_a_camera_killed_in_every_way_comes_back_each_time_and_leaves_nothing(folder, make):
    counts = camera_kills.kill_over_and_over(make, folder, camera_kills.WAYS, lambda times: times < 8)
    assert (counts.tried, counts.back, counts.clean) == (8, 8, True), counts
