"""Pictures that phones take of a reveal: read in turns, each an observation. Previews of a viewfinder: read
while the reader has nothing else to do, and never evidence."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

from companion.app.reading.decoder import decoded
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.reading.lessons import Lessons
from companion.app.reading.reader_process import Jpegs, PictureReader
from companion.errors import BadCommand, CompanionError, StaleCommand
from companion.reveal.merging import arrivals
from companion.reveal.observations import Observation
from companion.reveal.state import WHOLE, RevealState, Shot, on_table
from companion.reveal.viewfinder import Viewed, expected_at, viewed
from companion.table import commands as cmd
from companion.table.state import REVEALING, assessment
from companion.table.table import Snapshot, Table
from vision.arrays import Image
from vision.contract import ReadingJson
from vision.errors import VisionError
from vision.picture.decoders import bytes_held, can_decode
from vision.picture.headers import is_cut_off, kind_of, scans_of, size_of
from vision.picture.photos import MAX_SCANS, PhotoError

MAX_REMEMBERED = 32
"""Pictures that would be known again, should a phone send one twice."""

READING = "reading"
"""What all phones see while a picture of one of them is read."""


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture as it came, for a `place` or for none.

    - `name`: the player whose phone took it, "" for a phone without a seat.
    - `reveal`: the number of the reveal it is of, 0 for one that was taken back.
    """

    data: bytes
    name: str
    reveal: int
    place: str | None = None


@dataclass(frozen=True, slots=True)
class PicturePorts:
    """The parts of the box that pictures of phones need. `real`: real dice lie on the table. `lay` lets the
    pages that teach see a picture."""

    table: Table
    reader: PictureReader
    store: EvidenceStore
    lessons: Lessons
    way: str
    real: Callable[[], bool]
    lay: Callable[[Image], None]


class PhonePictures:
    """Takes pictures in turns; any thread may bring one and waits until it was read."""

    def __init__(self, ports: PicturePorts) -> None:
        self._ports, self._table = ports, ports.table
        self._sent: dict[bytes, tuple[SentPicture, str, Observation]] = {}
        self.turn = threading.Lock()
        """Held while a picture is read."""

    def take(self, data: bytes, name: str, reveal: int, place: str | None = None) -> str:
        """Read a picture and hand it to the table, as SentPicture says; returns the place it became.

        Raises BadCommand for a picture without dice, StaleCommand for one of an earlier reveal, and the
        reader's errors. Then nothing has changed.
        """
        check_picture(data)
        sent = SentPicture(data, name, reveal, place)
        with self.turn:
            number = self._reveal_of(sent)
            mark = sha256(data).digest()
            if place := self._place_of(mark, sent, number):
                return place
            before = self._table.snapshot().preview
            self._table.watch(READING)
            try:
                observation, drawn = self._read(sent)
            finally:
                self._table.watch("" if before == READING else before)
            try:
                place = self._handed_over(sent, number, observation)
                kept = (replace(sent, data=b"", reveal=number), place, observation)
                self._sent = dict([*self._sent.items(), (mark, kept)][-MAX_REMEMBERED:])
                return place
            finally:
                self._ports.store.keep(observation.picture, drawn)

    def _place_of(self, mark: bytes, sent: SentPicture, number: int) -> str | None:
        """The place of the very same picture, where the reveal has it: sent twice it is one."""
        if mark not in self._sent:
            return None
        before, place, observation = self._sent[mark]
        reveal = self._table.snapshot().state.reveal
        there = reveal is not None and any(_is(step, observation) for step in reveal.steps)
        same = (before.name, before.reveal) == (sent.name, number) and sent.place in (before.place, place)
        return place if there and same else None

    def lay(self, data: bytes) -> None:
        """Let the pages that teach see a picture of what lies on the table, outside of any reveal.

        Raises BadCommand for what is no picture, and the reader's errors.
        """
        check_picture(data)
        with self.turn:
            try:
                seen = self._ports.reader.photo(data, self._ports.way, self._ports.lessons.taught)
            except PhotoError as error:
                raise BadCommand("picture_damaged") from error
            except VisionError as error:
                raise CompanionError(error.reason) from error
            jpegs = self._ports.reader.jpegs(seen.number)
        if jpegs is None:
            raise BadCommand("picture_damaged")
        self._ports.lay(decoded(jpegs.plain))

    def _reveal_of(self, sent: SentPicture) -> int:
        """The number of the reveal that the picture is of, which goes on; raises StaleCommand, BadCommand."""
        if not self._ports.real():
            raise BadCommand("dice_simulated")
        now = self._table.snapshot()
        if sent.reveal == 0 and now.held and _in_reveal(now):
            now = self._table.do(cmd.TakePicture())  # the verdict was taken back: a picture opens it again
        elif sent.reveal != now.reveal or not now.reveal:
            raise StaleCommand("picture_too_late")
        return now.reveal

    def _read(self, sent: SentPicture) -> tuple[Observation, Callable[[], Jpegs | None]]:
        """The picture as an observation, and what draws it; raises BadCommand where no dice are on it."""
        ports = self._ports
        try:
            seen = ports.reader.photo(sent.data, ports.way, ports.lessons.taught)
        except PhotoError as error:
            raise BadCommand("picture_damaged") from error
        except VisionError as error:
            raise CompanionError(error.reason) from error
        observation = Observation.from_json({**seen.read, "phone": sent.name})
        if not arrivals(observation):
            raise BadCommand("picture_without_dice")
        observation = replace(observation, picture=ports.store.expect())
        return observation, lambda: ports.reader.jpegs(seen.number)

    def _handed_over(self, sent: SentPicture, number: int, observation: Observation) -> str:
        now = self._table.snapshot()
        if now.state.reveal is None or now.reveal != number:
            raise StaleCommand("picture_too_late")
        reveal, seen = now.state.reveal, len(observation.dice)
        place = place_for(reveal, assessment(now.state).next_place, sent, seen)
        _refuse_again(reveal, place, observation)
        try:
            self._table.do(cmd.AddObservation(observation, place, number))
        except StaleCommand as error:
            raise StaleCommand("picture_too_late") from error
        return place


