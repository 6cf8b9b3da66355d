"""What is found out about a camera, and how it is kept."""

import json
import math

import numpy as np
import pytest

from companion.texts import knows
from hardware.calibration.advice import Advice, Tilt, on_focus, on_height, on_tilt, tilt
from hardware.calibration.calibration import Calibration, camera_options, parsed, written
from hardware.calibration.calibrator import Calibrator, packed
from hardware.cameras.deviceless import SimulatedCamera
from hardware.cameras.pi import CameraOptions, PiCamera
from hardware.errors import CameraSilent
from hardware.ports import Focus
from tests.hardware.fakes import FakePicamera2
from tests.hardware.inline import reconnecting

CARD = np.full((120, 160, 3), 120, dtype=np.uint8)
FOUND = Calibration("Pi camera 0", 2.75, 63.0, 1.5, packed(CARD))


def dice(*sizes: float) -> tuple[tuple[float, float, float], ...]:
    """Dice of those widths in a row."""
    return tuple((10.0 * n, 50.0, size) for n, size in enumerate(sizes))


@pytest.mark.parametrize("found", [FOUND, Calibration("usb")], ids=["whole", "least"])
def test_what_is_kept_comes_back(found):
    assert parsed(written(found)) == found


def test_a_file_with_the_old_name_of_the_tilt_is_read():
    old = b'{"camera": "usb", "sharpness": 1.0, "brightness": 0.5, "leaning_deg": 2.5}'
    assert parsed(old) == Calibration("usb", tilt_deg=2.5)


DAMAGED_EMPTY = json.dumps(
    {"camera": "x", "sharpness": 1, "brightness": 1, "empty": {"width_px": 4, "height_px": 4, "packed": "?"}}
)

DAMAGED_DIE = json.dumps({"camera": "x", "sharpness": 1, "brightness": 1, "die_px": "large"})


@pytest.mark.parametrize("content", ["", "[1, 2]", '{"die_px": 60.0}', DAMAGED_EMPTY, DAMAGED_DIE])
def test_a_damaged_file_is_refused(content):
    with pytest.raises((ValueError, TypeError, AttributeError)):
        parsed(content.encode())


def test_the_stored_lens_position_is_used(clock):
    camera = PiCamera(clock, camera_options(FOUND), open_pi=lambda number: FakePicamera2(CARD))
    assert camera.capture().metadata["LensPosition"] == 2.75
    camera.close()
    assert camera_options(None, 60.0) == CameraOptions(mains_hz=60.0)


def test_a_camera_with_a_motor_is_focused_in_settled_light(clock):
    below = FakePicamera2(CARD)
    camera = reconnecting(lambda: PiCamera(clock, CameraOptions(), open_pi=lambda number: below), clock)
    calibrator = Calibrator(camera, lambda image: dice(60.0))
    assert calibrator.focus() == (Advice("unclear_focus"),)
    assert calibrator.found.lens_position is not None
    assert camera.can_focus()
    assert calibrator.dice() == (Advice("blurred"),)
    assert (calibrator.found.die_px, calibrator.found.still_px) == (60.0, 2304)
    kept = [controls.get("AeEnable") for _, controls in below._set if "AeEnable" in controls]
    assert kept == [False, True] * 2, "the light is kept for each step and free afterwards"
    camera.close()


class Restless(SimulatedCamera):
    """A camera that does not let go of its automatics."""

    def lock_exposure(self) -> tuple[str, ...]:
        return ("exposure",)


def test_a_camera_that_keeps_its_automatics_is_said(clock):
    even = np.tile(np.array([[90, 150], [150, 90]], np.uint8), (60, 80))
    picture = np.repeat(even[:, :, None], 3, axis=2)
    cameras = (SimulatedCamera(lambda: picture, clock), Restless(lambda: picture, clock))
    said = [Calibrator(camera, lambda image: dice(60.0)).dice() for camera in cameras]
    assert said == [(), (Advice("moving_light"),)]


@pytest.mark.parametrize(
    ("die_px", "still_px", "width_px", "expected"),
    [
        (60.0, 1200, 1200, 60.0),
        (60.0, 1200, 2400, 120.0),
        (60.0, 1200, 600, 30.0),
        (None, 1200, 1200, None),
        (60.0, None, 1200, None),
        (60.0, 0, 1200, None),
    ],
)
def test_the_size_of_dice_goes_with_that_of_the_picture(die_px, still_px, width_px, expected):
    found = Calibration("usb", die_px=die_px, still_px=still_px)
    assert found.die_in(width_px) == expected


