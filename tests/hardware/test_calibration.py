"""What is found out about a camera, and how it is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hardware import calibration
from hardware.calibration import Calibration, calibrate, load, pi_options, save
from hardware.cameras.pi import PiCamera, PiOptions
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.steady import SteadyCamera
from hardware.clock import FakeClock
from hardware.focus import Focus
from tests.hardware.fakes import FakePicamera2

FOUND = Calibration("Pi camera 0", 120.5, 0.4, 2.75, 63.0)
CARD = np.full((120, 160, 3), 120, dtype=np.uint8)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "calibration.json"
    save(path, FOUND)
    assert load(path) == FOUND
    save(path, Calibration("usb", 1.0, 0.5))
    assert load(path) == Calibration("usb", 1.0, 0.5)
    assert [file.name for file in path.parent.iterdir()] == ["calibration.json"]


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"camera": "x"}', "\x00\xff"])
def test_a_damaged_file_is_said_and_passed_over(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(content)
    assert load(path) is None
    assert "run dudo calibrate again" in caplog.text


def test_no_file_is_no_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert load(tmp_path / "none.json") is None
    assert not caplog.text


def test_the_stored_lens_position_is_used(clock: FakeClock) -> None:
    camera = PiCamera(clock, pi_options(FOUND), open_pi=lambda number: FakePicamera2(CARD))
    assert camera.capture().metadata["LensPosition"] == 2.75
    camera.close()
    assert pi_options(None, 1) == PiOptions(number=1)


def test_a_camera_with_a_motor_is_focused_and_its_light_frozen(clock: FakeClock) -> None:
    below = FakePicamera2(CARD)
    camera = SteadyCamera("Pi", "", lambda: PiCamera(clock, PiOptions(), open_pi=lambda number: below), clock)
    done = calibrate(camera, lambda image: 60.0)
    assert done.calibration.lens_dioptres is not None
    assert done.calibration.die_px == 60.0
    assert any("nothing to hold on to" in words for words in done.advice)
    camera.close()


@pytest.mark.parametrize(
    ("die_px", "words"),
    [(None, "No dice were seen"), (30.0, "bring the camera nearer"), (150.0, "raise the camera")],
)
def test_advice_on_the_height(clock: FakeClock, die_px: float | None, words: str) -> None:
    done = calibrate(SimulatedCamera(lambda: CARD, clock), lambda image: die_px)
    assert words in done.advice[0]


@pytest.mark.parametrize(
    ("focus", "words"),
    [
        (Focus(2.0, (), inside=True, clear=True), ""),
        (Focus(2.0, (), inside=False, clear=True), "at the end of the lens's way"),
        (Focus(2.0, (), inside=True, clear=False), "nothing to hold on to"),
        (None, ""),
    ],
)
def test_advice_on_the_focus(focus: Focus | None, words: str) -> None:
    said = calibration._focus_advice(focus)
    assert words in said[0] if words else said == ()
