"""`python -m lab.pictures.render`: dice traced once by Blender, as light that can be tinted.

Each die lies somewhere under the lens, in the light of a ring round it. Lens and ring are the same from every
side, so the simulated table may turn a picture about the middle of its own. Four pictures of each die add up
to one in any colour, as `hardware.cameras.simulated_dice` describes. `lab.pictures.pack` makes its file.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.simulated_dice import AWAY_MM, REACH_MM, SIDE_MM, TURNS
from lab.scenes.makes import plain_make
from lab.scenes.pips import turn_to_top
from lab.training.traced.materials import Nodes
from lab.training.traced.meshes import die_mesh
from lab.training.traced.solids import placed

CAMERA_MM = 400.0
RING_MM, RING_HIGH_MM, LAMPS = 110.0, 330.0, 24
SKY = 0.35
"""Share of the light that comes from all sides."""
BOUNCES = 3
PX_A_MM = 8.0
"""On the top faces."""
SAMPLES = 24
PIXELS = 2800
WHITE = 0.8
"""Albedo of what is called white here."""

Light = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Seen:
    """One die: the face, how far from the middle it lies, and its own turn against the way there."""

    face: int
    away_mm: float
    turn_rad: float

    @property
    def name(self) -> str:
        return f"{self.face}-{self.away_mm:.0f}-{math.degrees(self.turn_rad):03.0f}"


def every() -> list[Seen]:
    """The dice to trace; their turns are spread evenly, no two alike."""
    found = []
    for face in range(1, 7):
        for k, away_mm in enumerate(AWAY_MM):
            for number in range(TURNS):
                share = (number + (face - 1) / 6 + k / 18) / TURNS
                found.append(Seen(face, away_mm, 2 * math.pi * share))
    return found


def trace(folder: Path, samples: int, threads: int) -> None:
    """Write the four pictures of each die as one file of arrays; those that are there already stay."""
    for seen in every():
        file = folder / f"{seen.name}.npy"
        if not file.exists():
            np.save(file, pictures(seen, samples, threads))
            print(file, flush=True)


def pictures(seen: Seen, samples: int, threads: int) -> Light:
    """The four pictures of one die, (4, height, width), linear."""
    bare = _bare(seen.away_mm, samples, threads)
    black = _traced(seen, (0.0, 0.0), 0.0, samples, threads)
    body = _traced(seen, (WHITE, 0.0), 0.0, samples, threads)
    pips = _traced(seen, (0.0, WHITE), 0.0, samples, threads)
    around = _traced(seen, (0.0, 0.0), 1.0, samples, threads)
    light = [(around - black) / WHITE, (body - black) / WHITE, (pips - black) / WHITE, black]
    return np.asarray(np.clip(np.stack(light) / bare, 0, None), np.float32)


@cache
def _bare(away_mm: float, samples: int, threads: int) -> Light:
    """The ground's light there, were it white."""
    return np.asarray(_traced(Seen(1, away_mm, 0.0), None, 1.0, samples, threads) / WHITE, np.float32)