def test_what_another_camera_found_is_not_taken_over(clock):
    camera = SimulatedCamera(lambda: CARD, clock)
    assert Calibrator(camera, lambda image: (), FOUND).found.die_px is None
    mine = Calibration(camera.name, die_px=50.0)
    assert Calibrator(camera, lambda image: (), mine).found == mine


def test_the_empty_table_is_remembered_unless_dice_lie_there(clock):
    picture = np.linspace(0, 255, 640 * 480 * 3).reshape(480, 640, 3).astype(np.uint8)
    lying = dice(40.0, 41.0)
    calibrator = Calibrator(SimulatedCamera(lambda: picture, clock), lambda image: lying)
    assert calibrator.empty() == (Advice("not_empty", (("n", 2),)),)
    assert calibrator.found.empty is None
    lying = ()
    assert calibrator.empty() == ()
    assert calibrator.found.empty.grey().shape == (240, 320)


def test_a_step_that_fails_leaves_what_was_found(clock):
    camera = SimulatedCamera(lambda: CARD, clock)
    calibrator = Calibrator(camera, lambda image: dice(50.0))
    calibrator.dice()
    camera.fault = CameraSilent("Asleep.")
    for step in (calibrator.dice, calibrator.empty):
        with pytest.raises(CameraSilent):
            step()
    assert calibrator.found.die_px == 50.0


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        (on_height(None), (Advice("no_dice"),)),
        (on_height(24.0), (Advice("nearer", (("pixels", 24), ("low", 30), ("percent", 60))),)),
        (on_height(150.0), (Advice("farther", (("pixels", 150), ("high", 120), ("percent", 150))),)),
        (on_height(60.0), ()),
        (on_focus(Focus(2.0, inside=True, clear=True)), ()),
        (on_focus(Focus(2.0, inside=False, clear=True)), (Advice("focus_at_end"),)),
        (on_focus(Focus(2.0, inside=True, clear=False)), (Advice("unclear_focus"),)),
        (on_focus(None), ()),
        (on_tilt(Tilt(3.0, "left")), ()),
        (on_tilt(None), ()),
    ],
)
def test_advice_on_height_focus_and_tilt(given, advice):
    assert given == advice


def seen_tilted(degrees: float, *, across: bool) -> list[tuple[float, float, float]]:
    """Nine equal dice over a picture of 1640 x 1232 by a lens of 62 degrees that leans to one side."""
    focal, angle = 1640 / 2 / math.tan(math.radians(31)), math.radians(degrees)
    spots = [(x, y) for x in (-600, 0, 600) for y in (-450, 0, 450)]
    scale = [math.cos(angle) + (x if across else y) / focal * math.sin(angle) for x, y in spots]
    return [(x + 820, y + 616, 60 * near) for (x, y), near in zip(spots, scale, strict=True)]


@pytest.mark.parametrize(
    ("degrees", "across", "nearer"),
    [(12, True, "right"), (-12, True, "left"), (9, False, "bottom"), (-9, False, "top"), (20, True, "right")],
)
def test_a_tilted_camera_is_found_by_the_sizes_of_dice(degrees, across, nearer):
    found = tilt(seen_tilted(degrees, across=across), 1640)
    assert found.degrees == pytest.approx(abs(degrees), abs=2)
    assert found.nearer == nearer
    assert [one.key for one in on_tilt(found)] == [f"tilt_{nearer}"]


def test_a_level_camera_needs_no_advice_and_few_dice_tell_nothing():
    level = tilt(seen_tilted(0, across=True), 1640)
    assert level.degrees == pytest.approx(0, abs=0.1)
    assert tilt(seen_tilted(10, across=True)[:3], 1640) is None
    assert tilt([(10.0 * n, 50.0, 60.0 + n) for n in range(8)], 1640) is None


KEYS = (
    *("dark", "glare", "bright", "uneven", "blurred", "moving_light"),
    *("no_dice", "nearer", "farther", "unclear_focus", "focus_at_end", "not_empty"),
    *("tilt_left", "tilt_right", "tilt_top", "tilt_bottom"),
)
CONTACTS = ("no_contact", "noise", "clean", "bounces", "worn")


@pytest.mark.parametrize("key", [f"advice.{key}" for key in KEYS] + [f"contacts.{key}" for key in CONTACTS])
def test_every_advice_and_contact_has_its_words(key):
    assert knows(key)
