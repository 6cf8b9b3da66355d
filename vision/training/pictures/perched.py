"""Crops of dice that lie on other dice, among dice that do not: such as lie alone, touch, or lie on a card.

The face of a mark says PERCHED or ALONE here, IGNORED where nobody should judge it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.pictures import clutter, faces, painted
from vision.training.pictures.crops import IGNORED, SIDE_PX, Crop, Mark
from vision.training.pictures.painted import OVER, Cube, Points, View
from vision.training.pictures.spoil import spoil
from vision.training.pictures.textures import Image, Rng, colour, ground, whole

ALONE, PERCHED = 0, 1
"""Faces of marks: of a die that lies on the ground, and of one on another die."""
SIZES_PX = (18.0, 52.0)
"""Sides of painted dice, and of those in photographs onto which one is laid."""
SEEN = (0.1, 0.93)
"""Shares of the lower die's top in view between which the upper one is PERCHED: of less nobody can be asked
to see it, of more it lies beside."""
OFF = (0.12, 0.62)
"""So many sides the middles of the two lie apart."""
TOUCHED = 0.02
"""A die of whose top so much is hidden is judged by nobody."""
OFTEN, ON_CARDS, LAID = 0.3, 0.06, 0.6
"""How often a painted die carries another, how often one lies on a card, and of dice painted into photographs
how many lie on one that is there, the others beside them."""
CARDS = (1.5, 5.0)
"""Sides of cards, in sides of dice."""


def pile(rng: Rng) -> Crop:
    """A crop of painted cubes, some of which carry another."""
    image = ground(rng, SIDE_PX * OVER)
    for _ in range(rng.choice([0, 1, 2, 4], p=[0.45, 0.3, 0.15, 0.1])):
        clutter.draw(rng, image)
    die_px = float(np.exp(rng.uniform(*np.log(SIZES_PX))))
    look = painted.view(rng, die_px)
    low = sorted(painted.cubes_of(rng, SIDE_PX / die_px), key=lambda c: float((look.turn @ [c.x, c.y, 0])[2]))
    _cards(rng, image, low, look)
    painted.shadows(rng, image, low, look)
    lying = [replace(painted.draw(rng, image, cube, look)[0], face=ALONE) for cube in low]
    standing = list[Mark]()
    for upper in _uppers(rng, low):
        painted.shadows(rng, image, [upper], look)
        mark, _ = painted.draw(rng, image, upper, look)
        hidden = [_hidden(cube, upper, look) for cube in low]
        lying = [replace(m, face=IGNORED) if h > TOUCHED else m for m, h in zip(lying, hidden, strict=True)]
        standing.append(replace(mark, face=face_of_upper(1 - max(hidden))))
    return Crop(shrunk(rng, image), (*lying, *standing), None)


def _cards(rng: Rng, image: Image, cubes: Sequence[Cube], look: View) -> None:
    """Cards and coasters under some of the cubes: they jut out as dice do, but are larger."""
    for cube in cubes:
        if rng.random() < ON_CARDS:
            size, turn = rng.uniform(*CARDS, 2), rng.uniform(0, 7)
            flat = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 + rng.uniform(-0.4, 0.4, 2)) * size
            spun = flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            outline = look.project(np.insert(np.add(spun, (cube.x, cube.y)), 2, -1.0, axis=1))
            cv2.fillConvexPoly(image, whole(outline), colour(rng).tolist(), cv2.LINE_AA)


def _uppers(rng: Rng, low: Sequence[Cube]) -> list[Cube]:
    """Cubes on some of the lower ones, none in another."""
    made, uppers = [cube.made for cube in low], list[Cube]()
    for cube in low:
        if rng.random() < OFTEN:
            upper = _upper(rng, cube, made)
            if all(np.hypot(upper.x - u.x, upper.y - u.y) > 1.45 * (upper.half + u.half) for u in uppers):
                uppers.append(upper)
    return uppers


def _upper(rng: Rng, low: Cube, made: list[faces.Style]) -> Cube:
    """A cube on a lower one, of its make or any of these, turned as it is or freely."""
    way, reach = rng.uniform(0, 2 * np.pi), rng.uniform(*OFF) * min(2 * low.half, 1)
    half = low.half * rng.choice([1.0, rng.uniform(0.75, 1.2)])
    yaw = low.yaw + rng.normal(0, 0.06) if rng.random() < 0.25 else rng.uniform(0, 7)
    at = low.x + reach * np.cos(way), low.y + reach * np.sin(way)
    cube = painted.cube_of(rng, *at, half, yaw, [low.made] if rng.random() < 0.5 else made)
    return replace(cube, base=2 * low.half)


def face_of_upper(seen: float) -> int:
    """What the upper of two dice is of whose lower one this share of the top is in view."""
    return PERCHED if SEEN[0] <= seen < SEEN[1] else IGNORED


def _hidden(low: Cube, upper: Cube, look: View) -> float:
    """Share of a cube's top that another hides."""
    top, over = (_filled(px) for px in (look.project(painted.corners(low)), painted.solid_px(upper, look)))
    return float((top & over).sum()) / max(1, int(top.sum()))


