"""Traces a shot by Blender's Cycles: lamps, camera, picture, and how much of each die is seen."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.scenes.film import develop
from lab.scenes.legible import contrast
from lab.scenes.space import Eye, eye
from lab.scenes.truth import on_face, truth_of
from lab.scenes.values import DieTruth, Light, Picture, Scene
from lab.training.traced.finish import Shot
from lab.training.traced.materials import cover_material
from lab.training.traced.solids import (
    add_cable,
    add_flat,
    add_ground,
    add_thing,
    add_tray,
    die_data,
    placed,
)

BOUNCES = 6
"""Cycles' default of 12 gains nothing that is seen on dice, and clear dice need four."""
THOROUGH = 10
"""From so many light paths of a pixel on the denoiser works at its best: 16 s a megapixel, not 6."""
WINDOW_MM = 200.0
"""Lamps of at least this radius are windows and ceiling panels: squares; smaller ones are bulbs."""
FILM_PX = 1280.0
"""Lengths of a film are of a picture so wide."""
SEEN = np.stack(np.meshgrid(np.linspace(-0.8, 0.8, 9), np.linspace(-0.8, 0.8, 9)), -1).reshape(-1, 2)
"""Places of a top face, in half sides, to which rays are cast."""


def trace(shot: Shot, samples: int, threads: int) -> Picture:
    """The picture of a shot and its truth."""
    view = built(shot)
    return pictured(shot, truths(shot, view), samples, threads)


def built(shot: Shot, more: Callable[[], None] | None = None) -> Eye:
    """An empty Blender with the shot in it, and with what `more` adds; returns its camera."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene, view = shot.scene, eye(shot.scene.lens, shot.scene.width_px, shot.scene.height_px)
    _build(shot)
    if more is not None:
        more()
    _light(scene)
    _camera(view, scene.lens.fov_deg)
    return view


def truths(shot: Shot, view: Eye) -> tuple[DieTruth, ...]:
    """What is true of each die of the shot that was built; the contrast is not known yet."""
    return tuple(truth_of(die, view, _seen(k, shot, view)) for k, die in enumerate(shot.scene.dice))


def pictured(shot: Shot, truth: Sequence[DieTruth], samples: int, threads: int) -> Picture:
    """The picture of the shot that was built."""
    scene = shot.scene
    _settings(scene, samples, threads)
    image = develop(_rendered(), scene.film, scene.seed, scene.width_px / FILM_PX)
    return Picture(image, tuple(replace(die, contrast=contrast(die, image)) for die in truth))


def _build(shot: Shot) -> None:
    scene = shot.scene
    cover = cover_material(scene.cover, shot.plate)
    if scene.tray is None:
        add_ground(cover, 0.0)
    else:
        add_tray(scene.tray, cover)
        add_ground(cover_material(scene.tray.outside), -2.0)
    if shot.cable is not None:
        add_cable(shot.cable)
    for level, flat in enumerate(scene.flats):
        add_flat(flat, level)
    for thing in scene.things:
        add_thing(thing)
    made = {die.make: finish for die, finish in zip(scene.dice, shot.finishes, strict=True)}
    data = {make: die_data(make, finish) for make, finish in made.items()}  # dice of one make share a mesh
    for number, die in enumerate(scene.dice):
        placed(data[die.make], f"die{number}", die.centre_mm, die.turn)


def _light(scene: Scene) -> None:
    """The lamps, and a room round them that gives as much light as the scene's sky."""
    import bpy

    for lamp in scene.lights:
        _lamp(lamp)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    walls = tree.nodes.new("ShaderNodeTexVoronoi")
    walls.inputs["Scale"].default_value = 1.5
    share = tree.nodes.new("ShaderNodeMapRange")
    share.inputs["To Min"].default_value, share.inputs["To Max"].default_value = 1.7, 0.2
    tree.links.new(walls.outputs["Distance"], share.inputs["Value"])
    tree.links.new(share.outputs[0], tree.nodes["Background"].inputs["Strength"])
    tree.nodes["Background"].inputs["Color"].default_value = (*scene.ambient, 1.0)


def _lamp(lamp: Light) -> None:
    """A bulb or a window of the same irradiance at the origin.

    A Lambertian surface of albedo a under a lamp of `power` p sends out a * p, so the irradiance is pi * p.
    A ball of W watts gives W / (4 pi d^2) at the distance d; a flat panel that faces it W / (pi d^2).
    """
    import bpy
    from mathutils import Vector

    place, strength = Vector(lamp.place_mm), max(*lamp.power, 1e-6)
    panel = lamp.radius_mm >= WINDOW_MM
    data: Any = bpy.data.lights.new("lamp", "AREA" if panel else "POINT")
    distance2 = place.length_squared
    data.energy = strength * distance2 * (math.pi**2 if panel else 4 * math.pi**2)
    data.color = [p / strength for p in lamp.power]
    if panel:
        data.size = lamp.radius_mm * math.sqrt(math.pi)
    else:
        data.shadow_soft_size = lamp.radius_mm
    thing = bpy.data.objects.new("lamp", data)
    thing.location = place
    thing.rotation_euler = (-place).to_track_quat("-Z", "Y").to_euler()
    thing.visible_camera = False
    bpy.context.scene.collection.objects.link(thing)


def _camera(view: Eye, fov_deg: float) -> None:
    import bpy
    from mathutils import Matrix

    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle_x = "HORIZONTAL", math.radians(fov_deg)
    data.clip_start, data.clip_end = 1.0, 20000.0
    thing = bpy.data.objects.new("camera", data)
    right, down, ahead = view.axes
    axes = np.stack([right, -down, -ahead, view.place_mm], 1)
    thing.matrix_world = Matrix([*axes.tolist(), [0.0, 0.0, 0.0, 1.0]])
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def _settings(scene: Scene, samples: int, threads: int) -> None:
    import bpy

    target = bpy.context.scene
    target.render.engine = "CYCLES"
    target.render.resolution_x, target.render.resolution_y = scene.width_px, scene.height_px
    target.render.resolution_percentage = 100
    target.render.threads_mode, target.render.threads = "FIXED", threads
    target.cycles.device, target.cycles.samples = "CPU", samples
    target.cycles.use_denoising, target.cycles.denoiser = True, "OPENIMAGEDENOISE"
    target.cycles.denoising_quality = "FAST" if samples < THOROUGH else "HIGH"
    target.cycles.max_bounces, target.cycles.seed = BOUNCES, scene.seed % (1 << 31)
    target.cycles.blur_glossy, target.cycles.sample_clamp_indirect = 1.0, 10.0
    target.render.image_settings.file_format = "OPEN_EXR"
    target.render.image_settings.color_depth = "32"


def _rendered() -> NDArray[np.float32]:
    """Linear light (height, width, 3), red, green, blue."""
    import bpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        bpy.context.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(path))
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
    return np.ascontiguousarray(pixels.reshape(height, width, 4)[::-1, :, :3])


def _seen(number: int, shot: Shot, view: Eye) -> float:
    """Share of a die's top face that no other thing hides, by rays from the camera."""
    import bpy

    die, graph = shot.scene.dice[number], bpy.context.evaluated_depsgraph_get()
    hits = 0
    for point in on_face(die, die.face, SEEN):
        ray = point - view.place_mm
        found = bpy.context.scene.ray_cast(
            graph, view.place_mm.tolist(), (ray / np.linalg.norm(ray)).tolist()
        )
        hits += bool(found[0]) and found[4].name == f"die{number}"
    return hits / len(SEEN)
