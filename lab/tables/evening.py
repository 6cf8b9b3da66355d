"""Seeded evenings: players with cups and dice on a table, what lies about, lamps, and a camera. Pure.

The same split and number give the same evening. Test and fit use other seeds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from lab.scenes.makes import any_make
from lab.scenes.settings import any_cover, any_film
from lab.scenes.space import as_turn, eye, turn_about, yaw
from lab.scenes.values import Cover, Film, Flat, Lens, Light, Make, Point, Thing, Vec
from lab.training.traced.extras import PHONE_MM

Rng = np.random.Generator
SPLITS = {"test": 5101, "fit": 5202}
VIEWS = ("box", "phone", "cup")
"""Of the numbers 0, 1, 2 and so on in turn."""
DICE = 5
COLOURS = ("white", "ivory", "yellow", "orange", "red", "pink", "purple", "blue", "green", "black")
COLOUR_SHARES = (0.17, 0.17, 0.09, 0.06, 0.13, 0.04, 0.06, 0.11, 0.10, 0.07)
CUP_MM = (33.0, 41.0)
"""Inner radius of a dice cup."""
PITCH_MM = 95.0
"""From cup to cup of neighbours."""
COVERS = ("felt", "wood", "plain", "leather", "weave", "stone")
SIZES = {"box": (1280, 720), "phone": (960, 720), "cup": (960, 720)}
"""Pixels of the pictures."""
HEIGHTS_MM = {"box": (300.0, 490.0), "phone": (600.0, 1000.0), "cup": (280.0, 450.0)}
TILTS_DEG = {"box": 3.0, "phone": 35.0, "cup": 35.0}
FOVS_DEG = {"box": (66.0, 66.0), "phone": (24.0, 66.0), "cup": (35.0, 66.0)}
"""A Camera Module 3; phones, whose zoom lets the dice fill the picture."""


@dataclass(frozen=True, slots=True)
class Evening:
    """A table before dice fall: a make and a place in millimetres for each player; cups that still stand."""

    number: int
    seed: int
    view: str
    makes: tuple[Make, ...]
    places_mm: tuple[Point, ...]
    closed_mm: tuple[Point, ...]
    cup_mm: float
    cup_rgb: Vec
    cover: Cover
    lights: tuple[Light, ...]
    ambient: Vec
    film: Film


def evening(split: str, number: int) -> Evening:
    """The evening of a number; every third one has the same view."""
    rng = np.random.default_rng([SPLITS[split], number])
    view = VIEWS[number % len(VIEWS)]
    players = int(rng.integers(2, 7))
    places = _places(rng, players)
    shown = 1 if view == "cup" else players  # cup by cup the others still stand
    lights, ambient = _lamps(rng, view)
    cover = any_cover(rng, "any", 0.3)
    while cover.kind not in COVERS:
        cover = any_cover(rng, "any", 0.3)
    dark = float(rng.uniform(0.03, 0.35))
    return Evening(
        number=number,
        seed=int(rng.integers(1 << 40)),
        view=view,
        makes=_makes(rng, players)[:shown],
        places_mm=tuple(places[:shown]),
        closed_mm=tuple(places[shown:]),
        cup_mm=float(rng.uniform(*CUP_MM)),
        cup_rgb=(dark, dark * float(rng.uniform(0.5, 1)), dark * float(rng.uniform(0.3, 1))),
        cover=cover,
        lights=lights,
        ambient=ambient,
        film=_film(rng, view),
    )


def _places(rng: Rng, players: int) -> list[Point]:
    """Where the cups stand: near one another, as people put them under the box."""
    columns = 3 if players > 4 else 2
    slots = [(k % columns, k // columns) for k in range(players)]
    middle = np.mean(slots, axis=0)
    turn = yaw(float(rng.uniform(-0.2, 0.2)))[:2, :2]
    spread = PITCH_MM * rng.uniform(1.0, 1.15)
    found = [(np.subtract(slot, middle) * spread + rng.uniform(-9, 9, 2)) @ turn for slot in slots]
    order = rng.permutation(players)
    return [(float(found[k][0]), float(found[k][1])) for k in order]


def _makes(rng: Rng, players: int) -> tuple[Make, ...]:
    """One set: dice of one mould, a colour for each player."""
    mould = any_make(rng, "white", 0.2)
    mould = replace(mould, left_handed=False, marks=(), inset=0.0, side_mm=float(rng.uniform(13.5, 16.5)))
    colours = rng.choice(COLOURS, players, replace=False, p=COLOUR_SHARES)
    makes = []
    for colour in colours:
        paint = any_make(rng, str(colour), 0.15)
        body = replace(mould, body=paint.body, body_rgb=paint.body_rgb, second_rgb=paint.second_rgb)
        ink = paint.pip_rgb
        makes.append(replace(body, texture=paint.texture, pip_rgb=ink, ace_rgb=ink, four_rgb=ink))
    return tuple(makes)


def _lamps(rng: Rng, view: str) -> tuple[tuple[Light, ...], Vec]:
    """A living room: ceiling lamp, often a window; a bar: warm lamps, little else; the box's own ring."""
    bar = bool(rng.random() < 0.4)
    warm = float(rng.uniform(0.15, 0.3) if bar else rng.uniform(-0.05, 0.15))
    tint = (1 + warm, 1.0, 1 - 1.4 * warm)
    height = (600.0, 1000.0) if bar else (1200.0, 1900.0)
    lamps = [_lamp(rng, tint, height, (30.0, 120.0)) for _ in range(1 + int(rng.random() < 0.5))]
    if not bar and rng.random() < 0.5:
        lamps.append(_lamp(rng, (0.5, 0.52, 0.56), (500.0, 900.0), (300.0, 450.0), aside=1.6))
    if view == "box" and rng.random() < 0.6:
        ring = [
            Light((40 * math.cos(a), 40 * math.sin(a), 330.0), 6.0, (0.12,) * 3) for a in np.arange(8) * 0.785
        ]
        lamps += ring
    sky = float(rng.uniform(0.1, 0.25) if bar else rng.uniform(0.3, 0.6))
    return tuple(lamps), (sky * (1 + warm / 2), sky, sky * (1 - warm / 2))


