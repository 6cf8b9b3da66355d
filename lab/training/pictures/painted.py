"""Quick painted crops: cubes under a pinhole camera on a ground, some thirty a second, with exact truth.

They stand beside the scenes of `lab.scenes`: less true to light, but so quick that variety is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.pictures import clutter, faces
from lab.training.pictures.augmentation import augmented
from lab.training.pictures.crops import OTHER, SIDE_PX, Crop, Mark, judged_px
from lab.training.pictures.textures import Image, Rng, ground, whole

OVER = 2
"""Painting is done this many times larger, then shrunk: smooth edges for little."""
USUAL_PX, CLOSE_PX = (15.0, 72.0), (75.0, 320.0)
"""Sides of painted dice; those from near by teach that a lone pip is no die."""
TOPS = (0.18, 0.26, 0.17, 0.13, 0.13, 0.13)
"""How often each face lies on top: twos, close-set ones above all, and aces are what is misread."""
Points = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: `f_px` focal length, `away` distance in die sides, `turn` the table's rotation."""

    f_px: float
    away: float
    turn: Points

    def project(self, points: Points) -> Points:
        """Pixels of points (n, 3) given in die sides, z up from the table's level of the top faces."""
        seen = points @ self.turn.T
        scale = self.f_px / (self.away - seen[:, 2:])
        return np.asarray(seen[:, :2] * [1, -1] * scale + SIDE_PX * OVER / 2)


@dataclass(frozen=True, slots=True)
class Cube:
    """One cube: middle of its top face (x, y), half its side, turn, face on top, face on its sides, how it is
    made, and how high above the table it stands."""

    x: float
    y: float
    half: float
    yaw: float
    top: int
    sides: tuple[int, int, int, int]
    made: faces.Style
    base: float = 0.0

    @property
    def foot(self) -> Points:
        """From a corner of its top down to that of its foot."""
        return np.array([0, 0, -2 * self.half])


def any_camera(rng: Rng, die_px: float) -> Camera:
    """A camera from above or, for every second crop, tilted to 38 degrees, with dice about `die_px` wide."""
    tilt = np.radians(rng.uniform(0, 10) if rng.random() < 0.55 else rng.uniform(8, 38))
    spin, away = rng.uniform(0, 2 * np.pi), rng.uniform(5, 30)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    return Camera(die_px * OVER * away, away, lean @ turn)


