"""Pictures that phones take of a reveal: read in turns, each an observation. Previews of a viewfinder: read
while the reader has nothing else to do, and never evidence."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from companion.app.reading.evidence_store import EvidenceStore
from companion.app.reading.lessons import Lessons
from companion.app.reading.reader_process import Jpegs, ReaderProcess
from companion.errors import BadCommand, CompanionError, StaleCommand
from companion.reveal.merging import arrivals
from companion.reveal.observations import Observation
from companion.reveal.state import WHOLE, RevealState, Shot, is_of_all, on_table
from companion.reveal.viewfinder import Viewed, expected_at, viewed
from companion.table import commands as cmd
from companion.table.sitting import people_of
from companion.table.state import assessment
from companion.table.table import Snapshot, Table
from vision.errors import VisionError
from vision.picture import headers
from vision.picture.headers import PhotoError

if TYPE_CHECKING:
    from vision.arrays import Image
    from vision.contract import ReadingJson

MAX_REMEMBERED = 32
"""Pictures that would be known again, should a phone send one twice."""

READING = "reading"
"""What all phones see while a picture of one of them is read."""


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture as it came, for a `place` or for none.

    - `name`: the player whose phone took it, "" for a phone without a seat.
    - `reveal`: the number of the reveal it is of.
    """

    data: bytes
    name: str
    reveal: int
    place: str | None = None


class PhonePictures:
    """Takes pictures in turns; any thread may bring one and waits until it was read.

    Previews of all phones are read one at a time, and none waits. One is dropped while a picture is read, and
    so long after another one as that took: previews take half of the reader's time at most.
    """

    def __init__(
        self,
        table: Table,
        reader: ReaderProcess,
        store: EvidenceStore,
        lessons: Lessons,
        *,
        way: str,
        real: Callable[[], bool],
        show: Callable[[Image], None],
        now_s: Callable[[], float],
    ) -> None:
        """`way` of reading. `real`: real dice lie on the table. `show` lets the pages that teach see a
        picture. `now_s` is a clock that never jumps."""
        self._table, self._reader, self._store, self._lessons = table, reader, store, lessons
        self._way, self._real, self._show, self._now_s = way, real, show, now_s
        self._sent: dict[bytes, tuple[SentPicture, str, Observation]] = {}
        self._turn = threading.Lock()  # held while a picture or a preview is read
        self._rest_until_s = float("-inf")

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        """Read a picture and hand it to the table, as SentPicture says; returns the place it became.

        Raises BadCommand for a picture without dice, StaleCommand for one of an earlier reveal, and the
        reader's errors. Then nothing has changed.
        """
        check_picture(data)
        sent = SentPicture(data, name, reveal, place)
        with self._turn:
            now, mark = self._in_reveal(reveal), sha256(data).digest()
            if now.held:
                now = self._table.do(cmd.TakePicture())  # the verdict was taken back: this opens it
            if place := self._place_of(mark, sent):
                return place
            before = now.preview
            self._table.watch(READING)
            try:
                observation, drawn = self._read(sent)
            finally:
                self._table.watch("" if before == READING else before)
            try:
                place = self._handed_over(sent, observation)
                kept = (replace(sent, data=b""), place, observation)
                self._sent = dict([*self._sent.items(), (mark, kept)][-MAX_REMEMBERED:])
                return place
            finally:
                self._store.keep(observation.picture, drawn)

    def _place_of(self, mark: bytes, sent: SentPicture) -> str | None:
        """The place of the very same picture, where the reveal has it: sent twice it is one."""
        if mark not in self._sent:
            return None
        before, place, observation = self._sent[mark]
        reveal = self._table.snapshot().state.reveal
        there = reveal is not None and any(_is(step, observation) for step in reveal.steps)
        same = (before.name, before.reveal) == (sent.name, sent.reveal)
        return place if there and same and sent.place in (before.place, place) else None

    def lay(self, data: bytes) -> None:
        """Let the pages that teach see a picture of what lies on the table, outside of any reveal.

        Raises BadCommand for what is no picture, and the reader's errors.
        """
        from companion.app.reading.decoder import decoded

        check_picture(data)
        with self._turn, _explained(data):
            seen = self._reader.photo(data, self._way, self._lessons.taught)
            jpegs = self._reader.jpegs(seen.number)
        if jpegs is None:
            raise BadCommand("picture_damaged")
        self._show(decoded(jpegs.plain))

    def preview(self, data: bytes, name: str, reveal: int, place: str | None) -> Viewed | None:
        """What a viewfinder of that reveal shows, None where the reader has other work. Changes nothing.

        Of no `place` in particular, it is of the cup of the player `name`, or of everybody's dice.

        Raises BadCommand for what is no preview, StaleCommand where the reveal is over, and the reader's
        errors.
        """
        check_picture(data, MAX_PREVIEW_PIXELS)
        expected = self._expected(name, reveal, place)
        if not self._turn.acquire(blocking=False):
            return None
        try:
            read = self._read_preview(data)
        finally:
            self._turn.release()
        return None if read is None else viewed(Observation.from_json({**read}), *expected)

    def _expected(self, name: str, reveal: int, place: str | None) -> tuple[int, ...]:
        state = self._in_reveal(reveal).state.revealing
        own = place is None and name in on_table(state)
        places = (name, None) if own else (place,)
        return tuple(expected_at(state, one) for one in places)

    def _read_preview(self, data: bytes) -> ReadingJson | None:
        began_s = self._now_s()
        if began_s < self._rest_until_s:
            return None
        try:
            with _explained(data):
                return self._reader.preview(data, self._way, self._lessons.taught)
        finally:
            ended_s = self._now_s()
            self._rest_until_s = ended_s + (ended_s - began_s)

    def _in_reveal(self, number: int) -> Snapshot:
        """The table while the reveal of that number goes on; raises StaleCommand, BadCommand."""
        if not self._real():
            raise BadCommand("dice_simulated")
        now = self._table.snapshot()
        if not number or number != now.reveal:
            raise StaleCommand("picture_too_late")
        return now

    def _read(self, sent: SentPicture) -> tuple[Observation, Callable[[], Jpegs | None]]:
        """The picture as an observation, and what draws it; raises BadCommand where no dice are on it."""
        with _explained(sent.data):
            seen = self._reader.photo(sent.data, self._way, self._lessons.taught)
        observation = Observation.from_json({**seen.read, "phone": sent.name})
        if not arrivals(observation):
            raise BadCommand("picture_without_dice")
        observation = replace(observation, picture=self._store.expect())
        return observation, lambda: self._reader.jpegs(seen.number)

    def _handed_over(self, sent: SentPicture, observation: Observation) -> str:
        state = self._in_reveal(sent.reveal).state
        if sent.name and sent.name not in people_of(state):
            raise StaleCommand("table_moved_on")  # renamed or gone: the picture would pass for everybody's
        reveal, seen = state.revealing, len(observation.dice)
        place = place_for(reveal, assessment(state).next_place, sent, seen)
        _refuse_again(reveal, place, observation)
        try:
            self._table.do(cmd.AddObservation(observation, place, sent.reveal))
        except StaleCommand as error:
            raise StaleCommand("picture_too_late") from error
        return place