def _lamp(rng: Rng, tint: Vec, height: Point, radius: Point, aside: float = 0.8) -> Light:
    high, way = float(rng.uniform(*height)), float(rng.uniform(0, 2 * math.pi))
    far = high * float(rng.uniform(0.2, aside))
    power = float(rng.uniform(0.6, 1.0))
    place = (far * math.cos(way), far * math.sin(way), high)
    return Light(place, float(rng.uniform(*radius)), (tint[0] * power, tint[1] * power, tint[2] * power))


def _film(rng: Rng, view: str) -> Film:
    """The sensor of a phone held by hand, or of the box."""
    film = any_film(rng, "box" if view == "box" else "phone", 0.3, 0.4)
    shake = 0.0 if view == "box" else float(rng.gamma(1.2, 1.2))
    return replace(
        film, stamp=0, hole=0.0, grey=False, coarse=1.0, motion=(shake, float(rng.uniform(0, 180))),
        exposure=float(np.clip(film.exposure, 0.7, 1.3)), soften=min(film.soften, 1.5),
    )  # fmt: skip


def lens(made: Evening, dice_mm: np.ndarray, attempt: int = 0) -> Lens:
    """A camera that has all dice in view, at (n, 3), with a margin of some dice."""
    rng = np.random.default_rng([made.seed, attempt, 1])
    low, high = dice_mm[:, :2].min(0), dice_mm[:, :2].max(0)
    middle, long = (low + high) / 2 + rng.normal(0, 4, 2), 90.0 * bool(high[1] - low[1] > high[0] - low[0])
    tilt, turn = float(rng.uniform(0, TILTS_DEG[made.view])), float(rng.uniform(0, 360))
    roll = long - turn + float(rng.normal(0, 12))  # the picture's long side along that of the dice
    near, far = HEIGHTS_MM[made.view]
    target = (float(middle[0]), float(middle[1]))
    first = Lens(target, float(rng.uniform(near, far)), tilt, turn, roll, 90.0, 0.0)
    need = _half_width(first, made, dice_mm) * float(rng.uniform(1.05, 1.35))
    low_fov, high_fov = FOVS_DEG[made.view]
    if made.view == "box":  # its lens is what it is: it is set as high as it must
        distance = max(near, first.distance_mm * need / math.tan(math.radians(high_fov / 2)))
        return replace(first, distance_mm=distance, fov_deg=high_fov)
    fov = float(np.clip(2 * math.degrees(math.atan(need)), low_fov, high_fov))
    return replace(first, fov_deg=fov)


