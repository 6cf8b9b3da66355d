"""Crops of drawn scenes in which a die lies or leans on another, or stands straight above it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from vision.scenes import (
    DIFFICULTIES,
    LEVELS,
    STYLES,
    DieTruth,
    Level,
    Picture,
    Scene,
    SceneError,
    throw,
)
from vision.scenes.lie import Spot, lying
from vision.scenes.values import Lying
from vision.training.pictures.crops import IGNORED, Crop
from vision.training.pictures.cutting import Label, cut
from vision.training.pictures.perched import ALONE, PERCHED, SEEN
from vision.training.pictures.scened import WHOLE, fitting
from vision.training.pictures.textures import Rng

LEANING, TOWERS = 0.25, 0.15
"""How many of the dice that lie on others in scenes lean on them, and how many stand straight above."""
LEAN_DEG, LEAN_OFF = (9.0, 32.0), (0.5, 0.9)
"""How far those that lean do so, and how many sides their middles lie beside the lower ones'."""
JUTTING = 0.25
"""So much must show of the lower die of a scene, in tops of it: less is a die's own sides."""
STANDING = 0.9
"""A die whose middle is so much of its height above another's top stands on it."""


def scene_piles(rng: Rng, seed: int, each: int) -> Iterator[Crop]:
    """`each` crops of a drawn scene whose last die lies or leans on the first if it can, or stands straight
    above it; none if dice don't fit."""
    style, difficulty = str(rng.choice(STYLES)), str(rng.choice(DIFFICULTIES, p=[0.3, 0.4, 0.3]))
    try:
        scene = throw(seed, style=style, difficulty=difficulty, count=(3, 7), level=_piled(rng, difficulty))
    except SceneError:
        return
    scene = _heaped(rng, scene)
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


def _heaped(rng: Rng, scene: Scene) -> Scene:
    """The scene with its upper die now and then leaning on the lower one, or straight above it."""
    way = rng.random()
    if not _lifted(scene) or way > LEANING + TOWERS:
        return scene
    low, upper = scene.dice[0], scene.dice[-1]
    spot = _leaning(rng, low, upper) if way < LEANING else _straight_above(rng, low, upper)
    return replace(scene, dice=(*scene.dice[:-1], lying(upper.face, upper.make, spot)))


def _lifted(scene: Scene) -> bool:
    """Whether the last die stands on the first."""
    if len(scene.dice) < 2:
        return False
    low, upper = scene.dice[0], scene.dice[-1]
    return upper.centre_mm[2] > low.make.side_mm / 2 + STANDING * upper.make.side_mm and not upper.cocked


def _leans(scene: Scene) -> bool:
    """Whether the last die leans on the first: others that lean do so away from all dice."""
    low, upper = scene.dice[0], scene.dice[-1]
    apart = np.hypot(*np.subtract(low.centre_mm, upper.centre_mm)[:2])
    return upper.cocked and low is not upper and bool(apart < 1.2 * LEAN_OFF[1] * upper.make.side_mm)


def _straight_above(rng: Rng, low: Lying, upper: Lying) -> Spot:
    x, y = np.array(low.centre_mm[:2]) + rng.uniform(-0.06, 0.06, 2) * low.make.side_mm
    turn = _yaw(low) + rng.normal(0, 0.05)
    return Spot(float(x), float(y), upper.make.side_mm / 2, turn, base_mm=low.make.side_mm)


def _leaning(rng: Rng, low: Lying, upper: Lying) -> Spot:
    """A place in which one side of a die rests on the upper edge of another, the other side lower down."""
    under, side = low.make.side_mm, upper.make.side_mm
    yaw, lean = float(rng.uniform(0, 7)), float(np.radians(rng.uniform(*LEAN_DEG)))
    away = float(rng.uniform(*LEAN_OFF)) * side
    rise = (away - under / 2 + side / 2 * np.cos(lean)) * np.tan(lean)
    x, y = low.centre_mm[0] + np.sin(yaw) * away, low.centre_mm[1] - np.cos(yaw) * away
    return Spot(float(x), float(y), side / 2, yaw, lean, yaw, base_mm=max(0.0, under - float(rise)))


def _yaw(die: Lying) -> float:
    """How a lying die is turned about the vertical, up to quarters."""
    turn = np.asarray(die.turn)
    level = int(np.abs(turn[2]).argmin())
    return float(np.arctan2(turn[1, level], turn[0, level]))


def _labels(scene: Scene, picture: Picture) -> Iterator[Label]:
    piled = _lifted(scene) or _leans(scene)
    whole_truth = len(picture.truth) == len(
        scene.dice
    )  # else the border left one out, and nobody knows which
    for truth in picture.truth:
        face = ALONE if _clear(truth) else IGNORED
        if piled and truth is picture.truth[-1]:
            face = _standing_on(picture.truth[0], truth) if whole_truth else IGNORED
        corners = np.array(truth.corners_px, np.float64)
        yield Label((truth.x_px, truth.y_px), corners, face, True, truth.size_px * 0.7)


def _standing_on(low: DieTruth, upper: DieTruth) -> int:
    """What the upper of two drawn dice is: of a tower a little of the lower one's sides must show."""
    if upper.visible <= WHOLE or upper.cut:
        return IGNORED
    return PERCHED if low.visible < SEEN[1] and _juts(low, upper) > JUTTING else IGNORED


def _juts(low: DieTruth, upper: DieTruth) -> float:
    """How much of the lower of two dice shows beside the upper one, in tops of it."""
    shapes = [[die.corners_px, *die.sides_px] for die in (upper, low)]
    points = np.array([p for shape in shapes for corners in shape for p in corners])
    origin, side = points.min(axis=0), float(np.ptp(points, axis=0).max())
    masks = [np.zeros((64, 64), np.uint8) for _ in shapes]
    for mask, shape in zip(masks, shapes, strict=True):
        for corners in shape:
            at = (np.array(corners) - origin) / side * 60 + 2
            cv2.fillConvexPoly(mask, np.round(at).astype(np.int32), 1)
    top = (low.size_px / side * 60) ** 2
    return float((masks[1] & (1 - masks[0])).sum()) / top


def _clear(truth: DieTruth) -> bool:
    return truth.visible > WHOLE and not truth.cut and not truth.cocked
