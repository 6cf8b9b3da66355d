"""Clutter at random: what else lies on a table where people play."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from lab.scenes.colours import any_rgb, grey_of
from lab.scenes.lie import Ground, Pose
from lab.scenes.polyhedra import KINDS, lying_turn
from lab.scenes.prints import SHEETS
from lab.scenes.space import as_turn, yaw
from lab.scenes.things import reach_mm
from lab.scenes.values import Flat, Point, Thing, Vec

Rng = np.random.Generator
_FLAT_MM = {"disc": (30, 95), "dotted": (12, 60), "logo": (20, 90)}
_NUMERAL_SETS = (("#1", "#6", "#2", "#5", "#3", "#4"), ("#A", "#E", "#K", "#Q", "#J", "#W"))


def any_flats(rng: Rng, ground: Ground, number: int) -> tuple[Flat, ...]:
    """Cards, sheets, coasters, dotted squares and words, wherever they fall; dice may lie on them."""
    return tuple(_flat(rng, ground.draw(rng)) for _ in range(number))


def _flat(rng: Rng, at: Point) -> Flat:
    kind = str(rng.choice(list(SHEETS)))
    wide, high = {"page": (150.0, 210.0), "card": (63.0, 88.0)}.get(kind, (0.0, 0.0))
    if not wide:
        wide = high = float(rng.uniform(*_FLAT_MM[kind]))
    ink, paper = _two(rng)
    return Flat(kind, at, (wide, high), float(rng.uniform(0, 360)), paper, ink, int(rng.integers(1 << 30)))


def any_things(rng: Rng, ground: Ground, poses: Sequence[Pose], number: int) -> tuple[Thing, ...]:
    """Solid clutter that reaches into no die and into nothing else."""
    taken = [(s.x_mm, s.y_mm, s.half_mm * 1.45) for s in poses]
    things: list[Thing] = []
    for _ in range(number):
        kind = str(rng.choice(list(_MAKERS), p=_SHARES))
        for _ in range(25):
            thing = _MAKERS[kind](rng, ground.draw(rng))
            circles = reach_mm(thing)
            apart = all(math.hypot(x - a, y - b) > r + q for x, y, r in circles for a, b, q in taken)
            if apart and ground.free(thing.centre_mm[0], thing.centre_mm[1], circles[0][2]):
                things.append(thing)
                taken += circles
                break
    return tuple(things)


def props(rng: Rng, poses: Sequence[Pose]) -> tuple[Thing, ...]:
    """What the leaning dice lean on: a small block under the raised side of most of them."""
    return tuple(_prop(rng, s) for s in poses if s.lean_rad and rng.uniform() < 0.75)


def _prop(rng: Rng, pose: Pose) -> Thing:
    lean, side = pose.lean_rad, 2 * pose.half_mm
    high = float(rng.uniform(0.4, 0.9)) * side * math.sin(lean)
    start = high / math.tan(lean)  # from the edge the die stands on to where the block holds it
    long = side * 1.25 - start
    foot = pose.half_mm * (math.sin(lean) - math.cos(lean)) + start + long / 2
    x, y = -math.sin(pose.lean_towards_rad), math.cos(pose.lean_towards_rad)
    first, second = _two(rng)
    turn = as_turn(yaw(math.atan2(y, x)))
    size = (long, float(rng.uniform(0.6, 1.4)) * side, high)
    return Thing("box", size, (pose.x_mm + x * foot, pose.y_mm + y * foot, high / 2), turn, first, second)


def _two(rng: Rng) -> tuple[Vec, Vec]:
    """Two colours that stand out from one another."""
    for _ in range(30):
        a, b = any_rgb(rng), any_rgb(rng)
        if abs(grey_of(a) - grey_of(b)) > 0.25:
            return a, b
    return (0.05, 0.05, 0.05), (0.9, 0.9, 0.9)


def _standing(
    kind: str, size: Vec, at: Point, rng: Rng, marks: tuple[str, ...] = (), gloss: float = 0.25
) -> Thing:
    first, second = _two(rng)
    turn = as_turn(yaw(float(rng.uniform(0, 6.28))))
    return Thing(
        kind, size, (*at, size[2] / 2), turn, first, second, gloss, marks, int(rng.integers(1 << 30))
    )


def _numeral_cube(rng: Rng, at: Point) -> Thing:
    side = float(rng.uniform(12, 20))
    words = np.array(_NUMERAL_SETS[int(rng.integers(2))])[rng.permutation(6)]
    return _standing("cube", (side, side, side), at, rng, tuple(str(w) for w in words))


def _blank_cube(rng: Rng, at: Point) -> Thing:
    side = float(rng.uniform(8, 20))
    emblems = ("*skull", "*star", "*crown", "*heart", "*sun", "*ring")
    return _standing("cube", (side, side, side), at, rng, emblems if rng.uniform() < 0.5 else ())


def _poly(rng: Rng, at: Point) -> Thing:
    kind = str(rng.choice(KINDS))
    high = float(rng.uniform(12, 22)) * (0.55 if kind == "d4" else 1.0)
    first, second = _two(rng)
    turn = as_turn(lying_turn(kind, int(rng.integers(20)), float(rng.uniform(0, 6.28))))
    return Thing(kind, (high * 1.5, high * 1.5, high), (*at, high / 2), turn, first, second, 0.12)


def _domino(rng: Rng, at: Point) -> Thing:
    side = float(rng.uniform(18, 26))
    grids = ("", ":1x1x9", ":2x1x9", ":2x2x9", ":2x3x9", ":1x3x9", ":3x3x8")
    return _standing(
        "domino", (2 * side, side, 8.0), at, rng, (str(rng.choice(grids)), str(rng.choice(grids)))
    )


def _dotted_block(rng: Rng, at: Point) -> Thing:
    """Bricks, plugs, remote controls: boxes with dots that are not a face's."""
    x, y, z = rng.uniform(10, 45), rng.uniform(10, 30), rng.uniform(4, 20)
    columns, rows = rng.integers(1, 5, 2)
    if columns * rows in (1, 4, 6):  # these would be faces
        rows = 5 - rows
    top = f":{columns}x{rows}x{rng.integers(4, 10)}"
    return _standing("brick", (float(x), float(y), float(z)), at, rng, ("", "", "", "", top, ""))


