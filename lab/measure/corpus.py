"""Drawn pictures with truth, by class of difficulty: what the readers are measured on.

`python -m lab.measure.classes` draws hundreds of them; the suite a fixed few. A class is a function from a
seed to a scene; the same seed gives the same picture everywhere.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lab.scenes import LEVELS, Scene, throw
from lab.scenes.makes import any_make
from lab.scenes.marks import EMBLEMS
from lab.scenes.values import Light, Lying, Make

NORMAL, HARD = LEVELS["normal"], LEVELS["hard"]
FEW = (1, 12)
"""Dice of most classes; from one player's to two."""
FAR_FOV_DEG = 20.0
"""The angle of view of a camera far away: no die is seen more than 10 degrees off the middle's angle."""
POLYHEDRA = ("cube", "d4", "d8", "d10", "d12", "d20")
"""Kinds of things that bear numerals."""
PIPPED = ("domino", "brick", "button", "blank", "disc")
"""Kinds of things that bear dots or emblems."""


def _easy(seed: int) -> Scene:
    return throw(seed, difficulty="easy")


def _normal(seed: int) -> Scene:
    return throw(seed, count=FEW)


def _hard(seed: int) -> Scene:
    return throw(seed, difficulty="hard", count=FEW)


def _clutter(seed: int) -> Scene:
    """Twenty other things beside the dice."""
    return throw(seed, count=FEW, level=replace(NORMAL, clutter=6.0))


def _only(scene: Scene, kinds: tuple[str, ...]) -> Scene:
    """The scene with things of the given kinds alone."""
    return replace(scene, things=tuple(t for t in scene.things if t.kind in kinds), flats=())


def _polyhedra(seed: int) -> Scene:
    """Dice with numerals beside the others, cubes and all the other bodies."""
    return _only(throw(seed, count=(1, 6), level=replace(NORMAL, clutter=8.0)), POLYHEDRA)


def _dominoes(seed: int) -> Scene:
    """Dominoes, bricks, buttons and tokens beside the dice."""
    return _only(throw(seed, count=(1, 6), level=replace(NORMAL, clutter=8.0)), PIPPED)


def _numerals(seed: int) -> Scene:
    """Every other die has numerals in place of pips."""
    scene, rng = _only(throw(seed, count=(2, 8)), ()), np.random.default_rng(seed)
    dice = [replace(d, make=_numeral_make(rng)) if k % 2 else d for k, d in enumerate(scene.dice)]
    return replace(scene, dice=tuple(_as_large(n, d) for n, d in zip(dice, scene.dice, strict=True)))


def _numeral_make(rng: np.random.Generator) -> Make:
    """A cube with numerals or letters instead of pips, which no reader may read."""
    make = any_make(rng)
    words = [f"#{n}" for n in range(1, 7)] if rng.uniform() < 0.6 else [f"#{c}" for c in "AEKQJW"]
    return replace(make, marks=tuple(enumerate(words, start=1)), inset=0.0)


def _as_large(new: Lying, old: Lying) -> Lying:
    """The new die with the old one's side, so that it stands on the table."""
    return replace(new, make=replace(new.make, side_mm=old.make.side_mm))


def _emblems(seed: int) -> Scene:
    """Every other die shows an emblem."""
    scene, rng = _only(throw(seed, count=(2, 8)), ()), np.random.default_rng(seed)
    return replace(
        scene,
        dice=tuple(
            replace(d, make=replace(d.make, marks=((d.face, str(rng.choice(EMBLEMS))),))) if k % 2 else d
            for k, d in enumerate(scene.dice)
        ),
    )


def _slanting(seed: int, tilt_deg: float = 35.0) -> Scene:
    """Seen from so far off the vertical, and from so far away that this holds all over the picture."""
    scene = throw(seed, count=FEW, level=replace(NORMAL, tilt_deg=tilt_deg, least_tilt_deg=tilt_deg))
    near = math.tan(math.radians(scene.lens.fov_deg / 2)) / math.tan(math.radians(FAR_FOV_DEG / 2))
    lens = replace(scene.lens, fov_deg=FAR_FOV_DEG, distance_mm=scene.lens.distance_mm * near)
    return replace(scene, lens=lens)


def _to_slanting(seed: int) -> Scene:
    """Seen from anywhere up to 35 degrees off the vertical, as a hand holds a phone."""
    return _slanting(seed, float(np.random.default_rng(seed).uniform(0, 35)))


def _touching(seed: int) -> Scene:
    return throw(seed, count=(3, 15), level=replace(NORMAL, clump=1.0))


def _packed(seed: int) -> Scene:
    """Pushed together into rows."""
    return throw(seed, count=(4, 20), level=replace(NORMAL, packed=1.0))


def _glare(seed: int) -> Scene:
    """Polished dice on varnish under a flash."""
    scene = throw(seed, count=FEW, style="phone")
    flash = Light((20.0, 15.0, scene.lens.distance_mm), 12.0, (1.0, 1.0, 1.0))
    return replace(
        scene,
        lights=(flash,),
        cover=replace(scene.cover, gloss=0.9),
        dice=tuple(replace(d, make=replace(d.make, gloss=0.06)) for d in scene.dice),
    )


def _dim(seed: int) -> Scene:
    """A bar late in the evening: a third of the light, and the sensor's noise."""
    scene = throw(seed, count=FEW)
    film = replace(scene.film, exposure=0.3, noise=0.012, grain=0.04, balance=(1.2, 1.0, 0.75))
    return replace(scene, film=film)


def _coloured_tray(seed: int) -> Scene:
    """In a tray of a strong colour."""
    scene, rng = throw(seed, count=FEW, style="tray"), np.random.default_rng(seed)
    hue, bright = float(rng.uniform()), float(rng.uniform(0.3, 0.9))
    cover = replace(scene.cover, kind="felt", rgb=colorsys.hsv_to_rgb(hue, 0.85, bright), gloss=0.0)
    wall = colorsys.hsv_to_rgb(hue, 0.85, bright * 0.8)
    return replace(scene, cover=cover, tray=scene.tray and replace(scene.tray, wall_rgb=wall, rim_rgb=wall))


def _coarse(seed: int) -> Scene:
    """640 pixels wide, strongly compressed, pips of three pixels."""
    level = replace(NORMAL, die_px=(40, 76))
    scene = throw(seed, count=(3, 15), level=level, width_px=640, height_px=480)
    return replace(scene, film=replace(scene.film, jpeg=55, coarse=1.3))


def _grey(seed: int) -> Scene:
    """An old grey camera."""
    return throw(seed, count=FEW, style="grey")


def _no_dice(seed: int) -> Scene:
    """Clutter alone."""
    return throw(seed, count=(0, 0), difficulty="hard" if seed % 2 else "normal")


CLASSES: dict[str, Callable[[int], Scene]] = {
    "easy": _easy,
    "normal": _normal,
    "hard": _hard,
    "clutter": _clutter,
    "35 degrees": _slanting,
    "touching": _touching,
    "packed": _packed,
    "glare": _glare,
    "dim": _dim,
    "coloured trays": _coloured_tray,
    "640 px, coarse": _coarse,
    "grey camera": _grey,
    "polyhedra beside": _polyhedra,
    "dominoes beside": _dominoes,
    "numeral dice": _numerals,
    "emblem faces": _emblems,
    "no dice": _no_dice,
    "up to 35 degrees": _to_slanting,
}


def scene_of(name: str, seed: int) -> Scene:
    """The scene of a class for a seed."""
    return CLASSES[name](seed)
