"""Makes of dice: how a factory may make them, drawn at random within what is sold."""

from __future__ import annotations

import numpy as np

from lab.scenes.colours import BODIES, any_rgb, grey_of, pick
from lab.scenes.marks import EMBLEMS
from lab.scenes.values import Make, SceneError, Vec

LARGE_PIP = 0.175
"""Dice in the Asian manner with pips this large have their two along a side, not across the face."""

TEXTURES = ("plain", "marble", "pearl", "glitter", "speckle", "clear")


def plain_make(colour: str, side_mm: float = 16.0) -> Make:
    """The usual moulded die: rounded edges, drilled and painted pips that stand out from the body."""
    check_colour(colour)
    rng = np.random.default_rng(sum(map(ord, colour)))
    body = pick(colour, rng)
    pip = (0.04, 0.04, 0.05) if grey_of(body) > 0.3 else (0.95, 0.95, 0.93)
    return Make(
        side_mm=side_mm, corner=0.18, ball=1.52, body=colour, body_rgb=body, second_rgb=_darker(body),
        texture="wood" if colour == "wood" else "plain", grain=3.0, pip_rgb=pip, ace_rgb=pip, four_rgb=pip,
        pip_radius=0.19, ace_radius=0.19, spread=0.5, two_spread=0.5, two_along_side=False, six_width=0.46,
        six_height=0.5, dimple=0.6, drilled=False, rim=0.0, inset=0.0, inset_rgb=body, gloss=0.15,
        left_handed=False, turned=(False,) * 6, marks=(), grain_seed=5,
    )  # fmt: skip


def any_make(rng: np.random.Generator, colour: str | None = None, odd: float = 0.5) -> Make:
    """A make at random; `odd` in [0, 1] is how often it departs from the usual."""
    name = colour or str(rng.choice(list(BODIES), p=_SHARES))
    check_colour(name)
    body = pick(name, rng)
    texture = _texture(name, rng, odd)
    pip = _pip_rgb(body, rng, odd)
    if texture == "glitter" and grey_of(body) > 0.55:
        texture = "pearl"
    narrow = rng.uniform() < 0.35
    spread = float(rng.uniform(0.42, 0.60))
    radius = float(np.clip(rng.normal(0.185, 0.03), 0.115, 0.6 * spread - 0.03))
    asian = rng.uniform() < 0.12 + 0.1 * odd
    red = pick(str(rng.choice(["red", "blue"], p=[0.8, 0.2])), rng)
    painted_in = asian and grey_of(body) > 0.4
    return Make(
        side_mm=float(np.clip(rng.normal(15.5, 1.8), 12.0, 20.0)),
        corner=float(rng.choice([rng.uniform(0.07, 0.2), rng.uniform(0.2, 0.33), rng.uniform(0.33, 0.5)])),
        ball=float(rng.choice([1.75, rng.uniform(1.36, 1.6), rng.uniform(1.25, 1.4)], p=[0.4, 0.45, 0.15])),
        body=name,
        body_rgb=body,
        second_rgb=_second(body, texture, rng),
        texture=texture,
        grain=float(rng.uniform(0.8, 3.0)),
        pip_rgb=pip,
        ace_rgb=red if painted_in else pip,
        four_rgb=red if painted_in and rng.uniform() < 0.6 else pip,
        pip_radius=radius,
        ace_radius=_ace_radius(radius, asian, rng),
        spread=spread,
        two_spread=float(spread * rng.uniform(0.5, 0.85)) if rng.uniform() < 0.15 else spread,
        two_along_side=asian and radius > LARGE_PIP,
        six_width=float(spread * (rng.uniform(0.5, 0.8) if narrow else rng.uniform(0.85, 1.0))),
        six_height=float(min(spread * rng.uniform(1.0, 1.12), 0.64)),
        dimple=float(rng.choice([0.0, rng.uniform(0.4, 0.9), rng.uniform(0.9, 1.7)], p=[0.06, 0.34, 0.6])),
        drilled=bool(rng.uniform() < 0.15),
        rim=float(rng.choice([0.0, rng.uniform(0.05, 0.2)], p=[0.6, 0.4])),
        inset=float(rng.uniform(0.78, 0.9)) if rng.uniform() < 0.05 * odd else 0.0,
        inset_rgb=_darker(body) if rng.uniform() < 0.5 else any_rgb(rng, 0.2, 0.9),
        gloss=float(rng.choice([rng.uniform(0.05, 0.15), rng.uniform(0.15, 0.4)])),
        left_handed=bool(rng.uniform() < 0.3),
        turned=tuple(bool(b) for b in rng.uniform(size=6) < 0.5),
        marks=_emblem(rng, odd),
        grain_seed=int(rng.integers(1 << 20)),
    )  # fmt: skip


