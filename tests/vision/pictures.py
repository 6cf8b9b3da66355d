"""Simple dice drawn for the tests: exact truth, any colours, any affine map."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

IVORY, INK, CLOTH = (205, 228, 240), (30, 25, 25), (70, 60, 50)
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
TWO_ALONG_SIDE = ((-0.75, 0), (0.75, 0))
FINE = 4
"""Pictures are drawn this many times larger and shrunk, so that edges are soft as a camera's."""


@dataclass(frozen=True)
class Drawn:
    """One die to draw: `side_px` of its face, pips at `spacing` and of radius `pip`, both over that side;
    `narrow` squeezes the rows of a six, `along_side` lays a two along a side."""

    face: int
    x_px: float
    y_px: float
    side_px: float = 60.0
    turn_deg: float = 0.0
    body: Colour = IVORY
    ink: Colour = INK
    spacing: float = 0.25
    pip: float = 0.1
    narrow: float = 1.0
    along_side: bool = False


def draw(
    dice: Sequence[Drawn], size: tuple[int, int] = (640, 480), cloth: Colour = CLOTH, noise: float = 3.0
) -> Image:
    """The dice on a plain table of `size` (width, height), with a little seeded noise."""
    return _drawn(tuple(dice), size, cloth, noise).copy()


@lru_cache(maxsize=8)
def _drawn(dice: tuple[Drawn, ...], size: tuple[int, int], cloth: Colour, noise: float) -> Image:
    """Drawn once, for many tests want the same and it takes 0.06 CPU seconds."""
    width, height = size
    picture = np.full((height * FINE, width * FINE, 3), cloth, np.uint8)
    for die in dice:
        _draw_die(picture, die)
    small = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    return np.clip(small + noise * _grain(small.shape), 0, 255).astype(np.uint8)


@lru_cache(maxsize=4)
def _grain(shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.random.default_rng(7).normal(0, 1, shape)


def _draw_die(picture: Image, die: Drawn) -> None:
    """A square with round corners and its pips."""
    turn = np.radians(die.turn_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * die.side_px
    middle = np.array([die.x_px, die.y_px])
    rim = 0.14
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (0.5 - rim) @ axes + middle
    cv2.fillPoly(picture, [_fine(corners)], die.body)
    cv2.polylines(picture, [_fine(corners)], True, die.body, round(2 * rim * die.side_px * FINE), cv2.LINE_AA)
    for u, v in TWO_ALONG_SIDE if die.along_side else LAYOUTS[die.face]:
        row = die.narrow if die.face == 6 else 1.0
        place = _fine((np.array([u * row, v]) * die.spacing @ axes + middle)[None])[0]
        cv2.circle(
            picture,
            (int(place[0]), int(place[1])),
            round(die.pip * die.side_px * FINE),
            die.ink,
            -1,
            cv2.LINE_AA,
        )


def _fine(places: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(places * FINE).astype(np.int32)


def all_faces(**changes: object) -> list[Drawn]:
    """The six faces side by side in two rows, each turned differently."""
    return [
        Drawn(
            face,
            120.0 + 200 * ((face - 1) % 3),
            140.0 + 200 * ((face - 1) // 3),
            turn_deg=13.0 * face,
            **changes,
        )  # type: ignore[arg-type]
        for face in range(1, 7)
    ]
