"""The live view: one picture for however many phones ask, and nobody waits for a camera that is silent."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.camera import preview as module
from companion.app.camera.phone_pictures import PhonePictures
from companion.app.camera.preview import Preview
from companion.errors import BadCommand, StaleCommand
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Add
from companion.reveal.observations import Observation, SeenDie, SeenDoubt
from companion.reveal.state import PlaceView, with_correction
from companion.reveal.viewfinder import MIN_SIZE, Hint, expected_at, viewed
from hardware.errors import CameraSilent
from tests.clocks import FakeClock
from tests.companion.begun_reveals import begin
from tests.refusals import refused


class Camera:
    """A camera that gives grey preview, or raises; `meanwhile` is done before it answers."""

    def __init__(self) -> None:
        self.taken = 0
        self.trouble: Exception | None = None
        self.meanwhile: Callable[[], None] = lambda: None

    def preview(self) -> Any:
        self.taken += 1
        self.meanwhile()
        if self.trouble:
            raise self.trouble
        return SimpleNamespace(image_bgr=np.full((12, 16, 3), 90, np.uint8))


@pytest.fixture
def camera():
    return Camera()


@pytest.fixture
def preview(camera, clock, monkeypatch):
    monkeypatch.setattr(module.time, "monotonic", clock.now_s)
    return Preview(camera)


def test_a_picture_is_taken_once_for_all_and_anew_after_a_moment(camera, preview, clock):
    first = preview.jpeg()
    assert first.startswith(b"\xff\xd8")
    assert [preview.jpeg() for _ in range(50)] == [first] * 50
    assert (camera.taken, preview.image().shape) == (1, (12, 16, 3))
    clock.advance(module.PREVIEW_KEPT_S + 0.01)
    assert preview.jpeg()
    assert camera.taken == 2


@pytest.mark.parametrize("known", [False, True])
def test_nobody_waits_for_a_silent_camera_but_one(camera, preview, clock, known):
    """Regression: fifty live views of a silent camera occupied nearly all threads of the server."""
    before, others = preview.jpeg() if known else None, []
    clock.advance(module.PREVIEW_KEPT_S + 0.01)
    phones = ThreadPoolExecutor(1)
    camera.meanwhile = lambda: others.extend(phones.submit(preview.jpeg).result(20) for _ in range(3))
    camera.trouble = CameraSilent("no picture")
    assert preview.jpeg() == before
    assert others == [before] * 3
    assert camera.taken == 1 + known


def test_a_fault_shows_no_picture_and_a_mended_camera_does(camera, preview, clock):
    assert preview.jpeg()
    camera.trouble = CameraSilent("no picture")
    clock.advance(module.STALE_S - 0.01)
    assert preview.jpeg()
    clock.advance(0.02)
    assert (preview.jpeg(), preview.image()) == (None, None)
    camera.trouble = None
    assert preview.jpeg()


def seen(number: int, *doubts: str, size: float = 0.05, width: int = 960, height: int = 720) -> Observation:
    dice = tuple(SeenDie(5, 0.1 * n, 0.5, size, 0.9, True, "white") for n in range(number))
    return Observation(width, height, dice, True, tuple(SeenDoubt(key) for key in doubts))


@pytest.mark.parametrize(
    ("why", "observation", "hint"),
    [
        ("all are seen", seen(6), Hint.HOLD),
        ("an open face hinders nobody: the picture is larger", seen(6, "ways_differ"), Hint.HOLD),
        ("some are not in the picture", seen(4), Hint.MISSING),
        ("nothing is", seen(0), Hint.MISSING),
        ("a die of another game", seen(7), Hint.EXTRA),
        ("it is dark", seen(0, "too_dark"), Hint.DARK),
        ("a lamp shines into it", seen(2, "too_bright"), Hint.BRIGHT),
        ("the hand moved", seen(6, "blurred"), Hint.BLURRED),
        ("light comes before sharpness", seen(6, "blurred", "too_dark"), Hint.DARK),
        ("dice are too small", seen(4, size=MIN_SIZE * 0.9), Hint.CLOSER),
        ("and just large enough", seen(6, size=MIN_SIZE * 1.01), Hint.HOLD),
        ("held upright, a width is shorter", seen(6, size=0.022, width=720, height=960), Hint.CLOSER),
    ],
)
def test_the_one_thing_to_do_next(why, observation, hint):
    shown = viewed(observation, 6)
    assert (shown.hint, len(shown.dice), shown.expected) == (hint, len(observation.dice), 6), why


BID = Claim(Kind.DUDO, 5, 1, 3)


def test_dice_that_lie_in_no_picture_are_not_waited_for():
    state = begin(BID, 6)
    assert expected_at(state, None) == 6
    assert expected_at(with_correction(state, Add(3)), None) == 5


def test_of_each_player_the_own_dice_are_waited_for():
    plan = (PlaceView("Ana", "Ana"), PlaceView("Bea", "Bea"))
    state = begin(BID, 5, {"Ana": 3, "Bea": 2}, places=plan)
    assert [expected_at(state, place) for place in ("Ana", "Bea", None)] == [3, 2, 5]
    with refused("unknown_place", BadCommand):
        expected_at(state, "Carlos")


# ---- when it is read -------------------------------------------------------------------------------------


class Reads:
    """A reader that takes so long, and remembers what it was given."""

    def __init__(self, clock: FakeClock, takes_s: float) -> None:
        self.clock, self.takes_s, self.read = clock, takes_s, 0

    def preview(self, data: bytes, way: str, taught: object = ()) -> dict[str, Any]:
        self.read += 1
        self.clock.advance(self.takes_s)
        return {"width": 960, "height": 720, "dice": [], "certain": False, "doubts": []}


JPEG = bytes(cv2.imencode(".jpg", np.full((720, 960, 3), 90, np.uint8))[1])


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def reader(clock):
    return Reads(clock, 0.5)


@pytest.fixture
def viewfinder(reader, clock, real):
    now = SimpleNamespace(state=SimpleNamespace(revealing=begin(BID, 6)), reveal=3)
    lessons: Any = SimpleNamespace(taught=())
    table: Any = SimpleNamespace(snapshot=lambda: now)
    none: Any = None
    ports: Any = {"way": "both", "real": real.is_set, "show": none, "now_s": clock.now_s}
    return PhonePictures(table, reader, none, lessons, **ports)


@pytest.fixture
def real():
    """Whether the dice are."""
    flag = threading.Event()
    flag.set()
    return flag


def test_previews_take_half_of_the_readers_time_at_most(viewfinder, reader, clock):
    shown = []
    for _ in range(8):
        shown.append(viewfinder.preview(JPEG, "", 3, None) is not None)
        clock.advance(0.125)
    assert shown == [True, False, False, False, True, False, False, False]
    assert reader.read == 2


def test_a_preview_is_dropped_while_a_picture_is_read(viewfinder, reader):
    with viewfinder._turn:
        assert viewfinder.preview(JPEG, "", 3, None) is None
    assert reader.read == 0
    assert viewfinder.preview(JPEG, "", 3, None) is not None


def test_a_preview_of_what_is_not_shown_is_refused(viewfinder, reader, real):
    for number in (0, 2, 4):
        with refused("picture_too_late", StaleCommand):
            viewfinder.preview(JPEG, "", number, None)
    large = bytes(cv2.imencode(".jpg", np.full((1500, 2000, 3), 90, np.uint8))[1])
    for data, why in ((large, "picture_huge"), (b"", "picture_empty"), (b"GIF", "picture_not_one")):
        with refused(why, BadCommand):
            viewfinder.preview(data, "", 3, None)
    real.clear()
    with refused("dice_simulated", BadCommand):
        viewfinder.preview(JPEG, "", 3, None)
    assert reader.read == 0