def place_for(reveal: RevealState, next_place: str | None, sent: SentPicture, seen: int) -> str:
    """The place that a picture with so many dice is of: the one it was taken for, else the sender's cup, or
    everybody's dice if their number is nearer.

    Raises BadCommand for a place that is none.
    """
    cups, known = on_table(reveal), {view.name: view.player for view in reveal.places}
    if sent.place is not None:
        if sent.place not in (WHOLE, *cups, *known):
            raise BadCommand("unknown_place", place=sent.place)
        return sent.place
    if not cups:  # a roll: everybody shows a die
        return sent.name if sent.name in known and not _taken(reveal, sent.name) else next_place or WHOLE
    own = next(iter(cups)) if len(cups) == 1 else sent.name
    whole = len(cups) > 1 and abs(sum(cups.values()) - seen) < abs(cups.get(own, 0) - seen)
    return WHOLE if own not in cups or whole else own


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


def _in_reveal(now: Snapshot) -> bool:
    return now.state.game is not None and now.state.game.phase in REVEALING


MAX_PIXELS = 60_000_000
"""Phones take 12 to 50 megapixels; a few hundred kilobytes may claim a thousand times as many."""

MAX_HELD = 100_000_000
"""Bytes that a decoder may hold which can't shrink while it decodes, estimated from the header: below
`companion.budgets.DECODING_BYTES`, at which it is ended."""

MAX_PREVIEW_PIXELS = 2_000_000
"""Of a preview: twice what viewfinders send."""

_HEIC = frozenset((b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"))
"""Brands of pictures that few programs beside the phone's own decode (ISO/IEC 23008-12)."""

_VIDEO = (b"\x1aE\xdf\xa3", b"FLV", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3")
"""How Matroska and WebM, Flash and MPEG begin."""


def check_picture(data: bytes) -> None:
    """Raises BadCommand for what is no whole picture, one sentence for each cause."""
    if not data:
        raise BadCommand("picture_empty")
    kind = kind_of(data)
    if not kind or (kind == "heif" and not can_decode()):
        raise BadCommand(_foreign(data))
    width, height = size_of(data)
    held = bytes_held(data)
    if width * height > MAX_PIXELS or held > MAX_HELD:
        raise BadCommand("picture_huge", width=width, height=height)
    if held and scans_of(data) > MAX_SCANS:
        raise BadCommand("picture_costly")
    if is_cut_off(data) or not width * height:
        raise BadCommand("picture_cut_off")


def check_preview(data: bytes) -> None:
    """Raises BadCommand for what is no preview, as `check_picture` does."""
    check_picture(data)
    width, height = size_of(data)
    if width * height > MAX_PREVIEW_PIXELS:
        raise BadCommand("picture_huge", width=width, height=height)


def _foreign(data: bytes) -> str:
    """The reason key for what is none of the kinds that are read."""
    if data[4:8] == b"ftyp":
        return "picture_heic" if data[8:12] in _HEIC else "picture_video"
    video = data.startswith(_VIDEO) or (data[:4] == b"RIFF" and data[8:11] == b"AVI")
    return "picture_video" if video else "picture_not_one"


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
