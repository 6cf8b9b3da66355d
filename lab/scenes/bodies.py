"""Solid things ready to be drawn: a shape in its place, its skin, and the patch of picture it fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from lab.scenes.light import Blocker, Surroundings, radiance
from lab.scenes.skin import Skin, die_skin
from lab.scenes.solids import Block, Solid, normals, trace
from lab.scenes.space import Eye
from lab.scenes.values import FloatArray, Lying

Planes = tuple[FloatArray, FloatArray, FloatArray]  # light, coverage, depth
_HUGE_PX = 480  # beyond this not every pixel gets its own ray: only hands and boxes are so large
_BRIGHTEST = 4.0  # a highlight takes over no more of its pixel's neighbours
SkinOf = Callable[[FloatArray, FloatArray, float, FloatArray], Skin]  # points, normals, mm per sample, rays


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A solid at `centre_mm` (3,); `axes` (3, 3) has its own axes as rows in world coordinates."""

    solid: Solid
    centre_mm: FloatArray
    axes: FloatArray
    skin: SkinOf

    def hulls(self) -> list[FloatArray]:
        """Points (n, 3) in the world whose convex hulls fill the body."""
        return [np.asarray(h @ self.axes + self.centre_mm, np.float32) for h in self.solid.hulls()]

    def blocker(self) -> Blocker:
        """What neighbours see of it: a box a little smaller than its own."""
        return Blocker(
            self.centre_mm, np.asarray(self.solid.bound_mm, np.float32) * np.float32(0.96), self.axes
        )


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """The part of the picture a body fills: corner in pixels, premultiplied linear light (h, w, 3), coverage
    (h, w) and depth in millimetres along the ray (h, w)."""

    x_px: int
    y_px: int
    light: FloatArray
    cover: FloatArray
    depth_mm: FloatArray


def die_body(die: Lying) -> Body:
    """The body of a die."""
    make = die.make
    half = make.side_mm / 2
    ball = make.ball * half if make.ball < 1.7 else 0.0
    solid = Block((half, half, half), max(0.02, make.corner) * half, ball)

    def skin(points: FloatArray, across: FloatArray, step_mm: float, rays: FloatArray) -> Skin:
        return die_skin(make, points / np.float32(half), across, step_mm / half, rays)

    return Body(solid, np.asarray(die.centre_mm, np.float32), np.asarray(die.turn, np.float32).T, skin)


def draw(body: Body, eye: Eye, around: Surroundings, blockers: Sequence[Blocker]) -> Patch | None:
    """The body's patch, or None where the picture does not show it."""
    box = _window(body, eye)
    if box is None:
        return None
    x0, y0, x1, y1 = box
    coarse = 1 + max(x1 - x0, y1 - y0) // _HUGE_PX
    xs, ys = ((np.arange(-(-n // coarse), dtype=np.float32) + 0.5) * coarse - 0.5 for n in (x1 - x0, y1 - y0))
    shape = (len(ys), len(xs))

    rays = eye.rays(*np.meshgrid(xs + x0, ys + y0))
    planes = _planes(*_lit(body, eye, rays, around, blockers, coarse), shape)
    if coarse > 1:
        return Patch(x0, y0, *_enlarged(_softened(planes), coarse, (y1 - y0, x1 - x0)))
    return Patch(x0, y0, *_refined(planes, body, eye, x0, y0))


def _planes(light: FloatArray, depth: FloatArray, shape: tuple[int, int]) -> Planes:
    """Light (3, n) and depth (n,) of rays laid out as a picture."""
    picture = np.ascontiguousarray(light.T).reshape(*shape, 3)
    far = depth.reshape(shape)
    return picture, np.asarray(far < np.inf, np.float32), far


def _refined(planes: Planes, body: Body, eye: Eye, x0: int, y0: int) -> Planes:
    """Pixels on the outline covered by as much as four rays through each say, and as bright as the body is
    beside them."""
    light, cover, depth = planes
    square = np.ones((3, 3), np.uint8)
    rows, columns = np.nonzero(cv2.dilate(cover, square) > cv2.erode(cover, square))
    x_px = (columns[:, None] + np.array([-0.25, 0.25, -0.25, 0.25]) + x0).astype(np.float32)
    y_px = (rows[:, None] + np.array([-0.25, -0.25, 0.25, 0.25]) + y0).astype(np.float32)
    met, length = trace(body.solid, _seen_from(body, eye), body.axes @ eye.rays(x_px, y_px))
    far = np.full(x_px.size, np.inf, np.float32)
    far[met] = length
    share = (far < np.inf).reshape(-1, 4).mean(axis=1, dtype=np.float32)
    near = (
        cv2.blur(light, (3, 3))[rows, columns]
        / np.maximum(cv2.blur(cover, (3, 3))[rows, columns], 1e-3)[:, None]
    )
    light[rows, columns] = near * share[:, None]
    cover[rows, columns] = share
    depth[rows, columns] = far.reshape(-1, 4).min(axis=1)
    return planes


def _seen_from(body: Body, eye: Eye) -> FloatArray:
    """The camera's place (3,) in the body's own axes."""
    return np.asarray(body.axes @ (eye.place_mm.astype(np.float32) - body.centre_mm), np.float32)


def _softened(planes: Planes) -> Planes:
    """Outlines of huge things blurred a little instead."""
    light, cover, depth = planes
    soft = np.asarray(cv2.GaussianBlur(cover, (3, 3), 0.5) * cover, np.float32)
    return np.asarray(light * soft[..., None], np.float32), soft, depth


def _enlarged(planes: Planes, coarse: int, shape: tuple[int, int]) -> Planes:
    """Planes computed on every `coarse`-th pixel brought to the patch's own shape."""
    size = (planes[1].shape[1] * coarse, planes[1].shape[0] * coarse)
    light, cover = (cv2.resize(p, size, interpolation=cv2.INTER_LINEAR) for p in planes[:2])
    far = planes[2].repeat(coarse, axis=0).repeat(coarse, axis=1)
    h, w = shape
    return np.asarray(light[:h, :w], np.float32), np.asarray(cover[:h, :w], np.float32), far[:h, :w]


def _window(body: Body, eye: Eye) -> tuple[int, int, int, int] | None:
    """The pixels (x0, y0, x1, y1) round the body that lie within the picture."""
    half = np.asarray(body.solid.bound_mm)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    seen = eye.project((signs * half) @ body.axes + body.centre_mm)
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 2, (eye.width_px, eye.height_px))
    if (high <= low).any():
        return None
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _lit(
    body: Body, eye: Eye, rays: FloatArray, around: Surroundings, blockers: Sequence[Blocker], step_px: int
) -> tuple[FloatArray, FloatArray]:
    """Light (3, n) and depth (n,) along rays; depth is infinite where they miss. `step_px` is the width
    of what one ray stands for."""
    origin = _seen_from(body, eye)
    own = body.axes @ rays
    hit, length = trace(body.solid, origin, own)
    light = np.zeros_like(rays)
    depth = np.full(rays.shape[1], np.inf, np.float32)
    if hit.size:
        points = origin[:, None] + own[:, hit] * length
        step = step_px / eye.scale_at(body.centre_mm)
        skin = body.skin(points, normals(body.solid, points), step, own[:, hit])
        across = body.axes.T @ skin.normals
        places = body.axes.T @ points + body.centre_mm[:, None]
        seen = radiance(skin, places, across, -rays[:, hit], around, blockers)
        light[:, hit] = np.minimum(seen, _BRIGHTEST)
        depth[hit] = length
    return light, depth
