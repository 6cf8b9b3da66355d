"""Emblem faces taught to this box: shown a few times, kept in its data folder, forgotten on a tap.

The picture of each showing is kept, so that a newer model can learn from it again. The features that the
present model computes from it stand beside it.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.app.reading.reader_process import ReaderProcess, Taught
from companion.storage.side_files import SideFile
from vision.learned import MODEL

if TYPE_CHECKING:
    from vision.arrays import Image

FILE = "taught.json"

MAX_PER_FACE = 6
"""Showings kept of one face; the oldest goes first."""


class Showing(msgspec.Struct, frozen=True):
    """One showing of `face`: its picture as PNG, in which it lies in the middle, `size_px` wide, and what the
    model saw (one vector for each turn)."""

    face: int
    size_px: float
    png: bytes
    features: tuple[tuple[float, ...], ...]


class Kept(msgspec.Struct, frozen=True):
    """The file; `model` is a mark of the model by which the features were computed."""

    model: str
    showings: tuple[Showing, ...]


class Lessons:
    """The showings of all faces. Any thread may use it."""

    def __init__(self, file: SideFile, reader: ReaderProcess) -> None:
        """Take up what is kept in the file. `reader` as in `companion.app.reading.reader`."""
        self._file, self._reader, self._lock = file, reader, threading.Lock()
        self._showings: tuple[Showing, ...] = file.read(lambda content: _parsed(content, reader), ())

    @property
    def taught(self) -> tuple[Taught, ...]:
        """The examples as the reader takes them."""
        return tuple((showing.face, seen) for showing in self._showings for seen in showing.features)

    @property
    def faces(self) -> Mapping[int, int]:
        """How often each taught face was shown."""
        return Counter(showing.face for showing in self._showings)

    def show(self, image_bgr: Image, face: int) -> bytes:
        """Learn `face` from a picture in which one die lies; returns a JPEG of the part that was looked at.

        Raises BadCommand when nothing or more than one thing lies there, StorageError.
        """
        shown = self._reader.example(image_bgr, face)
        showing = Showing(face, shown.size_px, shown.png, shown.features)
        with self._lock:
            same = [s for s in self._showings if s.face == face][-(MAX_PER_FACE - 1) :]
            self._keep((*(s for s in self._showings if s.face != face), *same, showing))
        return shown.jpeg

    def forget(self, face: int | None = None) -> None:
        """Forget a face, or all of them. Raises StorageError."""
        with self._lock:
            self._keep(tuple(s for s in self._showings if face is not None and s.face != face))

    def _keep(self, showings: tuple[Showing, ...]) -> None:
        self._file.write(msgspec.json.encode(Kept(_model(), showings)))
        self._showings = showings


def _model() -> str:
    """A mark of the model, since what one sees means nothing to another."""
    return hashlib.sha256(MODEL.read_bytes()).hexdigest()


def _parsed(content: bytes, reader: ReaderProcess) -> tuple[Showing, ...]:
    """The showings of the file, seen anew where they were kept by another model."""
    kept = msgspec.json.decode(content, type=Kept)
    if kept.model == _model():
        return kept.showings
    seen = (reader.features(one.png, one.size_px, one.face) for one in kept.showings)
    return tuple(replace(one, features=new) for one, new in zip(kept.showings, seen, strict=True))
