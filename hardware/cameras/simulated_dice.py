"""The simulated table: pictures of dice laid on a cloth, tinted, under the box's lens and light ring.

`simulated_dice.jpg` has the dice as Blender traced them once (`lab/pictures`): for each `SEEN` a row of four
pictures of linear light, stored as its square root. `ground` is what of the cloth's light is left there,
`body` and `pips` the light of a white body and of white pips, `shine` what the varnish mirrors. Lens and ring
are the same from every side, so each may be turned about the middle of the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

ATLAS = Path(__file__).with_name("simulated_dice.jpg")
SIDE_MM = 16.0
AWAY_MM = (22.0, 75.0, 130.0)
"""How far from the middle the dice of the pictures lie; farther ones show more of their sides."""
TURNS = 2
SEEN = tuple((face, away_mm) for face in range(1, 7) for away_mm in AWAY_MM for _ in range(TURNS))
REACH_MM, TILE_PX = 15.0, 136
"""Half the width of a picture on the table, and its width."""

WIDTH_MM = 300.0
"""Of the table, in the width of a picture."""
MAX_COVERED = 0.14
"""Share of the table that dice may cover before they are drawn smaller, which many players need."""
APART, BORDER, SPREAD = 1.5, 1.1, 2.4
"""In sides of a die: middles of two dice, a middle from the border, and how far a throw spreads."""
TRIES = 400
CLOTH = (0.022, 0.048, 0.011)  # linear green felt, as all colours here: blue, green, red
WEAVE, DUST, MARBLING = 0.11, 0.05, 0.06
"""Relative strength of the cloth's threads, specks, and large patches."""
LAMP = 0.45
"""Share of the light that comes from a lamp beside the table, whose shadows fall to one side."""
LAMP_SHADOW = (0.30, 0.22)
"""Where a shadow of the lamp falls, in sides of a die."""
FALLOFF = 0.2
"""Share of the light that is missing at the ends of the table."""
EXPOSURE, SOFT_PX, NOISE, DARK_NOISE, GAMMA = 1.05, 0.6, 0.012, 0.02, 2.2
"""Of the camera: noise is a share of the square root of light, as that of photons is."""

_DARK, _LIGHT = (0.004, 0.004, 0.004), (0.82, 0.84, 0.86)
COLOURS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "white": ((0.80, 0.82, 0.83), _DARK),
    "ivory": ((0.50, 0.74, 0.82), _DARK),
    "yellow": ((0.03, 0.50, 0.70), _DARK),
    "orange": ((0.015, 0.20, 0.75), _DARK),
    "red": ((0.018, 0.012, 0.36), _LIGHT),
    "pink": ((0.40, 0.22, 0.80), _DARK),
    "purple": ((0.30, 0.03, 0.13), _LIGHT),
    "blue": ((0.38, 0.09, 0.02), _LIGHT),
    "green": ((0.045, 0.22, 0.03), _LIGHT),
    "black": ((0.009, 0.008, 0.008), _LIGHT),
    "grey": ((0.22, 0.21, 0.21), _DARK),
    "wood": ((0.06, 0.20, 0.45), _DARK),
}
"""Body and pips of the dice of each name."""

Light = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Laid:
    """One die where it lies: the middle of its top face, and how wide that is."""

    face: int
    x_px: float
    y_px: float
    size_px: float


@dataclass(frozen=True, slots=True, eq=False)
class LaidTable:
    """The picture (height, width, 3) uint8, blue, green, red, and its dice in the order given."""

    image_bgr: NDArray[np.uint8]
    dice: tuple[Laid, ...]


def laid(
    dice: Sequence[tuple[int, str]], seed: int, *, width_px: int = 1024, height_px: int = 768
) -> LaidTable:
    """Dice given as (face, colour of `COLOURS`), thrown apart; those of one colour lie together. The same
    arguments give the same picture."""
    rng = np.random.default_rng((seed, 77))
    side_px = _side_px(len(dice), width_px, height_px)
    places = _thrown([colour for _, colour in dice], side_px, (width_px, height_px), rng)
    atlas = _atlas() if dice else {}
    pieces = [
        _piece(atlas, face, place, side_px, (width_px, height_px), rng)
        for (face, _), place in zip(dice, places, strict=True)
    ]
    light = _cloth(width_px, height_px, side_px)
    _shade(light, pieces, side_px)
    for piece, (_, colour) in zip(pieces, dice, strict=True):
        piece.lay(light, *COLOURS[colour])
    found = tuple(Laid(face, *place, side_px) for (face, _), place in zip(dice, places, strict=True))
    return LaidTable(_photographed(light, rng), found)


def _side_px(count: int, width_px: int, height_px: int) -> float:
    """How wide dice are: those of the box, smaller where so many would cover too much of the table."""
    usual = SIDE_MM / WIDTH_MM * width_px
    return min(usual, math.sqrt(MAX_COVERED * width_px * height_px / max(1, count)))


