"""Captures over a table of plain values: a camera that draws squares, a reader that knows what lies
there, a clock that runs as fast as it is asked. What looks, settles and keeps count is the box's own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.app.camera.capture import Capture
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.reading.lessons import Lessons
from companion.app.reading.reader import Reader
from companion.reveal.evidence import Evidence
from companion.settings import Camera
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table.table import Snapshot, Table
from companion.threads import Beat, Heartbeats, Loop
from hardware.ports import Frame
from tests.clocks import FakeClock
from vision.values import Die, Reading

WIDTH_PX, HEIGHT_PX, DIE_PX = 120, 90, 12
TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Lying:
    """A die under the box."""

    face: int
    x_px: int
    y_px: int


class Clock(FakeClock):
    """Time passes when somebody waits, a little more than asked for, and lets the other threads go on."""

    def wait_s(self, seconds: float) -> None:
        self.advance(1.02 * seconds)
        threading.Event().wait(0.0005)


@dataclass
class Felt:
    """What lies under the box. `dice` is laid there by the test; `on_capture` is called while a picture is
    being read, which takes `reading_s`; a picture is misread in a share of `flicker`: nothing seen at all, or
    a face read with doubt. `light`, `hand` and `trouble` are what goes wrong at a table."""

    clock: Clock
    dice: tuple[Lying, ...] = ()
    reading_s: float = 0.4
    flicker: float = 0.0
    rng: Random = field(default_factory=Random)
    on_capture: Callable[[], None] = lambda: None
    captures: int = 0
    done: list[str] = field(default_factory=list)
    light: float = 1.0
    hand: bool = False
    trouble: Exception | None = None
    name: str = "felt"

    def preview(self) -> Frame:
        if self.trouble:
            raise self.trouble
        image = np.full((HEIGHT_PX, WIDTH_PX, 3), 90, np.uint8)
        for die in self.dice:
            rows = slice(die.y_px - DIE_PX // 2, die.y_px + DIE_PX // 2)
            image[rows, die.x_px - DIE_PX // 2 : die.x_px + DIE_PX // 2] = _grey(die)
        if self.hand:
            image[:, : WIDTH_PX // 3] = 160
        return Frame((self.light * image).astype(np.uint8), self.clock.now_s())

    def capture(self) -> Frame:
        self.captures += 1
        self.done.append("capture")
        return self.preview()

    @property
    def readings(self) -> int:
        """How many pictures were read."""
        return self.done.count("read")

    def lock_exposure(self) -> None:
        """The light is always the same."""

    def unlock_exposure(self) -> None:
        """The light is always the same."""

    def read(self, image: np.ndarray, **_: object) -> Reading:
        """The dice of the picture, by the grey they were drawn in."""
        self.done.append("read")
        self.clock.advance(self.reading_s)
        self.on_capture()
        dice = tuple(self._die(die) for die in self.dice if image[die.y_px, die.x_px, 0] == _grey(die))
        dice = () if self.rng.random() < self.flicker / 2 else dice
        return Reading(WIDTH_PX, HEIGHT_PX, dice, all(die.certain for die in dice))

    def _die(self, die: Lying) -> Die:
        certain = self.rng.random() >= self.flicker
        face = die.face if certain else self.rng.randint(1, 6)
        return Die(
            face, die.x_px, die.y_px, DIE_PX, 0.0, 0.9, certain, "ivory", why=() if certain else ("one_way",)
        )


def _grey(die: Lying) -> int:
    """A grey for each face, as far from the next as one pip makes it."""
    return 100 + 20 * die.face


@dataclass(frozen=True)
class Box:
    """A table, what lies on it, and what takes pictures of it."""

    table: Table
    felt: Felt
    capture: Capture

    def wait_until(self, true: Callable[[Snapshot], bool]) -> Snapshot:
        """Follow the table until `true` of it; fails when it stands still before."""
        now = self.table.snapshot()
        while not true(now):
            later = self.table.wait(now.version, TIMEOUT_S)
            assert later.version > now.version, f"it stands still: {now.preview}, {_seen(now)}"
            now = later
        return now

    def let_pass(self, seconds: float) -> None:
        """Let so much of the box's time pass."""
        until_s = self.felt.clock.now_s() + seconds
        while self.felt.clock.now_s() < until_s:
            threading.Event().wait(0.0005)


def _seen(now: Snapshot) -> list[tuple[str, int]]:
    return [(view.name, view.frames) for view in now.state.reveal.places] if now.state.reveal else []


def looping(clock: Clock, name: str, turn: Callable[[], float], beat: Beat) -> Loop:
    """A loop that waits by this clock."""

    def turn_and_wait() -> float:
        clock.wait_s(turn())
        return 0.0

    return Loop(name, turn_and_wait, beat)


@contextmanager
def watching(
    folder: Path,
    patch: pytest.MonkeyPatch,
    *,
    each: bool = False,
    by_itself: bool = True,
    same_light: bool = False,
) -> Iterator[Box]:
    """A capture at work over an empty table without a game."""
    clock = Clock()
    felt = Felt(clock)
    patch.setattr("vision.read.read", felt.read)
    patch.setattr("companion.app.reading.evidence_store.no_room", lambda _: True)  # no pictures are kept
    patch.setattr("companion.app.table_parts.WAIT_S", 0.02)  # closing waits for it
    patch.setattr("companion.app.camera.capture.Loop", partial(looping, clock))
    journal = Journal(folder / "games")
    table = Table(journal, each=each)
    settings = Camera(by_itself=by_itself, reader="both")
    evidence = Evidence(SideFile(folder / "evidence.sqlite"))
    store = EvidenceStore(table, evidence, folder, keep_examples=False)
    capture = Capture(
        table,
        felt,
        Reader(),
        store,
        Lessons(SideFile(folder / "taught.json"), None),
        clock=clock,
        settings=settings,
        heartbeats=Heartbeats(),
        calibration=None,
        frames=2,
        has_camera=lambda: True,
        same_light=lambda: same_light,
    )
    try:
        yield Box(table, felt, capture)
    finally:
        capture.close()
        evidence.close()
        journal.close()
