"""Materials as nodes of Blender's shaders: dice, covers of the table, plain things. Nothing is downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from lab.scenes.colours import linear
from lab.scenes.values import Cover, Make, Vec
from lab.training.traced.finish import Finish

WAVE_MM = 0.314
"""Period of Blender's wave texture at scale 1 (2 pi / 20)."""
BUMPS = {
    "felt": 0.5,
    "carpet": 1.0,
    "leather": 0.5,
    "weave": 0.6,
    "stone": 0.2,
    "wood": 0.15,
    "tiles": 0.4,
    "paper": 0.05,
}
"""Height of a cover's bumps in parts of its pitch: fibres of felt 0.5 mm, loops of a carpet 1 to 4 mm."""


Pattern: TypeAlias = tuple[Any, Any]
"""Two nodes' outputs for each place of a cover: share of the second colour, height of the surface."""


class Nodes:
    """The nodes of one material, about a principled shader."""

    def __init__(self, name: str) -> None:
        import bpy

        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self._tree = self.material.node_tree
        self.shader = self._tree.nodes["Principled BSDF"]

    def add(self, kind: str, settings: dict[str, Any] | None = None, **inputs: Any) -> Any:
        """A node of the kind ShaderNode`kind`; inputs named with _ for blanks, or i0, i1 by number."""
        node = self._tree.nodes.new(f"ShaderNode{kind}")
        for key, value in (settings or {}).items():
            setattr(node, key, value)
        for key, value in inputs.items():
            self.put(node, int(key[1:]) if key[1:].isdigit() else key.replace("_", " "), value)
        return node

    def put(self, node: Any, key: str | int, value: Any) -> None:
        """Set an input, or link it where the value is another node's output."""
        if hasattr(value, "links"):
            self._tree.links.new(value, node.inputs[key])
        else:
            node.inputs[key].default_value = value

    def shade(self, **inputs: Any) -> None:
        """Set the inputs of the principled shader."""
        for key, value in inputs.items():
            self.put(self.shader, key.replace("_", " "), value)

    def math(self, operation: str, first: Any, second: Any = 0.0, clamp: bool = False) -> Any:
        """The output of a node that computes."""
        settings = {"operation": operation, "use_clamp": clamp}
        return self.add("Math", settings, i0=first, i1=second).outputs[0]

    def mix(self, share: Any, first: Any, second: Any) -> Any:
        """Two colours, mixed."""
        return self.add("MixRGB", None, Fac=share, Color1=first, Color2=second).outputs[0]

    def ramp(self, value: Any, low: float, high: float) -> Any:
        """0 below `low`, 1 above `high`, straight between."""
        return self.add("MapRange", None, Value=value, From_Min=low, From_Max=high).outputs[0]

    def places(self, stretch: Vec = (1.0, 1.0, 1.0), turn_rad: float = 0.0, seed: int = 0) -> Any:
        """Coordinates in millimetres, turned, stretched, and moved by the seed."""
        move = np.random.default_rng(seed).uniform(-500, 500, 3)
        own = self.add("TexCoord").outputs["Object"]
        place = self.add("Mapping", None, Vector=own, Rotation=(0.0, 0.0, turn_rad), Scale=stretch)
        self.put(place, "Location", tuple(float(v) for v in move))
        return place.outputs[0]

    def noise(self, places: Any, pitch_mm: float, detail: float = 3.0, twist: float = 0.0) -> Any:
        """Noise around 0.5 with bumps of that pitch."""
        node = self.add("TexNoise", None, Vector=places, Scale=1 / pitch_mm, Detail=detail, Distortion=twist)
        return node.outputs[0]

    def bump(self, height: Any, size_mm: float) -> None:
        """Bumps of the shader's surface."""
        self.shade(Normal=self.add("Bump", None, Height=height, Strength=0.6, Distance=size_mm).outputs[0])


def rgba(rgb: Vec) -> Sequence[float]:
    """An sRGB colour as Blender wants it: linear, with alpha."""
    return (*(float(v) for v in linear(rgb)), 1.0)


def plain(name: str, rgb: Vec, roughness: float, metal: float = 0.0) -> Any:
    """One colour with a slight grain."""
    nodes = Nodes(name)
    grain = nodes.noise(nodes.places(), 4.0)
    dark = tuple(0.8 * v for v in rgb)
    nodes.shade(
        Base_Color=nodes.mix(nodes.ramp(grain, 0.3, 0.8), rgba(rgb), rgba((dark[0], dark[1], dark[2]))),
        Roughness=roughness,
        Metallic=metal,
    )
    return nodes.material