def _traced(
    seen: Seen, albedo: tuple[float, float] | None, ground: float, samples: int, threads: int
) -> Light:
    """Light round a die whose body and pips have these albedos, or round none, on a ground white or black."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    _ground(WHITE * ground)
    if albedo is not None:
        make = plain_make("white", SIDE_MM)
        turn: Any = turn_to_top(seen.face, make, seen.turn_rad)
        placed(_die(make, *albedo), "die", (seen.away_mm, 0.0, SIDE_MM / 2), turn)
    _lights()
    _camera(seen)
    return _rendered(samples, threads)


def _die(make: Any, body: float, pips: float) -> Any:
    """A varnished die, grey in two parts."""
    import bpy

    shape = die_mesh(make)
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(shape.vertices_mm.tolist(), [], shape.quads.tolist())
    mesh.attributes.new("rim", "FLOAT", "POINT").data.foreach_set("value", shape.rim.astype(np.float32))
    mesh.shade_smooth()
    nodes = Nodes("die")
    rim = nodes.add("Attribute", {"attribute_name": "rim"}).outputs["Fac"]
    inside = nodes.ramp(rim, 0.01, -0.01)
    colours = [(grey, grey, grey, 1.0) for grey in (body, pips)]
    nodes.shade(Base_Color=nodes.mix(inside, *colours), Roughness=0.24, IOR=1.45)
    mesh.materials.append(nodes.material)
    return mesh


def _ground(albedo: float) -> None:
    import bpy

    mesh = bpy.data.meshes.new("ground")
    corners = [(-2000, -2000, 0), (2000, -2000, 0), (2000, 2000, 0), (-2000, 2000, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    nodes = Nodes("ground")
    nodes.shade(Base_Color=(albedo, albedo, albedo, 1.0), Roughness=1.0)
    nodes.put(nodes.shader, "Specular IOR Level", 0.0)
    mesh.materials.append(nodes.material)
    placed(mesh, "ground", (0.0, 0.0, 0.0))


def _lights() -> None:
    """A ring of lamps round the lens, and a grey sky."""
    import bpy

    for k in range(LAMPS):
        angle = 2 * math.pi * k / LAMPS
        data: Any = bpy.data.lights.new("lamp", "POINT")
        data.energy, data.shadow_soft_size = 4e5 / LAMPS, 14.0
        lamp = bpy.data.objects.new("lamp", data)
        lamp.location = (RING_MM * math.cos(angle), RING_MM * math.sin(angle), RING_HIGH_MM)
        lamp.visible_camera = False
        bpy.context.scene.collection.objects.link(lamp)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0)
    # A ring of W watts so high and wide gives W h / (4 pi (h² + r²)^1.5) below it; a sky of 1 gives pi.
    below = 4e5 * RING_HIGH_MM / (4 * math.pi * math.hypot(RING_MM, RING_HIGH_MM) ** 3)
    background.inputs["Strength"].default_value = below / math.pi * SKY / (1 - SKY)


def _camera(seen: Seen) -> None:
    """A lens over the middle; only the surroundings of the die are rendered."""
    import bpy

    focal_px = PX_A_MM * (CAMERA_MM - SIDE_MM)
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle = "HORIZONTAL", 2 * math.atan(PIXELS / 2 / focal_px)
    data.clip_start, data.clip_end = 1.0, 5000.0
    thing = bpy.data.objects.new("camera", data)
    thing.location = (0.0, 0.0, CAMERA_MM)
    scene = bpy.context.scene
    scene.collection.objects.link(thing)
    scene.camera = thing
    within_pixel = 0.25  # else rounding may take a column more on one side
    x, reach = 0.5 + (seen.away_mm * PX_A_MM + within_pixel) / PIXELS, REACH_MM * PX_A_MM / PIXELS
    y = 0.5 + within_pixel / PIXELS
    scene.render.use_border = scene.render.use_crop_to_border = True
    scene.render.border_min_x, scene.render.border_max_x = x - reach, x + reach
    scene.render.border_min_y, scene.render.border_max_y = y - reach, y + reach


def _rendered(samples: int, threads: int) -> Light:
    """Linear light (height, width)."""
    import bpy

    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = PIXELS
    scene.render.resolution_percentage = 100
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.cycles.device, scene.cycles.samples = "CPU", samples
    scene.cycles.max_bounces = BOUNCES
    scene.cycles.use_denoising, scene.cycles.denoiser = True, "OPENIMAGEDENOISE"
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "light.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
    return np.ascontiguousarray(pixels.reshape(height, width, 4)[::-1, :, 1])


def main(words: Sequence[str] | None = None) -> int:
    ask = argparse.ArgumentParser(prog="python -m lab.pictures.render", description=__doc__)
    ask.add_argument("--folder", type=Path, required=True, help="where the traced dice are kept")
    ask.add_argument("--samples", type=int, default=SAMPLES, help=f"of a pixel (default {SAMPLES})")
    ask.add_argument("--threads", type=int, default=2)
    asked = ask.parse_args(words)
    asked.folder.mkdir(parents=True, exist_ok=True)
    trace(asked.folder, asked.samples, asked.threads)
    return 0


if __name__ == "__main__":
    sys.exit(main())
