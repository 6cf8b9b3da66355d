"""Crops of drawn scenes in which a die lies on another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vision.scenes import (
    DIFFICULTIES,
    LEVELS,
    STYLES,
    Level,
    Picture,
    Scene,
    SceneError,
    throw,
)
from vision.training.pictures.crops import IGNORED, Crop
from vision.training.pictures.cutting import Label, cut
from vision.training.pictures.perched import ALONE, PERCHED, face_of_upper
from vision.training.pictures.scened import fitting, label_of
from vision.training.pictures.textures import Rng

STANDING = 0.9
"""A die whose middle is so much of its height above another's top stands on it."""


def scene_piles(rng: Rng, seed: int, each: int) -> Iterator[Crop]:
    """`each` crops of a drawn scene whose last die lies on the first if it can; none if dice don't fit."""
    style, difficulty = str(rng.choice(STYLES)), str(rng.choice(DIFFICULTIES, p=[0.3, 0.4, 0.3]))
    try:
        scene = throw(seed, style=style, difficulty=difficulty, count=(3, 7), level=_piled(rng, difficulty))
    except SceneError:
        return
    picture = fitting(scene)
    labels = tuple(_labels(scene, picture))
    upper = [label for label in labels if label.face == PERCHED]
    for number in range(each):
        aim = (*upper[0].centre_px, upper[0].size_px) if upper and number % 2 == 0 else None
        yield cut(rng, picture.image_bgr, labels, None, aim)


def _piled(rng: Rng, difficulty: str) -> Level:
    level = replace(LEVELS[difficulty], stacked=1.0)
    level = replace(level, clump=0.3) if rng.random() < 0.3 else level
    slanting = float(rng.uniform(12, 30))
    return replace(level, least_tilt_deg=slanting, tilt_deg=40.0) if rng.random() < 0.2 else level


def _lifted(scene: Scene) -> bool:
    """Whether the last die stands on the first."""
    low, upper = scene.dice[0], scene.dice[-1]
    return upper.centre_mm[2] > low.make.side_mm / 2 + STANDING * upper.make.side_mm and not upper.cocked


def _labels(scene: Scene, picture: Picture) -> Iterator[Label]:
    all_there = len(picture.truth) == len(scene.dice)  # else the border left one out, nobody knows which
    for truth in picture.truth:
        face = ALONE
        if _lifted(scene) and truth is picture.truth[-1]:
            face = face_of_upper(picture.truth[0].visible) if all_there else IGNORED
        yield label_of(truth, face)
