"""The capture loop: takes a picture when the table is still, or on OK, as long as a reveal wants one.

It knows no camera and no table, only the callables of `CapturePorts`. Whatever fails has a reason and is
tried again, with growing pauses. Nobody waits for this loop, so a reveal can be finished by hand at any
moment.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from companion.reveal.observations import Observation

T = TypeVar("T")

_log = logging.getLogger(__name__)

NO_REVEAL = 0
STILL = "still"
PREVIEW_S = 0.1
"""From one preview to the next while waiting for the table to be still, what it takes itself included."""

RETRY_S = 0.25
SLOWEST_S = 4.0
"""After a fault: the first wait and the longest, doubling from one to the other."""

TRIES = 3
"""For each picture that is to agree so many are taken of one stillness at most: a reader that sees other dice
each time would go on for ever."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """A picture somebody asked for in the reveal of that number, of `place` where one was named."""

    reveal: int
    place: str | None = None


@dataclass(frozen=True, slots=True)
class CapturePorts:
    """What the capture loop needs of the others.

    `reveal` is the number of the reveal that wants pictures, 0 while none does. `capture` takes and reads a
    picture. `preview` gives "empty", "moving", "hand", "dark", "bright" or "still". `capture`, `preview` and
    `on_observation` may raise errors with a `reason`. `place` names where the box stands.

    `on_observation` takes what a picture shows, with the reveal it was taken for. It returns how many
    pictures of that place agree by now, None when no more are wanted. `on_word` gets each change of the
    preview's word. `on_trouble` gets the reason of a fault, and None once the fault is over. `read_ahead` is
    called while no picture is wanted; it says whether anything moved.
    """

    reveal: Callable[[], int]
    capture: Callable[[], Observation]
    preview: Callable[[], str]
    place: Callable[[], str]
    on_observation: Callable[[int, str, Observation], int | None]
    on_word: Callable[[str], None]
    on_trouble: Callable[[str | None], None]
    read_ahead: Callable[[], bool] = lambda: False


class CaptureLoop:
    """Takes pictures while a reveal is open. Any thread may call `begin`, `request_picture` and `end`.

    One thread takes its turns. A request is for one reveal and is dropped in another one.
    """

    def __init__(self, ports: CapturePorts, now_s: Callable[[], float], *, frames: int) -> None:
        """`frames` pictures of one stillness agree: more of the same add nothing."""
        self._ports, self._now_s, self._frames = ports, now_s, frames
        self._lock = threading.Lock()
        self._open = NO_REVEAL
        self._wishes: tuple[Wish, ...] = ()
        self._reveal = NO_REVEAL
        self._taken, self._tried, self._word, self._wait_s = 0, 0, "", RETRY_S
        self._trouble: dict[str, str] = {}

    def begin(self, reveal: int) -> None:
        """A reveal waits for pictures, or for more of them."""
        with self._lock:
            self._taken = self._tried = 0
            self._open = reveal

    def request_picture(self, reveal: int, place: str | None = None) -> None:
        """Take the next picture whatever the preview is: somebody pressed OK, or named a place for it."""
        with self._lock:
            self._wishes = (*self._wishes, Wish(reveal, place))
            self._open = reveal

    def end(self) -> None:
        """No more pictures are wanted."""
        with self._lock:
            self._open, self._wishes = NO_REVEAL, ()

    def turn(self) -> float:
        """A step; an unforeseen error is logged, reported and tried again. Seconds until the next."""
        try:
            wait_s = self.step()
        except BaseException:
            _log.exception("looking at the table failed where nobody foresaw it")
            with suppress(Exception):
                self._report({**self._trouble, "looker": "looking_failed"})
            return self._slower()
        if "looker" in self._trouble:
            self._report({part: reason for part, reason in self._trouble.items() if part != "looker"})
        return wait_s

    def step(self) -> float:
        """Do what is to be done now; returns the seconds until there is more to do."""
        reveal = self._ports.reveal()
        if reveal != self._reveal:
            self._reveal, self._taken, self._tried = reveal, 0, 0
        wishes = self._wanted(reveal)
        if self._open != reveal or reveal == NO_REVEAL:
            if self._ports.read_ahead():
                self._taken = self._tried = 0
            return PREVIEW_S
        began_s = self._now_s()
        word = self._try("preview", self._ports.preview)
        if word is not None:
            self._hear(word)
        if wishes or (word == STILL and not self._seen_enough()):
            return self._observe(reveal)
        return self._slower() if word is None else max(0.0, began_s + PREVIEW_S - self._now_s())

    def _wanted(self, reveal: int) -> tuple[Wish, ...]:
        """The pictures asked for in this reveal. Requests for other reveals are dropped."""
        with self._lock:
            self._wishes = tuple(wish for wish in self._wishes if wish.reveal == reveal)
            return self._wishes

    def _observe(self, reveal: int) -> float:
        """Take one picture and hand it to the table. A request stays until its picture is there."""
        wishes = self._wanted(reveal)
        named = next((wish.place for wish in reversed(wishes) if wish.place), None)
        place = named or self._ports.place()  # what is named while the picture is taken is another place
        observation = self._try("capture", self._ports.capture)
        if observation is None:
            return self._slower()
        agreeing = self._try("look", lambda: self._ports.on_observation(reveal, place, observation))
        with self._lock:
            self._wishes = tuple(wish for wish in self._wishes if wish not in wishes)
        self._wait_s = RETRY_S
        self._taken += 1
        self._tried = 1 if wishes else self._tried + 1
        if agreeing is None:
            self._rest(reveal)
        else:
            self._taken = min(self._taken, agreeing)  # what did not fit, or came too late, was none
        return 0.0

    def _seen_enough(self) -> bool:
        """Whether more pictures of this stillness would add nothing."""
        return self._taken >= self._frames or self._tried >= TRIES * self._frames

    def _rest(self, reveal: int) -> None:
        """Enough was seen, unless somebody has asked for one more meanwhile, or another reveal has begun."""
        with self._lock:
            if not self._wishes and self._open == reveal:
                self._open = NO_REVEAL

    def _hear(self, word: str) -> None:
        if word != STILL:
            self._taken = self._tried = 0
        if word != self._word:
            self._word = word
            self._ports.on_word(word)

    def _try(self, part: str, ask: Callable[[], T]) -> T | None:
        """The result of `ask`; None when it fails with a reason."""
        try:
            answer = ask()
        except Exception as error:
            reason = getattr(error, "reason", None)
            if reason is None:
                raise
            if self._trouble.get(part) != reason:
                _log.warning("%s: %s", part, error)
            self._report({**self._trouble, part: str(reason)})
            return None
        self._report({other: reason for other, reason in self._trouble.items() if other != part})
        return answer

    def _report(self, trouble: dict[str, str]) -> None:
        """Pass a fault on once, and its end; a preview that works does not hide a capture that fails."""
        before, self._trouble = self._trouble, trouble
        if set(trouble.values()) != set(before.values()):
            self._ports.on_trouble(next(iter(trouble.values()), None))

    def _slower(self) -> float:
        """How long to wait after a fault."""
        wait_s, self._wait_s = self._wait_s, min(2 * self._wait_s, SLOWEST_S)
        return wait_s