def die_material(make: Make, finish: Finish) -> Any:
    """A die: body by its texture, paint within the rims of the pips, wear over both."""
    nodes = Nodes("die")
    places = nodes.places(seed=make.grain_seed)
    paint = nodes.add("Attribute", {"attribute_name": "paint"}).outputs["Color"]
    rim = nodes.add("Attribute", {"attribute_name": "rim"}).outputs["Fac"]
    inside = nodes.ramp(rim, 0.008, -0.008)
    rubbed = nodes.ramp(nodes.noise(places, 0.7, 6.0), 0.3 * finish.wear + 0.1, 0.3 * finish.wear + 0.2)
    inside = nodes.math("MULTIPLY", inside, rubbed)
    body = _body(nodes, places, make)
    scratches = nodes.noise(places, 1.5, 8.0, 2.0)
    rough = nodes.math("MULTIPLY_ADD", scratches, 0.5 * finish.wear)
    nodes.put(rough.node, 2, finish.roughness * 0.8)
    nodes.shade(
        Base_Color=nodes.mix(inside, body, paint),
        Roughness=rough,
        Coat_Weight=finish.coat,
        Coat_Roughness=0.05,
        IOR=1.49,
    )
    if finish.transmit:
        open_ = nodes.math("SUBTRACT", 1.0, inside)
        nodes.shade(Transmission_Weight=nodes.math("MULTIPLY", open_, finish.transmit))
    if finish.scatter:
        nodes.shade(Subsurface_Weight=finish.scatter, Subsurface_Scale=finish.scatter_mm)
        nodes.put(nodes.shader, "Subsurface Radius", (1.0, 0.7, 0.5))
    nodes.bump(scratches, 0.05 + 0.1 * finish.wear)
    return nodes.material


def _body(nodes: Nodes, places: Any, make: Make) -> Any:
    """The colour of the body by the make's texture."""
    first, second = rgba(make.body_rgb), rgba(make.second_rgb)
    pitch = max(0.8, make.grain)
    if make.texture == "wood":
        wave = nodes.add(
            "TexWave", None, Vector=places, Scale=WAVE_MM / 2.2, Distortion=5.0, Detail=3.0, Detail_Scale=0.3
        )
        return nodes.mix(wave.outputs[0], first, second)
    if make.texture in ("marble", "pearl"):
        veins = nodes.noise(places, 2.5 * pitch, 3.0, 2.5)
        return nodes.mix(nodes.ramp(veins, 0.4, 0.65), first, second)
    if make.texture in ("glitter", "speckle"):
        flakes = nodes.add("TexVoronoi", None, Vector=places, Scale=2.5 / pitch)
        lit = nodes.add("SeparateColor", None, Color=flakes.outputs["Color"]).outputs[0]
        return nodes.mix(nodes.ramp(lit, 0.8, 0.85), first, second)
    return nodes.mix(nodes.ramp(nodes.noise(places, 5.0), 0.3, 1.6), first, second)


def cover_material(cover: Cover, plate: float | None = None) -> Any:
    """What the table is covered with; under a glass plate of that roughness where one is given."""
    nodes = Nodes("cover")
    share, height = _pattern(nodes, cover)
    stains = nodes.ramp(nodes.noise(nodes.places(seed=cover.seed + 1), 60.0, 4.0), 0.2, 1.8)
    dark = rgba(tuple(0.6 * v for v in cover.rgb))  # type: ignore[arg-type]
    colour = nodes.mix(
        nodes.math("MULTIPLY", stains, 0.5), nodes.mix(share, rgba(cover.rgb), rgba(cover.second_rgb)), dark
    )
    nodes.shade(Base_Color=colour, Roughness=float(np.clip(0.85 - 0.65 * cover.gloss, 0.12, 1.0)))
    if cover.kind in ("felt", "carpet", "weave"):
        nodes.shade(Sheen_Weight=0.4)
    if plate is not None:
        nodes.shade(Coat_Weight=1.0, Coat_Roughness=plate)
    if cover.kind in BUMPS:
        nodes.bump(height, BUMPS[cover.kind] * min(cover.pitch_mm, 4.0))
    return nodes.material


def _pattern(nodes: Nodes, cover: Cover) -> Pattern:
    """The pattern of a cover's kind, grain for all without one of their own."""
    places = nodes.places(turn_rad=float(np.radians(cover.angle_deg)), seed=cover.seed)
    return PATTERNS.get(cover.kind, _grain)(nodes, places, cover)


