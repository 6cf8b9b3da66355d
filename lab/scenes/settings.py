"""Tables, lights and films at random: what a scene is set in."""

from __future__ import annotations

import colorsys
import math
from dataclasses import replace

import numpy as np

from lab.scenes.colours import any_rgb
from lab.scenes.covers import PAINTERS
from lab.scenes.values import Bars, Cover, Film, Lens, Light, Tray, Vec

Rng = np.random.Generator
_USUAL = {
    "plain": 0.14,
    "wood": 0.20,
    "weave": 0.10,
    "felt": 0.14,
    "leather": 0.10,
    "carpet": 0.08,
    "paper": 0.05,
    "dots": 0.03,
    "stripes": 0.04,
    "print": 0.06,
    "stone": 0.06,
    "tiles": 0.02,
}
_PITCH_MM = {
    "wood": (4, 25),
    "weave": (0.8, 4),
    "dots": (3, 14),
    "stripes": (3, 25),
    "print": (8, 45),
    "paper": (4, 6),
    "leather": (0.8, 3),
    "carpet": (1.0, 4),
    "stone": (0.6, 4),
    "tiles": (14, 60),
}


def any_cover(rng: Rng, style: str, odd: float) -> Cover:
    """A table cover; patterned ones the oftener the larger `odd`."""
    shares = np.array(
        [_USUAL[k] * (2 * odd if k in ("dots", "print", "stripes", "tiles") else 1) for k in PAINTERS]
    )
    kind = str(rng.choice(list(PAINTERS), p=shares / shares.sum()))
    first, second = _colours(kind, rng)
    pitch = _PITCH_MM.get(kind, (1.0, 4.0))
    gloss = {"wood": 0.7, "plain": 0.5, "leather": 0.4, "stone": 0.6, "print": 0.4}.get(kind, 0.0)
    cover = Cover(
        kind, first, second, float(rng.uniform(*pitch)), float(rng.uniform(0.5, 1.3)),
        float(gloss * rng.uniform(0, 1.3)), float(rng.uniform(0, 360)), int(rng.integers(1 << 30)),
    )  # fmt: skip
    return replace(cover, litter=(cover.seed % 101 / 100) ** 2)  # most tables are wiped


def _colours(kind: str, rng: Rng) -> tuple[Vec, Vec]:
    """Two colours in which the cover is usual."""
    if kind == "wood":
        hue, value = rng.uniform(0.02, 0.11), rng.uniform(0.25, 0.9)
        light = colorsys.hsv_to_rgb(float(hue), float(rng.uniform(0.3, 0.75)), float(value))
        return light, _scaled(light, float(rng.uniform(0.5, 0.85)))
    if kind in ("paper", "plain") and rng.uniform() < 0.6:
        v = float(rng.uniform(0.75, 0.98))
        return (v, v, float(v * rng.uniform(0.92, 1.0))), (0.5, 0.55, 0.75)
    first = any_rgb(rng, 0.04, 0.95)
    if kind in ("leather", "felt") and rng.uniform() < 0.5:
        first = any_rgb(rng, 0.04, 0.25)
    if kind in ("dots", "stripes", "print", "tiles"):
        return first, any_rgb(rng, 0.0, 1.0)
    near = _scaled(first, float(rng.uniform(0.3, 0.9)))
    return first, near if rng.uniform() < 0.7 else any_rgb(rng, 0.1, 0.9)


def _scaled(rgb: Vec, by: float) -> Vec:
    return (rgb[0] * by, rgb[1] * by, rgb[2] * by)


def any_tray(rng: Rng, lens: Lens, odd: float) -> Tray:
    """A round, hexagonal or rectangular tray that fits the view."""
    wide = 2 * lens.distance_mm * math.tan(math.radians(lens.fov_deg) / 2)
    radius = float(wide * rng.uniform(0.30, 0.48))
    sides = int(rng.choice([4, 4, 6, 8, 40]))
    turn = float(rng.uniform(0, 2 * math.pi))
    angles = turn + np.arange(sides) * 2 * math.pi / sides
    aspect = float(rng.uniform(0.7, 1.0)) if sides == 4 else 1.0
    floor = tuple((float(radius * math.cos(a)), float(radius * aspect * math.sin(a))) for a in angles)
    wall = any_rgb(rng, 0.05, 0.8)
    rim = wall if rng.uniform() < 0.6 else any_rgb(rng, 0.05, 0.9)
    height = float(min(rng.uniform(8, 40), lens.distance_mm * 0.25))
    return Tray(
        floor,
        height,
        float(rng.uniform(0, height)),
        float(rng.uniform(2, 9)),
        wall,
        rim,
        any_cover(rng, "any", odd),
    )


