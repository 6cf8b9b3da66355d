"""How well the nets read pictures that they did not learn from.

    python -m lab.training.figures [--model FILE] [FOLDER...]

prints them for a model and the crop classifier beside it, of folders with photographs and a `labels.json`, or
else of synthetic images.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

import cv2

from lab.scenes import SceneError, render, throw
from lab.training.pictures.crops import IGNORED, OTHER
from lab.training.pictures.cutting import Image, Label
from lab.training.pictures.pool import photos
from lab.training.pictures.scened import labels_of
from vision.learned import MODEL, classifier, net
from vision.learned.maps import Detection
from vision.learned.net import Net

FIRST_SEED = 8_000_000
"""From here on no scene is trained on."""
CLEAR, FAINT = 0.5, 0.15
"""Scores from which a die counts as found, and from which the crop classifier judges a detection."""
NEAR = 0.6
"""A detection within this share of a face's side is of that die."""

Truth = tuple[Image, Sequence[Label]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts over pictures: their faces with pips, how many of these were found and how many read right, and
    how much else was taken for a face with pips."""

    pictures: int = 0
    dice: int = 0
    found: int = 0
    right: int = 0
    strangers: int = 0

    def __add__(self, other: Figures) -> Figures:
        return Figures(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def of_finder(truth: Truth, finder: Net) -> Figures:
    """What the net that looks at whole pictures makes of one."""
    image, labels = truth
    seen = [detection for detection in net.detections(image, finder) if detection.score >= CLEAR]
    read = [min((s for s in seen if _on(s, lb)), key=lambda s: _far(s, lb), default=None) for lb in labels]
    return _counted(labels, read, [s for s in seen if not _on_a_face(s, labels)])


def of_classifier(truth: Truth, finder: Net, crop_net: Net) -> Figures:
    """What the crop classifier says of each face, and of the other net's false positives."""
    image, labels = truth

    def judged(x_px: float, y_px: float, size_px: float) -> Detection | None:
        detection = classifier.judged(image, x_px, y_px, size_px, crop_net)
        return detection if detection and detection.score >= CLEAR else None

    wrong = [s for s in net.detections(image, finder) if s.score >= FAINT and not _on_a_face(s, labels)]
    read = [judged(*lb.centre_px, lb.size_px) for lb in labels]
    strangers = [judged(s.x_px, s.y_px, s.size_px) for s in wrong]
    return _counted(labels, read, [s for s in strangers if s])


def _counted(
    labels: Sequence[Label], read: Sequence[Detection | None], strangers: Sequence[Detection]
) -> Figures:
    """One picture's counts, `read` being what was read of each label."""
    faces = [
        (label.face, detection) for label, detection in zip(labels, read, strict=True) if label.face > OTHER
    ]
    return Figures(
        pictures=1,
        dice=len(faces),
        found=sum(detection is not None for _, detection in faces),
        right=sum(
            detection is not None and not detection.pipless and detection.face == face
            for face, detection in faces
        ),
        strangers=sum(not detection.pipless for detection in strangers),
    )


def _on_a_face(detection: Detection, labels: Iterable[Label]) -> bool:
    """Whether a detection is of a die with pips, or of an ignored one."""
    return any(_on(detection, label) for label in labels if label.face != OTHER)


def _on(detection: Detection, label: Label) -> bool:
    reach = label.reach_px if label.face == IGNORED else NEAR * label.size_px
    return _far(detection, label) < reach


def _far(detection: Detection, label: Label) -> float:
    return math.dist((detection.x_px, detection.y_px), label.centre_px)


def drawn(count: int) -> Iterator[Truth]:
    """So many pictures with seeds of their own."""
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        try:
            picture = render(throw(seed), 960, 720)
        except SceneError:  # its dice do not fit
            continue
        yield picture.image_bgr, labels_of(picture)


def of_folder(folder: Path) -> Iterator[Truth]:
    """The labelled photographs of a folder."""
    return ((photo.image(), photo.labels) for photo in photos(folder))


def measured(truths: Iterable[Truth], model: Path) -> dict[Path, Figures]:
    """The figures of a model and of the crop classifier beside it."""
    cv2.setNumThreads(1)
    classifier_model = model.with_name(classifier.CLASSIFIER_MODEL.name)
    finder, crop_net = net.load(model), net.load(classifier_model)
    found = judged = Figures()
    for truth in truths:
        found += of_finder(truth, finder)
        judged += of_classifier(truth, finder, crop_net)
    return {model: found, classifier_model: judged}


def show(name: str, truths: Iterable[Truth], model: Path) -> None:
    """Print the figures of a model and of the crop classifier beside it."""
    for path, counts in measured(truths, model).items():
        print(f"{name} {path.stem}: {asdict(counts)}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of each folder; returns the exit status."""
    ask = argparse.ArgumentParser(prog="python -m lab.training.figures")
    ask.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="photographs with a labels.json")
    ask.add_argument("--model", type=Path, default=MODEL, help="default: the one that is shipped")
    ask.add_argument("--count", type=int, default=100, help="synthetic images, where no folder is given")
    args = ask.parse_args(argv)
    for folder in args.folders:
        if not (folder / "labels.json").is_file():
            ask.error(f"{folder} has no labels.json: name folders of labelled photographs")
    if not args.model.is_file():
        ask.error(f"there is no model {args.model}: train one, or leave --model away")
    sources = {str(f): of_folder(f) for f in args.folders} or {"drawn": drawn(args.count)}
    for name, truths in sources.items():
        show(name, truths, args.model)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
