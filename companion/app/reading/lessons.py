"""Emblem faces taught to this box: shown a few times, kept in its data folder, forgotten on a tap.

The picture of each showing is kept, so that a newer model can learn from it again. The features that the
present model computes from it stand beside it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

import msgspec

from companion.app.reading.reader_process import PictureReader, Taught
from companion.side_files import SideFile
from vision.arrays import Image
from vision.learned.net import MODEL

FILE = "taught.json"

MAX_PER_FACE = 6
"""Showings kept of one face; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class Showing:
    """One showing of `face`: its picture as PNG, in which it lies in the middle, `size_px` wide, and what the
    model saw (one vector for each turn)."""

    face: int
    size_px: float
    png: bytes
    features: tuple[tuple[float, ...], ...]


class Lessons:
    """The showings of all faces. Any thread may use it."""

    def __init__(self, file: SideFile, reader: PictureReader) -> None:
        """Take up what is kept in the file. `reader` as in `companion.app.reading.reader`."""
        self._file, self._reader, self._lock = file, reader, threading.Lock()
        self._showings: tuple[Showing, ...] = file.read(
            lambda content: _parsed(content, reader), tuple[Showing, ...]()
        )

    @property
    def taught(self) -> tuple[Taught, ...]:
        """The examples as the reader takes them."""
        return tuple((showing.face, seen) for showing in self._showings for seen in showing.features)

    @property
    def faces(self) -> Mapping[int, int]:
        """How often each taught face was shown."""
        return Counter(showing.face for showing in self._showings)

    def show(self, image_bgr: Image, face: int) -> Image:
        """Learn `face` from a picture in which one die lies; returns the part of it that was looked at.

        Raises BadCommand when nothing or more than one thing lies there, StorageError.
        """
        shown = self._reader.example(image_bgr, face)
        showing = Showing(face, shown.size_px, shown.png, shown.features)
        with self._lock:
            same = [s for s in self._showings if s.face == face][-(MAX_PER_FACE - 1) :]
            self._keep((*(s for s in self._showings if s.face != face), *same, showing))
        return shown.part_bgr

    def forget(self, face: int | None = None) -> None:
        """Forget a face, or all of them. Raises StorageError."""
        with self._lock:
            self._keep(tuple(s for s in self._showings if face is not None and s.face != face))

    def _keep(self, showings: tuple[Showing, ...]) -> None:
        body = {"model": _model(), "showings": [_to_json(showing) for showing in showings]}
        self._file.write(json.dumps(body).encode())
        self._showings = showings


def _model() -> str:
    """A mark of the model, since what one sees means nothing to another."""
    return hashlib.sha256(MODEL.read_bytes()).hexdigest()


def _parsed(content: bytes, reader: PictureReader) -> tuple[Showing, ...]:
    """The showings of the file, seen anew where they were kept by another model."""
    body = msgspec.json.decode(content, type=KeptShowings)
    known = body["model"] == _model()
    return tuple(_from_json(data, known, reader) for data in body["showings"])


class KeptShowing(TypedDict):
    """A showing in the file: the picture in base 64."""

    face: int
    size_px: float
    png: str
    features: list[list[float]]


class KeptShowings(TypedDict):
    """The file; `model` is a mark of the model by which the features were computed."""

    model: str
    showings: list[KeptShowing]


def _to_json(showing: Showing) -> dict[str, object]:
    return {
        "face": showing.face,
        "size_px": showing.size_px,
        "png": base64.b64encode(showing.png).decode(),
        "features": [[round(value, 5) for value in vector] for vector in showing.features],
    }


def _from_json(data: KeptShowing, known: bool, reader: PictureReader) -> Showing:
    face, size_px, png = data["face"], data["size_px"], base64.b64decode(data["png"])
    kept = tuple(map(tuple, data["features"]))
    return Showing(face, size_px, png, kept if known else reader.features(png, size_px, face))
