"""A scene's solids as objects of Blender; one unit is one millimetre."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lab.scenes.marks import mask
from lab.scenes.polyhedra import KINDS, normals_of
from lab.scenes.solids import Bones
from lab.scenes.things import thing_bodies
from lab.scenes.values import Cover, Flat, Make, Thing, Tray, Turn, Vec
from lab.training.traced.extras import Cable
from lab.training.traced.finish import Finish
from lab.training.traced.materials import cover_material, decal_material, die_material, plain
from lab.training.traced.meshes import Floats, corners_of, die_mesh

WIDE_MM = 6000.0
"""Side of the table: no camera of a scene sees its edge."""
SKIN_MM = 2.0
"""Cells of a hand's skin, in which its bones melt into one another."""
LIFT_MM = 0.03
"""So high a printed mark lies over its surface."""
UPRIGHT: Turn = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def placed(data: Any, name: str, centre_mm: Vec, turn: Turn = UPRIGHT) -> Any:
    """An object of this mesh in the scene."""
    import bpy
    from mathutils import Matrix

    thing = bpy.data.objects.new(name, data)
    rows = [[*row, at] for row, at in zip(turn, centre_mm, strict=True)]
    thing.matrix_world = Matrix([*rows, [0.0, 0.0, 0.0, 1.0]])
    bpy.context.scene.collection.objects.link(thing)
    return thing


def die_data(make: Make, finish: Finish) -> Any:
    """The mesh of a make's dice, their pips drilled and painted."""
    import bpy

    shape = die_mesh(make)
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(shape.vertices_mm.tolist(), [], shape.quads.tolist())
    mesh.attributes.new("rim", "FLOAT", "POINT").data.foreach_set("value", shape.rim.astype(np.float32))
    inks = np.ones((7, 4), np.float32)
    inks[1:, :3] = np.power(np.clip(make.pip_rgb, 0, 1), 2.2)
    inks[1, :3] = np.power(np.clip(make.ace_rgb, 0, 1), 2.2)
    inks[4, :3] = np.power(np.clip(make.four_rgb, 0, 1), 2.2)
    mesh.attributes.new("paint", "FLOAT_COLOR", "POINT").data.foreach_set("color", inks[shape.face].ravel())
    mesh.shade_smooth()
    mesh.materials.append(die_material(make, finish))
    return mesh


def _built(build: Any, material: Any, round_mm: float = 0.0) -> Any:
    """A mesh that `build` makes with bmesh, its edges rounded."""
    import bmesh
    import bpy

    shape = bmesh.new()
    build(bmesh.ops, shape)
    if round_mm:
        edges = [e for e in shape.edges if len(e.link_faces) == 2 and e.calc_face_angle() > 0.3]
        bmesh.ops.bevel(shape, geom=edges, offset=round_mm, segments=3, affect="EDGES", profile=0.5)
    mesh = bpy.data.meshes.new("solid")
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(material)
    return mesh


def add_thing(thing: Thing) -> None:
    """Clutter: the shape of its kind, with what is printed on it."""
    metal = 0.9 if thing.kind == "coin" else 0.0
    material = plain(thing.kind, thing.rgb, float(np.clip(thing.gloss, 0.05, 1.0)), metal)
    for mesh in _meshes(thing, material):
        solid = placed(mesh, thing.kind, thing.centre_mm, thing.turn)
        if thing.kind == "hand":
            melt = solid.modifiers.new("skin", "REMESH")
            melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", SKIN_MM, True
            solid.modifiers.new("soft", "SMOOTH").iterations = 6
    for at, axes, side, mark in _marks(thing):
        _decal(thing, at, axes, side, mark)


def _meshes(thing: Thing, material: Any) -> list[Any]:
    x, y, z = (side / 2 for side in thing.size_mm)
    solid = thing_bodies(thing)[0].solid
    if isinstance(solid, Bones):
        return [_bones(solid, material)]
    if thing.kind in KINDS:
        points = corners_of(np.asarray(normals_of(thing.kind))) * z
        return [_built(lambda ops, m: _hull(ops, m, points), material, 0.5)]
    if thing.kind in ("cup", "disc", "button", "chip", "coin"):
        top = y if thing.kind == "cup" else x
        return [_built(lambda ops, m: _cone(ops, m, x, top, z), material, min(z * 0.4, 1.0))]
    return [_built(lambda ops, m: _block(ops, m, x, y, z), material, min(x, y, z) * 0.3)]


def _hull(ops: Any, mesh: Any, points: Floats) -> None:
    for point in points:
        mesh.verts.new(point.tolist())
    ops.convex_hull(mesh, input=mesh.verts)
    ops.dissolve_limit(mesh, angle_limit=0.02, verts=mesh.verts, edges=mesh.edges)


def _cone(ops: Any, mesh: Any, low: float, high: float, half: float) -> None:
    ops.create_cone(mesh, cap_ends=True, segments=64, radius1=low, radius2=high, depth=2 * half)


def _block(ops: Any, mesh: Any, x: float, y: float, z: float) -> None:
    ops.create_cube(mesh, size=2.0)
    ops.scale(mesh, vec=(x, y, z), verts=mesh.verts)


def _bones(solid: Bones, material: Any) -> Any:
    """Balls along each bone, near enough to one another to look like skin."""

    def build(ops: Any, mesh: Any) -> None:
        from mathutils import Matrix

        for first, last, radius in solid.bones:
            a, b = np.asarray(first), np.asarray(last)
            steps = max(2, math.ceil(float(np.linalg.norm(b - a)) / (0.25 * radius)))
            for share in np.linspace(0, 1, min(steps, 60)):
                place = Matrix.Translation((a + (b - a) * share).tolist())
                ops.create_icosphere(mesh, subdivisions=2, radius=radius, matrix=place)
        for face in mesh.faces:
            face.smooth = True

    return _built(build, material)


