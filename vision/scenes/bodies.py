"""Solid things ready to be drawn: a shape in its place, its skin, and the patch of picture it fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scenes.light import Blocker, Surroundings, radiance
from vision.scenes.skin import Skin, die_skin
from vision.scenes.solids import Block, Solid, normals, trace
from vision.scenes.space import Eye
from vision.scenes.values import FloatArray, Lying

Planes = tuple[FloatArray, FloatArray, FloatArray]  # light, coverage, depth
_LARGE_PX = 200  # patches below are drawn with four rays to a pixel
_HUGE_PX = 480  # of those above not every pixel gets its own ray: only hands and boxes are so large
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
    wide = max(x1 - x0, y1 - y0)
    fine, coarse = (2, 1) if wide < _LARGE_PX else (1, 1 + wide // _HUGE_PX)
    shape = (-(-(y1 - y0) * fine // coarse), -(-(x1 - x0) * fine // coarse))
    xs, ys = (((np.arange(n, dtype=np.float32) + 0.5) * coarse / fine - 0.5) for n in shape[::-1])
    rays = eye.rays(*np.meshgrid(xs + x0, ys + y0))
    light, depth = _lit(body, eye, rays, around, blockers, fine)
    hit = depth < np.inf
    return Patch(x0, y0, *_cropped(_reduced(light, hit, depth, shape, fine), coarse, (y1 - y0, x1 - x0)))


def _cropped(planes: Planes, coarse: int, shape: tuple[int, int]) -> Planes:
    """Planes computed on every `coarse`-th pixel brought to the patch's own shape."""
    if coarse == 1:
        return planes
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
    body: Body, eye: Eye, rays: FloatArray, around: Surroundings, blockers: Sequence[Blocker], fine: int
) -> tuple[FloatArray, FloatArray]:
    """Light (3, n) and depth (n,) along rays; depth is infinite where they miss."""
    origin = body.axes @ (eye.place_mm.astype(np.float32) - body.centre_mm)
    own = body.axes @ rays
    hit, length = trace(body.solid, origin, own)
    light = np.zeros_like(rays)
    depth = np.full(rays.shape[1], np.inf, np.float32)
    if hit.size:
        points = origin[:, None] + own[:, hit] * length
        step = 1 / (eye.scale_at(body.centre_mm) * fine)
        skin = body.skin(points, normals(body.solid, points), step, own[:, hit])
        across = body.axes.T @ skin.normals
        places = body.axes.T @ points + body.centre_mm[:, None]
        light[:, hit] = radiance(skin, places, across, -rays[:, hit], around, blockers)
        depth[hit] = length
    return light, depth


def _reduced(
    light: FloatArray, hit: NDArray[np.bool_], depth: FloatArray, shape: tuple[int, int], fine: int
) -> Planes:
    """From samples to pixels."""
    h, w = shape
    picture = np.ascontiguousarray(light.T).reshape(h, w, 3)
    cover = hit.astype(np.float32).reshape(h, w)
    far = depth.reshape(h, w)
    if fine == 1:
        soft = np.asarray(cv2.GaussianBlur(cover, (3, 3), 0.5) * cover, np.float32)
        return np.asarray(picture * soft[..., None], np.float32), soft, far
    size = (w // fine, h // fine)
    small = cv2.resize(np.minimum(picture, 4), size, interpolation=cv2.INTER_AREA)
    nearest = far.reshape(h // fine, fine, w // fine, fine).min(axis=(1, 3))
    return (
        np.asarray(small, np.float32),
        np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.float32),
        np.asarray(nearest, np.float32),
    )
