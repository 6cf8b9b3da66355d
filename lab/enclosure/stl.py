"""Meshes of solids, and binary STL files of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from manifold3d import Manifold

HEADER_BYTES = 80
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


@dataclass(frozen=True, slots=True)
class Mesh:
    """`points`: (N, 3) float32 in mm. `triangles`: (M, 3) indices, counter-clockwise seen from outside."""

    points: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.int64]

    def normals(self) -> npt.NDArray[np.float32]:
        """The triangles' unit normals, (M, 3); 0 for a triangle without area."""
        a, b, c = (self.points[self.triangles[:, n]] for n in range(3))
        across = np.cross(b - a, c - a)
        return np.asarray(
            across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12), np.float32
        )


def mesh_of(solid: Manifold) -> Mesh:
    """The surface of a solid as triangles."""
    mesh = solid.to_mesh()
    return Mesh(np.asarray(mesh.vert_properties, np.float32)[:, :3], np.asarray(mesh.tri_verts, np.int64))


def stl_bytes(mesh: Mesh, name: str) -> bytes:
    """A binary STL file; `name` goes into its header."""
    records = np.zeros(len(mesh.triangles), _TRIANGLE)
    records["normal"], records["corners"] = mesh.normals(), mesh.points[mesh.triangles]
    head = name.encode("ascii", "replace")[:HEADER_BYTES].ljust(HEADER_BYTES)
    return head + np.uint32(len(records)).tobytes() + records.tobytes()


def corners_of(stl: bytes) -> npt.NDArray[np.float32]:
    """The triangles of a binary STL file, (M, 3, 3); raises ValueError for another file."""
    if len(stl) < HEADER_BYTES + 4 or (len(stl) - HEADER_BYTES - 4) % _TRIANGLE.itemsize:
        raise ValueError("This is no binary STL file.")
    return np.asarray(np.frombuffer(stl, _TRIANGLE, offset=HEADER_BYTES + 4)["corners"], np.float32)


def open_edges(corners: npt.NDArray[np.float32]) -> int:
    """How many edges lack their twin in the other direction; 0: the mesh of triangles is watertight."""
    _, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = index.reshape(-1, 3)
    edges = np.concatenate([triangles[:, [n, (n + 1) % 3]] for n in range(3)])
    edges = edges[edges[:, 0] != edges[:, 1]]
    there, there_n = np.unique(edges, axis=0, return_counts=True)
    back, back_n = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    counts = {tuple(edge): number for edge, number in zip(back.tolist(), back_n.tolist(), strict=True)}
    return sum(
        abs(number - counts.get(tuple(edge), 0))
        for edge, number in zip(there.tolist(), there_n.tolist(), strict=True)
    )