def _thrown(
    colours: Sequence[str], side_px: float, size_px: tuple[int, int], rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Middles of the dice: each colour about a place of its own, no two dice touching."""
    low = np.full(2, BORDER * side_px)
    high = np.array(size_px) - low
    homes = {colour: rng.uniform(low, high) for colour in dict.fromkeys(colours)}
    found: list[tuple[float, float]] = []
    for colour in colours:
        for attempt in range(TRIES):
            near = attempt < TRIES // 2
            place = rng.normal(homes[colour], SPREAD * side_px) if near else rng.uniform(low, high)
            apart = APART * side_px * (1.0 if attempt < TRIES - 50 else 0.75)
            if (place < low).any() or (place > high).any():
                continue
            if all(math.dist(place, other) >= apart for other in found):
                break
        found.append((float(place[0]), float(place[1])))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One die's picture as it is laid: its four planes (height, width, 4), and the corner it is laid at."""

    planes: Light
    left: int
    top: int

    def within(self, canvas: Light) -> Light:
        """The part of a canvas that it covers."""
        height, width = self.planes.shape[:2]
        return canvas[self.top : self.top + height, self.left : self.left + width]

    def lay(self, light: Light, body: Sequence[float], pips: Sequence[float]) -> None:
        """Change the table's light."""
        ground, of_body, of_pips, shine = (self.planes[:, :, k, None] for k in range(4))
        there = self.within(light)
        there *= ground
        there += of_body * np.array(body, np.float32) + of_pips * np.array(pips, np.float32) + shine


def _piece(
    atlas: dict[tuple[int, float], list[Light]],
    face: int,
    place: tuple[float, float],
    side_px: float,
    size_px: tuple[int, int],
    rng: np.random.Generator,
) -> _Piece:
    """The picture of a die turned and made as large as it lies at `place`, cut at the table's border."""
    across = np.array(place) - np.array(size_px) / 2
    away_mm = float(np.hypot(*across)) * SIDE_MM / side_px
    nearest = min(AWAY_MM, key=lambda ring: abs(ring - away_mm))
    pictures = atlas[face, nearest]
    picture = pictures[int(rng.integers(len(pictures)))]
    scale = 2 * REACH_MM / SIDE_MM * side_px / TILE_PX
    turn = math.atan2(across[1], across[0])
    linear = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    reach = math.ceil(0.71 * scale * TILE_PX) + 1
    left, top = (max(0, int(at) - reach) for at in place)
    right, bottom = (min(end, int(at) + reach) for end, at in zip(size_px, place, strict=True))
    middle = (TILE_PX - 1) / 2
    shift = np.array(place) - (left, top) - linear @ (middle, middle)
    planes = cv2.warpAffine(
        picture, np.column_stack([linear, shift]), (right - left, bottom - top), borderValue=(1, 0, 0, 0)
    )
    return _Piece(np.asarray(planes, np.float32), left, top)


def _atlas() -> dict[tuple[int, float], list[Light]]:
    """Pictures (tile, tile, 4) by face and distance from the middle."""
    rows = np.asarray(cv2.imdecode(np.fromfile(ATLAS, np.uint8), cv2.IMREAD_GRAYSCALE), np.float32) / 255
    tiles = (rows * rows).reshape(len(SEEN), TILE_PX, 4, TILE_PX).transpose(0, 1, 3, 2)
    found: dict[tuple[int, float], list[Light]] = {}
    for seen, tile in zip(SEEN, tiles, strict=True):
        found.setdefault(seen, []).append(np.ascontiguousarray(tile))
    return found


def _cloth(width_px: int, height_px: int, side_px: float) -> Light:
    """Light from the bare table (height, width, 3); the same cloth every time."""
    rng = np.random.default_rng(3)
    size = (height_px, width_px)
    thread = side_px / 30
    fine = rng.standard_normal(size, np.float32)
    along = cv2.GaussianBlur(fine, (0, 0), 3 * thread, sigmaY=0.5 * thread)
    across = cv2.GaussianBlur(fine[::-1], (0, 0), 0.5 * thread, sigmaY=3 * thread)
    weave = (along + across) / np.float32((along + across).std())
    patches = cv2.resize(rng.standard_normal((9, 12), np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    threads = np.clip(1 + WEAVE * weave + MARBLING * patches + DUST * fine, 0.3, 2)
    x, y = (np.linspace(-1, 1, length, dtype=np.float32) for length in (width_px, height_px))
    lit = threads * (1 - FALLOFF * (x * x + (y * y)[:, None]))
    return np.asarray(lit[:, :, None] * np.array(CLOTH, np.float32), np.float32)


def _shade(light: Light, pieces: Sequence[_Piece], side_px: float) -> None:
    """Take the lamp's light from where dice stand before it."""
    free = np.ones(light.shape[:2], np.float32)
    for piece in pieces:
        here = piece.within(free)
        np.minimum(here, np.clip(2 * piece.planes[:, :, 0], 0, 1), out=here)
    move = np.array([[1, 0, LAMP_SHADOW[0] * side_px], [0, 1, LAMP_SHADOW[1] * side_px]])
    fallen = cv2.warpAffine(free, move, free.shape[::-1], borderValue=1.0)
    soft = cv2.GaussianBlur(fallen, (0, 0), 0.14 * side_px)
    light *= (1 - LAMP + LAMP * soft)[:, :, None]


def _photographed(light: Light, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What a camera makes of light: a little soft, a little noisy."""
    seen = cv2.GaussianBlur(light * EXPOSURE, (0, 0), SOFT_PX)
    seen += np.sqrt(seen + DARK_NOISE) * NOISE * rng.standard_normal((*light.shape[:2], 1), np.float32)
    np.clip(seen, 0, 1, out=seen)
    return np.asarray(cv2.pow(seen, 1 / GAMMA) * 255 + 0.5, np.uint8)
