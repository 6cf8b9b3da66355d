"""Plain values of a reader, which can be handed between processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vision.arrays import Image
from vision.contract import ReadingJson

Features = tuple[tuple[float, ...], ...]
Taught = tuple[int, tuple[float, ...]]
"""A taught face, and what the model saw of it."""


class PictureReader(Protocol):
    """What reads pictures: `companion.app.reading.reader.Reader`, or the same in a process of its own."""

    def get_ready(self, reader: str) -> None: ...

    def observe(
        self, image_bgr: Image, reader: str, scale_px: float | None = None, taught: Sequence[Taught] = ()
    ) -> Seen: ...

    def photo(self, data: bytes, reader: str, taught: Sequence[Taught] = ()) -> Seen: ...

    def preview(self, data: bytes, reader: str, taught: Sequence[Taught] = ()) -> ReadingJson | None: ...

    def jpegs(self, number: int) -> Jpegs | None: ...

    def read(self, image_bgr: Image, reader: str, taught: Sequence[Taught] = ()) -> ReadingJson: ...

    def dice(self, image_bgr: Image) -> tuple[tuple[float, float, float], ...]: ...

    def example(self, image_bgr: Image, face: int) -> Example: ...

    def features(self, png: bytes, size_px: float, face: int) -> Features: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


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

    `part_bgr` is the part of the picture around it, (height, width, 3) uint8; `png` is the same as PNG. The
    die is in its middle, `size_px` wide. `features` has one vector for each turn.
    """

    part_bgr: Image
    png: bytes
    size_px: float
    features: Features