def any_lights(rng: Rng, lens: Lens, style: str, odd: float) -> tuple[tuple[Light, ...], Vec]:
    """Lamps and the sky's colour: a room, a window, a lamp aside, a ring round the lens, several at once."""
    kind = (
        "ring"
        if style == "box"
        else str(rng.choice(["lamp", "window", "room", "ring", "flash"], p=[0.35, 0.2, 0.2, 0.15, 0.1]))
    )
    tint = _tint(rng)
    lamps: list[Light] = []
    if kind == "lamp":
        lamps = [_lamp(rng, tint, (300, 1600), (8, 120), 1.0) for _ in range(1 + int(rng.uniform() < 0.3))]
    elif kind == "window":
        lamps = [_lamp(rng, tint, (900, 2500), (250, 700), 1.0, low=True)]
    elif kind == "room":
        lamps = [_lamp(rng, _tint(rng), (1200, 2600), (60, 300), 0.5) for _ in range(int(rng.integers(2, 4)))]
    elif kind == "ring":
        lamps = _ring(rng, lens, tint)
    else:
        place = (float(rng.normal(0, 25)), float(rng.normal(0, 25)), lens.distance_mm)
        lamps = [Light(place, 4.0, tint)]
    sky = float(
        rng.uniform(0.06, 0.25) if kind in ("lamp", "flash") and odd > 0.3 else rng.uniform(0.25, 0.8)
    )
    mood = _tint(rng)
    if rng.uniform() < 0.25 * odd:
        lamps = [replace(lamp, bars=_bars(rng)) for lamp in lamps]
    return tuple(lamps), (mood[0] * sky, mood[1] * sky, mood[2] * sky)


def _bars(rng: Rng) -> Bars:
    """The shadow of something beside the table: a single edge as a rule, now and then a row of them."""
    pitch = float(rng.choice([rng.uniform(250, 900), rng.uniform(25, 120)], p=[0.75, 0.25]))
    angle, shift = float(rng.uniform(0, 360)), float(rng.uniform(0, pitch))
    return Bars(angle, pitch, shift, float(rng.uniform(0.4, 1.0)), float(rng.uniform(3, 60)))


def _tint(rng: Rng) -> Vec:
    """The colour of lamps from candle to shade of the sky, now and then a coloured one."""
    if rng.uniform() < 0.05:
        return any_rgb(rng, 0.8, 1.0)
    warm = float(rng.normal(0, 0.13))
    return (1.0 + warm, 1.0, 1.0 - warm * 1.3)


def _lamp(
    rng: Rng,
    tint: Vec,
    distance: tuple[float, float],
    radius: tuple[float, float],
    power: float,
    low: bool = False,
) -> Light:
    away = float(rng.uniform(*distance))
    height = math.radians(float(rng.uniform(22, 45) if low else rng.uniform(35, 88)))
    turn = float(rng.uniform(0, 2 * math.pi))
    flat = away * math.cos(height)
    place = (flat * math.cos(turn), flat * math.sin(turn), away * math.sin(height))
    return Light(place, float(min(rng.uniform(*radius), away * 0.4)), _scaled(tint, power))


def _ring(rng: Rng, lens: Lens, tint: Vec) -> list[Light]:
    """LEDs or strips round the camera or the tray."""
    count = int(rng.integers(2, 7))
    far, height = float(rng.uniform(0.15, 0.9)), float(rng.uniform(0.4, 1.0))
    turn = float(rng.uniform(0, 6.28))
    lamps = []
    for k in range(count):
        a = turn + 2 * math.pi * k / count
        place = (
            far * lens.distance_mm * math.cos(a),
            far * lens.distance_mm * math.sin(a),
            height * lens.distance_mm,
        )
        lamps.append(Light(place, float(rng.uniform(4, 20)), _scaled(tint, 1.1 / count)))
    return lamps


def any_film(rng: Rng, style: str, odd: float, blur: float) -> Film:
    """Blur, noise and software of a phone, a box camera or an old grey one."""
    grey = style == "grey" or (style == "any" and rng.uniform() < 0.07)
    dim = rng.uniform() < 0.25 * odd
    shake = (
        (float(rng.gamma(1.2, 2.0 * blur)), float(rng.uniform(0, 180)))
        if rng.uniform() < 0.15 * odd
        else (0.0, 0.0)
    )
    wrong = rng.normal(0, 0.10 * (0.4 + odd), 2)
    return Film(
        exposure=float(np.clip(rng.lognormal(0.0, 0.25) * (0.62 if dim else 1.0), 0.35, 1.8)),
        contrast=float(np.clip(rng.normal(1.05, 0.1), 0.75, 1.4)),
        saturation=float(np.clip(rng.normal(1.0, 0.15), 0.4, 1.6)),
        balance=(float(1 + wrong[0]), 1.0, float(1 + wrong[1])),
        vignette=float(max(0.0, rng.normal(0.08, 0.08))),
        soften=float(0.4 + rng.gamma(1.3, 0.55 * blur)),
        motion=shake,
        coarse=_coarseness(rng, style, odd),
        sharpen=float(max(0.0, rng.normal(0.15, 0.2))),
        noise=float(rng.uniform(0.0003, 0.002) * (2.2 if dim else 1)),
        grain=float(rng.uniform(0.002, 0.012) * (2.2 if dim else 1)),
        smear=bool(rng.uniform() < 0.2 * odd),
        jpeg=int(rng.integers(45 if grey and odd > 0.3 else 62 if odd > 0.3 else 85, 97)),
        fringe=float(rng.uniform(0.0002, 0.0015)) if rng.uniform() < 0.2 * odd else 0.0,
        stamp=int(rng.integers(1, 1 << 20)) if rng.uniform() < 0.04 * odd else 0,
        grey=grey,
        hole=float(rng.uniform(0.8, 1.1)) if grey and rng.uniform() < 0.3 else 0.0,
    )


def _coarseness(rng: Rng, style: str, odd: float) -> float:
    """The factor of lost resolution: zoomed, scaled down for the web, an old sensor."""
    if rng.uniform() > (0.5 if style == "grey" else 0.15) * odd:
        return 1.0
    return float(rng.uniform(1.1, 2.6))
