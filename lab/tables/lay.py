"""How dice lie after a cup was lifted: places in sides of a die, some of them edge to edge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator
APART = 1.5
"""Minimum distance of two dice of any turn that do not touch, in sides: the diagonal and a little more."""
TOUCH = (1.0, 1.03)
"""Distance of two dice that lie edge to edge."""
TRIES = 400


@dataclass(frozen=True, slots=True)
class Lain:
    """One die: owner, place in sides, turn in degrees."""

    owner: int
    x: float
    y: float
    angle_deg: float


def cup(rng: Rng, count: int, share: float, owner: int = 0) -> list[Lain]:
    """The dice of one cup about the origin; but for the first, `share` of them are laid against another."""
    dice: list[Lain] = []
    while len(dice) < count:
        touching = bool(dice) and rng.random() < share
        found = next((d for _ in range(TRIES) if (d := _tried(rng, dice, touching, owner)) is not None), None)
        dice = [*dice, found] if found else []
    return dice


def _tried(rng: Rng, dice: list[Lain], touching: bool, owner: int) -> Lain | None:
    """A die in a free place, or None."""
    if not touching:
        reach = 0.8 + 0.6 * math.sqrt(len(dice))
        x, y = rng.normal(0, reach, 2)
        free = all(math.hypot(x - d.x, y - d.y) > APART for d in dice)
        return Lain(owner, float(x), float(y), float(rng.uniform(0, 90))) if free else None
    mate = dice[int(rng.integers(len(dice)))]
    way = math.radians(mate.angle_deg + 90 * int(rng.integers(4)))
    far, aside = float(rng.uniform(*TOUCH)), float(rng.normal(0, 0.08))
    x = mate.x + far * math.cos(way) - aside * math.sin(way)
    y = mate.y + far * math.sin(way) + aside * math.cos(way)
    others = (d for d in dice if d is not mate)
    free = all(math.hypot(x - d.x, y - d.y) > (1.0 if _aligned(mate, d) else APART) for d in others)
    return Lain(owner, x, y, mate.angle_deg + float(rng.normal(0, 1.0))) if free else None


def _aligned(one: Lain, other: Lain) -> bool:
    """Whether two dice have about the same turn, as those of a row have."""
    return abs((one.angle_deg - other.angle_deg + 45) % 90 - 45) < 6


def table(rng: Rng, cups: list[int], share: float, wide: float, high: float) -> list[Lain] | None:
    """A cup for each player, apart, within `wide` by `high` sides; None where there is no room."""
    dice: list[Lain] = []
    for owner, count in enumerate(cups):
        own = cup(rng, count, share, owner)
        x0, y0 = (min(d.x for d in own) - 1.2, min(d.y for d in own) - 1.2)
        x1, y1 = (max(d.x for d in own) + 1.2, max(d.y for d in own) + 1.2)
        for _ in range(TRIES):
            dx, dy = rng.uniform(-x0, max(-x0, wide - x1)), rng.uniform(-y0, max(-y0, high - y1))
            moved = [Lain(owner, d.x + dx, d.y + dy, d.angle_deg) for d in own]
            fits = all(d.x < wide - 1 and d.y < high - 1 for d in moved)
            if fits and all(math.hypot(d.x - e.x, d.y - e.y) > 2.5 for d in moved for e in dice):
                dice += moved
                break
        else:
            return None
    return dice


def rack(rng: Rng, count: int) -> list[Lain]:
    """All dice packed edge to edge in rows, about the origin."""
    columns = math.ceil(math.sqrt(count * rng.uniform(0.8, 1.6)))
    turn, gap = float(rng.uniform(0, 90)), float(rng.uniform(*TOUCH))
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dice = []
    for number in range(count):
        x, y = (number % columns) * gap, (number // columns) * gap
        dice.append(Lain(0, x * cos - y * sin, x * sin + y * cos, turn + float(rng.normal(0, 0.5))))
    middle = np.mean([(d.x, d.y) for d in dice], axis=0)
    return [Lain(0, d.x - middle[0], d.y - middle[1], d.angle_deg) for d in dice]


def touching(dice: list[Lain]) -> float:
    """Share of the dice that lie edge to edge with another."""
    near = [any(math.hypot(d.x - e.x, d.y - e.y) < 1.12 for e in dice if e is not d) for d in dice]
    return sum(near) / max(1, len(near))
