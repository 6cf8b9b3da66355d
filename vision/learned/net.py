"""The learned way of seeing dice: a small net, run on one thread over a pyramid of the picture.

The net (`vision/models/dice.*`, made by `lab.training`) gives maps at an eighth of the picture: of
top-face centres, faces, sizes and turns, and of features. Everything here is pure but for loading the file
once.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image
from vision.errors import VisionError
from vision.learned import MODEL
from vision.learned.maps import STRIDE, Detection, decode, merged
from vision.learned.runtimes import Maps, Ncnn, OpenCv, Runtime
from vision.picture.working import resized

RUNTIMES: Sequence[Callable[[Path], Runtime]] = (Ncnn, OpenCv)
LEVELS_PX = (120, 240, 480, 960)
"""Long sides of the pyramid's pictures: the net finds faces of 19 to 58 px, so levels overlap by half."""
MULTIPLE = 32
"""Sides of pictures are multiples of it."""
FACE_PX, SMALL_FACE_PX = 34.0, 26.0
"""Width of a face on the level that shows dice of one size best, and on one beyond LEVELS_PX."""
UNCUT_PX, PIECE_PX, HALO_PX = max(LEVELS_PX), 800, 128
"""A longer side is cut into pieces, which takes less memory and more time. Each sees so much of the next
ones as a cell depends on by more than its far surroundings, which only the coarsest maps show."""


class ModelMissing(VisionError):
    """The model's files are not there or are none that can be run here."""


@dataclass(slots=True)
class Net:
    """A loaded model, for one thread at a time."""

    runtime: Runtime
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, image_bgr: Image, *wanted: str) -> Maps:
        """The wanted maps by name: "faces" or "features", each (channels, h / 8, w / 8), of a picture whose
        sides are multiples of 32, or what the crop classifier says of a crop. Others are not computed."""
        with self._lock:
            return self.runtime.run(image_bgr, wanted)

    def let_go(self) -> None:
        """Keep nothing of the last picture."""
        with self._lock:
            self.runtime.let_go()

    def faces(self, image_bgr: Image) -> NDArray[np.float32]:
        """The map of faces, (channels, h / 8, w / 8)."""
        rows, columns = (_pieces(side_px) for side_px in image_bgr.shape[:2])
        strips = [
            np.concatenate([self._own_faces(image_bgr, row, column) for column in columns], axis=2)
            for row in rows
        ]
        return np.concatenate(strips, axis=1)

    def _own_faces(self, image_bgr: Image, row: _Piece, column: _Piece) -> NDArray[np.float32]:
        """The part of the map of faces that is the own of a piece of the picture."""
        return self.run(image_bgr[row.seen, column.seen], "faces")["faces"][:, row.own, column.own]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a picture along one axis: pixels that the net is given, and its own cells of their map."""

    seen: slice
    own: slice


def _pieces(side_px: int) -> list[_Piece]:
    """The pieces along an axis of `side_px`, a multiple of 32; a short one is not cut."""
    number = 1 if side_px <= UNCUT_PX else math.ceil(side_px / PIECE_PX)
    cells = side_px // MULTIPLE
    ends_px = [cells * k // number * MULTIPLE for k in range(number + 1)]
    return [_piece(start, end, side_px) for start, end in pairwise(ends_px)]


def _piece(start_px: int, end_px: int, side_px: int) -> _Piece:
    first_px = max(0, start_px - HALO_PX)
    own = slice((start_px - first_px) // STRIDE, (end_px - first_px) // STRIDE)
    return _Piece(slice(first_px, min(side_px, end_px + HALO_PX)), own)


@cache
def load(path: Path = MODEL) -> Net:
    """The model of a file, loaded once, by the quickest that can; raises ModelMissing."""
    fault: Exception | None = None
    for runtime in RUNTIMES:
        try:
            return Net(runtime(path))
        except (ImportError, OSError, cv2.error) as error:
            fault = error
    raise ModelMissing(f"the model {path.name} can't be used: {ModelMissing.hint}") from fault


def detections(image_bgr: Image, net: Net | None = None) -> tuple[Detection, ...]:
    """All that the net takes for dice on the whole pyramid, each once, in pixels of `image_bgr`."""
    return merged(chain.from_iterable(on_levels(image_bgr, LEVELS_PX, net)))


def on_levels(image_bgr: Image, longest_px: Iterable[float], net: Net | None = None) -> list[list[Detection]]:
    """The detections on each level of these long sides, in pixels of `image_bgr`: a die may be on several.

    Afterwards the net keeps no maps.
    """
    net, scales = net or load(), [side_px / max(image_bgr.shape) for side_px in longest_px]
    found = [_on_level(net, image_bgr, scale) for scale in scales]
    net.let_go()
    return found


def best_level_px(image_bgr: Image, size_px: float) -> float:
    """Long side of the level on which faces of `size_px` are FACE_PX wide. Beyond LEVELS_PX they are
    SMALL_FACE_PX wide on it, and it is `max_level_px` at most."""
    times, finest_px = float(max(image_bgr.shape)) / size_px, float(max(LEVELS_PX))
    if FACE_PX * times <= finest_px:
        return FACE_PX * times
    return min(max(SMALL_FACE_PX * times, finest_px), max_level_px(image_bgr))


def max_level_px(image_bgr: Image) -> float:
    """Long side of the largest level, for small dice: the picture as it is, within once and twice the finest
    of LEVELS_PX. Twice is four times the work."""
    finest_px = max(LEVELS_PX)
    return float(max(finest_px, min(max(image_bgr.shape), 2 * finest_px)))


def _on_level(net: Net, image_bgr: Image, scale: float) -> list[Detection]:
    small = resized(image_bgr, scale)
    (height, width), small = small.shape[:2], padded(small)  # the one without padding is not kept
    return decode(net.faces(small), (height, width), 1 / scale)


def padded(image_bgr: Image) -> Image:
    """The picture with its last row and column repeated until both sides are multiples of 32."""
    height, width = image_bgr.shape[:2]
    below = math.ceil(height / MULTIPLE) * MULTIPLE - height
    right = math.ceil(width / MULTIPLE) * MULTIPLE - width
    return np.asarray(cv2.copyMakeBorder(image_bgr, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
