"""How well the small nets tell what they are asked for: parts of dice, dice that lie on others, prints.

The figures are of what the stages make of drawn pictures that nothing was trained on, as the nets learn it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from itertools import count, islice
from pathlib import Path

import numpy as np

from vision.agreement import relief
from vision.arrays import Image
from vision.learned import covered, net, perched, surroundings
from vision.learned.net import Net
from vision.learned.turns import Place
from vision.training.figures import FIRST_SEED
from vision.training.nets import covered_cells
from vision.training.nets.covered_cells import NOTHING, PART, Lesson
from vision.training.nets.places import seen_whole
from vision.training.pictures import scened
from vision.training.pictures.crops import IGNORED, Crop, Mark, pack
from vision.training.pictures.flat import FLAT, flat_scenes
from vision.training.pictures.heaps import scene_piles
from vision.training.pictures.perched import PERCHED

CROPS_PER_SCENE = 2
LEAST = dict(zip(covered_cells.KINDS, covered.LIKELY[:2], strict=True))
"""Odds from which each net for parts is believed."""


@dataclass(frozen=True, slots=True)
class Told:
    """Counts of crops (for parts of dice) or of dice (for such as lie on others, and prints): that show what
    is looked for, and of these how many were told; that show none, and how many of them were wrongly told."""

    shown: int = 0
    told: int = 0
    others: int = 0
    wrong: int = 0

    def __add__(self, other: Told) -> Told:
        return Told(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def of_part(lessons: Iterable[Lesson], seer: Net, least: float) -> Told:
    """What a net for parts of dice tells of crops with half-hidden dice."""
    return sum((_of_lesson(lesson, seer, least) for lesson in lessons), Told())


def _of_lesson(lesson: Lesson, seer: Net, least: float) -> Told:
    (odds,) = seer.answers(lesson.features[None].astype(np.float32), ("odds",))
    above = odds[0, 0] > least
    part, nothing = (lesson.cells == kind for kind in (PART, NOTHING))
    shown = bool(part.any())
    return Told(shown, bool(above[part].any()), not shown, not shown and bool(above[nothing].any()))


def of_perched(crops: Iterable[Crop], seer: Net) -> Told:
    """What the net that sees dice on dice tells of those of some crops."""
    told = ((mark, bool(perched.told(*at, seer))) for mark, at in _judged(crops))
    return sum((_counted(mark.face == PERCHED, is_told) for mark, is_told in told), Told())


def of_prints(crops: Iterable[Crop], seer: Net) -> Told:
    """What the net for prints tells of those of some crops, and of the dice beside them."""
    told = ((mark, bool(surroundings.odds(*at, seer)[0] > 0)) for mark, at in _judged(crops))
    return sum((_counted(mark.face == FLAT, is_told) for mark, is_told in told), Told())


def _judged(crops: Iterable[Crop]) -> Iterator[tuple[Mark, tuple[Image, list[Place]]]]:
    """The marks that somebody should judge, each with its picture and place."""
    for crop in crops:
        for mark in crop.marks:
            if mark.face != IGNORED and seen_whole(_place(mark)):
                yield mark, (crop.image_bgr, [_place(mark)])


def _place(mark: Mark) -> Place:
    return mark.x_px, mark.y_px, mark.size_px


def _counted(shown: bool, told: bool) -> Told:
    return Told(shown, shown and told, not shown, not shown and told)


def measured(crops: int, model: Path) -> dict[Path, Told]:
    """The figures of the nets beside the one that finds dice, of so many drawn crops each."""
    finder, found = net.load(model), dict[Path, Told]()
    for kind, least in LEAST.items():
        beside, rng = model.with_name(f"{kind}.onnx"), np.random.default_rng(FIRST_SEED)
        drawn = pack(islice(_scenes(rng), crops))
        lessons = covered_cells.lessons(drawn, finder, rng, kind)
        found[beside] = of_part(lessons, net.load(beside), least)
    beside, rng = model.with_name(perched.MODEL_PERCHED.name), np.random.default_rng(FIRST_SEED)
    piles = (crop for seed in count(FIRST_SEED) for crop in scene_piles(rng, seed, CROPS_PER_SCENE))
    found[beside] = of_perched(islice(piles, crops), net.load(beside))
    beside, rng = model.with_name(relief.MODEL_FLAT.name), np.random.default_rng(FIRST_SEED)
    sheets = (crop for seed in count(FIRST_SEED) for crop in flat_scenes(rng, seed, CROPS_PER_SCENE))
    return {**found, beside: of_prints(islice(sheets, crops), net.load(beside))}


def _scenes(rng: np.random.Generator) -> Iterator[Crop]:
    for seed in count(FIRST_SEED):
        yield from scened.scene_crops(rng, seed, CROPS_PER_SCENE)
