"""Seeded shots: a scene of `lab.scenes`, and what its dice are made of. Nothing here needs Blender."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lab.scenes import LEVELS, Level, Scene, SceneError, throw
from lab.scenes.values import Lying, Make
from lab.training.traced.extras import Cable, any_cable, any_phone, printed

SHARES = {"any": 0.45, "phone": 0.25, "tray": 0.2, "box": 0.1}
"""Styles of scenes. Half of the unseen photographs come from phones held by hand, a fifth from trays."""
EMPTY, CROWDED = 0.08, 0.15
"""Shares of pictures without dice (66 of 528 unseen photographs) and with more clutter than dice."""
TABLE = replace(
    LEVELS["hard"], dice=(1, 20), die_px=(34.0, 170.0), clutter=0.8, odd=0.7, blur=0.6, cocked=0.04
)
"""Six players have up to thirty dice, but a picture of more than twenty teaches hardly more. Dice are 40 to
120 px wide at the box's working height; tilts reach 40 degrees, as phones are held."""
TRIES = 5


@dataclass(frozen=True, slots=True)
class Finish:
    """The material of one die. Shares in [0, 1].

    `roughness` is that of GGX, `coat` a layer of varnish over it. The share `scatter` of the light goes into
    the body, `scatter_mm` deep; `transmit` goes through (clear dice). `wear` is how much paint is rubbed off
    the pips and how scratched the body is.
    """

    roughness: float
    coat: float
    scatter: float
    scatter_mm: float
    transmit: float
    wear: float


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture to be traced: `finishes` are those of the scene's dice, `haze` the roughness of a glass
    plate on the ground (None: no plate), `cable` lies on it."""

    scene: Scene
    finishes: tuple[Finish, ...]
    plate: float | None
    cable: Cable | None


def shot(seed: int, number: int, width_px: int, height_px: int) -> Shot:
    """The picture `number` of a series; the same arguments give the same one.

    Raises SceneError if no scene of that number can be thrown.
    """
    rng = np.random.default_rng([seed, number])
    style = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    level = _level(rng)
    count = (0, 0) if level is None else None
    scene = _thrown(rng, style, level or TABLE, count, (width_px, height_px))
    lens = replace(scene.lens, distortion=0.0)  # Cycles' camera has none
    flats = tuple(printed(rng, flat) for flat in scene.flats)
    scene = replace(scene, lens=lens, flats=flats, dice=tuple(_plain(die) for die in scene.dice))
    if phone := any_phone(rng, scene):
        scene = replace(scene, things=(*scene.things, phone))
    makes = {die.make.body_rgb: any_finish(rng, die.make) for die in scene.dice}
    plate = float(rng.uniform(0, 0.05)) if rng.random() < 0.06 else None
    return Shot(scene, tuple(makes[die.make.body_rgb] for die in scene.dice), plate, any_cable(rng, scene))


def _level(rng: np.random.Generator) -> Level | None:
    """The level of a picture; None for one without dice."""
    kind = rng.random()
    if kind < EMPTY:
        return None
    return replace(TABLE, dice=(1, 6), clutter=3.0) if kind < EMPTY + CROWDED else TABLE


def _thrown(
    rng: np.random.Generator, style: str, level: Level, count: tuple[int, int] | None, size: tuple[int, int]
) -> Scene:
    for _ in range(TRIES):
        try:
            return throw(
                int(rng.integers(1 << 40)),
                style=style,
                difficulty="hard",
                level=level,
                count=count,
                width_px=size[0],
                height_px=size[1],
            )
        except SceneError:
            continue
    raise SceneError("No scene fits: ask for a larger picture.")


def _plain(die: Lying) -> Lying:
    """The die with pips on all faces: emblems have no mesh here yet."""
    return replace(die, make=replace(die.make, marks=()))


def any_finish(rng: np.random.Generator, make: Make) -> Finish:
    """A material that suits a make's texture.

    Acrylic and urea dice scatter light 0.5 to 2 mm deep; polished ones have a roughness of 0.05 to 0.2, worn
    ones up to 0.5. Clear acrylic lets most of the light through.
    """
    clear, wood = make.texture == "clear", make.texture == "wood"
    wear = float(rng.beta(1.2, 5))
    rough = float(rng.uniform(0.45, 0.8) if wood else make.gloss + 0.25 * wear)
    return Finish(
        roughness=min(1.0, rough),
        coat=float(rng.choice([0.0, rng.uniform(0.2, 1.0)], p=[0.6, 0.4])),
        scatter=0.0 if wood or clear else float(rng.choice([0.0, rng.uniform(0.1, 0.6)], p=[0.4, 0.6])),
        scatter_mm=float(rng.uniform(0.5, 2.0)),
        transmit=float(rng.uniform(0.75, 1.0)) if clear else 0.0,
        wear=wear,
    )
