"""Reads pictures: all that the box asks of `vision`, in plain values that can be handed between processes."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

import cv2
import numpy as np

from companion import memory
from companion.app.reading.decoder import decoded, encoded, for_phones
from companion.app.reading.reader_process import Example, Features, Jpegs, Pixels, Seen, Taught
from companion.errors import BadCommand
from vision import read
from vision.annotate import annotate
from vision.arrays import Image
from vision.contract import ReadingJson, to_json
from vision.learned import emblems
from vision.learned.taught import Taught as Known
from vision.values import Reading

UNDRAWN = 2
"""So many pictures are held until they are drawn: one of the box's camera and one of a phone."""

DRAWN_KEPT = 8 << 20
"""Bytes at the end of the heap that are kept once a picture is drawn: the next one is taken meanwhile, which
takes 16 MB in the camera's process, and up to 4 MB stay between others. More is kept while pictures are read
without being drawn."""

MARGIN = 1.5
"""So many sides of a shown die are kept around its middle each way."""


class Reader:
    """Reads in the process that it is made in; the models are loaded when they are first needed.

    `reader` is the way of reading, as in the settings. Everything raises `vision.learned.net.ModelMissing`.
    """

    def __init__(self, rest_s: float | None = None) -> None:
        """With `rest_s`, the memory of a reading is kept for the next, and given back after so many idle
        seconds."""
        self._rest_s, self._rest = rest_s, threading.Timer(0.0, memory.hand_back)
        self._number = os.getpid() << 32  # no two processes give the same number
        self._undrawn = dict[int, tuple[Image, Reading]]()
        if rest_s is not None:
            memory.keep()

    def get_ready(self, reader: str) -> None:
        """Load what reading takes."""
        cv2.setNumThreads(1)  # small pictures read faster on one thread, and the box keeps its other cores
        read.get_ready(reader)
        self._rest_soon()

    def observe(
        self, image: Image | Pixels, reader: str, scale_px: float | None = None, taught: Sequence[Taught] = ()
    ) -> Seen:
        """A picture (height, width, 3) uint8 read; `scale_px` is how wide dice should be."""
        image_bgr = _array(image)
        self._undrawn = dict(list(self._undrawn.items())[1 - UNDRAWN :])
        reading = _read(image_bgr, reader, scale_px, taught)
        self._rest_soon()
        self._number += 1
        self._undrawn[self._number] = image_bgr, reading
        return Seen(_plain(reading), self._number)

    def jpegs(self, number: int) -> Jpegs | None:
        """The picture of that number as JPEGs, once; None for one of long ago. A verdict does not wait for
        them."""
        undrawn = self._undrawn.pop(number, None)
        if undrawn is None:
            return None
        image_bgr, reading = undrawn
        drawn = Jpegs(for_phones(annotate(image_bgr, reading)), encoded(image_bgr))
        memory.hand_back(DRAWN_KEPT)
        return drawn

    def forget(self, number: int) -> None:
        """Keep the picture of that number no longer: nobody will draw it."""
        self._undrawn.pop(number, None)

    def hand_back(self) -> None:
        """Keep no memory for the next reading: another process needs as much first."""
        memory.hand_back()

    def read(self, image: Image | Pixels, reader: str, taught: Sequence[Taught] = ()) -> ReadingJson:
        """A picture read, as the object of `dudo read --json`."""
        reading = _read(_array(image), reader, None, taught)
        self._rest_soon()
        return _plain(reading)

    def dice(self, image_bgr: Image) -> tuple[tuple[float, float, float], ...]:
        """The dice of a picture: where they lie and how wide they are, all in pixels."""
        return tuple((die.x_px, die.y_px, die.size_px) for die in _read(image_bgr, "both", None, ()).dice)

    def example(self, image_bgr: Image, face: int) -> Example:
        """The example in a picture in which one die shows `face`.

        Raises BadCommand when no thing, or more than one, lies there.
        """
        region = _alone(image_bgr)
        part = _cut_out(image_bgr, region)
        png = bytes(cv2.imencode(".png", part)[1])
        return Example(encoded(part), png, region.size_px, self.features(png, region.size_px, face))

    def features(self, png: bytes, size_px: float, face: int) -> Features:
        """The features that the model computes from a kept example."""
        image = decoded(png)
        middle = emblems.Region(image.shape[1] / 2, image.shape[0] / 2, size_px)
        seen = emblems.examples(image, middle, face)
        return tuple(tuple(map(float, example.embedding)) for example in seen)

    def _rest_soon(self) -> None:
        self._rest.cancel()
        if self._rest_s is not None:
            self._rest = threading.Timer(self._rest_s, memory.hand_back)
            self._rest.daemon = True
            self._rest.start()


def _array(image: Image | Pixels) -> Image:
    if not isinstance(image, tuple):
        return image
    height, width, pixels = image
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)


def _read(image_bgr: Image, reader: str, scale_px: float | None, taught: Sequence[Taught]) -> Reading:
    known = [Known(face, np.array(features)) for face, features in taught]
    return read.read(image_bgr, reader=reader, scale_px=scale_px, taught=known)


def _plain(reading: Reading) -> ReadingJson:
    return to_json(reading, "", {"decode": 0.0, "read": 0.0})


def _alone(image_bgr: Image) -> emblems.Region:
    regions = emblems.shown_alone(image_bgr)
    if not regions:
        raise BadCommand("nothing_shown")
    if len(regions) > 1:
        raise BadCommand("show_one_die")
    return regions[0]


def _cut_out(image_bgr: Image, region: emblems.Region) -> Image:
    """The die with its surroundings as it was taken."""
    reach = max(1, round(MARGIN * region.size_px))
    left, top = round(region.x_px) - reach, round(region.y_px) - reach
    wide = cv2.copyMakeBorder(image_bgr, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    return np.asarray(wide[top + reach : top + 3 * reach, left + reach : left + 3 * reach], np.uint8)
