"""The capture loop with a scripted camera: on a still picture, on OK, after each fault, never endless."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from companion.reveal.capture_loop import SLOWEST_S, TRIES, CaptureLoop, CapturePorts
from companion.reveal.observations import Observation
from tests.companion.reveal_table import row

FRAMES = 3


class Silent(Exception):
    reason = "camera_silent"


@dataclass
class Box:
    """Previews and captures as scripted, the last of each for ever; what came out in `calls`. `agreeing`: how
    many pictures agree after so many looks, where not all of them do."""

    previews: list[str]
    captures: list[bool] = field(default_factory=lambda: [True])
    enough: int = 99
    calls: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=lambda: ["all"])
    agreeing: dict[int, int] = field(default_factory=dict)
    reveal: int = 1

    def place(self) -> str:
        return str(self._next(self.places))

    def _next(self, script: list[str] | list[bool]) -> object:
        return script.pop(0) if len(script) > 1 else script[0]

    def preview(self) -> str:
        word = str(self._next(self.previews))
        if word == "silent":
            raise Silent
        return word

    def capture(self) -> Observation:
        if not self._next(self.captures):
            raise Silent
        return row((5,))

    def on_observation(self, reveal: int, place: str, observation: Observation) -> int | None:
        self.calls.append(f"look at {place}")
        observations = self.observations_at(place)
        return self.agreeing.get(observations, observations) if observations < self.enough else None

    def loop(self, frames: int = FRAMES) -> CaptureLoop:
        trouble = lambda reason: self.calls.append(f"trouble {reason}")  # noqa: E731
        ports = CapturePorts(
            lambda: self.reveal,
            self.capture,
            self.preview,
            self.place,
            self.on_observation,
            self.calls.append,
            trouble,
        )
        return CaptureLoop(ports, time.monotonic, frames=frames)

    @property
    def observations(self) -> int:
        return self.observations_at("all")

    def observations_at(self, place: str) -> int:
        return self.calls.count(f"look at {place}")


def steps(loop: CaptureLoop, number: int) -> list[float]:
    return [loop.step() for _ in range(number)]


def begun(box: Box, frames: int = FRAMES) -> CaptureLoop:
    """The loop of the box in its first reveal."""
    loop = box.loop(frames)
    loop.begin(1)
    return loop


@pytest.mark.parametrize(
    ("why", "previews", "observations"),
    [
        ("nothing is taken while it moves", ["moving"], 0),
        ("nothing with a hand in it", ["hand"], 0),
        ("nothing in the dark", ["dark"], 0),
        ("nothing of an empty table", ["empty"], 0),
        ("a few pictures of a still table", ["still"], FRAMES),
        ("as many again after a movement", ["still"] * 5 + ["moving"] + ["still"], 2 * FRAMES),
    ],
)
def test_it_takes_pictures_by_itself(why, previews, observations):
    box = Box([*previews])
    steps(begun(box), 20)
    assert box.observations == observations, why


@pytest.mark.parametrize(
    ("why", "agreeing", "observations"),
    [
        ("all agree", {}, 2),
        ("the second shows other dice than the first", {2: 1, 3: 2}, 3),
        ("the first came too late for its reveal", {1: 0, 2: 1, 3: 2}, 3),
        ("no two ever agree", dict.fromkeys(range(1, 99), 1), 2 * TRIES),
    ],
)
def test_pictures_of_one_stillness_are_taken_until_enough_agree(why, agreeing, observations):
    box = Box(["still"], agreeing=agreeing)
    loop = begun(box, 2)
    steps(loop, 30)
    assert box.observations == observations, why
    loop.request_picture(1)
    steps(loop, 1)
    assert box.observations == observations + 1, "OK takes one more all the same"


def test_ok_takes_one_whatever_the_preview_says():
    box = Box(["moving"])
    loop = begun(box)
    loop.request_picture(1)
    steps(loop, 10)
    assert box.calls == ["moving", "look at all"]


@pytest.mark.parametrize(("moved", "observations"), [(False, 3), (True, 4)])
def test_what_moves_while_no_picture_is_wanted_ends_the_stillness_too(moved, observations):
    box = Box(["still"], enough=2)
    loop = box.loop(frames=2)
    loop._ports = replace(loop._ports, read_ahead=lambda: moved)
    loop.begin(1)
    steps(loop, 4)
    box.enough = 99
    loop.request_picture(1)
    steps(loop, 4)
    assert box.observations == observations


def test_a_place_named_while_a_picture_is_taken_is_not_that_picture_s():
    box = Box(["still"], places=["Ben"])
    hurried(box, "capture", lambda: loop.request_picture(1, "Zoe"))
    loop = begun(box, 2)
    steps(loop, 2)
    assert (box.observations_at("Ben"), box.observations_at("Zoe")) == (1, 1)


def test_an_observation_asked_for_while_the_last_one_is_taken_in_is_not_lost():
    box = Box(["still"], enough=1)
    hurried(box, "on_observation", lambda: loop.request_picture(1))
    loop = begun(box)
    steps(loop, 5)
    assert box.observations == 2


def failing(box: object, part: str, error: BaseException) -> None:
    """The first time that part is at work, it fails so."""

    def fail() -> None:
        raise error

    hurried(box, part, fail)


def hurried(box: object, part: str, action: Callable[[], None]) -> None:
    """The first time that part is at work, this is done before."""
    does, left = getattr(box, part), [action]

    def work(*given: object) -> object:
        if left:
            left.pop()()
        return does(*given)

    setattr(box, part, work)


def test_it_stops_when_the_table_knows_enough_and_goes_on_when_asked():
    box = Box(["still"], enough=1)
    loop = box.loop()
    steps(loop, 5)
    assert box.observations == 0, "before a reveal begins"
    loop.begin(1)
    steps(loop, 5)
    assert box.observations == 1
    loop.request_picture(1)
    steps(loop, 5)
    assert box.observations == 2
    loop.begin(1)
    loop.end()
    steps(loop, 5)
    assert box.observations == 2


def test_a_silent_camera_is_named_once_and_tried_again_more_slowly():
    box = Box(["silent"] * 8 + ["still"])
    loop = begun(box)
    waits = steps(loop, 8)
    assert waits == sorted(waits)
    assert waits[0] < 1 < waits[-1] == SLOWEST_S
    assert box.calls == ["trouble camera_silent"]
    steps(loop, 3)
    assert box.calls[1] == "trouble None"
    assert box.observations > 0


def test_a_capture_that_fails_stays_asked_for():
    box = Box(["moving"], [False, False, True])
    loop = box.loop()
    loop.request_picture(1)
    steps(loop, 3)
    assert box.observations == 1
    assert box.calls == ["moving", "trouble camera_silent", "trouble None", "look at all"]


def test_ok_works_without_any_preview():
    box = Box(["silent"])
    loop = box.loop()
    loop.request_picture(1)
    loop.step()
    assert box.observations == 1


def test_an_observation_that_cannot_be_taken_in_is_named_and_the_next_one_asked_for_is_taken():
    box = Box(["still"], enough=2)
    took_in = box.on_observation

    def fails_at_first(reveal: int, place: str, observation: Observation) -> int | None:
        answer = took_in(reveal, place, observation)
        if box.observations == 1:
            raise Silent
        return answer

    box.on_observation = fails_at_first  # type: ignore[method-assign]
    loop = begun(box)
    steps(loop, 5)
    assert box.calls == ["still", "look at all", "trouble camera_silent"]
    loop.request_picture(1)
    steps(loop, 5)
    assert box.calls[3:] == ["look at all", "trouble None"]


def test_a_fault_of_the_program_is_not_hidden():
    with pytest.raises(IndexError):
        steps(begun(Box(["still"], [])), 2)


@pytest.mark.parametrize("asked", [lambda loop: loop.begin(1), lambda loop: loop.request_picture(1)])
def test_what_is_asked_for_one_reveal_is_not_done_in_the_next(asked):
    box = Box(["still"], reveal=2)
    loop = box.loop()
    asked(loop)
    steps(loop, 10)
    assert box.calls == []


class Ending(SystemExit):
    """An exception that ends a thread without a traceback."""


@pytest.mark.parametrize("part", ["reveal", "preview", "place", "on_observation", "on_word"])
@pytest.mark.parametrize("error", [RuntimeError("unforeseen"), Ending(), MemoryError()])
def test_whatever_goes_wrong_wherever_it_goes_on(part, error):
    """Regression: an exception outside the guarded part ended the thread; the state stayed "looking"."""
    box = Box(["still"])
    loop = box.loop()
    ports = SimpleNamespace(**{part: getattr(loop._ports, part)})
    failing(ports, part, error)
    loop._ports = replace(loop._ports, **vars(ports))
    loop.begin(1)
    for _ in range(8):
        loop.turn()
    assert box.observations > 0
    assert "trouble looking_failed" in box.calls
    assert box.calls[-1] != "trouble looking_failed", "what is over is taken back"


@pytest.mark.parametrize("asked", [True, False], ids=["asked for", "by itself"])
def test_observations_that_were_lost_on_their_way_are_taken_again(asked):
    """Regression: two failed captures of one still picture counted as taken, so that none followed."""
    box = Box(["still"])
    for error in (RuntimeError("unforeseen"), SystemExit()):
        failing(box, "on_observation", error)
    loop = box.loop(frames=2)
    if asked:
        loop.request_picture(1)
    else:
        loop.begin(1)
    for _ in range(8):
        loop.turn()
    assert box.observations >= 2 - asked