def _marks(thing: Thing) -> list[tuple[Floats, Floats, float, str]]:
    """Where marks lie: middle, axes u, v, n as rows, half side, mark; in the thing's own axes."""
    x, y, z = (side / 2 for side in thing.size_mm)
    if thing.kind in KINDS:
        size = z * {"d4": 0.8, "d8": 0.5, "d10": 0.45, "d12": 0.4, "d20": 0.33}[thing.kind]
        normals = np.asarray(normals_of(thing.kind))
        return [(n * z, _axes(n), size, f"#{k + 1}") for k, n in enumerate(normals)]
    if thing.kind == "domino":
        up = np.eye(3)
        halves = zip((-1, 1), thing.marks, strict=True)
        return [(np.array([side * x / 2, 0, z]), up, min(x / 2, y) * 0.95, mark) for side, mark in halves]
    if thing.kind in ("disc", "button", "chip", "coin"):
        return [(np.array([0, 0, z]), np.eye(3), x * 0.75, mark) for mark in thing.marks[:1]]
    if thing.kind in ("cup", "pen", "ball", "hand"):
        return []
    found = []
    for number, mark in enumerate(thing.marks[:6]):
        n = np.zeros(3)
        n[number // 2] = 1.0 if number % 2 == 0 else -1.0
        across = [side for k, side in enumerate((x, y, z)) if k != number // 2]
        found.append((n * (x, y, z), _axes(n), 0.8 * min(across), mark))
    return found


def _axes(normal: Floats) -> Floats:
    """Two axes of a face and its normal, as rows."""
    aside = np.array([0.0, 0, 1]) if abs(normal[2]) < 0.9 else np.array([1.0, 0, 0])
    u = np.cross(aside, normal)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(normal, u), normal])


def _decal(thing: Thing, at: Floats, axes: Floats, half: float, mark: str) -> None:
    """A printed mark just above a face."""
    import bpy

    u, v, n = axes
    middle = at + n * LIFT_MM
    corners = [middle + half * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    mesh = bpy.data.meshes.new("mark")
    mesh.from_pydata([c.tolist() for c in corners], [], [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new()
    layer.data.foreach_set("uv", [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0])
    mesh.materials.append(decal_material(thing.second_rgb, mask(mark)))
    placed(mesh, "mark", thing.centre_mm, thing.turn)


def add_flat(flat: Flat, level: int) -> None:
    """A card, a sheet or a coaster, as thick as one; later ones lie on earlier ones."""
    kind = {"page": "paper", "dotted": "dots", "logo": "print", "card": "print"}.get(flat.kind, "plain")
    pitch = {"paper": 4.5, "dots": 0.3 * flat.size_mm[0], "print": 0.2 * flat.size_mm[0]}.get(kind, 3.0)
    paper = Cover(kind, flat.rgb, flat.second_rgb, pitch, 1.0, 0.3, flat.angle_deg, flat.seed)
    x, y, z = flat.size_mm[0] / 2, flat.size_mm[1] / 2, 0.05
    shape = _cone if flat.kind == "disc" else _block
    sizes = (x, x, z) if flat.kind == "disc" else (x, y, z)
    mesh = _built(lambda ops, m: shape(ops, m, *sizes), cover_material(paper))
    c, s = math.cos(math.radians(flat.angle_deg)), math.sin(math.radians(flat.angle_deg))
    placed(mesh, "flat", (*flat.centre_mm, z + 0.02 * level), ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def add_cable(cable: Cable) -> None:
    """A cable as a curve with a round section."""
    import bpy

    curve: Any = bpy.data.curves.new("cable", "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", cable.radius_mm
    line = curve.splines.new("POLY")
    line.points.add(len(cable.points_mm) - 1)
    line.points.foreach_set("co", [v for point in cable.points_mm for v in (*point, 1.0)])
    curve.materials.append(plain("cable", cable.rgb, 0.4))
    placed(curve, "cable", (0.0, 0.0, 0.0))


def add_ground(material: Any, z_mm: float) -> None:
    """A table wider than any camera sees."""
    mesh = _built(lambda ops, m: ops.create_grid(m, size=WIDE_MM / 2), material)
    placed(mesh, "ground", (0.0, 0.0, z_mm))


def add_tray(tray: Tray, floor: Any) -> None:
    """Floor, walls, rim and outside of a tray."""
    import bpy

    ring = np.asarray(tray.floor_mm)
    out = ring / np.linalg.norm(ring, axis=1, keepdims=True)
    rims = [(0.0, 0.0), (tray.flare_mm, tray.height_mm), (tray.flare_mm + tray.rim_mm, tray.height_mm)]
    rims.append((tray.flare_mm + tray.rim_mm, -2.0))
    points = [[*p, z] for grow, z in rims for p in ring + out * grow]
    count = len(ring)
    walls = [
        (k * count + a, k * count + (a + 1) % count, (k + 1) * count + (a + 1) % count, (k + 1) * count + a)
        for k in range(len(rims) - 1)
        for a in range(count)
    ]
    mesh = bpy.data.meshes.new("tray")
    mesh.from_pydata(points, [], [tuple(range(count)), *walls])
    for material in (floor, plain("wall", tray.wall_rgb, 0.5), plain("rim", tray.rim_rgb, 0.4)):
        mesh.materials.append(material)
    indices = [0] + [1] * count + [2] * count + [1] * count
    mesh.polygons.foreach_set("material_index", indices)
    placed(mesh, "tray", (0.0, 0.0, 0.0))
