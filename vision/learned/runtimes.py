"""What runs a net on one thread: ncnn where it is installed, else OpenCV. Both give the same answers.

Each takes one picture, blue, green, red from 0 to 255, and gives the wanted maps by their names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image

Maps = dict[str, NDArray[np.float32]]
ALL_AT_ONCE = cv2.__version__ >= "5"
"""From version 5 on OpenCV gives all maps or none."""
HALF_BITS = ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_storage")
"""Options of ncnn that compute with half of the bits, which changes answers."""


class Ncnn:
    """The net of the files .param and .bin; raises ImportError without ncnn, OSError for a bad file."""

    name = "ncnn"

    def __init__(self, path: Path) -> None:
        import ncnn

        self._ncnn, self._net = ncnn, ncnn.Net()
        self._kept = ncnn.UnlockedPoolAllocator(), ncnn.UnlockedPoolAllocator()
        options = self._net.opt
        options.num_threads = 1
        options.blob_allocator, options.workspace_allocator = self._kept
        for halving in HALF_BITS:
            setattr(options, halving, False)
        graph, weights = (_named(path.with_suffix(ending)) for ending in (".param", ".bin"))
        if self._net.load_param(graph) or self._net.load_model(weights):
            raise OSError(f"{path} or its weights can't be used")

    def run(self, image_bgr: Image, wanted: Sequence[str]) -> Maps:
        """The wanted maps (channels, ...) of a picture; others are not computed where that is possible."""
        height, width = image_bgr.shape[:2]
        kind = self._ncnn.Mat.PixelType.PIXEL_BGR
        taken = self._ncnn.Mat.from_pixels(np.ascontiguousarray(image_bgr), kind, width, height)
        taken.substract_mean_normalize([], [1 / 255] * 3)
        running = self._net.create_extractor()
        running.input("image", taken)
        del taken  # the first layer lets go of it then
        maps = {name: np.array(running.extract(name)[1]) for name in wanted}
        del running
        self.let_go()  # else the next level's maps would lie beside this one's
        return maps

    def let_go(self) -> None:
        """Give back the memory that the last picture took."""
        for kept in self._kept:
            kept.clear()


def _named(path: Path) -> str | bytes:
    """A file's name as ncnn opens it, wherever the home of a person is called Zoé."""
    return str(path).encode("mbcs") if sys.platform == "win32" else str(path)


class OpenCv:
    """The net of the file .onnx; raises cv2.error for one that it can't use."""

    name = "OpenCV"

    def __init__(self, path: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.fromfile(path.with_suffix(".onnx"), np.uint8))

    def run(self, image_bgr: Image, wanted: Sequence[str]) -> Maps:
        """As of `Ncnn`. OpenCV 4 takes bytes too: a quarter of the memory."""
        layers = self._layers(wanted)
        blob = np.ascontiguousarray(image_bgr.transpose(2, 0, 1))[None]
        self._net.setInput(*(np.float32(1 / 255) * blob,) if ALL_AT_ONCE else (blob, "", 1 / 255))
        answers = self._net.forward(list(layers.values()))
        maps = dict(zip(layers, answers, strict=True))
        return {name: np.asarray(maps[name][0], np.float32) for name in wanted}

    def let_go(self) -> None:
        """Look at next to nothing, with the first layer alone: the net keeps the maps of its last picture and
        the weights as arranged for its size, 37 MB of a large one."""
        if not ALL_AT_ONCE:
            self._net.setInput(np.zeros((1, 3, 32, 32), np.float32))
            self._net.forward(self._net.getLayerNames()[:1])

    def _layers(self, wanted: Sequence[str]) -> dict[str, str]:
        """The layers to ask for by the names of their maps: of each wanted map the first of its name, since
        what comes after is computed only for who asks for the last."""
        if ALL_AT_ONCE:
            return {name: name for name in self._net.getUnconnectedOutLayersNames()}
        first = {name.rpartition("!")[2]: name for name in reversed(self._net.getLayerNames())}
        return {name: first[name] for name in wanted}


Runtime = Ncnn | OpenCv
"""Either runs one net, and keeps state meanwhile: one thread at a time may use it."""