def _grain(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    grain = nodes.noise(places, max(0.5, cover.pitch_mm), 5.0)
    return nodes.ramp(grain, 0.5 - 0.25 / cover.contrast, 0.5 + 0.25 / cover.contrast), grain


def _wood(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    """Rings along the board, and pores."""
    turn_rad = float(np.radians(cover.angle_deg))
    along = nodes.places((1.0, 0.12, 1.0), turn_rad, cover.seed)
    scale = WAVE_MM / cover.pitch_mm
    rings = nodes.add(
        "TexWave", None, Vector=along, Scale=scale, Distortion=9.0, Detail=4.0, Detail_Scale=0.06
    ).outputs[0]
    pores = nodes.noise(nodes.places((1.0, 0.03, 1.0), turn_rad, cover.seed), 0.8, 4.0)
    return nodes.ramp(nodes.math("MULTIPLY_ADD", rings, pores), 0.0, 1.4), pores


def _weave(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    threads = [_wave(nodes, places, cover.pitch_mm, side) for side in "XY"]
    both = nodes.math("MULTIPLY", *threads)
    return both, both


def _stripes(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    wave = _wave(nodes, places, 2 * cover.pitch_mm, "X")
    return nodes.ramp(wave, 0.48, 0.52), wave


def _wave(nodes: Nodes, places: Any, period_mm: float, side: str) -> Any:
    scale = WAVE_MM / period_mm
    return nodes.add("TexWave", {"bands_direction": side}, Vector=places, Scale=scale).outputs[0]


def _dots(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    far = _cells(nodes, places, cover, 0.0)["Distance"]
    return nodes.ramp(far, 0.32, 0.28), far


def _leather(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    far = _cells(nodes, places, cover, 0.9)["Distance"]
    return nodes.ramp(far, 0.2, 0.8), far


def _print(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    """Patches of two colours."""
    cells = _cells(nodes, places, cover, 1.0)
    tone = nodes.add("SeparateColor", None, Color=cells["Color"]).outputs[0]
    return nodes.ramp(tone, 0.5, 0.52), cells["Distance"]


def _cells(nodes: Nodes, places: Any, cover: Cover, randomness: float) -> Any:
    """Outputs of a Voronoi texture: the distance to the next cell's centre, and a colour for each cell."""
    scale = 1 / cover.pitch_mm
    return nodes.add("TexVoronoi", None, Vector=places, Scale=scale, Randomness=randomness).outputs


def _tiles(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    """Tiles with joints."""
    joints = _bricks(nodes, places, cover.pitch_mm, cover.pitch_mm, 0.06, 0.0)
    return joints, nodes.math("SUBTRACT", 1.0, joints)


def _paper(nodes: Nodes, places: Any, cover: Cover) -> Pattern:
    """Lines of print, as in a newspaper."""
    between = _bricks(nodes, places, 6 * cover.pitch_mm, cover.pitch_mm, 0.35, 0.37)
    letters = nodes.ramp(nodes.noise(places, 1.2, 2.0), 0.5, 0.55)
    return nodes.math("MULTIPLY", nodes.math("SUBTRACT", 1.0, between), letters), letters


def _bricks(nodes: Nodes, places: Any, wide: float, tall: float, joint: float, offset: float) -> Any:
    """1 in the joints of bricks of that size in mm, 0 within; `joint` is their width over the height."""
    mortar = joint * tall / 2
    node = nodes.add(
        "TexBrick", None, Vector=places, Scale=1.0, Mortar_Size=mortar, Brick_Width=wide, Row_Height=tall
    )
    node.offset = offset
    return node.outputs["Fac"]


PATTERNS: Mapping[str, Callable[[Nodes, Any, Cover], Pattern]] = {
    "wood": _wood,
    "weave": _weave,
    "stripes": _stripes,
    "dots": _dots,
    "leather": _leather,
    "print": _print,
    "tiles": _tiles,
    "paper": _paper,
}
"""By a cover's kind."""


def decal_material(rgb: Vec, mask: np.ndarray) -> Any:
    """A mark of one colour, clear where the mask (n, n) of coverage in [0, 1] is 0."""
    import bpy

    side = len(mask)
    image = bpy.data.images.new("mark", side, side, float_buffer=True, is_data=True)
    flipped = np.repeat(mask[::-1, :, None], 4, axis=2).astype(np.float32)
    image.pixels.foreach_set(flipped.ravel())
    nodes = Nodes("mark")
    cover = nodes.add("TexImage", {"image": image, "extension": "CLIP"}).outputs["Color"]
    nodes.shade(Base_Color=rgba(rgb), Roughness=0.5, Alpha=cover)
    return nodes.material
