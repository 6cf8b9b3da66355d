"""Labelled photographs as a source of crops, and dice-free patches of them as grounds.

A folder has a `labels.json`: {photo: {"dice": [{"x", "y", "size", "face", "box"?}]}}, x and y over width and
height, size over width. Where a box round the whole die is all there is, its middle is not the top face's:
`refined` moves it to where a first net sees the same face. A traced picture's `corners_px`, those of the
top face, are exact and stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from lab.training.pictures.crops import IGNORED, SIDE_PX
from lab.training.pictures.cutting import Image, Label, square
from lab.training.pictures.textures import Rng
from vision.learned.maps import Detection

FAINT_SCORE, FAINT_FACE = 0.08, 0.12
"""Minimum score and probability of the labelled face to move a label: faint dice are worth most."""
CLEAR_SCORE, MIDDLE = 0.2, 0.5
"""Minimum score of any face in this middle share of a box to move the label of a misread die."""
See = Callable[[Image], Sequence[Detection]]


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph's file and its dice."""

    path: Path
    labels: tuple[Label, ...]

    def image(self) -> Image:
        """Its pixels, BGR."""
        return np.asarray(cv2.imread(str(self.path)), np.uint8)


def photos(folder: Path) -> Iterator[Photo]:
    """All labelled photographs of a folder."""
    for name, entry in json.loads((folder / "labels.json").read_text()).items():
        height, width = Photo(folder / name, ()).image().shape[:2]
        yield Photo(folder / name, tuple(_label(die, width, height) for die in entry["dice"]))


def _label(die: Mapping[str, Any], width: int, height: int) -> Label:
    face = IGNORED if die.get("ignore") or die.get("symbol") else int(die["face"])
    x, y, size = die["x"] * width, die["y"] * height, die["size"] * width
    box = die.get("box", (die["size"], size / height))
    reach = max(box[0] * width, box[1] * height) / 2
    if "corners_px" in die:
        return Label((x, y), np.array(die["corners_px"], np.float64), face, True, reach)
    return Label((x, y), square(x, y, size), face, False, reach)


def refined(photo: Photo, see: See, from_above: bool = False) -> Photo:
    """The photo with each die's place and size where `see` finds its face; others are set to be ignored.

    Seen `from_above` a die shows one face only, so that a detection in the middle of its box is that face,
    even where `see` misreads it: those dice are worth most.
    """
    found = [s for s in see(photo.image()) if s.score > FAINT_SCORE]
    return replace(photo, labels=tuple(_refined(label, found, from_above) for label in photo.labels))


def _refined(label: Label, found: Sequence[Detection], from_above: bool) -> Label:
    if label.turned:
        return label
    best = _face_of(label, found) or (_middle_of(label, found) if from_above else None)
    if best is None:
        reach = 2 * label.reach_px
        return replace(label, face=IGNORED, corners_px=square(*label.centre_px, reach))
    place = (best.x_px, best.y_px)
    return replace(label, centre_px=place, corners_px=square(*place, best.size_px))


def _face_of(label: Label, found: Sequence[Detection]) -> Detection | None:
    """The detection that best sees the labelled face."""
    fits = [s for s in found if label.face > 0 and s.faces[label.face] > FAINT_FACE and _in_box(label, s)]
    return max(fits, key=lambda s: s.score * s.faces[label.face], default=None)


def _middle_of(label: Label, found: Sequence[Detection]) -> Detection | None:
    """The clearest detection in the middle of the box, whatever it is taken for."""
    fits = [s for s in found if label.face > 0 and s.score > CLEAR_SCORE and _in_box(label, s, MIDDLE)]
    return max(fits, key=lambda s: s.score, default=None)


def _in_box(label: Label, detection: Detection, reach: float = 0.75) -> bool:
    off = max(abs(detection.x_px - label.centre_px[0]), abs(detection.y_px - label.centre_px[1]))
    share = detection.size_px / (2 * label.reach_px)
    return off < reach * label.reach_px and 0.45 < share < 1.1


def bare(rng: Rng, photo: Photo, image: Image, tries: int = 8) -> Image | None:
    """A patch of the photo that holds no die, SIDE_PX squared; None when there is no room for one."""
    height, width = image.shape[:2]
    for _ in range(tries):
        side = int(rng.uniform(0.12, 0.5) * min(height, width))
        x, y = int(rng.integers(0, width - side)), int(rng.integers(0, height - side))
        if all(_outside(label, x, y, side) for label in photo.labels):
            patch = image[y : y + side, x : x + side]
            return np.asarray(cv2.resize(patch, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)
    return None


def _outside(label: Label, x: int, y: int, side: int) -> bool:
    reach, (cx, cy) = label.reach_px * 1.1, label.centre_px
    return cx + reach < x or cx - reach > x + side or cy + reach < y or cy - reach > y + side