def place_for(reveal: RevealState, next_place: str | None, sent: SentPicture, seen: int) -> str:
    """The place that a picture with so many dice is of: the one it was taken for, else the sender's cup, or
    everybody's dice if their number is nearer.

    Raises BadCommand for a place that is none, StaleCommand for a cup that is nobody's.
    """
    cups, known = on_table(reveal), {view.name: view.player for view in reveal.places}
    if sent.place is not None:
        if sent.place not in (WHOLE, *cups, *known):
            raise BadCommand("unknown_place", place=sent.place)
        return sent.place
    if not cups:  # a roll: everybody shows a die
        return sent.name if sent.name in known and not _taken(reveal, sent.name) else next_place or WHOLE
    own = next(iter(cups)) if len(cups) == 1 else sent.name
    of_all = is_of_all(reveal, own, seen)
    by_phones = any(view.player and view.phone is not None for view in reveal.places)
    if own not in cups and not of_all and by_phones:
        raise StaleCommand("table_moved_on")  # it has no seat any more, and would replace all cups
    return WHOLE if own not in cups or of_all else own


def _taken(reveal: RevealState, place: str) -> bool:
    return any(view.frames for view in reveal.places if view.name == place)


def _refuse_again(reveal: RevealState, place: str, observation: Observation) -> None:
    """Raises BadCommand for the very picture that was sent for another cup."""
    newest = {step.place: step.observation.dice for step in reveal.steps if isinstance(step, Shot)}
    others = [view.name for view in reveal.places if view.frames and view.player and view.name != place]
    for player in others:
        if place != WHOLE and newest.get(player) == observation.dice:
            raise BadCommand("picture_again", player=player)


def _is(step: object, observation: Observation) -> bool:
    return isinstance(step, Shot) and step.observation == observation


MAX_PIXELS = 60_000_000
"""Phones take 12 to 50 megapixels; a few hundred kilobytes may claim a thousand times as many."""

MAX_WHOLE = 13_000_000
"""The same of a picture that can't shrink while it is decoded: eight bytes of each pixel stay below
`companion.budgets.DECODING_BYTES`, at which decoding is ended."""

MAX_PREVIEW_PIXELS = 2_000_000
"""Of a preview: twice what viewfinders send."""

_HEIC = frozenset((b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"))
"""Brands of pictures that few programs beside the phone's own decode (ISO/IEC 23008-12)."""

_VIDEO = (b"\x1aE\xdf\xa3", b"FLV", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3")
"""How Matroska and WebM, Flash and MPEG begin."""


@contextmanager
def _explained(data: bytes) -> Iterator[None]:
    """Errors of reading a picture as those of the game: each cause has one sentence in the catalogues."""
    try:
        yield
    except PhotoError as error:
        reason = _foreign(data) if error.cause == "not_one" else f"picture_{error.cause}"
        raise BadCommand(reason, width=error.size[0], height=error.size[1]) from error
    except VisionError as error:
        raise CompanionError(error.reason) from error


def check_picture(data: bytes, max_pixels: int = MAX_PIXELS) -> None:
    """Raises BadCommand for what is no whole picture, one sentence for each cause."""
    with _explained(data):
        headers.checked(data, max_pixels=max_pixels, max_whole=MAX_WHOLE)


def _foreign(data: bytes) -> str:
    """The reason key for what is none of the kinds that are read."""
    if data[4:8] == b"ftyp":
        return "picture_heic" if data[8:12] in _HEIC else "picture_video"
    video = data.startswith(_VIDEO) or (data[:4] == b"RIFF" and data[8:11] == b"AVI")
    return "picture_video" if video else "picture_not_one"