def _filled(points_px: Points) -> NDArray[np.uint8]:
    """1 within the hull of points, over the whole crop."""
    mask = np.zeros((SIDE_PX * OVER, SIDE_PX * OVER), np.uint8)
    cv2.fillConvexPoly(mask, whole(cv2.convexHull(points_px.astype(np.float32))), 1)
    return mask


def shrunk(rng: Rng, image: Image) -> NDArray[np.uint8]:
    small = cv2.resize(image, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    return spoil(rng, np.asarray(small, np.float32))


def laid(rng: Rng, crop: Crop, steep_deg: float) -> Crop:
    """A crop of a photograph with a painted die laid onto one of its dice, or beside them.

    `steep_deg` is how far off the vertical the photograph may be seen.
    """
    marks = [replace(m, face=ALONE if m.face >= 0 else IGNORED) for m in crop.marks]
    lows = [m for m in marks if SIZES_PX[0] < m.size_px < SIZES_PX[1] and within(m)]
    low = lows[int(rng.integers(len(lows)))] if lows else None
    on = rng.random() < LAID
    at = None if low is None else (low.x_px, low.y_px) if on else beside(rng, low, marks)
    if low is None or at is None:
        return Crop(crop.image_bgr, tuple(marks), None)
    image = cv2.resize(crop.image_bgr, (SIDE_PX * OVER, SIDE_PX * OVER)).astype(np.float32)
    look = _looking_down(rng, low.size_px, steep_deg)
    cube, ground_cube = _onto(rng, look, at, on)
    painted.shadows(rng, image, [cube], look)
    mark, _ = painted.draw(rng, image, cube, look)
    body_px = painted.solid_px(cube, look) / OVER
    marks = [replace(m, face=IGNORED) if reaches(body_px, m) else m for m in marks]
    face = face_of_upper(1 - _hidden(ground_cube, cube, look)) if on else ALONE
    return Crop(shrunk(rng, image), (*marks, replace(mark, face=face)), None)


def within(mark: Mark) -> bool:
    return all(0.8 * mark.size_px < v < SIDE_PX - 0.8 * mark.size_px for v in (mark.x_px, mark.y_px))


def beside(rng: Rng, low: Mark, marks: Sequence[Mark]) -> tuple[float, float] | None:
    """A place away from all dice, None if none is soon found."""
    for _ in range(20):
        x, y = rng.uniform(0.8 * low.size_px, SIDE_PX - 0.8 * low.size_px, 2)
        if all(np.hypot(x - m.x_px, y - m.y_px) > 1.35 * max(m.size_px, low.size_px) for m in marks):
            return float(x), float(y)
    return None


def _looking_down(rng: Rng, die_px: float, steep_deg: float) -> View:
    while True:
        look = painted.view(rng, die_px)
        if look.turn[2, 2] > np.cos(np.radians(steep_deg)):
            return look


def _onto(rng: Rng, look: View, at_px: tuple[float, float], on: bool) -> tuple[Cube, Cube]:
    """A cube at a place of the crop, on the die there or not; and that die, seen straight, turned anyhow."""
    flat = np.array([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], float)
    back = cv2.getPerspectiveTransform(look.project(flat).astype(np.float32), flat[:, :2].astype(np.float32))
    x, y = cv2.perspectiveTransform(np.array([[at_px]], np.float64) * OVER, back)[0, 0].tolist()
    low = painted.cube_of(rng, x, y, 0.5, rng.uniform(0, 7), [faces.style(rng)])
    return (_upper(rng, low, [faces.style(rng)]) if on else low), low


def reaches(body_px: Points, mark: Mark) -> bool:
    """Whether what is drawn comes so near to a die's middle that its sides may be hidden."""
    hull = cv2.convexHull(body_px.astype(np.float32))
    return cv2.pointPolygonTest(hull, (float(mark.x_px), float(mark.y_px)), True) > -0.75 * mark.size_px
