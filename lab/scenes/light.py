"""Light on surfaces: lamps with size, a sky, light thrown back by the table, shine and shadow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.scenes.room import Panel, mirrored
from lab.scenes.skin import Skin
from lab.scenes.solids import box_span
from lab.scenes.values import Bars, FloatArray, Light

_BASE_REFLECTION = 0.04  # plastic and varnish, seen straight on
_HALO, _HALO_WIDTH = 1.2, 6  # walls and ceiling round a lamp: hollow pips have a bright side
_LEVEL_MM = 0.01  # what lies as high as a lamp is lit past no bars: its light meets no table


@dataclass(frozen=True, slots=True, eq=False)
class Blocker:
    """A thing that may throw shadow on others: centre (3,), half lengths (3,), its axes as rows (3, 3)."""

    centre: FloatArray
    half: FloatArray
    axes: FloatArray

    @property
    def radius(self) -> float:
        return float(np.linalg.norm(self.half))


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What lights a thing: lamps, the sky's colour, the table's colour beneath it, all linear (3,), and what
    there is to be mirrored."""

    lights: tuple[Light, ...]
    sky: FloatArray
    ground: FloatArray
    room: tuple[Panel, ...]


def radiance(
    skin: Skin,
    places: FloatArray,
    normals: FloatArray,
    view: FloatArray,
    around: Surroundings,
    blockers: Sequence[Blocker],
) -> FloatArray:
    """Linear light (3, n) that leaves points `places` (3, n), normals (3, n) in world axes, towards the
    camera; `view` (3, n) are unit vectors to the camera."""
    up = 0.5 + 0.5 * normals[2]
    free = _openness(places, normals, blockers)
    near = skin.open * free
    ambient = (around.sky[:, None] * up + around.ground[:, None] * (1 - up)) * near
    out = skin.albedo * ambient
    facing = np.clip(np.einsum("ij,ij->j", normals, view), 0, 1)
    fresnel = _BASE_REFLECTION + (0.5 - 0.5 * skin.rough) * (1 - facing) ** 5
    mirror = 2 * facing * normals - view
    out += fresnel * around.sky[:, None] * mirrored(around.room, mirror, skin.rough) * (free + near) / 2
    for light in around.lights:
        out += _from_lamp(light, skin, places, normals, mirror, fresnel, blockers)
    return np.asarray(out, np.float32)


