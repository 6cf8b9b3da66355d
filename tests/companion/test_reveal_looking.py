"""The looker on a scripted camera: by itself when still, on OK, through every fault, never for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from companion.reveal.looking import FRAMES, PREVIEW_S, SLOWEST_S, TRIES, Looking, LookPorts
from companion.reveal.looks import Look
from tests.companion.reveal_table import row


class Silent(Exception):
    reason = "camera_silent"


@dataclass
class Box:
    """Previews and captures as scripted, the last of each for ever; what came out in `told`. `agreeing`: how
    many pictures agree after so many looks, where not all of them do."""

    previews: list[str]
    captures: list[bool] = field(default_factory=lambda: [True])
    enough: int = 99
    told: list[str] = field(default_factory=list)
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

    def capture(self) -> Look:
        if not self._next(self.captures):
            raise Silent
        return row((5,))

    def on_look(self, reveal: int, place: str, look: Look) -> int | None:
        self.told.append(f"look at {place}")
        looks = self.looks_at(place)
        return self.agreeing.get(looks, looks) if looks < self.enough else None

    def looking(self, frames: int = FRAMES) -> Looking:
        trouble = lambda reason: self.told.append(f"trouble {reason}")  # noqa: E731
        ports = LookPorts(
            lambda: self.reveal,
            self.capture,
            self.preview,
            self.place,
            self.on_look,
            self.told.append,
            trouble,
        )
        return Looking(ports, RealTime(), frames=frames)

    @property
    def looks(self) -> int:
        return self.looks_at("all")

    def looks_at(self, place: str) -> int:
        return self.told.count(f"look at {place}")


class RealTime:
    def wait_s(self, seconds: float) -> None:
        threading.Event().wait(min(seconds, 0.001))


def steps(looking: Looking, number: int) -> list[float]:
    return [looking.step() for _ in range(number)]


@pytest.mark.parametrize(
    ("why", "previews", "looks"),
    [
        ("nothing is taken while it moves", ["moving"], 0),
        ("nothing with a hand in it", ["hand"], 0),
        ("nothing in the dark", ["dark"], 0),
        ("nothing of an empty table", ["empty"], 0),
        ("a few pictures of a still table", ["still"], FRAMES),
        ("as many again after a movement", ["still"] * 5 + ["moving"] + ["still"], 2 * FRAMES),
    ],
)
def test_it_takes_pictures_by_itself(why: str, previews: list[str], looks: int) -> None:
    box = Box(previews)
    looking = box.looking()
    looking.begin(1)
    steps(looking, 20)
    assert box.looks == looks, why


@pytest.mark.parametrize(
    ("why", "agreeing", "looks"),
    [
        ("all agree", {}, 2),
        ("the second shows other dice than the first", {2: 1, 3: 2}, 3),
        ("the first came too late for its reveal", {1: 0, 2: 1, 3: 2}, 3),
        ("no two ever agree", dict.fromkeys(range(1, 99), 1), 2 * TRIES),
    ],
)
def test_pictures_of_one_stillness_are_taken_until_enough_agree(
    why: str, agreeing: dict[int, int], looks: int
) -> None:
    box = Box(["still"], agreeing=agreeing)
    looking = box.looking(frames=2)
    looking.begin(1)
    steps(looking, 30)
    assert box.looks == looks, why
    looking.look_now(1)
    steps(looking, 1)
    assert box.looks == looks + 1, "OK takes one more all the same"


def test_ok_takes_one_whatever_the_preview_says() -> None:
    box = Box(["moving"])
    looking = box.looking()
    looking.begin(1)
    looking.look_now(1)
    steps(looking, 10)
    assert box.told == ["moving", "look at all"]


def test_the_place_stays_the_same_until_the_box_was_moved() -> None:
    """The next place is known as soon as one picture came in; the second is still of the first place."""
    box = Box(["still"] * 4 + ["moving"] + ["still"], places=["Ben", "Ana"])
    looking = box.looking(frames=2)
    looking.begin(1)
    steps(looking, 10)
    assert [word for word in box.told if word.startswith("look")] == ["look at Ben"] * 2 + ["look at Ana"] * 2


@pytest.mark.parametrize(
    ("why", "named", "places"),
    [
        ("OK alone means the box as it stands", None, ["Ben", "Ben", "Ben"]),
        ("a named place is another one without a movement", "Zoe", ["Ben", "Zoe", "Zoe"]),
    ],
)
def test_only_a_named_place_is_another_one_without_a_movement(
    why: str, named: str | None, places: list[str]
) -> None:
    box = Box(["still"], places=["Ben", "Ana"])
    looking = box.looking(frames=3)
    looking.begin(1)
    looking.step()
    looking.look_now(1, named)
    steps(looking, 2)
    assert box.told[1:] == [f"look at {place}" for place in places], why


def test_a_named_place_holds_for_one_stillness_only() -> None:
    box = Box(["still"] * 4 + ["moving"] + ["still"], places=["Ben", "Ana", "Eva"])
    looking = box.looking(frames=2)
    looking.begin(1)
    steps(looking, 2)
    looking.look_now(1, "Zoe")
    steps(looking, 10)
    looks = [word for word in box.told if word.startswith("look")]
    assert looks == [f"look at {place}" for place in ("Ben", "Ben", "Zoe", "Zoe", "Ana", "Ana")]


def test_a_place_named_while_a_picture_is_taken_is_not_that_picture_s() -> None:
    box = Box(["still"], places=["Ben"])
    take = box.capture

    def hurried() -> Look:
        if not box.looks_at("Ben"):
            looking.look_now(1, "Zoe")
        return take()

    box.capture = hurried  # type: ignore[method-assign]
    looking = box.looking(frames=2)
    looking.begin(1)
    steps(looking, 2)
    assert (box.looks_at("Ben"), box.looks_at("Zoe")) == (1, 1)


def test_a_look_asked_for_while_the_last_one_is_taken_in_is_not_lost() -> None:
    box = Box(["still"], enough=1)
    took_in = box.on_look

    def asked_meanwhile(reveal: int, place: str, look: Look) -> int | None:
        if not box.looks:
            looking.look_now(1)
        return took_in(reveal, place, look)

    box.on_look = asked_meanwhile  # type: ignore[method-assign]
    looking = box.looking()
    looking.begin(1)
    steps(looking, 5)
    assert box.looks == 2


def test_it_stops_when_the_table_knows_enough_and_goes_on_when_asked() -> None:
    box = Box(["still"], enough=1)
    looking = box.looking()
    steps(looking, 5)
    assert box.looks == 0, "before a reveal begins"
    looking.begin(1)
    steps(looking, 5)
    assert box.looks == 1
    looking.look_now(1)
    steps(looking, 5)
    assert box.looks == 2
    looking.begin(1)
    looking.end()
    steps(looking, 5)
    assert box.looks == 2


def test_a_silent_camera_is_named_once_and_tried_again_more_slowly() -> None:
    box = Box(["silent"] * 8 + ["still"])
    looking = box.looking()
    looking.begin(1)
    waits = steps(looking, 8)
    assert waits == sorted(waits)
    assert waits[0] < 1 < waits[-1] == SLOWEST_S
    assert box.told == ["trouble camera_silent"]
    steps(looking, 3)
    assert box.told[1] == "trouble None"
    assert box.looks > 0


def test_what_fails_while_it_ends_is_no_trouble() -> None:
    box = Box(["silent"])
    looking = box.looking()
    looking.begin(1)
    looking.close()
    looking.step()
    assert box.told == []


def test_a_capture_that_fails_stays_asked_for() -> None:
    box = Box(["moving"], [False, False, True])
    looking = box.looking()
    looking.look_now(1)
    steps(looking, 3)
    assert box.looks == 1
    assert box.told == ["moving", "trouble camera_silent", "trouble None", "look at all"]


def test_ok_works_without_any_preview() -> None:
    box = Box(["silent"])
    looking = box.looking()
    looking.look_now(1)
    looking.step()
    assert box.looks == 1


def test_a_look_that_cannot_be_taken_in_is_named_and_the_next_one_asked_for_is_taken() -> None:
    box = Box(["still"], enough=2)
    took_in = box.on_look

    def fails_at_first(reveal: int, place: str, look: Look) -> int | None:
        answer = took_in(reveal, place, look)
        if box.looks == 1:
            raise Silent
        return answer

    box.on_look = fails_at_first  # type: ignore[method-assign]
    looking = box.looking()
    looking.begin(1)
    steps(looking, 5)
    assert box.told == ["still", "look at all", "trouble camera_silent"]
    looking.look_now(1)
    steps(looking, 5)
    assert box.told[3:] == ["look at all", "trouble None"]


def test_a_fault_of_the_program_is_not_hidden() -> None:
    box = Box(["still"])
    looking = box.looking()
    box.captures = []
    looking.begin(1)
    with pytest.raises(IndexError):
        steps(looking, 2)


def test_its_thread_ends_when_closed() -> None:
    box = Box(["still"])
    looking = box.looking()
    looking.begin(1)
    thread = threading.Thread(target=looking.run, daemon=True)
    thread.start()
    looking.close()
    looking.close()
    thread.join(5)
    assert not thread.is_alive()
    assert PREVIEW_S < 1


@pytest.mark.parametrize("asked", [lambda looking: looking.begin(1), lambda looking: looking.look_now(1)])
def test_what_is_asked_for_one_reveal_is_not_done_in_the_next(asked: Callable[[Looking], None]) -> None:
    box = Box(["still"], reveal=2)
    looking = box.looking()
    asked(looking)
    steps(looking, 10)
    assert box.told == []


def test_a_place_of_one_reveal_is_asked_anew_in_the_next() -> None:
    box = Box(["still"], places=["Ben", "Ana"])
    looking = box.looking()
    looking.begin(1)
    looking.step()
    box.reveal = 2
    looking.look_now(2)
    looking.step()
    assert box.told[1:] == ["look at Ben", "look at Ana"]


class Ending(SystemExit):
    """Ends a thread without a word."""


@pytest.mark.parametrize("part", ["reveal", "preview", "place", "on_look", "on_word"])
@pytest.mark.parametrize("error", [RuntimeError("unforeseen"), Ending(), MemoryError()])
def test_whatever_goes_wrong_wherever_it_looks_on(
    part: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception outside the guarded part ended the looker's thread: "looking" for ever."""
    box = Box(["still"])
    looking = box.looking()
    ports, failing = looking._ports, [True]

    def fail_once(*given: object) -> object:
        if failing.pop() if failing else False:
            raise error
        return getattr(ports, part)(*given)

    looking._ports = replace(ports, **{part: fail_once})
    looking.begin(1)
    monkeypatch.setattr(looking, "_clock", Ends(looking, 8))
    looking.run()
    assert box.looks > 0
    assert "trouble looking_failed" in box.told
    assert box.told[-1] != "trouble looking_failed", "what is over is taken back"


@dataclass
class Ends:
    """A clock that closes the looker after so many waits."""

    looking: Looking
    left: int

    def wait_s(self, seconds: float) -> None:
        self.left -= 1
        if not self.left:
            self.looking.close()


@pytest.mark.parametrize("asked", [True, False], ids=["asked for", "by itself"])
def test_looks_that_were_lost_on_their_way_are_taken_again(
    asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two looks of one stillness that failed in a row left it waiting for ever: they counted as taken."""
    box = Box(["still"])
    looking = box.looking(frames=2)
    failures = [RuntimeError("unforeseen"), SystemExit()]
    took_in = box.on_look

    def fail_twice(reveal: int, place: str, look: Look) -> int | None:
        if failures:
            raise failures.pop()
        return took_in(reveal, place, look)

    box.on_look = fail_twice  # type: ignore[method-assign]
    looking._ports = replace(looking._ports, on_look=fail_twice)
    if asked:
        looking.look_now(1)
    else:
        looking.begin(1)
    monkeypatch.setattr(looking, "_clock", Ends(looking, 8))
    looking.run()
    assert box.looks >= 2 - asked
