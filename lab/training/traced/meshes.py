"""Meshes of solids as arrays: dice with drilled pips, polyhedra, cones. Lengths in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lab.scenes.pips import frame_of, has_pips, layout
from lab.scenes.values import Make

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FLAT_CELLS, EDGE_CELLS = 56, 6
"""Cells of a face between its rounded edges, and across each edge: 0.2 mm on a die of 16 mm, so that the rim
of a pip 3 mm wide has some 45 vertices."""
NO_PIP = 9.0
"""Distance to a pip's rim on faces without pips, in half sides."""
FLAT_BOTTOM = 0.45
"""Depth at which a drilled pip's bottom is flat, as a share of the depth of the whole bowl."""
MAX_DEPTH = 0.11
"""Maximum depth of a pip in half sides: 0.9 mm on a die of 16 mm, as deep as dice on sale are drilled."""


@dataclass(frozen=True, slots=True, eq=False)
class DieMesh:
    """A die about the origin, in its own axes.

    `vertices_mm` is (n, 3), `quads` (m, 4) with outward winding. `rim` (n,) is the signed distance to the
    nearest rim of a pip in half sides: negative inside. `face` (n,) is the face of each vertex.
    """

    vertices_mm: Floats
    quads: Ints
    rim: Floats
    face: Ints


def die_mesh(make: Make) -> DieMesh:
    """The body of a make: a cube with rounded edges and corners, its pips drilled into it."""
    points, rims, faces, quads = [], [], [], []
    grid, cells = _grid(make.corner)
    for face in range(1, 7):
        frame = frame_of(face, make)
        flat = grid[:, :1] * frame[0] + grid[:, 1:] * frame[1] + frame[2]
        rim, depth = _drilled(face, make, grid)
        points.append(_rounded(flat, make) - depth[:, None] * frame[2])
        rims.append(rim)
        quads.append(cells + (face - 1) * len(grid))
        faces.append(np.full(len(grid), face))
    vertices = np.concatenate(points) * make.side_mm / 2
    return _welded(vertices, np.concatenate(quads), np.concatenate(rims), np.concatenate(faces))


def _grid(corner: float) -> tuple[Floats, Ints]:
    """Points (n, 2) of a face in half sides, dense across its rounded edges, and its quads."""
    edge = np.linspace(1 - corner, 1, EDGE_CELLS + 1)[1:]
    line = np.concatenate([-edge[::-1], np.linspace(corner - 1, 1 - corner, FLAT_CELLS + 1), edge])
    count = len(line)
    u, v = np.meshgrid(line, line, indexing="ij")
    first = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    return np.stack([u.ravel(), v.ravel()], 1), np.stack(
        [first, first + count, first + count + 1, first + 1], 1
    )


def _rounded(points: Floats, make: Make) -> Floats:
    """Points of the sharp cube moved onto the rounded one: edges of radius `corner`, cut by a ball."""
    inner = np.clip(points, make.corner - 1, 1 - make.corner)
    out = points - inner
    length = np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    round_ = inner + out / length * make.corner
    far = np.linalg.norm(round_, axis=1, keepdims=True)
    return np.asarray(round_ * np.minimum(1, make.ball / far))


def _drilled(face: int, make: Make, grid: Floats) -> tuple[Floats, Floats]:
    """Distance to the nearest rim, and the depth drilled away, of each point of a face."""
    if not has_pips(face, make):
        return np.full(len(grid), NO_PIP), np.zeros(len(grid))
    pips = layout(face, make)
    away = np.linalg.norm(grid[:, None] - pips[None, :, :2], axis=2)
    nearest = np.argmin(away - pips[:, 2], axis=1)
    off, radius = away[np.arange(len(grid)), nearest], pips[nearest, 2]
    full = np.minimum(make.dimple * radius / 2, MAX_DEPTH)
    depth = full * np.clip(1 - (off / radius) ** 2, 0, None)
    if make.drilled:
        depth = np.minimum(depth, full * FLAT_BOTTOM)
    return off - radius * (1 - make.rim), depth


def _welded(vertices: Floats, quads: Ints, rim: Floats, face: Ints) -> DieMesh:
    """The mesh with the vertices that two faces share taken once."""
    _, first, back = np.unique(np.round(vertices, 5), axis=0, return_index=True, return_inverse=True)
    return DieMesh(vertices[first], back.reshape(-1)[quads], rim[first], face[first])


def corners_of(normals: Floats) -> Floats:
    """Vertices (n, 3) of the convex solid whose faces touch the unit ball at `normals` (m, 3)."""
    found = []
    for triple in combinations(range(len(normals)), 3):
        planes = normals[list(triple)]
        if abs(np.linalg.det(planes)) > 1e-3:
            point = np.linalg.solve(planes, np.ones(3))
            if (normals @ point < 1 + 1e-6).all():
                found.append(point)
    return np.unique(np.round(np.array(found), 5), axis=0)