def irradiance(light: Light, places: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Unit directions (3, n) to a lamp, its distance (n,), and how much weaker or stronger it is there
    than at the origin (n,)."""
    place = np.asarray(light.place_mm, np.float32)[:, None]
    to = place - places
    distance = np.sqrt(np.einsum("ij,ij->j", to, to))
    strength = float((place**2).sum()) / distance**2
    if light.bars is not None:
        down = np.where(np.abs(to[2]) < _LEVEL_MM, _LEVEL_MM, to[2])
        strength = strength * _past_bars(light.bars, places - to * (places[2] / down))
    return to / distance, distance, np.asarray(strength, np.float32)


def _past_bars(bars: Bars, ground: FloatArray) -> FloatArray:
    """Share (n,) of a lamp's light that passes the bars on its way to points of the table."""
    angle = math.radians(bars.angle_deg)
    along = ground[0] * math.cos(angle) + ground[1] * math.sin(angle) + bars.shift_mm
    off = np.abs((along / bars.pitch_mm) % 1 - 0.5) * bars.pitch_mm - bars.pitch_mm / 4
    return np.asarray(1 - bars.depth * np.clip(off / bars.soft_mm + 0.5, 0, 1))


def glare(
    light: Light, mirror: FloatArray, to: FloatArray, distance: FloatArray, rough: FloatArray
) -> FloatArray:
    """Share (n,) of a lamp's irradiance mirrored towards the camera before Fresnel's factor: the lamp's
    disc, blurred by the roughness."""
    off = 2 * np.maximum(1 - np.einsum("ij,ij->j", mirror, to), 0)
    size = (light.radius_mm / distance) ** 2
    width = size + rough * rough + 1e-4
    crisp = 1 + 8 * size / width
    return np.asarray(1 / (1 + np.exp(np.clip((off / width - 1) * crisp, -30, 30))) / (math.pi * width))


def _from_lamp(
    light: Light,
    skin: Skin,
    places: FloatArray,
    normals: FloatArray,
    mirror: FloatArray,
    fresnel: FloatArray,
    blockers: Sequence[Blocker],
) -> FloatArray:
    to, distance, strength = irradiance(light, places)
    power = np.asarray(light.power, np.float32)[:, None]
    facing = np.einsum("ij,ij->j", normals, to)
    wrap = 0.16 + 0.5 * skin.clear  # plastic lets some light through where it bends away
    lit = np.clip((facing + wrap) / (1 + wrap), 0, 1) * strength
    lit = lit * _unshaded(light, places, blockers) * np.sqrt(skin.open)  # the wall of a pip shades its ground
    halo = _HALO * np.clip(np.einsum("ij,ij->j", mirror, to), 0, 1) ** _HALO_WIDTH * skin.open
    shine = fresnel * (glare(light, mirror, to, distance, skin.rough) + halo) * np.clip(facing * 8, 0, 1)
    return np.asarray(power * lit * (skin.albedo + np.minimum(shine, 12)), np.float32)


def _openness(places: FloatArray, normals: FloatArray, blockers: Sequence[Blocker]) -> FloatArray:
    """Share of the sky that neighbours (as balls) and the nearby table leave free."""
    free = np.ones(places.shape[1], np.float32)
    for b in blockers:
        to = b.centre[:, None] - places
        d2 = np.maximum(np.einsum("ij,ij->j", to, to), b.radius**2 * 0.4)
        cosine = np.clip(np.einsum("ij,ij->j", to, normals) / np.sqrt(d2), 0, 1)
        free *= 1 - np.clip(0.55 * cosine * b.radius**2 / d2, 0, 0.75)
    low = np.clip(places[2] / 6.0, 0, 1)
    return np.asarray(free * (1 - 0.45 * (1 - low) * (1 - np.clip(normals[2], 0, 1))), np.float32)


def _unshaded(light: Light, places: FloatArray, blockers: Sequence[Blocker]) -> FloatArray:
    """Share of a lamp that neighbours leave visible, from three points of it."""
    seen = np.ones(places.shape[1], np.float32)
    spots = lamp_spots(light, 3 if light.radius_mm > 8 else 1)
    for b in blockers:
        share = np.zeros(places.shape[1], np.float32)
        start = b.axes @ (places - b.centre[:, None])
        for spot in spots:
            ray = (b.axes @ (spot - b.centre).astype(np.float32))[:, None] - start
            enter, leave = box_span(start, ray, b.half)
            share += ~((leave > enter + 1e-3) & (leave > 1e-3) & (enter < 1))
        seen *= share / len(spots)
    return seen


def lamp_spots(light: Light, count: int) -> FloatArray:
    """Points (count, 3) spread evenly over the lamp as seen from the table (a sunflower's spiral)."""
    place = np.asarray(light.place_mm, np.float64)
    if count == 1:
        return np.asarray(place[None], np.float32)
    to = place / np.linalg.norm(place)
    across = np.cross(to, (0.0, 1.0, 0.0) if abs(to[1]) < 0.9 else (1.0, 0.0, 0.0))
    across /= np.linalg.norm(across)
    k = np.arange(count)
    radius = light.radius_mm * np.sqrt((k + 0.5) / count)
    angle = k * 2.399963
    plane = np.cos(angle)[:, None] * across + np.sin(angle)[:, None] * np.cross(to, across)
    return np.asarray(place + radius[:, None] * plane, np.float32)
