"""The learned way of seeing dice: a small net, run by OpenCV on one thread over a pyramid of the picture.

The net (`vision/models/dice.onnx`, made by `lab.training`) gives maps at an eighth of the picture: of
top-face centres, faces, sizes and turns, and of features. Everything here is pure but for loading the file
once.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import vision
from vision.errors import VisionError
from vision.learned.maps import STRIDE, Detection, decode
from vision.learned.merge import merged
from vision.picture.shrink import resized

Image = NDArray[np.uint8]
MODEL = Path(vision.__file__).with_name("models") / "dice.onnx"
LEVELS_PX = (120, 240, 480, 960)
"""Long sides of the pyramid's pictures: the net finds faces of 19 to 58 px, so levels overlap by half."""
MULTIPLE = 32
"""Sides of pictures are multiples of it."""
ALL_AT_ONCE = cv2.__version__ >= "5"
"""From version 5 on OpenCV gives all maps or none."""
FACE_PX, SMALL_FACE_PX = 34.0, 26.0
"""Width of a face on the level that shows dice of one size best, and on one beyond LEVELS_PX."""
UNCUT_PX, HALO_PX = 800, 128
"""A longer side is cut into pieces, which takes less memory. Each sees so much of the next ones as a cell
depends on by more than its far surroundings, which only the coarsest maps show."""


class ModelMissing(VisionError):
    """The model's file is not there or is not one that this OpenCV can run."""


@dataclass(slots=True)
class Net:
    """A loaded model. OpenCV's nets keep state while they run, so one thread at a time may use it."""

    _net: cv2.dnn.Net
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, image_bgr: Image, *wanted: str) -> dict[str, NDArray[np.float32]]:
        """The wanted maps by name, "faces" or "features", each (channels, h / 8, w / 8), of a picture whose
        sides are multiples of 32; others are not computed."""
        layers = self._layers(wanted)
        taken = as_input if ALL_AT_ONCE else _as_bytes  # not kept here: the net has its own
        maps = dict(zip(layers, self.answers(taken(image_bgr), list(layers.values())), strict=True))
        return {name: maps[name][0] for name in wanted}

    def outputs(self, blob: NDArray[np.float32], *wanted: str) -> dict[str, NDArray[np.float32]]:
        """The wanted outputs by name for a batch of small pictures; others are not computed."""
        layers = self._layers(wanted)
        found = dict(zip(layers, self.answers(blob, list(layers.values())), strict=True))
        return {name: found[name] for name in wanted}

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

    def let_go(self) -> None:
        """Look at next to nothing, with the first layer alone: the net keeps the maps of its last picture and
        the weights as arranged for its size, 37 MB of a large one."""
        self.answers(np.zeros((1, 3, MULTIPLE, MULTIPLE), np.float32), self._first())

    def _first(self) -> Sequence[str]:
        """What is computed first: all layers are laid out anew for it."""
        return self._net.getUnconnectedOutLayersNames() if ALL_AT_ONCE else self._net.getLayerNames()[:1]

    def _layers(self, wanted: Sequence[str]) -> dict[str, str]:
        """The layers to ask for by the names of their maps: of each wanted map the first of its name, since
        what comes after is computed only for who asks for the last."""
        if ALL_AT_ONCE:
            return {name: name for name in self._net.getUnconnectedOutLayersNames()}
        first = {name.rpartition("!")[2]: name for name in reversed(self._net.getLayerNames())}
        return {name: first[name] for name in wanted}

    def answers(
        self, blob: NDArray[np.float32] | NDArray[np.uint8], outputs: Sequence[str]
    ) -> list[NDArray[np.float32]]:
        """The named outputs for a batch (n, c, h, w): of pictures from 0 to 1 or from 0 to 255, as their type
        tells, or of another net's maps."""
        with self._lock:
            self._net.setInput(blob, "", 1 / 255 if blob.dtype == np.uint8 else 1.0)
            del blob
            return [np.asarray(out, np.float32) for out in self._net.forward(list(outputs))]


def as_input(image_bgr: Image) -> NDArray[np.float32]:
    """A picture as the nets take it, (1, 3, h, w) from 0 to 1, in half the time of OpenCV's blobFromImage."""
    return np.multiply(cv2.split(image_bgr), np.float32(1 / 255), dtype=np.float32)[None]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a picture along one axis: pixels that the net is given, and its own cells of their map."""

    seen: slice
    own: slice


def _pieces(side_px: int) -> list[_Piece]:
    """The pieces along an axis of `side_px`, a multiple of 32; a short one is not cut."""
    number, cells = math.ceil(side_px / UNCUT_PX), side_px // MULTIPLE
    ends_px = [cells * k // number * MULTIPLE for k in range(number + 1)]
    return [_piece(start, end, side_px) for start, end in pairwise(ends_px)]


def _piece(start_px: int, end_px: int, side_px: int) -> _Piece:
    first_px = max(0, start_px - HALO_PX)
    own = slice((start_px - first_px) // STRIDE, (end_px - first_px) // STRIDE)
    return _Piece(slice(first_px, min(side_px, end_px + HALO_PX)), own)


def _as_bytes(image_bgr: Image) -> Image:
    """A picture from 0 to 255, (1, 3, h, w), as nets of OpenCV 4 take it too: a quarter of the memory."""
    return np.ascontiguousarray(image_bgr.transpose(2, 0, 1))[None]


@cache
def load(path: Path = MODEL) -> Net:
    """The model of a file, loaded once; raises ModelMissing."""
    try:
        return Net(cv2.dnn.readNetFromONNX(str(path)))
    except cv2.error as error:
        raise ModelMissing(f"the model {path.name} can't be used: {ModelMissing.hint}") from error


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