def check_colour(name: str) -> None:
    """Raise SceneError for a body colour that has no name here."""
    if name not in BODIES:
        raise SceneError(f"There is no die colour {name!r}: choose among {', '.join(BODIES)}.")


_SHARES = [0.17, 0.15, 0.07, 0.06, 0.12, 0.04, 0.07, 0.10, 0.08, 0.08, 0.03, 0.03]


def _texture(name: str, rng: np.random.Generator, odd: float) -> str:
    if name == "wood":
        return "wood"
    if name in ("white", "ivory", "black", "grey"):
        return str(rng.choice(TEXTURES, p=_tail(0.3 * odd, (0.4, 0.2, 0.1, 0.2, 0.1))))
    return str(rng.choice(TEXTURES, p=_tail(0.8 * odd, (0.3, 0.15, 0.25, 0.08, 0.22))))


def _tail(odd: float, shares: tuple[float, ...]) -> list[float]:
    """Probabilities: 1 - odd for the first, the rest split by `shares`."""
    return [1 - odd, *(odd * s for s in shares)]


def _pip_rgb(body: Vec, rng: np.random.Generator, odd: float) -> Vec:
    """Dark pips on pale bodies, pale ones on dark bodies, now and then any colour that still can be seen."""
    light = grey_of(body)
    for _ in range(40):
        if rng.uniform() < 0.25 + 0.2 * odd:
            rgb = any_rgb(rng, 0.1, 1.0)
        elif rng.uniform() < (0.92 if light > 0.45 else 0.25 if light > 0.2 else 0.05):
            rgb = any_rgb(rng, 0.01, 0.10)
        else:
            rgb = _gold(rng) if rng.uniform() < 0.15 else _pale(rng)
        if _ratio(grey_of(rgb), light) > 3.2 - 1.2 * odd:
            return rgb
    return (0.02, 0.02, 0.02) if light > 0.18 else (0.95, 0.95, 0.95)


def _ratio(a: float, b: float) -> float:
    """Contrast as WCAG defines it."""
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def _pale(rng: np.random.Generator) -> Vec:
    v = float(rng.uniform(0.78, 0.95))
    return (v, v, float(v * rng.uniform(0.88, 1.0)))


def _gold(rng: np.random.Generator) -> Vec:
    return (float(rng.uniform(0.75, 0.9)), float(rng.uniform(0.6, 0.7)), float(rng.uniform(0.2, 0.4)))


def _darker(rgb: Vec, by: float = 0.7) -> Vec:
    return (rgb[0] * by, rgb[1] * by, rgb[2] * by)


def _second(body: Vec, texture: str, rng: np.random.Generator) -> Vec:
    """The colour of veins, flakes or grain: near the body's own, but for glitter any bright one."""
    if texture in ("plain", "clear", "wood"):
        return _darker(body, 0.8)
    if texture == "glitter":
        return any_rgb(rng, 0.7, 1.0)
    bold = rng.uniform() < 0.25
    keep = float(rng.uniform(0.25, 0.6) if bold else rng.uniform(0.6, 0.88))
    other = any_rgb(rng, 0.0, 1.0)
    return (
        body[0] * keep + other[0] * (1 - keep),
        body[1] * keep + other[1] * (1 - keep),
        body[2] * keep + other[2] * (1 - keep),
    )


def _ace_radius(radius: float, asian: bool, rng: np.random.Generator) -> float:
    if asian:
        return float(min(0.5, radius * rng.uniform(1.5, 2.3)))
    return float(radius * (rng.uniform(1.1, 1.7) if rng.uniform() < 0.15 else rng.uniform(0.95, 1.05)))


def _emblem(rng: np.random.Generator, odd: float) -> tuple[tuple[int, str], ...]:
    """Now and then an emblem stands for the one or the six."""
    if rng.uniform() > 0.08 * odd:
        return ()
    return ((int(rng.choice([1, 6])), str(rng.choice(EMBLEMS))),)
