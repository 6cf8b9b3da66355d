"""Clutter that only the tracer draws: cables, a phone that lies on the table all evening, printed pages."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lab.scenes.space import as_turn, yaw
from lab.scenes.things import reach_mm
from lab.scenes.values import Flat, Scene, Thing, Vec

Rng = np.random.Generator
CABLE_SHARE, PHONE_SHARE, NEWSPRINT = 0.15, 0.1, 0.7
"""Shares of pictures with a cable and with a phone; of pages that are dark print on pale paper. The first two
are the clutter that recurs in unseen photographs."""
CABLE_MM = (1.5, 3.5)
"""Radius of a cable: of a charger's to a lamp's."""
PHONE_MM = (72.0, 150.0, 8.5)
"""A usual phone: width, length, thickness."""
TRIES, POINTS = 20, 40


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable that lies on the table along `points_mm`."""

    points_mm: tuple[Vec, ...]
    radius_mm: float
    rgb: Vec


def any_cable(rng: Rng, scene: Scene) -> Cable | None:
    """A cable across the view that touches nothing; None mostly, and where there is no room."""
    if rng.random() > CABLE_SHARE or scene.tray is not None:
        return None
    radius, reach, taken = float(rng.uniform(*CABLE_MM)), 0.7 * view_mm(scene), _taken(scene)
    for _ in range(TRIES):
        first, last = (reach * np.array([math.cos(a), math.sin(a)]) for a in rng.uniform(0, 2 * math.pi, 2))
        path = _bent(first, rng.uniform(-reach, reach, 2), last)
        if _clear(path, taken, radius):
            dark = float(rng.choice([0.03, 0.9, 0.5]))
            points = tuple((float(x), float(y), radius) for x, y in path)
            return Cable(points, radius, (dark, dark, dark))
    return None


def any_phone(rng: Rng, scene: Scene) -> Thing | None:
    """A phone with its dark glass up, where it touches nothing; None mostly, and where there is no room."""
    if rng.random() > PHONE_SHARE or scene.tray is not None:
        return None
    reach, taken = 0.5 * view_mm(scene), _taken(scene)
    for _ in range(TRIES):
        place = rng.uniform(-reach, reach, 2)
        if _clear(place[None], taken, math.hypot(*PHONE_MM[:2]) / 2):
            turn = as_turn(yaw(float(rng.uniform(0, 2 * math.pi))))
            centre = (float(place[0]), float(place[1]), PHONE_MM[2] / 2)
            return Thing("box", PHONE_MM, centre, turn, (0.02, 0.02, 0.025), gloss=0.05)
    return None


def printed(rng: Rng, flat: Flat) -> Flat:
    """Most pages as newspapers are: dark print on pale paper."""
    if flat.kind != "page" or rng.random() > NEWSPRINT:
        return flat
    pale, dark = float(rng.uniform(0.75, 0.97)), float(rng.uniform(0.03, 0.25))
    return replace(flat, rgb=(pale, pale, 0.95 * pale), second_rgb=(dark, dark, dark))


def view_mm(scene: Scene) -> float:
    """Width of the table that the camera sees, about."""
    return 2 * scene.lens.distance_mm * math.tan(math.radians(scene.lens.fov_deg) / 2)


def _taken(scene: Scene) -> NDArray[np.float64]:
    """Circles (n, 3) about dice and things: x, y, radius."""
    dice = [(*die.centre_mm[:2], die.make.side_mm * 0.75) for die in scene.dice]
    things = [circle for thing in scene.things for circle in reach_mm(thing)]
    return np.array([*dice, *things], np.float64).reshape(-1, 3)


def _clear(path: NDArray[np.float64], taken: NDArray[np.float64], radius: float) -> bool:
    away = np.linalg.norm(path[:, None] - taken[None, :, :2], axis=2)
    return bool((away > taken[:, 2] + radius).all())


def _bent(
    first: NDArray[np.float64], by: NDArray[np.float64], last: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A quadratic Bezier curve, (POINTS, 2)."""
    t = np.linspace(0, 1, POINTS)[:, None]
    return np.asarray((1 - t) ** 2 * first + 2 * t * (1 - t) * by + t**2 * last)
