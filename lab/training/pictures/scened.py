"""Crops out of the renderer's scenes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lab.scenes import (
    DIFFICULTIES,
    LEVELS,
    STYLES,
    DieTruth,
    Level,
    Picture,
    Scene,
    SceneError,
    render,
    throw,
)
from lab.scenes.space import eye
from lab.scenes.truth import face_corners
from lab.training.pictures.crops import IGNORED, OTHER, Crop
from lab.training.pictures.cutting import Aim, Label, cut
from lab.training.pictures.textures import Rng

USUAL_PX = 44.0
"""Scenes are rendered at the size at which a die is about this wide, to render no pixel in vain."""
USUAL_SHARE = 6 / 160
"""Width of a die over the picture's, where there is none to go by."""
SLANTING, SLANTING_DEG = 0.5, (10.0, 45.0)
"""Share of slanting scenes, and the range of their minimum tilt: side faces look like top faces there."""
HIDDEN, WHOLE = 0.15, 0.85
"""Visible share of a top face below which a die is left out, and below which it is ignored."""


def scene_crops(rng: Rng, seed: int, each: int) -> Iterator[Crop]:
    """`each` crops of the scene that `seed` throws, of any style; none if its dice do not fit."""
    style, difficulty = str(rng.choice(STYLES)), str(rng.choice(DIFFICULTIES, p=[0.15, 0.4, 0.45]))
    level = _slanting(rng) if rng.random() < SLANTING else LEVELS[difficulty]
    try:
        scene = throw(seed, style=style, difficulty=difficulty, level=level)
    except SceneError:
        return
    picture = fitting(scene)
    for _ in range(each):
        yield crop(rng, picture)


def fitting(scene: Scene) -> Picture:
    """The scene, rendered so large that a die is about USUAL_PX wide."""
    share = _die_share(scene)
    width = int(np.clip(USUAL_PX / share, 320, 1280))
    return render(scene, width, width * 3 // 4)


def _die_share(scene: Scene) -> float:
    """The median side of the top faces over the picture's width; a usual one where there is none."""
    view = eye(scene.lens, scene.width_px, scene.height_px)
    tops = [face_corners(die, die.face, view) for die in scene.dice]
    sides = [float(np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).mean()) for top in tops]
    return float(np.median(sides)) / scene.width_px if sides else USUAL_SHARE


def _slanting(rng: Rng) -> Level:
    return replace(LEVELS["hard"], least_tilt_deg=float(rng.uniform(*SLANTING_DEG)))


def crop(rng: Rng, picture: Picture, aim: Aim | None = None) -> Crop:
    """One crop of a rendered picture, about `aim` if that is given."""
    rows = [(p.x_px, p.y_px, p.radius_px) for d in picture.truth if d.visible > HIDDEN for p in d.pips]
    return cut(rng, picture.image_bgr, labels_of(picture), np.array(rows, np.float64).reshape(-1, 3), aim)


def labels_of(picture: Picture) -> tuple[Label, ...]:
    """The dice of a rendered picture that can be seen."""
    return tuple(label_of(d, OTHER if d.symbol else d.face) for d in picture.truth if d.visible > HIDDEN)


def crowded(seed: int) -> Picture | None:
    """A picture with many other things, dominoes and tokens among them; None if they do not fit."""
    try:
        scene = throw(seed, count=(0, 6), level=replace(LEVELS["normal"], clutter=8.0))
    except SceneError:
        return None
    return render(scene, 960, 720)


def label_of(die: DieTruth, face: int) -> Label:
    """The label of a die of a rendered picture; occluded, truncated and leaning dice are ignored."""
    clear = die.visible > WHOLE and not die.cut and not die.cocked
    corners = np.array(die.corners_px, np.float64)
    return Label((die.x_px, die.y_px), corners, face if clear else IGNORED, True, die.size_px * 0.7)
