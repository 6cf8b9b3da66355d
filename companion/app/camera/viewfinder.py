"""Previews of a phone's viewfinder: read while the reader has nothing else to do, and never evidence."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.app.camera.phone_pictures import PicturePorts, check_preview
from companion.errors import BadCommand, CompanionError, StaleCommand
from companion.reveal.observations import Observation
from companion.reveal.state import on_table
from companion.reveal.viewfinder import Viewed, expected_at, viewed
from vision.contract import ReadingJson
from vision.errors import VisionError
from vision.picture.photos import PhotoError


class Viewfinder:
    """Reads the previews of all phones, one at a time; any thread may bring one and waits for its own alone.

    A preview is dropped while a picture is read, and so long after another one as that took: previews take
    half of the reader's time at most.
    """

    def __init__(self, ports: PicturePorts, turn: threading.Lock, now_s: Callable[[], float]) -> None:
        """`turn` is held while a phone's picture is read. `now_s` is a clock that never jumps."""
        self._ports, self._turn, self._now_s = ports, turn, now_s
        self._rest_until_s = float("-inf")

    def read(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        """What a preview of that reveal shows, None where the reader has other work. Changes nothing.

        Of no `place` in particular, it is of the cup of the player `name`, or of everybody's dice.

        Raises BadCommand for what is no preview, StaleCommand where the reveal is over, and the reader's
        errors.
        """
        check_preview(data)
        expected = self._expected(name, reveal, place)
        if not self._turn.acquire(blocking=False):
            return None
        try:
            read = self._reading(data)
        finally:
            self._turn.release()
        return None if read is None else viewed(Observation.from_json({**read}), *expected)

    def _expected(self, name: str, reveal: int, place: str | None) -> tuple[int, ...]:
        if not self._ports.real():
            raise BadCommand("dice_simulated")
        now = self._ports.table.snapshot()
        if now.state.reveal is None or not now.reveal or reveal != now.reveal:
            raise StaleCommand("picture_too_late")
        own = place is None and name in on_table(now.state.reveal)
        places = (name, None) if own else (place,)
        return tuple(expected_at(now.state.reveal, one) for one in places)

    def _reading(self, data: bytes) -> ReadingJson | None:
        began_s = self._now_s()
        if began_s < self._rest_until_s:
            return None
        try:
            ports = self._ports
            return ports.reader.preview(data, ports.way, ports.lessons.taught)
        except PhotoError as error:
            raise BadCommand("picture_damaged") from error
        except VisionError as error:
            raise CompanionError(error.reason) from error
        finally:
            ended_s = self._now_s()
            self._rest_until_s = ended_s + (ended_s - began_s)
