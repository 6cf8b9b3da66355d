"""What the room looks like where a die or a varnished table mirrors it: walls, a ceiling, windows, people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.scenes.values import FloatArray

_SALT = 23
_WALL, _CEILING = 0.35, 1.0  # as bright as the sky's mean, towards the horizon and overhead
_SOFTER = 0.1  # panels have frames, curtains, and a room round them


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Something flat and far off, seen `towards` (3,): a window, a lamp's shade, a cupboard, a person.

    `across` (3,) is one of its own axes, `half` its half sides as tangents, `bright` how many times as bright
    as the sky's mean it is, less than one where it is dark.
    """

    towards: FloatArray
    across: FloatArray
    half: tuple[float, float]
    bright: float


def room(seed: int) -> tuple[Panel, ...]:
    """The panels round a scene: some bright, some dark, always the same for one seed."""
    rng = np.random.default_rng((seed, _SALT))
    bright = [_panel(rng, float(rng.uniform(2.5, 9.0)), (0.15, 0.8)) for _ in range(int(rng.integers(3, 7)))]
    dark = [_panel(rng, float(rng.uniform(0.05, 0.4)), (0.3, 1.2)) for _ in range(int(rng.integers(1, 4)))]
    return (*dark, *bright)


def _panel(rng: np.random.Generator, bright: float, sizes: tuple[float, float]) -> Panel:
    turn, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.15, 1.0)
    flat = np.sqrt(1 - height * height)
    towards = np.array([flat * np.cos(turn), flat * np.sin(turn), height])
    across = np.cross(towards, rng.normal(0, 1, 3))
    across /= np.linalg.norm(across)
    half = (float(rng.uniform(*sizes)), float(rng.uniform(*sizes)))
    return Panel(towards.astype(np.float32), across.astype(np.float32), half, bright)


def mirrored(panels: tuple[Panel, ...], mirror: FloatArray, rough: FloatArray) -> FloatArray:
    """How many times as bright as the sky's mean the room is along `mirror` (3, n), blurred by `rough`."""
    seen = _WALL + (_CEILING - _WALL) * np.clip(mirror[2] + 0.3, 0, 1)
    soft = rough + _SOFTER
    for panel in panels:
        share = _within(panel, mirror, soft)
        seen = seen + (panel.bright - seen) * share
    return np.asarray(seen * np.clip(mirror[2] * 3 + 1, 0, 1), np.float32)


def _within(panel: Panel, mirror: FloatArray, soft: FloatArray) -> FloatArray:
    """Share (n,) of a direction's blurred spot that falls on the panel."""
    ahead = panel.towards @ mirror
    depth = np.maximum(ahead, 0.05)
    share = np.clip(ahead * 8, 0, 1)
    for axis, half in zip((panel.across, np.cross(panel.towards, panel.across)), panel.half, strict=True):
        off = np.abs(axis @ mirror) / depth
        share = share * np.clip((half - off) / soft + 0.5, 0, 1)
    return np.asarray(share, np.float32)
