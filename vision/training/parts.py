"""How well the small nets tell parts of dice.

The figures are of what the stages make of drawn pictures that nothing was trained on, as the nets learn it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from itertools import count, islice
from pathlib import Path

import numpy as np

from vision.learned import covered, net
from vision.learned.net import Net
from vision.training.figures import FIRST_SEED
from vision.training.nets import covered_cells
from vision.training.nets.covered_cells import NOTHING, PART, Lesson
from vision.training.pictures import scened
from vision.training.pictures.crops import Crop, pack

CROPS_PER_SCENE = 2
LEAST = dict(zip(covered_cells.KINDS, covered.LIKELY[:2], strict=True))
"""Odds from which each net for parts is believed."""


@dataclass(frozen=True, slots=True)
class Told:
    """Counts of crops that show a part of a die, how many of these were told, that show none, and how many of
    those were wrongly told."""

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


def measured(crops: int, model: Path) -> dict[Path, Told]:
    """The figures of the nets beside the one that finds dice, of so many drawn crops each."""
    finder, found = net.load(model), dict[Path, Told]()
    for kind, least in LEAST.items():
        beside, rng = model.with_name(f"{kind}.onnx"), np.random.default_rng(FIRST_SEED)
        drawn = pack(islice(_scenes(rng), crops))
        lessons = covered_cells.lessons(drawn, finder, rng, kind)
        found[beside] = of_part(lessons, net.load(beside), least)
    return found


def _scenes(rng: np.random.Generator) -> Iterator[Crop]:
    for seed in count(FIRST_SEED):
        yield from scened.scene_crops(rng, seed, CROPS_PER_SCENE)