def _half_width(first: Lens, made: Evening, dice_mm: np.ndarray) -> float:
    """Half the picture's width at the distance 1 that has all dice whole, for a lens of 90 degrees."""
    width, height = SIZES[made.view]
    away = np.abs(eye(first, width, height).project(dice_mm) - ((width - 1) / 2, (height - 1) / 2))
    body = 1.6 * made.makes[0].side_mm / first.distance_mm
    return float(
        max(
            (away[:, 0] / (width / 2)).max() + body, (away[:, 1] / (height / 2)).max() + body * width / height
        )
    )


def things(
    made: Evening, taken_mm: np.ndarray, attempt: int = 0
) -> tuple[tuple[Thing, ...], tuple[Flat, ...]]:
    """What lies about: a hand with its sleeve, a phone, cards, off the places taken (n, 2)."""
    rng = np.random.default_rng([made.seed, attempt, 2])
    found: list[Thing] = []
    flats: list[Flat] = []
    if rng.random() < 0.5 - 0.1 * attempt:
        found += _arm(rng, beside(rng, taken_mm, 115.0))
    if rng.random() < 0.4 - 0.1 * attempt:
        x, y = beside(rng, taken_mm, 90.0)
        turn = as_turn(yaw(float(rng.uniform(0, 2 * math.pi))))
        found.append(Thing("box", PHONE_MM, (x, y, PHONE_MM[2] / 2), turn, (0.02, 0.02, 0.025), gloss=0.05))
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.4 else 0):
        at = beside(rng, taken_mm, 62.0)
        back = [(0.93, 0.93, 0.9), (0.6, 0.1, 0.1), (0.1, 0.15, 0.45)][int(rng.integers(3))]
        flats.append(Flat("sheet", at, (63.0, 88.0), float(rng.uniform(0, 360)), back, back, 7))
    return tuple(found), tuple(flats)


def beside(rng: Rng, taken_mm: np.ndarray, reach_mm: float) -> Point:
    """A place near those taken (n, 2) in whose reach none of them is."""
    middle = taken_mm.mean(0)
    for far in np.arange(reach_mm, 1500.0, 8.0):
        way = float(rng.uniform(0, 2 * math.pi))
        at = middle + far * np.array([math.cos(way), math.sin(way)])
        if (np.hypot(*(taken_mm - at).T) > reach_mm).all():
            return float(at[0]), float(at[1])
    raise AssertionError("far away there is always room")


def _arm(rng: Rng, at: Point) -> list[Thing]:
    """A hand that points inwards, and the sleeve behind it."""
    way = math.atan2(-at[1], -at[0]) + float(rng.normal(0, 0.4))
    turn, tone = as_turn(yaw(way)), float(rng.uniform(0, 1))
    skin = (0.93 - 0.62 * tone, 0.74 - 0.56 * tone, 0.62 - 0.50 * tone)
    size, cloth = float(rng.uniform(165, 195)), tuple(float(v) for v in rng.uniform(0.03, 0.8, 3))
    back = (at[0] - 205 * math.cos(way), at[1] - 205 * math.sin(way), 42.0)
    along = as_turn(yaw(way) @ turn_about((0.0, 1.0, 0.0), math.pi / 2))
    hand = Thing(
        "hand", (size, 0.62 * size, 40.0), (*at, 24.0), turn, skin, gloss=0.5, seed=int(rng.integers(1 << 30))
    )
    return [hand, Thing("cup", (92.0, 74.0, 300.0), back, along, (cloth[0], cloth[1], cloth[2]), gloss=0.9)]
