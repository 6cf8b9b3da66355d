"""Photographs for single commands, read one after the other."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TypeAlias

import cv2

from vision import read
from vision.annotate import annotate
from vision.contract import FailedJson, ReadingJson, to_json
from vision.errors import VisionError, shown
from vision.learned import classifier, net
from vision.picture.headers import PhotoError
from vision.picture.photos import load

Photograph: TypeAlias = ReadingJson
Result: TypeAlias = ReadingJson | FailedJson
"""A photograph that was read, or could not be."""


class WritingError(VisionError, OSError):
    """A folder or picture cannot be written; the text is one sentence for the person."""

    reason = "file_unwritable"
    hint = "name another folder, or make room"


def read_photos(
    photos: Sequence[Path],
    *,
    expect: int | None = None,
    reader: str = "both",
    annotate_to: Path | None = None,
) -> Iterator[Result]:
    """One object of the `dudo read --json` contract per photograph, in order; {"file", "error"} where it
    cannot be read. Writes annotated pictures into the folder named, over no photograph.

    Raises VisionError where a file that reading takes is missing or damaged, and WritingError."""
    if annotate_to:
        with _writing(annotate_to, "made"):
            annotate_to.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)  # small pictures read faster on one thread, and the rest of the box keeps its cores
    read.get_ready(reader)  # so that the printed time of the first photograph is like that of the others
    marked = _marked(photos, annotate_to) if annotate_to else [None] * len(photos)
    for photo, seen in zip(photos, marked, strict=True):
        yield _read_photo(photo, expect, reader, seen)


def load_models(reader: str) -> str:
    """Load all that reading takes, with the crop classifier, which an empty picture would never need; raises
    VisionError. Returns what runs it."""
    read.get_ready(reader)
    return net.load(classifier.CLASSIFIER_MODEL).runtime.name


def _marked(photos: Sequence[Path], folder: Path) -> Iterator[Path]:
    """Where the marked picture of each photograph is written: over none of them, and over no other's."""
    taken = {_known_as(photo) for photo in photos}
    for photo in photos:
        names = (f"{photo.stem}-seen{'' if number == 1 else f'-{number}'}.jpg" for number in count(1))
        free = next(folder / name for name in names if _known_as(folder / name) not in taken)
        taken.add(_known_as(free))
        yield free


def _known_as(path: Path) -> str:
    """The same for all names of a file: memory cards take x and X for one. Path.resolve raises for a loop of
    links under Python 3.11 and 3.12."""
    return os.path.realpath(path).casefold()


@contextmanager
def _writing(path: Path, done: str) -> Iterator[None]:
    """Raises WritingError where what cannot be `done` to the folder or picture is tried within this."""
    try:
        yield
    except OSError as error:
        why = f"{shown(path)} cannot be {done} ({error.strerror}): {WritingError.hint}."
        raise WritingError(why) from None


def _read_photo(photo: Path, expect: int | None, reader: str, marked: Path | None) -> Result:
    """The object of one photograph; `marked` is where it is written with its dice marked."""
    start = time.perf_counter()
    try:
        image = load(photo)
        loaded = time.perf_counter()
        reading = read.read(image, expect=expect, reader=reader, thorough=True)
        done = time.perf_counter()
        if marked:
            jpeg = cv2.imencode(".jpg", annotate(image, reading))[1].tobytes()
            with _writing(marked, "written"):
                marked.write_bytes(jpeg)
    except PhotoError as error:
        return {"file": shown(photo), "error": str(error)}
    return to_json(reading, shown(photo), {"decode": 1000 * (loaded - start), "read": 1000 * (done - loaded)})
