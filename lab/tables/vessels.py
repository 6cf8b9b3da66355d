"""Cups and glasses as hollow solids of revolution, in Blender."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lab.scenes.space import as_turn, yaw
from lab.scenes.values import Point, Turn, Vec
from lab.training.traced.materials import Nodes, plain, rgba
from lab.training.traced.solids import UPRIGHT, placed

SEGMENTS = 64
BESIDE: Turn = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
OVER: Turn = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
"""Lying on its side; upside down."""


def add_cup(at: Point, inner_mm: float, rgb: Vec, stands: str, turned_rad: float = 0.0) -> None:
    """A dice cup 95 mm high, "open" upwards, "over" the dice, or lying "beside"."""
    foot, mouth, high, wall = 0.85 * inner_mm, inner_mm, 95.0, 3.0
    inside = [(0.0, wall), (foot, wall), (mouth, high)]
    outside = [(mouth + wall, high), (foot + wall, 0.0), (0.0, 0.0)]
    turn, z = {"open": (UPRIGHT, 0.0), "over": (OVER, high), "beside": (BESIDE, mouth + wall)}[stands]
    back = high / 2 if stands == "beside" else 0.0
    place = (at[0] - back * math.cos(turned_rad), at[1] - back * math.sin(turned_rad), z)
    mesh = _turned([*inside, *outside], plain("cup", rgb, 0.45))
    placed(mesh, "cup", place, as_turn(yaw(turned_rad) @ np.array(turn)))


def add_glass(at: Point, radius_mm: float, high_mm: float, drink_rgb: Vec) -> None:
    """A tumbler two thirds full."""
    wall, full = 2.0, 0.66 * high_mm
    glass = [(0.0, 6.0), (radius_mm - wall, 6.0), (radius_mm - wall, high_mm), (radius_mm, high_mm)]
    placed(
        _turned([*glass, (radius_mm, 0.0), (0.0, 0.0)], _clear((1.0, 1.0, 1.0), 1.45)), "glass", (*at, 0.0)
    )
    inner = radius_mm - wall - 0.2
    drink = [(0.0, full), (inner, full), (inner, 6.2), (0.0, 6.2)]
    placed(_turned(drink, _clear(drink_rgb, 1.33)), "drink", (*at, 0.0))


def _clear(rgb: Vec, ior: float) -> Any:
    nodes = Nodes("clear")
    nodes.shade(Base_Color=rgba(rgb), Roughness=0.02, Transmission_Weight=1.0, IOR=ior)
    return nodes.material


def _turned(profile: Sequence[Point], material: Any) -> Any:
    """A mesh of the profile (radius, height) turned about the upright axis."""
    import bpy

    count = len(profile)
    angles = [2 * math.pi * k / SEGMENTS for k in range(SEGMENTS)]
    points = [(r * math.cos(a), r * math.sin(a), z) for a in angles for r, z in profile]
    quads = [
        (k * count + j, (k + 1) % SEGMENTS * count + j, (k + 1) % SEGMENTS * count + j + 1, k * count + j + 1)
        for k in range(SEGMENTS)
        for j in range(count - 1)
    ]
    mesh = bpy.data.meshes.new("vessel")
    mesh.from_pydata(points, [], quads)
    mesh.materials.append(material)
    return mesh
