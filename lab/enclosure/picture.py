"""Pictures of solids: parallel projection, a depth buffer, flat shading, and lines along sharp edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
import numpy.typing as npt
from manifold3d import Manifold

from lab.enclosure.stl import Mesh, mesh_of

Floats = npt.NDArray[np.float32]
Colour = tuple[int, int, int]

SUPERSAMPLING = 2
SHARP = 0.85
"""Two faces whose normals' product is below this meet in an edge that is drawn."""
LIGHT = np.array((-0.30, 0.52, 0.80), np.float32)
PAPER, INK = (255, 255, 255), (60, 55, 50)
BORDER = 0.04


@dataclass(frozen=True, slots=True)
class Item:
    """A solid and its colour (blue, green, red)."""

    solid: Manifold
    colour: Colour


@dataclass(frozen=True, slots=True)
class Ray:
    """A thin line of light, drawn where nothing hides it."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    colour: Colour = (40, 120, 230)


@dataclass(slots=True)
class _Canvas:
    """Colours (height, width, 3) and depths (height, width); larger depths are nearer."""

    colours: Floats
    depths: Floats


def rendered(
    items: Sequence[Item],
    width: int,
    height: int,
    *,
    turn_deg: float,
    tilt_deg: float,
    rays: Sequence[Ray] = (),
) -> npt.NDArray[np.uint8]:
    """A picture (height, width, 3) of all items, as large as they fit.

    The eye is turned by `turn_deg` around the upright axis from the front, and looks down by `tilt_deg`; up
    when it is negative.
    """
    eye = _eye(turn_deg, tilt_deg)
    meshes = [mesh_of(item.solid) for item in items]
    size = (width * SUPERSAMPLING, height * SUPERSAMPLING)
    points = np.concatenate([mesh.points @ eye.T for mesh in meshes])
    scale, shift = _fit(points, size)
    canvas = _Canvas(np.full((size[1], size[0], 3), PAPER, np.float32), np.full(size[::-1], -1e9, np.float32))
    flat = [_projected(mesh.points, eye, scale, shift) for mesh in meshes]
    for mesh, places, item in zip(meshes, flat, items, strict=True):
        _fill(canvas, mesh, places, item.colour, mesh.normals() @ (eye.T @ LIGHT))
    for mesh, places in zip(meshes, flat, strict=True):
        _edges(canvas, places, _sharp_edges(mesh))
    for ray in rays:
        ends = _projected(np.array((ray.start, ray.end), np.float32), eye, scale, shift)
        _lines(canvas, ends[:1], ends[1:], ray.colour, thick=2)
    small = cv2.resize(canvas.colours, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small.clip(0, 255), np.uint8)


def _eye(turn_deg: float, tilt_deg: float) -> Floats:
    """The rotation whose rows are right, up and towards the eye."""
    turn, tilt = radians(turn_deg), radians(tilt_deg)
    right = (cos(turn), sin(turn), 0.0)
    towards = (sin(turn) * cos(tilt), -cos(turn) * cos(tilt), sin(tilt))
    return np.array((right, np.cross(towards, right), towards), np.float32)


def _fit(points: Floats, size: tuple[int, int]) -> tuple[float, Floats]:
    """Scale and shift that bring all points into the picture, with a border."""
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    room = np.array(size) * (1 - 2 * BORDER)
    scale = float((room / (high - low)).min())
    return scale, np.asarray(np.array(size) / 2 - scale * np.array((1, -1)) * (low + high) / 2, np.float32)


def _projected(points: Floats, eye: Floats, scale: float, shift: Floats) -> Floats:
    """Points as (column, row, depth)."""
    seen = points @ eye.T
    return np.asarray(
        np.stack((seen[:, 0] * scale + shift[0], shift[1] - seen[:, 1] * scale, seen[:, 2] * scale), 1),
        np.float32,
    )


def _fill(canvas: _Canvas, mesh: Mesh, places: Floats, colour: Colour, shade: Floats) -> None:
    """Draw all triangles that face the eye."""
    corners = places[mesh.triangles]
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    facing = np.flatnonzero(ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0] < -1e-6)
    for n in facing:
        _triangle(canvas, corners[n], np.float32(0.58 + 0.42 * max(0.0, float(shade[n]))) * np.array(colour))


def _triangle(canvas: _Canvas, corners: Floats, colour: npt.NDArray[np.floating]) -> None:
    height, width = canvas.depths.shape
    left, top = np.maximum(np.floor(corners[:, :2].min(axis=0)).astype(int), 0)
    right, low = np.minimum(np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1, (width, height))
    if left >= right or top >= low:
        return
    x, y = np.arange(left, right) + 0.5, (np.arange(top, low) + 0.5)[:, None]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners.tolist()
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    depth = az + b * (bz - az) + c * (cz - az)
    part = (slice(top, low), slice(left, right))
    inside = (b >= -1e-4) & (c >= -1e-4) & (b + c <= 1.0001) & (depth > canvas.depths[part])
    canvas.depths[part][inside] = depth[inside]
    canvas.colours[part][inside] = colour


def _sharp_edges(mesh: Mesh) -> npt.NDArray[np.int64]:
    """The edges at which the surface bends, as pairs of indices."""
    triangles = mesh.triangles
    edges = np.concatenate([triangles[:, [n, (n + 1) % 3]] for n in range(3)])
    owners = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((edges.max(axis=1), edges.min(axis=1)))
    first, second = order[0::2], order[1::2]
    normals = mesh.normals()
    product = (normals[owners[first]] * normals[owners[second]]).sum(axis=1)
    return np.asarray(edges[first[product < SHARP]], np.int64)


def _edges(canvas: _Canvas, places: Floats, edges: npt.NDArray[np.int64]) -> None:
    _lines(canvas, places[edges[:, 0]], places[edges[:, 1]], INK)


def _lines(canvas: _Canvas, starts: Floats, ends: Floats, colour: Colour, thick: int = 1) -> None:
    """Draw the parts of lines that nothing hides."""
    height, width = canvas.depths.shape
    for start, end in zip(starts, ends, strict=True):
        steps = max(2, int(np.abs(end - start)[:2].max()) + 1)
        places = start + np.linspace(0, 1, steps, dtype=np.float32)[:, None] * (end - start)
        column, row = places[:, 0].astype(int), places[:, 1].astype(int)
        kept = (column >= 1) & (column < width - 1) & (row >= 1) & (row < height - 1)
        column, row, depth = column[kept], row[kept], places[kept, 2]
        free = depth + 2.5 >= canvas.depths[row, column]
        for dx in range(thick + 1):
            canvas.colours[row[free], column[free] + dx] = colour
            canvas.colours[row[free] + dx, column[free]] = colour


def png(picture: npt.NDArray[np.uint8]) -> bytes:
    """The picture as a PNG file of few colours, so that it stays small."""
    calm = (picture // 8 * 8 + 7).astype(np.uint8)
    good, packed = cv2.imencode(".png", calm, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if not good:
        raise ValueError("The picture cannot be packed as PNG.")
    return packed.tobytes()