def paint(
    rng: Rng, backdrop: NDArray[np.uint8] | None = None, sizes_px: tuple[float, float] = USUAL_PX
) -> Crop:
    """One crop with zero to many cubes and some clutter, on `backdrop` or on a ground of its own."""
    side = SIDE_PX * OVER
    image = ground(rng, side) if backdrop is None else cv2.resize(backdrop, (side, side)).astype(np.float32)
    for _ in range(rng.choice([0, 1, 2, 4], p=[0.45, 0.3, 0.15, 0.1])):
        clutter.draw(rng, image)
    die_px = float(np.exp(rng.uniform(*np.log(sizes_px))))
    camera = any_camera(rng, die_px)
    cubes = cubes_of(rng, SIDE_PX / die_px) if rng.random() < 0.88 else []
    shadows(rng, image, cubes, camera)
    marks, pips = [], []
    for cube in sorted(cubes, key=lambda c: float((camera.turn @ [c.x, c.y, 0])[2])):
        mark, dots = draw(rng, image, cube, camera)
        marks.append(mark)
        pips.append(dots)
    small = np.asarray(cv2.resize(image, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.float32)
    dots = np.asarray(np.concatenate([np.zeros((0, 3)), *pips]), np.float32)
    return Crop(augmented(rng, small, judged_px(marks)), tuple(marks), dots)


def cubes_of(rng: Rng, span: float) -> list[Cube]:
    """Cubes over a field `span` die sides wide: scattered, or packed in rows."""
    made = [faces.style(rng) for _ in range(int(rng.choice([1, 2, 5], p=[0.6, 0.25, 0.15])))]
    packed = rng.random() < 0.22
    places = _packed(rng, span) if packed else _scattered(rng, span)
    yaw = rng.uniform(0, np.pi / 2)
    return [
        cube_of(rng, x, y, half, yaw + rng.normal(0, 0.05) if packed else rng.uniform(0, 7), made)
        for x, y, half in places
    ]


def cube_of(rng: Rng, x: float, y: float, half: float, yaw: float, made: list[faces.Style]) -> Cube:
    """A cube at this place of any face, made as one of `made`."""
    top = OTHER if rng.random() < 0.08 else int(rng.choice(6, p=TOPS)) + 1
    pair = [f for f in range(1, 7) if f not in (top, 7 - top)] if top else [1, 2, 5, 6]
    first = int(rng.choice(pair))
    second = int(rng.choice([f for f in pair if f not in (first, 7 - first)]))
    sides = (first, second, 7 - first, 7 - second)
    return Cube(x, y, half, yaw, top, sides, made[int(rng.integers(len(made)))])


def _scattered(rng: Rng, span: float) -> list[tuple[float, float, float]]:
    mixed = rng.random() < 0.25
    wanted = min(30, int(rng.geometric(0.28)) + int(rng.uniform(0, 0.25) * span * span))
    placed: list[tuple[float, float, float]] = []
    for _ in range(wanted * 2):
        x, y = rng.uniform(-0.62, 0.62, 2) * span
        half = 0.5 * (rng.uniform(0.65, 1.35) if mixed else 1.0)
        if all(np.hypot(x - a, y - b) > (half + c) * rng.uniform(1.08, 1.42) for a, b, c in placed):
            placed.append((x, y, half))
    return placed[:wanted]


def _packed(rng: Rng, span: float) -> list[tuple[float, float, float]]:
    gap, kept, yaw = rng.uniform(1.0, 1.25), rng.uniform(0.4, 1.0), rng.uniform(0, 7)
    reach = min(4, int(span / 2) + 1)
    rows = range(-reach, reach + 1)
    out: list[tuple[float, float, float]] = []
    for row in rows:
        for col in rows:
            if rng.random() < kept and len(out) < 40:
                rng.integers(0, 2)  # moves nothing any more; without it all that is drawn later would change
                x, y = col * gap, row * gap
                out.append((x * np.cos(yaw) - y * np.sin(yaw), x * np.sin(yaw) + y * np.cos(yaw), 0.5))
    return out


def corners(cube: Cube) -> Points:
    """Top corners (4, 3) in order round the face; the top lies at z = 0 for the common size."""
    angles = cube.yaw + np.pi / 4 + np.arange(4) * np.pi / 2
    reach = cube.half * np.sqrt(2)
    z = np.full(4, 2 * cube.half - 1.0 + cube.base)
    return np.stack([cube.x + reach * np.cos(angles), cube.y + reach * np.sin(angles), z], 1)


def solid_px(cube: Cube, camera: Camera) -> Points:
    """Pixels (8, 2) of the corners of a cube's top, then of its foot."""
    top = corners(cube)
    return camera.project(np.concatenate([top, top + cube.foot]))


def shadows(rng: Rng, image: Image, cubes: list[Cube], camera: Camera) -> None:
    """Darken the picture about the foot of each cube."""
    if not cubes:
        return
    mask = np.zeros(image.shape[:2], np.float32)
    throw = rng.normal(0, 0.25, 2)
    for cube in cubes:
        top = corners(cube)
        foot = top + cube.foot
        hull = cv2.convexHull(whole(camera.project(np.concatenate([foot, foot + np.array([*throw, 0])]))))
        cv2.fillConvexPoly(mask, hull, 1.0)
    blur = rng.uniform(1, 14) * OVER
    image *= 1 - rng.uniform(0, 0.7) * cv2.GaussianBlur(mask, (0, 0), blur)[..., None]


def draw(rng: Rng, image: Image, cube: Cube, camera: Camera) -> tuple[Mark, Points]:
    """Paint one cube and return its truth: mark and pips in crop pixels."""
    body = solid_px(cube, camera)
    side_px = float(np.linalg.norm(np.diff(body[:4], axis=0), axis=1).mean())
    tone = rng.uniform(0.7, 1.15)
    _hull(image, body, cube.made, side_px, tone * rng.uniform(0.45, 1.0))
    for n in range(4):
        quad = np.stack([body[n], body[(n + 1) % 4], body[(n + 1) % 4 + 4], body[n + 4]])
        if _area(quad) < 0:
            face_onto(rng, image, quad, cube.sides[n], cube.made, tone * rng.uniform(0.35, 1.1))
    dots = face_onto(rng, image, body[:4], cube.top, cube.made, tone)
    return mark_of(body[:4], cube.top), dots / OVER


def _hull(image: Image, body: Points, made: faces.Style, side_px: float, tone: float) -> None:
    hull = whole(cv2.convexHull(body.astype(np.float32)))
    inset = made.corner * side_px * 0.6
    middle = body.mean(0)
    shrunk = whole(middle + (hull[:, 0] - middle) * max(0.3, 1 - inset * 1.9 / side_px))
    ink = np.clip(made.body * tone, 0, 255).tolist()
    cv2.fillConvexPoly(image, shrunk, ink, cv2.LINE_AA)
    cv2.polylines(image, [shrunk], True, ink, max(1, round(2 * inset)), cv2.LINE_AA)


def _area(quad: Points) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def face_onto(rng: Rng, image: Image, quad: Points, face: int, made: faces.Style, tone: float) -> Points:
    """Warp one painted face onto its quad; returns pip centres and radii (n, 3) in image pixels."""
    texture, places = faces.blank(rng, made), np.zeros((0, 2), np.float32)
    radius = made.radius * (made.ace_scale if face == 1 else 1.0)
    if face:
        places = faces.pip_places(face, made, bool(rng.integers(2)))
        faces.draw_pips(rng, texture, places, made, radius)
    else:
        faces.draw_emblem(rng, texture, made)
    warp = paste(image, texture * tone + _gloss(rng, made), made.corner, quad)
    at = (places[None] + 0.5) * faces.TEXTURE_PX
    centres = cv2.perspectiveTransform(at, warp)[0] if len(places) else np.zeros((0, 2))
    size = np.sqrt(abs(_area(quad)))
    return np.concatenate([centres, np.full((len(centres), 1), radius * size)], 1)


def _rounded(corner: float) -> Image:
    side = faces.TEXTURE_PX
    mask = np.zeros((side, side), np.float32)
    r = max(1, round(corner * side * 0.8))
    cv2.rectangle(mask, (r, r), (side - r, side - r), 1.0, -1)
    cv2.rectangle(mask, (r, r), (side - r, side - r), 1.0, max(1, 2 * r - 4), cv2.LINE_AA)
    return mask


def _gloss(rng: Rng, made: faces.Style) -> Image:
    side = faces.TEXTURE_PX
    if not made.gloss:
        return np.zeros((1, 1, 1), np.float32)
    at = rng.uniform(-0.1, 1.1, 2) * side
    ramp = np.arange(side, dtype=np.float32)
    far = ((ramp[None, :] - at[0]) ** 2 + (ramp[:, None] - at[1]) ** 2) / (rng.uniform(0.05, 0.4) * side) ** 2
    return np.asarray((220 * made.gloss * np.exp(-far))[..., None], np.float32)


def paste(image: Image, texture: Image, corner: float, quad: Points) -> Points:
    """Lay a square picture (TEXTURE_PX, TEXTURE_PX, 3), its corners rounded, onto a quadrangle (4, 2);
    returns how its pixels come to lie, (3, 3)."""
    side = faces.TEXTURE_PX
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    warp = np.asarray(cv2.getPerspectiveTransform(square, quad.astype(np.float32)), np.float64)
    _lay(image, texture, _rounded(corner), warp, quad)
    return warp


def _lay(image: Image, texture: Image, alpha: Image, warp: Points, quad: Points) -> None:
    """Blend a warped picture into the part of the image that its quadrangle takes."""
    side = image.shape[0]
    low = np.clip(np.floor(quad.min(0)).astype(int) - 1, 0, side)
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 2, 0, side)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    if min(size) < 1:
        return
    move = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64) @ warp
    cover = cv2.warpPerspective(alpha, move, size)[..., None]
    laid = cv2.warpPerspective(np.clip(texture, 0, 255), move, size)
    part = image[low[1] : high[1], low[0] : high[0]]
    part += cover * (laid - part)


def mark_of(top: Points, face: int) -> Mark:
    quad = top / OVER
    edge = quad[1] - quad[0]
    middle = _crossing(quad)
    angle = float(np.degrees(np.arctan2(edge[1], edge[0])) % 90)
    return Mark(middle[0], middle[1], float(np.sqrt(abs(_area(quad)))), angle, face)


def _crossing(quad: Points) -> tuple[float, float]:
    """Where the diagonals meet: the picture of the face's middle."""
    a, b = quad[2] - quad[0], quad[3] - quad[1]
    d = quad[1] - quad[0]
    t = (d[0] * b[1] - d[1] * b[0]) / (a[0] * b[1] - a[1] * b[0])
    return float(quad[0, 0] + t * a[0]), float(quad[0, 1] + t * a[1])
