"""What a net makes of a labelled picture: where the labels' top faces lie, and what it takes for dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.training.pictures.cutting import Aim, Image, Label
from lab.training.pictures.pool import Photo, refined
from vision.learned import net
from vision.learned.maps import Detection

MISTAKE, MISTAKES = 0.15, 5
"""Minimum score of a false positive worth a crop, and the most of one picture."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A photo as a net sees it: its labels moved, and where the net sees dice that are none."""

    photo: Photo
    mistakes: tuple[Aim, ...]


def observe(model: Path, from_above: bool, photo: Photo) -> Observed:
    """A photo with its labels moved to the top faces, and what the net wrongly takes for dice in it."""
    seen = see(photo.image(), model)
    known = refined(photo, lambda _: seen, from_above)
    return Observed(known, wrong(seen, known.labels))


def see(image: Image, model: Path) -> Sequence[Detection]:
    """What a model's net takes for dice."""
    return net.detections(image, net.load(model))


def wrong(seen: Sequence[Detection], labels: Sequence[Label]) -> tuple[Aim, ...]:
    """The places (x, y, size) of the best detections that are of none of the labelled dice."""
    clear = [s for s in seen if s.score > MISTAKE and all(_beside(s, lb) for lb in labels)]
    return tuple((s.x_px, s.y_px, s.size_px) for s in clear[:MISTAKES])


def _beside(detection: Detection, label: Label) -> bool:
    off = max(abs(detection.x_px - label.centre_px[0]), abs(detection.y_px - label.centre_px[1]))
    return off > label.reach_px
