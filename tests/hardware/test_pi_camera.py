"""The Pi's camera on a stand-in for picamera2."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from hardware import errors
from hardware.cameras.pi import CameraOptions, Memory, PiCamera, csi_cameras, open_picamera
from hardware.optics.exposure import against_flicker
from tests.clocks import FakeClock
from tests.hardware.fakes import FakePicamera2

CARD = np.full((120, 160, 3), (20, 30, 200), dtype=np.uint8)


def make_pi(
    clock: FakeClock, below: FakePicamera2, memory: Memory | None = None, **options: float
) -> PiCamera:
    return PiCamera(clock, CameraOptions(**options), memory, lambda number: below)  # type: ignore[arg-type]


def test_the_buffers_always_go_back_and_the_camera_is_closed(clock):
    below = FakePicamera2(CARD)
    camera = make_pi(clock, below)
    for _ in range(5):
        camera.capture()
        camera.preview()
    assert below.out == 0
    camera.close()
    assert (below.started, below.closed) == (False, True)


def test_a_picture_that_can_not_be_converted_gives_its_buffers_back(clock):
    below = FakePicamera2(CARD)
    camera = make_pi(clock, below)
    below.config["main"]["format"] = "SBGGR10"
    for _ in range(2):
        with pytest.raises(errors.PictureUnreadable, match="SBGGR10"):
            camera.capture()
    assert below.out == 0
    camera.close()


def test_the_library_maps_its_pictures(monkeypatch):
    class Picamera2:
        def __init__(self, number: int) -> None:
            self.number = number

        @staticmethod
        def global_camera_info() -> list[dict[str, str]]:
            return [{"Id": "/base/imx708"}]

    class MappedArray:
        def __init__(self, request: str, stream: str) -> None:
            self.what = request, stream

    library = SimpleNamespace(Picamera2=Picamera2, MappedArray=MappedArray)
    monkeypatch.setitem(sys.modules, "picamera2", library)
    camera = open_picamera(0)
    assert camera.number == 0
    assert camera.mapped("request", "main").what == ("request", "main")
    with pytest.raises(errors.CameraMissing):
        open_picamera(1)


@pytest.mark.parametrize(
    ("options", "dioptres"),
    [({}, 1000 / 350), ({"lens_dioptres": 3.25}, 3.25), ({"lens_dioptres": 20.0}, 15.0)],
)
def test_an_autofocus_module_gets_its_lens_position_in_the_first_configuration(clock, options, dioptres):
    below = FakePicamera2(CARD)
    camera = make_pi(clock, below, **options)
    assert camera.capture().metadata["LensPosition"] == dioptres
    assert below.config["controls"]["AfMode"] == 0
    camera.close()


@pytest.mark.parametrize(
    ("sensor", "still", "preview"),
    [
        ((4608, 2592), (2304, 1296), (640, 360)),
        ((3280, 2464), (1640, 1232), (640, 480)),
        ((4056, 3040), (2028, 1520), (640, 480)),
        ((2592, 1944), (1296, 972), (640, 480)),
    ],
)
def test_a_still_has_half_the_sensors_size_and_its_proportions(clock, sensor, still, preview):
    below = FakePicamera2(CARD)
    below.sensor_resolution = sensor
    camera = make_pi(clock, below)
    assert (below.config["main"]["size"], below.config["lores"]["size"]) == (still, preview)
    assert camera.capture().image_bgr.shape[:2] == still[::-1]
    camera.close()


def test_a_fixed_focus_module_is_not_asked_to_focus(clock):
    below = FakePicamera2(CARD)
    del below.camera_controls["LensPosition"], below.camera_controls["AfMode"]
    camera = make_pi(clock, below)
    assert camera.lens_range is None
    assert camera.focus() is None
    assert "LensPosition" not in below.config["controls"]
    camera.close()


def test_exposure_settles_is_locked_and_unlocked(clock):
    below = FakePicamera2(CARD, automatic_us=lambda n: 23_000.0 if n > 8 else 5_000.0 * n)
    camera = make_pi(clock, below)
    assert camera.lock_exposure() == ()
    metadata = camera.capture().metadata
    assert metadata["ExposureTime"] == 20_000
    assert metadata["AnalogueGain"] == pytest.approx(2.3, rel=0.01)
    assert (metadata["ColourGainRed"], metadata["ColourGainBlue"]) == (1.5, 2.5)
    camera.unlock_exposure()
    assert below._set[-1][1] == {"AeEnable": True, "AwbEnable": True}
    camera.close()


@pytest.mark.parametrize(
    ("why", "settled_from", "previews", "frames"),
    [
        ("the previews before count", 0, 5, 1),
        ("without them five frames are looked at", 0, 0, 5),
        ("light that changes is waited for: 8 to 12, then the picture", 8, 5, 7),
        ("never for more than ten frames", 999, 5, 11),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_still_of_the_automatics_waits_until_they_have_settled(clock, why, settled_from, previews, frames):
    below = FakePicamera2(CARD, automatic_us=lambda n: 20_000.0 if n >= settled_from else 5_000.0 * n)
    camera = make_pi(clock, below)
    for _ in range(previews):
        camera.preview()
    before = below.frames
    camera.capture()
    assert below.frames - before == frames, why
    camera.close()


def test_freezing_again_begins_with_the_light_as_it_is_now(clock):
    below = FakePicamera2(CARD, automatic_us=lambda n: 20_000.0 if n < 20 else 40_000.0)
    camera = make_pi(clock, below)
    camera.lock_exposure()
    assert camera.capture().metadata["ExposureTime"] == 20_000
    for _ in range(20):
        camera.preview()
    assert camera.capture().metadata["ExposureTime"] == 20_000
    assert camera.lock_exposure() == ()
    assert camera.capture().metadata["ExposureTime"] == 40_000
    camera.close()


@pytest.mark.parametrize("mains_hz", [50.0, 60.0, None])
def test_the_automatics_keep_to_the_mains_where_the_camera_can(clock, mains_hz):
    below, simple = FakePicamera2(CARD), FakePicamera2(CARD)
    del simple.camera_controls["AeFlickerMode"], simple.camera_controls["AeFlickerPeriod"]
    for one in (below, simple):
        make_pi(clock, one, mains_hz=mains_hz).close()  # type: ignore[arg-type]
    asked = against_flicker(mains_hz)
    assert {name: below.config["controls"][name] for name in asked} == asked
    assert not set(asked) & set(simple.config["controls"])


def test_a_still_waits_until_the_controls_took_effect(clock):
    below = FakePicamera2(CARD, lag=3)
    camera = make_pi(clock, below)
    camera._ask({"ExposureTime": 40_000})
    assert camera.capture().metadata["ExposureTime"] == 40_000
    camera.close()


def test_a_camera_that_does_not_obey_is_reported(clock, caplog):
    camera = make_pi(clock, FakePicamera2(CARD, lag=10_000))
    assert camera.set_lens(7.0) == ("LensPosition",)
    assert "does not obey: LensPosition" in caplog.text
    camera.close()


def test_what_was_frozen_survives_reopening(clock):
    memory = Memory()
    first = make_pi(clock, FakePicamera2(CARD), memory)
    first.lock_exposure()
    first.set_lens(4.0)
    first.close()
    below = FakePicamera2(CARD)
    second = make_pi(clock, below, memory)
    assert second.capture().metadata["ExposureTime"] == 20_000
    assert second.capture().metadata["LensPosition"] == 4.0
    second.close()


def test_the_focus_sweep_leaves_the_lens_at_the_sharpest_place(clock, monkeypatch):
    below = FakePicamera2(CARD)
    camera = make_pi(clock, below)
    sharpest = lambda image: 100 - (below.metadata()["LensPosition"] - 2.9) ** 2  # noqa: E731
    monkeypatch.setattr("hardware.optics.focus.sharpness", sharpest)
    found = camera.focus()
    assert found.position == pytest.approx(2.9, abs=0.05)
    assert camera.capture().metadata["LensPosition"] == pytest.approx(found.position)
    camera.close()


def test_what_hinders_opening_is_explained(clock):
    def fail(number: int) -> None:
        raise OSError(12, "Cannot allocate memory")

    with pytest.raises(errors.CameraNoMemory):
        PiCamera(clock, CameraOptions(), open_pi=fail)


@pytest.mark.parametrize(
    ("ids", "own"),
    [
        ((), 0),
        (("/base/soc/i2c0mux/i2c@1/imx708@1a",), 1),
        (("/base/soc/usb@7e980000/usb-port@1-1.2:1.0-046d:0825",), 0),
        (("/base/axi/pcie@1000120000/rp1/i2c@80000/imx477@1a", "/base/axi/pcie/rp1/usb@300000-1:1.0"), 1),
    ],
)
def test_usb_cameras_are_not_the_pis_own_though_libcamera_lists_them(ids, own):
    assert csi_cameras([{"Id": one, "Num": number} for number, one in enumerate(ids)]) == own


def test_a_camera_that_cannot_be_configured_is_given_back(clock):
    below = FakePicamera2(CARD)
    below.start = lambda: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(errors.CameraNotStarting):
        make_pi(clock, below)
    assert below.closed
