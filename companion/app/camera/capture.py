"""Camera and reader together: takes and reads pictures for a reveal, as long as it wants them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from companion import memory
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.reading.lessons import Lessons
from companion.app.reading.reader_process import ReaderProcess, Seen, Taught
from companion.app.table_parts import Subscriber
from companion.errors import CompanionError
from companion.reveal.capture_loop import NO_REVEAL, STILL, CaptureLoop, CapturePorts
from companion.reveal.merging import left_standing
from companion.reveal.observations import Observation
from companion.reveal.state import ALL, Shot, is_of_all, last_place
from companion.rules.position import Phase
from companion.settings import Camera as CameraSettings
from companion.table import commands as cmd
from companion.table.state import assessment
from companion.table.table import Fault, Snapshot, Table
from companion.threads import Heartbeats, Loop
from hardware.calibration.calibration import Calibration
from hardware.ports import Camera, Clock

if TYPE_CHECKING:
    from companion.app.camera.comparing import Comparing
    from vision.arrays import Image

Asked = tuple[str, float | None, tuple[Taught, ...]]
"""How a picture is read: the way, the width of dice in pixels, the taught faces."""

_log = logging.getLogger(__name__)

CAPTURE_S, CHANGE_S = 180.0, 30.0
"""So long an observation may take with all its own limits, and hearing of a change of the table."""

AHEAD_S, AHEAD_AGAIN_S = 0.5, 30.0
"""From one preview to the next while a picture may be asked for, and after a fault: nobody waits for it."""

NEXT = "next"
"""The page's word for the next place of the plan."""


