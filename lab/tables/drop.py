"""Dice shaken under a cup and what is left when it is lifted, by Blender's rigid bodies (Bullet).

One unit is one millimetre. Each cup is simulated alone, about the origin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.scenes.pips import normal_of
from lab.scenes.space import as_turn
from lab.scenes.values import Turn, Vec

Floats = NDArray[np.float64]
WALL_MM, HIGH_MM = 3.0, 220.0
"""Wall and height of a cup."""
HELD, LIFTED, FRAMES = 60, 85, 140
"""Frames of a sixtieth of a second: the cup stands, is up, all lies still."""
SHAKE_MM = 9.0
"""How far the cup is pushed to and fro while the dice fall."""
FLAT_DEG, FLAT_MM = 1.5, 0.4
"""Dice leaning or lying higher than this are cocked: the players would throw again."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """One die: the face on top, its centre and turn."""

    face: int
    centre_mm: Vec
    turn: Turn


def dropped(rng: np.random.Generator, count: int, side_mm: float, cup_mm: float) -> list[Fallen] | None:
    """Where `count` dice lie after their cup was lifted; None where one is cocked or lies on another.

    `cup_mm` is the cup's inner radius.
    """
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    _world()
    _body(_box("table", (600.0, 600.0, 20.0), (0.0, 0.0, -10.0)), "PASSIVE", "BOX")
    _shaken(rng, _tube(cup_mm))
    dice = []
    for number in range(count):
        die = _box(f"die{number}", (side_mm,) * 3, (0.0, 0.0, 0.0), round_mm=0.12 * side_mm)
        place = rng.uniform(-15, 15, 2)
        die.location = (float(place[0]), float(place[1]), 30.0 + 1.4 * side_mm * number)
        die.rotation_euler = [float(a) for a in rng.uniform(0, 2 * math.pi, 3)]
        _body(die, "ACTIVE", "CONVEX_HULL")
        dice.append(die)
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    found = [fallen(np.array(die.evaluated_get(graph).matrix_world), side_mm) for die in dice]
    flat = [die for die in found if die is not None]
    return flat if len(flat) == count else None


def fallen(pose: Floats, side_mm: float) -> Fallen | None:
    """The die of a pose (4, 4), set flat on the table; None where it is cocked or lies on another."""
    turn = pose[:3, :3] / np.linalg.norm(pose[:3, :3], axis=0)
    up = {face: turn @ normal_of(face, False) for face in range(1, 7)}
    face = max(up, key=lambda one: float(up[one][2]))
    leaning = math.degrees(math.acos(min(1.0, float(up[face][2]))))
    x, y, z = (float(v) for v in pose[:3, 3])
    if leaning > FLAT_DEG or abs(z - side_mm / 2) > FLAT_MM:
        return None
    return Fallen(face, (x, y, side_mm / 2), as_turn(turn))


def _world() -> None:
    import bpy

    scene = bpy.context.scene
    scene.gravity, scene.render.fps = (0.0, 0.0, -9810.0), 60
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.substeps_per_frame, world.solver_iterations = 16, 20
    world.point_cache.frame_end = FRAMES


def _box(name: str, size: Vec, centre: Vec, round_mm: float = 0.0) -> Any:
    import bmesh
    import bpy

    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=1.0)
    bmesh.ops.scale(shape, vec=size, verts=shape.verts)
    if round_mm:
        bmesh.ops.bevel(shape, geom=shape.edges[:], offset=round_mm, segments=2, affect="EDGES", profile=0.5)
    return _object(bpy, name, shape, centre)


def _tube(inner: float) -> Any:
    """The wall of the cup, open below and above."""
    import bmesh
    import bpy

    shape = bmesh.new()
    rings = [
        bmesh.ops.create_circle(shape, segments=40, radius=radius)["verts"]
        for radius in (inner, inner, inner + WALL_MM, inner + WALL_MM)
    ]
    for ring, z in zip(rings, (0.0, HIGH_MM, HIGH_MM, 0.0), strict=True):
        for vertex in ring:
            vertex.co.z = z
    for low, high in zip(rings, [*rings[1:], rings[0]], strict=True):
        for k in range(len(low)):
            shape.faces.new((low[k - 1], low[k], high[k], high[k - 1]))
    return _object(bpy, "cup", shape, (0.0, 0.0, 0.3))


def _object(bpy: Any, name: str, shape: Any, centre: Vec) -> Any:
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    thing = bpy.data.objects.new(name, mesh)
    thing.location = centre
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _body(thing: Any, kind: str, shape: str) -> None:
    import bpy

    bpy.context.view_layer.objects.active = thing
    bpy.ops.rigidbody.object_add(type=kind)
    body = thing.rigid_body
    body.collision_shape, body.use_margin, body.collision_margin = shape, True, 0.02
    body.friction, body.restitution, body.mass = 0.35, 0.35, 0.005
    body.use_deactivation = False


def _shaken(rng: np.random.Generator, cup: Any) -> None:
    """The cup's way: to and fro while dice fall, then at rest, then up."""
    _body(cup, "PASSIVE", "MESH")
    cup.rigid_body.kinematic = True
    way = rng.uniform(0, 2 * math.pi)
    for frame in range(1, HELD - 20, 6):
        off = float(rng.uniform(-SHAKE_MM, SHAKE_MM))
        cup.location = (off * math.cos(way), off * math.sin(way), 0.3)
        cup.keyframe_insert("location", frame=frame)
        way += float(rng.normal(0, 0.5))
    for frame, z in ((HELD - 14, 0.3), (HELD, 0.3), (LIFTED, 260.0)):
        cup.location = (0.0, 0.0, z)
        cup.keyframe_insert("location", frame=frame)
