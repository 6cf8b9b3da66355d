"""Camera and reader together: looks for a reveal, as long as it wants them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from companion.app.health import no_room
from companion.app.reader import Seen
from companion.errors import CompanionError, StorageError
from companion.reveal.looking import NO_REVEAL, Looking, LookPorts
from companion.reveal.looks import Look
from companion.reveal.merging import left_standing
from companion.reveal.state import ALL, Shot, last_place
from companion.rules.game import Phase
from companion.table import commands as cmd
from companion.table.following import Follower
from companion.table.state import assessment
from companion.table.table import Fault, Snapshot

if TYPE_CHECKING:
    from companion.app.companion import Companion

T = TypeVar("T")

_log = logging.getLogger(__name__)

PLAIN_KEPT = 16
"""So many of the newest pictures stay in memory as they were taken: the page draws its own marks on them."""

LOOK_S, CHANGE_S = 180.0, 30.0
"""So long a look may take with all its own limits, and hearing of a change of the table."""

CLOSE_S = 1.0

EMPTY_S = 4.0
"""So long a table that looks empty is left alone."""

NEXT = "next"
"""The page's word for the next place of the plan."""


class Eyes:
    """Camera and reader, at work while a reveal wants looks."""

    def __init__(self, companion: Companion) -> None:
        from vision.picture.settle import Settler

        self._table, self._camera, self._clock = companion.table, companion.camera, companion.clock
        self._evidence, self._settings = companion.evidence, companion.settings
        self._frames, self._lessons, self._reader = companion.frames, companion.lessons, companion.reader
        self._settler, self._reading_s = Settler(), 0.0
        self._followed, self._wanted = NO_REVEAL, 0
        self._led_to = ""
        self._exposure_kept = self.at_work = False
        self._empty: Any = None
        self._calibration: Any = None
        self.know(companion.calibration)
        self._trouble: str | None = None
        self._frame_s: float | None = None
        self.plain: dict[str, bytes] = {}
        ports = LookPorts(
            reveal=lambda: self._table.snapshot().reveal,
            capture=lambda: _reasoned(self._capture),
            preview=lambda: _reasoned(self._preview),
            place=self._place,
            on_look=lambda reveal, place, look: _reasoned(lambda: self._looked(reveal, place, look)),
            on_word=self._table.watch,
            on_trouble=self._troubled,
        )
        self._beat = companion.heartbeats.expect("looking", LOOK_S)
        self._looking = Looking(ports, companion.clock, frames=companion.frames, beat=self._beat)
        self._thread = threading.Thread(target=self._look, name="looking", daemon=True)
        self._thread.start()
        beat = companion.heartbeats.expect("reveals", CHANGE_S)
        self._follower = Follower("reveals", self._table, self._follow, beat)

    def frame_age_s(self) -> float | None:
        """How long ago the camera gave the newest picture that was looked at, None before the first."""
        return None if self._frame_s is None else self._clock.now_s() - self._frame_s

    def close(self) -> None:
        """Stop looking; may be called twice."""
        self._follower.close()
        self._looking.close()
        self._thread.join(CLOSE_S)

    def _look(self) -> None:
        """Get ready while nobody waits, then look for as long as the box runs."""
        try:
            _reasoned(self._get_ready)
        except CompanionError:
            pass  # what hinders reading is told when something is to be read
        except BaseException:
            _log.exception("getting ready to read failed")
        self._looking.run()

    def _get_ready(self) -> None:
        self._reader.get_ready(self._settings.camera.reader)

    def know(self, calibration: Any) -> None:
        """What a calibration of this very camera found, from now on: the size of dice, the empty table."""
        from vision.picture.settle import small

        same = calibration is not None and calibration.camera == self._camera.name
        self._calibration = calibration if same else None
        self._empty = small(calibration.empty.grey()) if same and calibration.empty else None

    def _follow(self, now: Snapshot) -> None:
        """Open the eyes when a reveal begins or somebody asks for a look, close them when it is over."""
        reveal, before = now.reveal, self._followed
        self._followed = reveal
        if reveal != before:
            self._looking.end()  # looks asked for were meant for the dice that lay there before
            self._wanted = 0
        if reveal == NO_REVEAL:
            self._free_exposure()
            self._heed(False)
            return
        self._heed(True)
        if now.wanted != self._wanted:
            self._wanted, self._led_to = now.wanted, ""  # who names a place knows where the box stands
            self._looking.look_now(reveal, None if now.place == NEXT else now.place)
        elif reveal != before and self._by_itself(now):
            self._looking.begin(reveal)

    def _preview(self) -> str:
        import cv2

        frame = self._camera.preview()
        self._frame_s = frame.taken_s
        grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
        knowing = replace(self._settler, empty=self._empty)
        watched_s = frame.taken_s - self._reading_s  # a slow reader is no silent camera
        self._settler = knowing.feed(np.asarray(grey, np.uint8), watched_s)
        if self._settler.word == "dark":
            self._free_exposure()  # what was kept is of a brighter place
        return self._word(watched_s)

    def _word(self, now_s: float) -> str:
        """What the view is fit for. What stays empty is read all the same: one small die changes little."""
        since_s = self._settler.since_s
        patient = since_s is not None and now_s - since_s > EMPTY_S
        return "still" if self._settler.word == "empty" and patient else str(self._settler.word)

    def _capture(self) -> Look:
        """A picture read; it is kept as it was taken, for an example, and with what was seen in it."""
        self._keep_exposure()
        self._beat()
        frame = self._camera.capture()
        self._beat()
        image = frame.image_bgr
        die_px = self._die_px(image.shape[1])
        seen = self._reader.look(image, self._settings.camera.reader, die_px, self._lessons.taught)
        self._beat()
        picture = self._kept(seen)
        self._reading_s += self._clock.now_s() - frame.taken_s
        return Look.from_json(seen.read, picture)

    def _die_px(self, width_px: int) -> float | None:
        """How wide the calibration found dice to be, in a picture of that width. One way of reading alone is
        not told: it could not notice that the box has been moved since."""
        if self._calibration is None or self._settings.camera.reader != "both":
            return None
        return self._calibration.die_in(width_px)  # type: ignore[no-any-return]

    def _keep_exposure(self) -> None:
        """From the first picture of a reveal to its end, in the ring's light: hands would move automatics."""
        if not self._exposure_kept and _wants_looks(self._table.snapshot()):
            self._camera.freeze()
            self._exposure_kept = True

    def _free_exposure(self) -> None:
        """Leave the light to the automatics again; a camera that fails here begins anew when it is used."""
        from hardware.errors import HardwareError

        if self._exposure_kept:
            self._exposure_kept = False
            with suppress(HardwareError):
                self._camera.thaw()

    def _kept(self, seen: Seen) -> str:
        """The name of the kept picture; a full disk costs the evidence, not the reveal."""
        if no_room(self._settings.data_folder):
            return ""
        kept = seen.plain if self._settings.data.keep_examples else None
        try:
            name = self._evidence.keep(self._table.snapshot().game_id or "", seen.marked, kept)
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))
            return ""
        self._table.report("evidence", None)
        newest = list(self.plain.items())[1 - PLAIN_KEPT :]
        self.plain = {**dict(newest), f"{name}-plain": seen.plain}
        return name

    def _place(self) -> str:
        """Where the box stands: at the place it is led to, else where it was looked at last."""
        state = self._table.snapshot().state
        if state.reveal is None:
            return ALL
        self._led_to = assessment(state).next_place or last_place(state.reveal) or ALL
        return self._led_to

    def _stood(self, place: str, look: Look) -> str:
        """The place that a picture is of: still the last one where the box was led on and has not been moved,
        since hands may come and go above it."""
        now = self._table.snapshot()
        if now.state.reveal is None or place != self._led_to or not self._by_itself(now):
            return place
        here = last_place(now.state.reveal)
        standing = (v for v in now.state.reveal.places if v.name == here and left_standing(v, look))
        return next((view.name for view in standing), place)

    def _looked(self, reveal: int, place: str, look: Look) -> int | None:
        """Hand the look to the table, which refuses one of dice that lay there for an earlier reveal; says
        how many of that place agree, None when no more are wanted."""
        place = self._stood(place, look)
        with suppress(CompanionError):  # the reveal was over just before
            self._table.do(cmd.TakeLook(look, place, reveal))
        now = self._table.snapshot()
        if not _wants_looks(now) or not (self._by_itself(now) or self._lacks_frames(now, place)):
            return None
        return _frames_of(now, place)

    def _by_itself(self, now: Snapshot) -> bool:
        """Whether pictures are taken without being asked for. In the roll for seats every die is shown on OK:
        else the same one, nudged, could be taken for the next player's."""
        rolling = now.state.game is not None and now.state.game.phase is Phase.ROLLOFF
        return self._settings.camera.by_itself and not rolling

    def _lacks_frames(self, now: Snapshot, place: str) -> bool:
        """Whether a place that was looked at needs one more picture that agrees."""
        looked = now.state.reveal is not None and any(_is_of(step, place) for step in now.state.reveal.steps)
        return looked and _frames_of(now, place) < self._frames

    def _troubled(self, reason: str | None) -> None:
        self._trouble = reason
        if self.at_work:
            self._tell_trouble()

    def _heed(self, at_work: bool) -> None:
        """A fault that hinders looks is told while looks are wanted, and only then."""
        if at_work != self.at_work:
            self.at_work = at_work
            self._tell_trouble()

    def _tell_trouble(self) -> None:
        told = self._trouble if self.at_work else None
        self._table.report("camera", Fault(told) if told else None)


def _reasoned(look: Callable[[], T]) -> T:
    """What `look` gives; a fault nobody foresaw gets a reason too, so that the looker goes on."""
    try:
        return look()
    except Exception as error:
        if hasattr(error, "reason"):
            raise
        if hasattr(error, "mend"):  # its sentence says all
            _log.error("looking at the table failed: %s", error)
            raise CompanionError("reader_broken") from error
        _log.exception("looking at the table failed")
        raise CompanionError("camera_fault") from error


def _wants_looks(now: Snapshot) -> bool:
    return now.reveal != NO_REVEAL


def _is_of(step: object, place: str) -> bool:
    return isinstance(step, Shot) and step.place == place


def _frames_of(now: Snapshot, place: str) -> int:
    """How many pictures of a place agree."""
    views = now.state.reveal.places if now.state.reveal else ()
    return next((view.frames for view in views if view.name == place), 0)