class Capture:
    """At work while a reveal wants pictures: a capture loop, a stillness watch and an exposure lock."""

    def __init__(
        self,
        table: Table,
        camera: Camera,
        reader: ReaderProcess,
        store: EvidenceStore,
        lessons: Lessons,
        *,
        clock: Clock,
        settings: CameraSettings,
        heartbeats: Heartbeats,
        calibration: Calibration | None,
        frames: int,
        has_camera: Callable[[], bool],
        same_light: Callable[[], bool],
    ) -> None:
        """`frames` of one place must agree. `has_camera`: whether the box has a camera of its own.
        `same_light`: whether no lamp of the box goes on for the pictures of a reveal."""
        self._table, self._camera, self._reader, self._clock = table, camera, reader, clock
        self._store, self._lessons, self._settings, self._frames = store, lessons, settings, frames
        self._has_camera, self._same_light = has_camera, same_light
        self._opened: Comparing | None = None
        self._ahead_s = 0.0
        self._reading_s, self._undrawn = 0.0, ("", 0)
        self._followed, self._wanted = NO_REVEAL, 0
        self._led_to = ""
        self._heeds, self._reporting = False, threading.Lock()  # of a fault, by one thread after the other
        self._calibration: Calibration | None = None
        self.know(calibration)
        self._trouble: str | None = None
        self._frame_s: float | None = None
        self._beat = heartbeats.expect("looking", CAPTURE_S)
        self._loop = CaptureLoop(self._ports(), clock.now_s, frames=frames)
        self._is_ready = self._ends = False
        self._thread = Loop("looking", self._turn, self._beat)
        beat = heartbeats.expect("reveals", CHANGE_S)
        self._subscriber = Subscriber("reveals", self._table, self._follow, beat)

    def _ports(self) -> CapturePorts:
        return CapturePorts(
            reveal=lambda: self._table.snapshot().capturing,
            capture=self._capture,
            preview=self._preview,
            place=self._place,
            on_observation=self._observed,
            on_word=self._table.watch,
            on_trouble=self._troubled,
            read_ahead=self._read_ahead,
        )

    def frame_age_s(self) -> float | None:
        """How long ago the camera gave the newest picture that was looked at, None before the first."""
        return None if self._frame_s is None else self._clock.now_s() - self._frame_s

    def stop(self) -> None:
        """Begin no more observations, and report no more faults."""
        self._ends = True
        self._thread.stop()
        self._subscriber.stop()

    def close(self) -> None:
        """Stop looking; may be called twice."""
        self.stop()
        self._subscriber.close()
        self._thread.close()

    def _turn(self) -> float:
        """Get ready while nobody waits, then look for as long as the box runs."""
        if not self._is_ready:
            self._is_ready = True
            self._get_ready()
        return self._loop.turn()

    def _get_ready(self) -> None:
        try:
            self._reader.get_ready(self._settings.reader)
        except Exception as error:  # reported when something is to be read
            if not self._ends:
                _log.error("getting ready to read failed: %s", error)
        memory.hand_back()

    @property
    def _comparing(self) -> Comparing:
        """What compares pictures, imported and made for the first one."""
        if self._opened is None:
            from companion.app.camera.comparing import Comparing

            self._opened = Comparing(self._camera)
            self._opened.know_empty(self._empty)
        return self._opened

    def _release(self) -> None:
        if self._opened:
            self._opened.exposure.release()

    def know(self, calibration: Calibration | None) -> None:
        """Use a calibration of this very camera from now on: the width of dice, the empty table."""
        same = calibration is not None and calibration.camera == self._camera.name
        self._calibration = calibration if same else None
        self._release()  # calibrating has moved it
        self._empty = self._calibration.empty if self._calibration else None
        if self._opened:
            self._opened.know_empty(self._empty)

    def _follow(self, now: Snapshot) -> None:
        """Take pictures when a reveal begins or somebody asks for one, stop when it is over."""
        reveal, before = now.capturing, self._followed
        self._followed = reveal
        if reveal != before:
            self._loop.end()  # pictures asked for were meant for the dice of the reveal before
            self._wanted = 0
        if not now.state.goes_on or not self._has_camera():  # whoever sets up the box sees by its automatics
            self._release()
        if reveal == NO_REVEAL or not self._has_camera():
            self._heed(False)
            return
        self._heed(True)
        if now.wanted != self._wanted:
            self._wanted, self._led_to = now.wanted, ""  # who names a place knows where the box stands
            self._loop.request_picture(reveal, None if now.place == NEXT else now.place)
        elif reveal != before and self._by_itself(now):
            self._loop.begin(reveal)

    def _preview(self) -> str:
        frame = self._camera.preview()
        self._frame_s = frame.taken_s
        watched_s = frame.taken_s - self._reading_s  # a slow reader is no silent camera
        return self._comparing.word(frame.image_bgr, watched_s)

    def _read_ahead(self) -> bool:
        """Keep the light for the next reveal, now that nobody waits, and read what lies still while a picture
        may be asked for at any moment. Says whether anything moved. A fault is reported when one is."""
        now, now_s = self._table.snapshot(), self._clock.now_s()
        if now_s < self._ahead_s:
            return False
        self._ahead_s = now_s + AHEAD_S
        try:
            if self._opened and now.capturing == NO_REVEAL and now.state.goes_on:
                self._opened.exposure.lock()
            if not self._may_be_asked(now):
                return False
            if self._preview() != STILL:
                return True
            if self._comparing.early.is_due(now.state):
                image, asked = self._taken()
                self._comparing.early.keep(self._read(image, asked), image, asked)
        except Exception as error:
            _log.info("nothing was read ahead: %s", error)
            self._ahead_s = now_s + AHEAD_AGAIN_S
        return False

    def _may_be_asked(self, now: Snapshot) -> bool:
        """Whether a press may want a picture in the light of now: OK in a reveal, or a call once somebody has
        bid. An evening is mostly other things, and a board gets warm."""
        if not self._has_camera():
            return False
        if now.capturing != NO_REVEAL:
            return not self._by_itself(now)
        game = now.state.game
        bids = game.round.bids if game is not None and game.phase is Phase.BIDDING else ()
        return bool(bids) and self._settings.by_itself and self._same_light()

    def _capture(self) -> Observation:
        """A picture read. It is kept once the table has it: a verdict does not wait for that."""
        self._keep_picture()  # of a capture that came to nothing
        compared = self._comparing
        if _has_pictures(self._table.snapshot()):
            compared.exposure.lock()  # more than one: hands would move automatics between them
        image, asked = self._taken()
        if not compared.exposure.fits(image):
            image, asked = self._taken()
            compared.exposure.fits(image)
        seen = compared.early.take(image, asked) or self._read(image, asked)
        self._undrawn = self._store.expect(), seen.number
        observation = Observation.from_json(seen.read, self._undrawn[0])
        return compared.still_things.without(observation, image, self._table.snapshot())

    def _taken(self) -> tuple[Image, Asked]:
        """A picture, (height, width, 3) uint8, and how it is to be read."""
        self._beat()
        image = self._camera.capture().image_bgr
        way, taught = self._settings.reader, self._lessons.taught
        return image, (way, self._die_px(image.shape[1]), taught)

    def _read(self, image: Image, asked: Asked) -> Seen:
        """What the reader sees in the picture. The time it takes does not count for the camera."""
        self._beat()
        for number in self._comparing.early.given_up():
            self._reader.forget(number)  # before the next one takes memory
        began_s = self._clock.now_s()
        seen = self._reader.observe(image, *asked)
        self._beat()
        self._reading_s += self._clock.now_s() - began_s
        return seen

    def _keep_picture(self) -> None:
        """Draw and keep the newest picture, which the table knows already."""
        (picture, number), self._undrawn = self._undrawn, ("", 0)
        self._store.keep(picture, lambda: self._reader.jpegs(number))
        memory.hand_back()  # small blocks all over the heap: 10 MB after the first picture
        self._beat()

    def _die_px(self, width_px: int) -> float | None:
        """The width of dice in a picture of that width, as calibrated.

        A single way of reading gets None: it could not detect that the box has been moved since.
        """
        if self._calibration is None or self._settings.reader != "both":
            return None
        return self._calibration.die_in(width_px)

    def _place(self) -> str:
        """Where the box stands: at the place it is led to, else where it was looked at last."""
        state = self._table.snapshot().state
        if state.reveal is None:
            return ALL
        self._led_to = assessment(state).next_place or last_place(state.reveal) or ALL
        return self._led_to

    def _stood(self, place: str, observation: Observation) -> str:
        """The place that a picture is of: still the last one where the box was led on and has not been moved,
        since hands may come and go above it. Beside cups that phones showed it may be of all dice."""
        now = self._table.snapshot()
        reveal = now.state.reveal
        if reveal is None or place != self._led_to:
            return place
        by_phone = any(isinstance(step, Shot) and step.observation.phone is not None for step in reveal.steps)
        if by_phone and is_of_all(reveal, place, len(observation.dice)):
            return ALL
        if not self._by_itself(now):
            return place
        here = last_place(reveal)
        standing = (v for v in reveal.places if v.name == here and left_standing(v, observation))
        return next((view.name for view in standing), place)

    def _observed(self, reveal: int, place: str, observation: Observation) -> int | None:
        """Hand the observation to the table, which refuses one of an earlier reveal.

        Returns how many pictures of that place agree, None when no more are wanted.
        """
        place = self._stood(place, observation)
        self._comparing.still_things.placed(place)
        with suppress(CompanionError):  # the reveal was over just before
            self._table.do(cmd.AddObservation(observation, place, reveal))
        self._keep_picture()
        now = self._table.snapshot()
        if now.capturing == NO_REVEAL or not (self._by_itself(now) or self._lacks_frames(now, place)):
            return None
        return _frames_of(now, place)

    def _by_itself(self, now: Snapshot) -> bool:
        """Whether pictures are taken automatically.

        In the roll for seats every die is shown on OK: else the same die, nudged, could be taken for the next
        player's.
        """
        rolling = now.state.game is not None and now.state.game.phase is Phase.ROLLOFF
        return self._settings.by_itself and not rolling

    def _lacks_frames(self, now: Snapshot, place: str) -> bool:
        """Whether a place that was looked at needs one more picture that agrees."""
        looked = now.state.reveal is not None and any(_is_of(step, place) for step in now.state.reveal.steps)
        return looked and _frames_of(now, place) < self._frames

    def _troubled(self, reason: str | None) -> None:
        with self._reporting:
            self._trouble = reason
            if self._heeds and not self._ends:
                self._report_trouble()

    @property
    def at_work(self) -> bool:
        """Whether a reveal needs the camera. The table knows it a moment before this thread has heard."""
        return self._heeds or self._table.snapshot().capturing != NO_REVEAL

    def _heed(self, wanted: bool) -> None:
        """Report a fault of the camera only while pictures are wanted."""
        with self._reporting:
            if wanted != self._heeds:
                self._heeds = wanted
                self._report_trouble()

    def _report_trouble(self) -> None:
        reported = self._trouble if self._heeds else None
        self._table.report("camera", Fault(reported) if reported else None)


def _has_pictures(now: Snapshot) -> bool:
    """Whether the reveal has had a picture: one that settles it needs no lock, which takes a second."""
    return now.state.reveal is not None and any(isinstance(step, Shot) for step in now.state.reveal.steps)


def _is_of(step: object, place: str) -> bool:
    return isinstance(step, Shot) and step.place == place


def _frames_of(now: Snapshot, place: str) -> int:
    """How many pictures of a place agree."""
    views = now.state.reveal.places if now.state.reveal else ()
    return next((view.frames for view in views if view.name == place), 0)
