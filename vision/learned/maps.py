"""From the net's raw maps to detections: peaks of the heatmap with face, place, size and turn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.float32]
STRIDE = 8
"""Side of a cell of the map of faces, in pixels of its level."""
UNIT_PX = 32.0
"""Sizes are learned as the logarithm over this."""
MIN_HEATMAP, CLEAR = 0.08, 0.5
"""Minimum score of a detection, and minimum worth of a clear one."""
MAX_PLACES = 120
"""Detections of one level, and places judged in one picture: nothing but pips must not take for ever."""
NEAR = 0.5
"""Two detections nearer than this share of a side lie on one another: one die twice, or a die and its pip."""


@dataclass(frozen=True)
class Detection:
    """A place that the net takes for a die.

    `score` is its confidence that a top face is here. `faces` are the probabilities of no pips (emblem,
    blank) and of 1 to 6.
    """

    x_px: float
    y_px: float
    size_px: float
    angle_deg: float
    score: float
    faces: tuple[float, ...]

    @cached_property
    def face(self) -> int:
        """The likeliest of 1 to 6."""
        return max(range(1, len(self.faces)), key=self.faces.__getitem__)

    @property
    def evidence(self) -> float:
        """How sure it is that a die shows `face` here: what only looks like a die mostly lacks one."""
        return self.score * self.faces[self.face]

    @property
    def pipless(self) -> bool:
        """Whether it looks like a cube without pips: an emblem, a numeral, a blank."""
        return self.faces[0] > 0.5

    @property
    def worth(self) -> float:
        """How sure it is that a die with `face` or a cube without pips is here."""
        return self.score if self.pipless else self.evidence

    @property
    def clear(self) -> bool:
        """Whether it is more than half sure of that."""
        return self.worth > CLEAR


def sigmoid(x: Map) -> Map:
    """1 / (1 + exp(-x))."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def softmax(logits: Map) -> Map:
    """Probabilities (c, ...) that sum to one over the classes (Bridle 1990)."""
    raised = np.exp(logits - logits.max(axis=0))
    return np.asarray(raised / raised.sum(axis=0), np.float32)


def peaks(heatmap: Map, least: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of cells of logits that are the largest of their three by three and above `least`."""
    largest = cv2.dilate(heatmap, np.ones((3, 3), np.uint8))
    rows, cols = np.nonzero((heatmap >= largest) & (heatmap > least))
    return rows, cols


def decode(faces: Map, shape: tuple[int, int], zoom: float) -> list[Detection]:
    """Detections of one level of `shape` (height, width); `zoom` brings its pixels back to the picture's."""
    rows, cols = peaks(faces[0], math.log(MIN_HEATMAP / (1 - MIN_HEATMAP)))
    best = np.argsort(-faces[0, rows, cols], kind="stable")[:MAX_PLACES]
    rows, cols = rows[best], cols[best]
    cells, scores = _decoded(faces[:, rows, cols], rows, cols), sigmoid(faces[0, rows, cols])
    height, width = shape
    return [
        Detection(x * zoom, y * zoom, size * zoom, angle, score, tuple(shares))
        for (x, y, size, angle, *shares), score in zip(cells.tolist(), scores.tolist(), strict=True)
        if x < width and y < height
    ]


def _decoded(cells: Map, rows: NDArray[np.int64], cols: NDArray[np.int64]) -> Map:
    """What n cells (13, n) say, (n, 11): x, y and side in pixels of their level, angle, and the shares of no
    pips and of 1 to 6."""
    x, y = (cols + 0.5 + cells[8]) * STRIDE, (rows + 0.5 + cells[9]) * STRIDE
    size = UNIT_PX * np.exp(np.clip(cells[10], -2, 2))
    angle = np.degrees(np.arctan2(cells[12], cells[11])) / 4 % 90
    return np.stack([x, y, size, angle, *softmax(cells[1:8])], axis=1)


def merged(detections: Iterable[Detection]) -> tuple[Detection, ...]:
    """The detections, best first, less those that lie on a better one (non-maximum suppression).

    A clear one hides whatever lies on it, smaller or larger; another only what is about as large.
    """
    ranked = sorted(detections, key=lambda detection: detection.score, reverse=True)
    x, y, size = np.array([(d.x_px, d.y_px, d.size_px) for d in ranked]).reshape(-1, 3).T
    left, kept = np.ones(len(ranked), bool), list[Detection]()
    for index, detection in enumerate(ranked):
        if left[index]:
            kept.append(detection)
            reach = (np.maximum if detection.clear else np.minimum)(size, size[index])
            left &= np.hypot(x - x[index], y - y[index]) >= NEAR * reach
    return tuple(kept)
