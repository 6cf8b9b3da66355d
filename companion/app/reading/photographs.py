"""Photographs for single commands, read one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import cv2

from vision import read
from vision.annotate import annotate
from vision.arrays import Image
from vision.contract import FailedJson, ReadingJson, to_json
from vision.errors import shown
from vision.learned import classifier, net
from vision.picture.photos import PhotoError, load
from vision.picture.writing import Names, PictureTooLong, make_folder, write
from vision.values import Reading

Photograph: TypeAlias = ReadingJson
Result: TypeAlias = ReadingJson | FailedJson
"""A photograph that was read, or could not be."""


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
        make_folder(annotate_to)
    cv2.setNumThreads(1)  # small pictures read faster on one thread, and the rest of the box keeps its cores
    read.get_ready(reader)  # so that the printed time of the first photograph is like that of the others
    names = Names(photos)
    for photo in photos:
        yield _read_photo(photo, expect, reader, _Written(names, annotate_to))


def load_models(reader: str) -> str:
    """Load all that reading takes, with the crop classifier, which an empty picture would never need; raises
    VisionError. Returns what runs it."""
    read.get_ready(reader)
    return net.load(classifier.CLASSIFIER_MODEL).runtime.name


@dataclass(frozen=True, slots=True)
class _Written:
    """Where results of photographs are written, and under which names."""

    names: Names
    annotate_to: Path | None

    def write(self, photo: Path, image: Image, reading: Reading) -> None:
        """Write the pictures of one photograph; raises `vision.picture.writing.WritingError`."""
        if self.annotate_to:
            name = self.names.claim(self.annotate_to, photo.stem, (".jpg",))
            write(self.annotate_to / f"{name}.jpg", annotate(image, reading))


def _read_photo(photo: Path, expect: int | None, reader: str, written: _Written) -> Result:
    """The object of one photograph."""
    start = time.perf_counter()
    try:
        image = load(photo)
        loaded = time.perf_counter()
        reading = read.read(image, expect=expect, reader=reader, thorough=True)
        done = time.perf_counter()
        written.write(photo, image, reading)
    except (PhotoError, PictureTooLong) as error:
        return {"file": shown(photo), "error": str(error)}
    return to_json(reading, shown(photo), {"decode": 1000 * (loaded - start), "read": 1000 * (done - loaded)})
