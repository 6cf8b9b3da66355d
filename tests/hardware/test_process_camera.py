"""A camera in a process of its own: what it gives, how it ends, and how it comes back."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from hardware import errors
from hardware.cameras.process import Kept
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.clock import SystemClock
from tests.hardware import camera_kills
from tests.hardware.child_cameras import WELL, pi, set_mood, usb
from tests.hardware.test_worker import RushingClock

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    set_mood(tmp_path, WELL)
    return tmp_path


def test_the_boxs_own_process_need_not_know_the_cameras_libraries(folder):
    camera = usb(folder, SystemClock())
    camera.capture()
    assert camera.pid not in (None, os.getpid())
    camera.close()
    assert camera.pid is None


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


def test_focus_and_lens_are_those_of_the_camera(folder):
    camera = pi(folder, SystemClock())
    assert camera.lens_range is None
    camera.preview()
    assert (camera.lens_range, camera.name) == ((0.0, 15.0), "Pi camera 0")
    assert camera.focus() is not None
    camera.close()
    camera = usb(folder, SystemClock())
    assert (camera.focus(), camera.lens_range) == (None, None)
    camera.close()


def test_what_was_asked_of_the_camera_survives_its_process(folder):
    kept = Kept()
    first = pi(folder, SystemClock(), kept)
    assert first.lock_exposure() == ()
    exposed = first.capture().metadata["ExposureTime"]
    first.abort()
    with pytest.raises(errors.CameraSilent):
        first.capture()
    first.close()
    second = pi(folder, SystemClock(), kept)
    assert second.capture().metadata["ExposureTime"] == exposed == 20_000
    second.unlock_exposure()
    for _ in range(3):  # controls take effect some frames later
        second.preview()
    assert second.capture().metadata["ExposureTime"] == 23_456
    second.close()


@pytest.mark.parametrize("make", [pi, usb])
@pytest.mark.parametrize("how", ["frame hang", "frame die", "frame garbage"])
def test_a_camera_whose_process_ends_is_silent_and_over(folder, make, how):
    camera = make(folder, SystemClock())
    camera.capture()
    pid = camera.pid
    set_mood(folder, how)
    camera._worker._clock = RushingClock()
    with pytest.raises(errors.CameraSilent):
        camera.capture()
    assert camera.over
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(errors.CameraSilent, match="is closed"):
        camera.preview()
    camera.close()


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
def test_what_hinders_opening_is_distinguished(folder, how, error, words):
    set_mood(folder, how)
    camera = pi(folder, SystemClock())
    with pytest.raises(error, match=words) as caught:
        camera.capture()
    assert type(caught.value) is error
    assert camera.over
    assert camera.pid is None
    camera.close()


def test_an_opening_that_hangs_is_silent(folder):
    set_mood(folder, "open hang")
    camera = pi(folder, RushingClock())
    with pytest.raises(errors.CameraSilent, match="did not open within 30 seconds"):
        camera.capture()
    camera.close()


def test_what_the_software_wrote_is_reported_once_for_each_reason(folder, caplog):
    kept = Kept()
    for mood in ("open broken", "open broken", WELL, "open broken"):
        set_mood(folder, mood)
        camera = pi(folder, SystemClock(), kept)
        if mood == WELL:
            camera.capture()
        else:
            with pytest.raises(errors.CameraNotStarting):
                camera.capture()
        camera.close()
    assert caplog.text.count("Pi camera wrote:") == 2
    assert "the driver says nothing good" in caplog.text


def test_a_picture_that_comes_again_is_none(folder):
    """A stalled driver gives the dice of the round before, and answers every call."""
    camera = usb(folder, SystemClock())
    set_mood(folder, "lit")
    assert not np.array_equal(camera.capture().image_bgr, camera.capture().image_bgr)
    set_mood(folder, "stalled")
    for _ in range(2):
        with pytest.raises(errors.CameraSilent, match="old picture"):
            camera.capture()
    set_mood(folder, "lit")
    assert camera.capture().image_bgr.any()
    camera.close()


def test_a_sensor_whose_clock_stands_still_sees_nothing(folder):
    camera = usb(folder, SystemClock())
    set_mood(folder, "lit")
    camera.capture()
    set_mood(folder, "stopped clock")
    with pytest.raises(errors.CameraSilent, match="old picture"):
        [camera.capture() for _ in range(2)]
    camera.close()


def test_a_covered_lens_is_dark_and_not_silent(folder):
    camera = usb(folder, SystemClock())
    assert [camera.capture().image_bgr.shape for _ in range(3)] == [(960, 1280, 3)] * 3
    camera.close()


@pytest.mark.parametrize("mood", ["frame hang", "open hang"])
def test_closing_ends_a_call_or_an_opening_in_progress(folder, mood):
    reconnecting = ReconnectingCamera("camera", "", lambda: pi(folder, SystemClock()), SystemClock())
    reconnecting.capture()
    if mood == "open hang":
        reconnecting.close()
    set_mood(folder, mood)
    closing = threading.Timer(0.2, reconnecting.close)
    closing.start()
    with pytest.raises(errors.CameraSilent):
        reconnecting.capture(1000)
    closing.join()


@pytest.mark.parametrize("make", [pi, usb])
def test_a_camera_killed_in_every_way_comes_back_each_time_and_leaves_nothing(folder, make):
    counts = camera_kills.kill_over_and_over(make, folder, camera_kills.WAYS, lambda times: times < 8)
    assert (counts.tried, counts.back, counts.clean) == (8, 8, True), counts
