"""What each kind of camera does beyond the common contract."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import errors
from hardware.cameras import Machine, choose, open_camera
from hardware.cameras.folder import FolderCamera
from hardware.cameras.pi import PiCamera, PiMemory, PiOptions
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.steady import Patiently, SteadyCamera
from hardware.cameras.usb import UsbCamera, open_usb, why_not_open
from hardware.clock import FakeClock
from hardware.devices import VideoDevice, holder, usb_cameras
from hardware.patience import Patience
from tests.hardware.fakes import FakePicamera2, FakeVideo

PI4 = "Raspberry Pi 4 Model B Rev 1.4"
CARD = np.full((120, 160, 3), (20, 30, 200), dtype=np.uint8)


# the folder


def grey(folder: Path, name: str, level: int) -> Path:
    path = folder / name
    cv2.imwrite(str(path), np.full((30, 40, 3), level, dtype=np.uint8))
    return path


def levels(camera: FolderCamera, count: int) -> list[int]:
    return [int(camera.capture().image_bgr[0, 0, 0]) for _ in range(count)]


@pytest.mark.parametrize(("at_end", "seen"), [("loop", [1, 2, 3, 1, 2]), ("stick", [1, 2, 3, 3, 3])])
def test_pictures_come_in_order_of_their_names(
    tmp_path: Path, clock: FakeClock, at_end: str, seen: list[int]
) -> None:
    for name, level in (("b.png", 2), ("c.PNG", 3), ("a.png", 1)):
        grey(tmp_path, name, level)
    (tmp_path / "notes.txt").write_text("no picture")
    assert levels(FolderCamera(tmp_path, clock, at_end=at_end), 5) == seen


def test_a_picture_dropped_in_is_seen_and_one_taken_away_is_skipped(tmp_path: Path, clock: FakeClock) -> None:
    grey(tmp_path, "a.png", 1)
    second = grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock)
    assert levels(camera, 1) == [1]
    second.unlink()
    grey(tmp_path, "c.png", 3)
    assert levels(camera, 2) == [3, 1]


def test_the_preview_shows_the_last_still_and_does_not_move_on(tmp_path: Path, clock: FakeClock) -> None:
    grey(tmp_path, "a.png", 1)
    grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock)
    assert [int(camera.preview().image_bgr[0, 0, 0]) for _ in range(2)] == [1, 1]
    assert levels(camera, 1) == [1]
    assert int(camera.preview().image_bgr[0, 0, 0]) == 1
    assert levels(camera, 1) == [2]


def test_a_folder_moved_by_hand_stays_until_told(tmp_path: Path, clock: FakeClock) -> None:
    grey(tmp_path, "a.png", 1)
    grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock, hand_moves=True)
    assert levels(camera, 3) == [1, 1, 1]
    camera.next_picture()
    assert levels(camera, 2) == [2, 2]


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\xff\xd8\xff\xe0 torn"])
def test_an_unreadable_file_is_named_and_the_next_is_read(
    tmp_path: Path, clock: FakeClock, content: bytes
) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    grey(tmp_path, "b.png", 2)
    camera = FolderCamera(tmp_path, clock)
    with pytest.raises(errors.PictureUnreadable, match=r"a\.jpg"):
        camera.capture()
    assert isinstance(camera.fault, errors.PictureUnreadable)
    assert levels(camera, 1) == [2]
    assert camera.fault is None


def test_a_huge_file_is_refused_unread(tmp_path: Path, clock: FakeClock) -> None:
    with (tmp_path / "a.jpg").open("wb") as file:
        file.truncate(90_000_000)
    with pytest.raises(errors.PictureUnreadable, match="larger than 80 MB"):
        FolderCamera(tmp_path, clock).capture()


@pytest.mark.parametrize(("make", "words"), [(True, "has no pictures"), (False, "There is no folder")])
def test_a_folder_without_pictures(tmp_path: Path, clock: FakeClock, make: bool, words: str) -> None:
    folder = tmp_path / "pictures"
    if make:
        folder.mkdir()
    with pytest.raises(errors.CameraMissing, match=words):
        FolderCamera(folder, clock).preview()


# calls that hang


def test_a_call_that_hangs_is_given_up_and_later_calls_refuse_at_once() -> None:
    free = threading.Event()
    patience = Patience("camera")
    with pytest.raises(errors.CameraSilent, match="no picture within"):
        patience.call(free.wait, 0.01)
    with pytest.raises(errors.CameraSilent, match="still hangs"):
        patience.call(lambda: 1, 10)
    free.set()
    patience.close()
    patience._thread.join()


def test_what_a_call_raises_comes_to_the_caller() -> None:
    patience = Patience("camera")
    with pytest.raises(ZeroDivisionError):
        patience.call(lambda: 1 / 0, 10)
    assert patience.call(lambda: 2, 10) == 2
    patience.close()
    patience.close()
    with pytest.raises(errors.CameraSilent, match="is closed"):
        patience.call(lambda: 3, 10)


# the steady camera


class Opener:
    """Opens simulated cameras, or raises what it is told to."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock, self.opened, self.trouble = clock, [], None
        self.tries = 0

    def __call__(self) -> SimulatedCamera:
        self.tries += 1
        if self.trouble is not None:
            raise self.trouble
        self.opened.append(SimulatedCamera(lambda: CARD, self.clock))
        return self.opened[-1]


