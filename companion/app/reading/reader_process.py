"""The reader in a process of its own, and the plain values that are handed between the two.

A reading that takes too long is ended, and the models stay out of the process that serves the page. What
phones send is decoded in one more, which runs from the first such picture on: a picture made to harm ends
neither the models nor a reading under way.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from companion.budgets import DECODING_BYTES, DECODING_S, PHOTO_PX, PREVIEW_PX
from companion.errors import BadCommand, CompanionError
from hardware.clock import BackOff
from hardware.errors import WorkerError
from hardware.ports import Clock
from hardware.worker import Worker

if TYPE_CHECKING:
    from vision.arrays import Image
    from vision.contract import ReadingJson

READY_S = 90.0
"""So long loading the models may take: a small board with a slow card takes a third of it."""

READING_S = 30.0
"""So long reading a picture may take: thirty dice on the slowest board take a third of it."""

DECODED_S = 4.0 * DECODING_S
"""So long decoding may take by the clock on the wall, where others compute as well."""

REST_S = 2.0
"""So long after a reading its memory is kept for the next."""


class ReaderProcess:
    """Does what `companion.app.reading.reader.Reader` does. Calls take turns.

    Raises CompanionError with the reason "reading_failed" when the process hangs or ends; the next call
    starts another. Raises BadCommand for a picture that takes more memory or time than one may. Any thread
    may close it.
    """

    def __init__(self, clock: Clock, target: str = "companion.app.reading.reader:Reader") -> None:
        self._worker = Worker(target, REST_S, name="reader", clock=clock, back_off=BackOff(clock, free=1))
        bounds = DECODING_BYTES, DECODING_S
        self._decoder = Worker("companion.app.reading.decoder:Decoder", *bounds, name="decoder", clock=clock)
        self._turn = threading.Lock()  # who decodes and who reads take turns: both at once want 30 MB more
        self._ready: tuple[int, str] | None = None

    def get_ready(self, reader: str) -> None:
        """Start the process and load what reading takes."""
        self._call("get_ready", reader, timeout_s=READY_S)
        self._ready = self._worker.starts, reader

    def observe(
        self, image: Image | Pixels, reader: str, scale_px: float | None = None, taught: Sequence[Taught] = ()
    ) -> Seen:
        """As `Reader.observe`."""
        self._load(reader)
        return cast(Seen, self._call("observe", image, reader, scale_px, tuple(taught)))

    def jpegs(self, number: int) -> Jpegs | None:
        """As `Reader.jpegs`."""
        return cast("Jpegs | None", self._call("jpegs", number))

    def forget(self, number: int) -> None:
        """As `Reader.forget`."""
        self._call("forget", number)

    def photo(self, data: bytes, reader: str, taught: Sequence[Taught] = ()) -> Seen:
        """A picture as a phone sent it, turned upright and made no larger than reading needs, and read as
        `observe` does. Raises `vision.picture.headers.PhotoError`."""
        return self.observe(self._decoded(data, PHOTO_PX), reader, None, taught)

    def preview(self, data: bytes, reader: str, taught: Sequence[Taught] = ()) -> ReadingJson | None:
        """What a viewfinder sees, read small and not kept to be drawn; None while another call is in
        progress: it must not wait for a preview. Raises `vision.picture.headers.PhotoError`."""
        if self._worker.busy or self._decoder.busy:
            return None
        pixels = self._decoded(data, PREVIEW_PX)
        if self._worker.busy:
            return None
        self._load(reader)
        return self.read(pixels, reader, taught)

    def read(self, image: Image | Pixels, reader: str, taught: Sequence[Taught] = ()) -> ReadingJson:
        """As `Reader.read`."""
        return cast("ReadingJson", self._call("read", image, reader, tuple(taught)))

    def dice(self, image_bgr: Image) -> tuple[tuple[float, float, float], ...]:
        """As `Reader.dice`."""
        return cast("tuple[tuple[float, float, float], ...]", self._call("dice", image_bgr))

    def example(self, image_bgr: Image, face: int) -> Example:
        """As `Reader.example`."""
        return cast(Example, self._call("example", image_bgr, face))

    def features(self, png: bytes, size_px: float, face: int) -> Features:
        """As `Reader.features`."""
        return cast(Features, self._call("features", png, size_px, face))

    def stop(self) -> None:
        """Kill the process for good, and do not wait for that; may be called twice."""
        for worker in (self._worker, self._decoder):
            worker.abort()

    def close(self) -> None:
        """End the process, whatever it does; may be called twice."""
        for worker in (self._worker, self._decoder):
            worker.kill()
            worker.close(0.0)

    def _decoded(self, data: bytes, longest_px: int) -> Pixels:
        """What a phone sent, decoded within its bounds."""
        try:
            self._decoder.start()
        except WorkerError as error:
            raise CompanionError("reading_failed") from error
        if self._worker.pid is not None:
            self._call("hand_back")
        try:
            with self._turn:
                return cast(Pixels, self._decoder.call("picture", data, longest_px, timeout_s=DECODED_S))
        except (WorkerError, MemoryError) as error:
            raise BadCommand("picture_costly") from error

    def _load(self, reader: str) -> None:
        """Have a fresh process load its models in a time of their own."""
        if self._ready != (self._worker.starts, reader) or self._worker.pid is None:
            self.get_ready(reader)

    def _call(self, method: str, *arguments: object, timeout_s: float | None = None) -> object:
        try:
            with self._turn:
                return self._worker.call(method, *arguments, timeout_s=timeout_s or READING_S)
        except WorkerError as error:
            raise CompanionError("reading_failed") from error


Pixels: TypeAlias = tuple[int, int, bytearray]
"""Height, width and bytes of a picture that this process hands on: numpy is not imported for it."""

Features = tuple[tuple[float, ...], ...]
Taught = tuple[int, tuple[float, ...]]
"""A taught face, and what the model saw of it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture read: the object of `dudo read --json`; its jpegs are asked for by `number` later."""

    read: ReadingJson
    number: int


@dataclass(frozen=True, slots=True)
class Jpegs:
    """Two JPEGs of a picture that was read: with what was seen, small enough for a phone, and as taken."""

    marked: bytes
    plain: bytes


@dataclass(frozen=True, slots=True)
class Example:
    """A die shown alone, for teaching.

    `jpeg` is the part of the picture around it, `png` the same without loss. The die is in its middle,
    `size_px` wide. `features` has one vector for each turn.
    """

    jpeg: bytes
    png: bytes
    size_px: float
    features: Features
