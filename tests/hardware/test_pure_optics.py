"""Exposure, focus, pixel layouts and picture measures: pure functions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.calibration import advice
from hardware.errors import PictureUnreadable
from hardware.optics import exposure, focus
from hardware.optics.pixels import checked, shrunk, write_bgr
from tests.hardware.fakes import yuv420_of

SETTLED = {"ExposureTime": 20_000.0, "AnalogueGain": 2.0, "ColourGainRed": 1.5, "ColourGainBlue": 2.5}


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([SETTLED] * 5, True),
        ([SETTLED] * 4, False),
        ([], False),
        ([{**SETTLED, "ExposureTime": 9_000.0}] + [SETTLED] * 5, True),
        ([SETTLED] * 4 + [{**SETTLED, "ExposureTime": 22_000.0}], False),
        ([SETTLED] * 4 + [{**SETTLED, "ColourGainBlue": 2.7}], False),
        ([SETTLED] * 4 + [{**SETTLED, "ExposureTime": 40_000.0, "AnalogueGain": 1.0}], True),
        ([{}] * 5, True),
    ],
)
def test_settled_means_five_frames_of_the_same_light(frames, expected):
    assert exposure.settled(frames) is expected


@pytest.mark.parametrize(
    ("exposure_us", "gain", "mains_hz", "fitted"),
    [
        (23_456, 2.0, 50, (20_000, 2.3456)),
        (20_000, 1.0, 50, (20_000, 1.0)),
        (9_500, 4.0, 50, (9_500, 4.0)),
        (10_000, 1.0, 50, (10_000, 1.0)),
        (30_000, 1.0, 60, (25_000, 1.2)),
        (33_333, 1.5, 60, (33_333, 1.49999)),
        (23_456, 2.0, None, (23_456, 2.0)),
    ],
)
def test_the_frozen_exposure_spans_whole_half_periods(exposure_us, gain, mains_hz, fitted):
    assert exposure.without_flicker(exposure_us, gain, mains_hz) == pytest.approx(fitted, rel=1e-4)


@given(st.floats(100, 200_000), st.floats(1, 16), st.sampled_from([50.0, 60.0]))
def test_freezing_keeps_the_light(exposure_us, gain, mains_hz):
    fitted_us, fitted_gain = exposure.without_flicker(exposure_us, gain, mains_hz)
    assert fitted_us * fitted_gain == pytest.approx(exposure_us * gain, rel=0.01)
    assert fitted_gain >= 1


@pytest.mark.parametrize(
    ("mains_hz", "controls"),
    [
        (50.0, {"AeFlickerMode": 1, "AeFlickerPeriod": 10_000}),
        (60.0, {"AeFlickerMode": 1, "AeFlickerPeriod": 8_333}),
        (None, {"AeFlickerMode": 0}),
    ],
)
def test_the_automatics_know_the_mains(mains_hz, controls):
    assert exposure.against_flicker(mains_hz) == controls


def test_what_a_camera_does_not_say_is_not_frozen():
    assert exposure.locked({}, 50) == {}
    assert set(exposure.locked(SETTLED, 50)) == {
        "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "got", "wrong"),
    [
        ({"ExposureTime": 20_000}, {"ExposureTime": 19_990.0}, ()),
        ({"ExposureTime": 20_000}, {"ExposureTime": 33_000.0}, ("ExposureTime",)),
        ({"ExposureTime": 20_000}, {}, ()),
        ({"ColourGains": (1.5, 2.5)}, {"ColourGainRed": 1.5, "ColourGainBlue": 1.0}, ("ColourGainBlue",)),
        ({"LensPosition": 0.0}, {"LensPosition": 0.05}, ()),
        ({"LensPosition": 3.0, "AfMode": 0}, {"LensPosition": 1.0}, ("LensPosition",)),
    ],
)
def test_a_frame_is_held_against_what_was_asked(asked, got, wrong):
    assert exposure.disobeyed(asked, got) == wrong


def test_metadata_becomes_plain_numbers():
    raw = {
        "ExposureTime": 100,
        "ColourGains": (1.0, 2.0),
        "SensorBlackLevels": (1, 2, 3, 4),
        "AeLocked": True,
    }
    assert exposure.flattened(raw) == {
        "ExposureTime": 100.0, "ColourGainRed": 1.0, "ColourGainBlue": 2.0, "AeLocked": 1.0
    }  # fmt: skip


def lens(best: float, width: float = 1.5) -> tuple[list[float], object]:
    asked: list[float] = []

    def sharpness_at(dioptres: float) -> float:
        asked.append(dioptres)
        return 10 + 100 * math.exp(-(((dioptres - best) / width) ** 2))

    return asked, sharpness_at


@given(st.floats(1.0, 14.0))
def test_the_sweep_finds_the_sharpest_lens_position(best):
    asked, sharpness_at = lens(best)
    found = focus.sweep(0.0, 15.0, sharpness_at)  # type: ignore[arg-type]
    assert found.position == pytest.approx(best, abs=0.1)
    assert found.inside
    assert found.clear
    assert all(0 <= dioptres <= 15 for dioptres in asked)
    assert len(asked) == focus.COARSE_STEPS + focus.FINE_STEPS


@pytest.mark.parametrize("best", [-3.0, 18.0])
def test_a_best_focus_beyond_the_lens_is_said(best):
    found = focus.sweep(0.0, 15.0, lens(best, width=6.0)[1])  # type: ignore[arg-type]
    assert not found.inside


def test_a_sweep_without_anything_to_see_is_not_clear():
    assert not focus.sweep(0.0, 10.0, lambda dioptres: 50.0).clear


@pytest.mark.parametrize("size", [(640, 480), (600, 480), (62, 40)])
@pytest.mark.parametrize("bgr", [(20, 30, 200), (200, 30, 20), (0, 255, 0), (128, 128, 128)])
def test_every_layout_of_a_flat_card_gives_its_colour(size, bgr):
    width, height = size
    colour = np.array(bgr, dtype=np.uint8)
    flat = np.broadcast_to(colour, (height, width, 3))
    planar = yuv420_of(colour, width, height)
    half = planar[height:].reshape(2, height // 2, -1)
    pairs = np.stack([half[0], half[1]], axis=2).reshape(height // 2, -1)
    layouts = {
        "RGB888": flat,
        "YUV420": planar,
        "NV12": np.concatenate([planar[:height], pairs]),
    }
    for name, array in layouts.items():
        image = np.empty((height, width, 3), np.uint8)
        write_bgr(image, array, name)
        assert np.abs(image.astype(int) - colour).max() <= 3, name


def test_an_unknown_layout_is_refused_by_name():
    with pytest.raises(PictureUnreadable, match="SBGGR10"):
        write_bgr(np.empty((4, 4, 3), np.uint8), np.zeros((4, 4), np.uint8), "SBGGR10")


@pytest.mark.parametrize(
    ("shape", "width_px", "expected"),
    [((960, 1280, 3), 640, (480, 640)), ((1520, 2028, 3), 640, (506, 676)), ((90, 100, 3), 640, (90, 100)),
     ((1, 3000, 3), 600, (1, 3000))],
)  # fmt: skip
def test_shrinking_by_a_whole_factor(shape, width_px, expected):
    image = np.full(shape, 200, dtype=np.uint8)
    small = shrunk(image, width_px)
    assert small.shape[:2] == expected
    assert (small == 200).all()


def test_shrinking_takes_the_mean():
    image = np.zeros((2, 2, 3), dtype=np.uint8)
    image[0] = 255
    assert shrunk(image, 1).tolist() == [[[128, 128, 128]]]


@pytest.mark.parametrize(
    "image",
    [None, np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8)],
)
def test_what_is_no_colour_picture_is_refused(image):
    with pytest.raises(PictureUnreadable, match="The camera gave"):
        checked(image, "The camera")


def board(step: int) -> np.ndarray:
    rows, columns = np.indices((240, 320))
    return np.repeat((((rows // step + columns // step) % 2) * 120 + 60)[:, :, None], 3, axis=2).astype(
        np.uint8
    )


def test_blur_lowers_sharpness():
    sharp = board(8)
    soft = ((sharp.astype(int) + np.roll(sharp, 1, 1) + np.roll(sharp, 2, 1)) // 3).astype(np.uint8)
    assert focus.sharpness(soft) < focus.sharpness(sharp)
    assert focus.sharpness(np.zeros((2, 2, 3), np.uint8)) == 0


@pytest.mark.parametrize(
    ("image", "key"),
    [
        (np.full((60, 80, 3), 10, np.uint8), "dark"),
        (np.full((60, 80, 3), 255, np.uint8), "glare"),
        (np.full((60, 80, 3), 230, np.uint8), "bright"),
        (np.full((60, 80, 3), 120, np.uint8), "blurred"),
        (np.repeat(np.linspace(20, 240, 80).astype(np.uint8)[None, :, None], 60, 0).repeat(3, 2), "uneven"),
    ],
)
def test_advice_on_light_and_focus(image, key):
    assert key in [one.key for one in advice.on_light(focus.quality(image))]


def test_a_good_picture_needs_no_advice():
    assert advice.on_light(focus.quality(board(8))) == ()