def _key(rng: Rng, at: Point) -> Thing:
    side = float(rng.uniform(13, 18))
    word = "#" + str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:;")))
    return _standing("key", (side, side, 6.0), at, rng, ("", "", "", "", word, ""))


def _disc(
    kind: str, widths: tuple[float, float], heights: tuple[float, float]
) -> Callable[[Rng, Point], Thing]:
    def make(rng: Rng, at: Point) -> Thing:
        wide, high = float(rng.uniform(*widths)), float(rng.uniform(*heights))
        grids = {
            "button": (":2x2x6", ":2x1x6", ":1x1x9"),
            "coin": ("#1", "#2", "#5", "#10", "*crown"),
            "chip": ("", "#5"),
        }
        mark = str(rng.choice(grids.get(kind, ("*ring", ":1x1x12", "*star"))))
        return _standing(kind, (wide, wide, high), at, rng, (mark,), gloss=0.15)

    return make


def _cup(rng: Rng, at: Point) -> Thing:
    foot, mouth = float(rng.uniform(45, 70)), float(rng.uniform(65, 90))
    upright = rng.uniform() < 0.5
    size = (foot, mouth, float(rng.uniform(50, 95))) if upright else (mouth, foot, float(rng.uniform(50, 95)))
    return _standing("cup", size, at, rng, ("open",) if upright else (), gloss=0.3)


def _pen(rng: Rng, at: Point) -> Thing:
    thick = float(rng.uniform(7, 12))
    return _standing("pen", (float(rng.uniform(90, 150)), thick, thick), at, rng)


def _ball(rng: Rng, at: Point) -> Thing:
    side = float(rng.uniform(8, 22))
    return _standing("ball", (side, side, side), at, rng, gloss=0.08)


def _box(rng: Rng, at: Point) -> Thing:
    x, y, z = rng.uniform(50, 140), rng.uniform(40, 80), rng.uniform(6, 30)
    word = "#" + "".join(rng.choice(list("AEIORSTLNDM"), 4))
    return _standing("box", (float(x), float(y), float(z)), at, rng, ("", "", "", "", word, ""))


def _hand(rng: Rng, at: Point) -> Thing:
    """A hand of any skin, flat on the table or above it, the sleeve behind it."""
    tone = float(rng.uniform(0, 1))
    rgb = (0.93 - 0.62 * tone, 0.74 - 0.56 * tone, 0.62 - 0.50 * tone)
    size = float(rng.uniform(160, 200))
    turn = as_turn(yaw(float(rng.uniform(0, 6.28))))
    high = float(rng.choice([14.0, rng.uniform(14, 60)]))
    seed = int(rng.integers(1 << 30))
    sizes = (size, size * 0.62, 40.0)
    return Thing("hand", sizes, (*at, high), turn, rgb, any_rgb(rng), 0.4, ("sleeve",), seed)


_MAKERS: dict[str, Callable[[Rng, Point], Thing]] = {
    "cube": _numeral_cube,
    "blank": _blank_cube,
    "poly": _poly,
    "domino": _domino,
    "brick": _dotted_block,
    "key": _key,
    "button": _disc("button", (9, 25), (2, 4)),
    "coin": _disc("coin", (16, 28), (1.5, 2.5)),
    "chip": _disc("chip", (30, 42), (3, 4)),
    "token": _disc("disc", (10, 30), (3, 9)),
    "cup": _cup,
    "pen": _pen,
    "ball": _ball,
    "box": _box,
    "hand": _hand,
}
_SHARES = np.array([3, 1.5, 4, 2, 2, 1.5, 2, 1.5, 1, 1.5, 2, 1, 1, 1, 1.5]) / 26.5