@pytest.fixture
def opener(clock: FakeClock) -> Opener:
    return Opener(clock)


@pytest.fixture
def steady(opener: Opener, clock: FakeClock) -> SteadyCamera:
    return SteadyCamera("camera", "because", opener, clock, Patiently(misses=2))


def test_it_opens_only_when_needed(steady: SteadyCamera, opener: Opener) -> None:
    assert opener.tries == 0
    steady.capture()
    steady.preview()
    assert opener.tries == 1


def test_one_miss_is_forgiven_two_reopen(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    opener.opened[0].trouble = errors.CameraSilent("Asleep.")
    for expected in (1, 1, 2):
        if expected == 1:
            with pytest.raises(errors.CameraSilent):
                steady.capture()
        else:
            steady.capture()
        assert opener.tries == expected
    assert steady.fault is None


def test_a_good_picture_between_two_misses_forgives_the_first(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    for _ in range(3):
        opener.opened[0].trouble = errors.CameraSilent("Asleep.")
        with pytest.raises(errors.CameraSilent):
            steady.capture()
        opener.opened[0].trouble = None
        steady.capture()
    assert opener.tries == 1


def test_an_unplugged_camera_is_opened_anew(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    opener.opened[0].trouble = errors.CameraMissing("Gone.")
    with pytest.raises(errors.CameraMissing):
        steady.capture()
    steady.capture()
    assert opener.tries == 2


def test_a_missing_camera_is_tried_again_ever_more_rarely(
    steady: SteadyCamera, opener: Opener, clock: FakeClock
) -> None:
    opener.trouble = errors.CameraMissing("None there.")
    tried_at = []
    for second in range(100):
        before = opener.tries
        with pytest.raises(errors.CameraMissing, match="None there"):
            steady.preview()
        if opener.tries > before:
            tried_at.append(second)
        clock.advance(1.0)
    assert tried_at == [0, 1, 3, 7, 15, 31, 61, 91]
    assert isinstance(steady.fault, errors.CameraMissing)
    opener.trouble = None
    clock.advance(30.0)
    steady.preview()
    assert steady.fault is None


def test_closing_and_using_it_again_opens_it_again(steady: SteadyCamera, opener: Opener) -> None:
    steady.capture()
    steady.close()
    steady.close()
    steady.capture()
    assert opener.tries == 2


# the Pi's camera


def make_pi(
    clock: FakeClock, below: FakePicamera2, memory: PiMemory | None = None, **options: float
) -> PiCamera:
    return PiCamera(clock, PiOptions(**options), memory, lambda number: below)  # type: ignore[arg-type]


def test_the_buffers_always_go_back_and_the_camera_is_closed(clock: FakeClock) -> None:
    below = FakePicamera2(CARD)
    camera = make_pi(clock, below)
    for _ in range(5):
        camera.capture()
        camera.preview()
    assert below.out == 0
    camera.close()
    assert (below.started, below.closed) == (False, True)


@pytest.mark.parametrize(
    ("options", "dioptres"),
    [({"height_mm": 400.0}, 2.5), ({"lens_dioptres": 3.25}, 3.25), ({"height_mm": 20.0}, 15.0)],
)
def test_an_autofocus_module_gets_its_lens_position_in_the_first_configuration(
    clock: FakeClock, options: dict[str, float], dioptres: float
) -> None:
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
def test_a_still_has_half_the_sensors_size_and_its_proportions(
    clock: FakeClock, sensor: tuple[int, int], still: tuple[int, int], preview: tuple[int, int]
) -> None:
    below = FakePicamera2(CARD)
    below.sensor_resolution = sensor
    camera = make_pi(clock, below)
    assert (below.config["main"]["size"], below.config["lores"]["size"]) == (still, preview)
    assert camera.capture().image_bgr.shape[:2] == still[::-1]
    camera.close()


def test_a_fixed_focus_module_is_not_asked_to_focus(clock: FakeClock) -> None:
    below = FakePicamera2(CARD)
    del below.camera_controls["LensPosition"], below.camera_controls["AfMode"]
    camera = make_pi(clock, below)
    assert camera.lens_range is None
    assert camera.focus() is None
    assert "LensPosition" not in below.config["controls"]
    camera.close()


def test_exposure_settles_is_frozen_and_thawed(clock: FakeClock) -> None:
    below = FakePicamera2(CARD, automatic_us=lambda n: 23_000.0 if n > 8 else 5_000.0 * n)
    camera = make_pi(clock, below)
    assert camera.freeze() == ()
    metadata = camera.capture().metadata
    assert metadata["ExposureTime"] == 20_000
    assert metadata["AnalogueGain"] == pytest.approx(2.3, rel=0.01)
    assert (metadata["ColourGainRed"], metadata["ColourGainBlue"]) == (1.5, 2.5)
    camera.thaw()
    assert below._set[-1][1] == {"AeEnable": True, "AwbEnable": True}
    camera.close()


def test_a_still_waits_until_the_controls_took_effect(clock: FakeClock) -> None:
    below = FakePicamera2(CARD, lag=3)
    camera = make_pi(clock, below)
    camera._ask({"ExposureTime": 40_000}, 1.0)
    assert camera.capture().metadata["ExposureTime"] == 40_000
    camera.close()


def test_a_camera_that_does_not_obey_is_reported(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    camera = make_pi(clock, FakePicamera2(CARD, lag=10_000))
    assert camera.set_lens(7.0) == ("LensPosition",)
    assert "does not obey: LensPosition" in caplog.text
    camera.close()


def test_what_was_frozen_survives_reopening(clock: FakeClock) -> None:
    memory = PiMemory()
    first = make_pi(clock, FakePicamera2(CARD), memory)
    first.freeze()
    first.set_lens(4.0)
    first.close()
    below = FakePicamera2(CARD)
    second = make_pi(clock, below, memory)
    assert second.capture().metadata["ExposureTime"] == 20_000
    assert second.capture().metadata["LensPosition"] == 4.0
    second.close()


def test_the_focus_sweep_leaves_the_lens_at_the_sharpest_place(clock: FakeClock) -> None:
    below = FakePicamera2(CARD)
    camera = make_pi(clock, below)
    camera._sharpness_at = lambda dioptres, timeout_s: 100 - (dioptres - 2.9) ** 2  # type: ignore[method-assign]
    found = camera.focus()
    assert found is not None
    assert found.dioptres == pytest.approx(2.9, abs=0.05)
    assert camera.capture().metadata["LensPosition"] == pytest.approx(found.dioptres)
    camera.close()


@pytest.mark.parametrize(
    ("raised", "error", "words"),
    [
        (ImportError("No module libcamera"), errors.CameraSoftwareMissing, "apt install python3-picamera2"),
        (RuntimeError("Camera(s) not found"), errors.CameraMissing, "was not found"),
        (RuntimeError("Camera __init__ sequence did not complete."), errors.CameraBusy, "does not open"),
        (PermissionError(13, "Permission denied"), errors.NoPermission, "may not use"),
        (errors.CameraMissing("There is no Pi camera number 0; 0 found."), errors.CameraMissing, "0 found"),
    ],
)  # fmt: skip
def test_why_the_pi_camera_does_not_open(
    clock: FakeClock, raised: Exception, error: type[errors.HardwareError], words: str
) -> None:
    def fail(number: int) -> None:
        raise raised

    with pytest.raises(error, match=words):
        PiCamera(clock, PiOptions(), open_pi=fail)


def test_a_camera_that_cannot_be_configured_is_given_back(clock: FakeClock) -> None:
    below = FakePicamera2(CARD)
    below.start = lambda: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(errors.CameraBusy):
        make_pi(clock, below)
    assert below.closed


# the USB camera


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


# what Linux knows


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


# which camera


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
    grey(tmp_path, "a.png", 7)
    nothing = Machine("", False, ())
    simulated = open_camera("auto", clock=clock, draw=lambda: CARD, machine=nothing)
    folder = open_camera(f"folder:{tmp_path}", clock=clock, machine=nothing)
    assert "no camera" in simulated.why
    assert simulated.capture().image_bgr.shape == CARD.shape
    assert int(folder.capture().image_bgr[0, 0, 0]) == 7
    with pytest.raises(errors.WrongChoice, match="simulated table is not wanted"):
        open_camera("simulated", clock=clock, machine=nothing)


def test_a_missing_real_camera_is_a_fault_when_used_not_when_opened(clock: FakeClock) -> None:
    camera = open_camera("usb:97", clock=clock, machine=Machine("", False, ()))
    with pytest.raises(errors.CameraMissing):
        camera.preview()
    assert isinstance(camera.fault, errors.CameraMissing)
    camera.close()


def test_the_simulated_camera_fails_on_purpose(clock: FakeClock) -> None:
    camera = SimulatedCamera(lambda: CARD, clock)
    camera.trouble = errors.CameraBusy("Held.")
    with pytest.raises(errors.CameraBusy):
        camera.preview()
    assert isinstance(camera.fault, errors.CameraBusy)
