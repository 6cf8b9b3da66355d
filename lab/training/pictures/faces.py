"""Painted faces of cubes: pips in their many layouts, emblems and numerals, as flat squares to be warped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.pictures.textures import Image, Rng, colour, noise, whole

TEXTURE_PX = 72
APART = 1.25
"""Pips along a side keep so many radii from the middle: they never touch."""
GLYPHS = "ABCDEFGHKLMNPQRSTUVXYZ0123456789?!&%#@+*"


@dataclass(frozen=True, slots=True)
class Style:
    """How one set of dice is made. Lengths are fractions of the die's side; colours BGR in 0 to 255."""

    body: NDArray[np.float32]
    pip: NDArray[np.float32]
    ace: NDArray[np.float32]
    corner: float
    reach: float
    two_reach: float
    two_along_side: bool
    six_reach: float
    radius: float
    ace_scale: float
    dimple: float
    ring: float
    marble: float
    vein: float
    glitter: float
    flake_px: float
    gloss: float


def style(rng: Rng) -> Style:
    """A style of dice; body and pips have enough contrast in brightness or colour."""
    body, pip = _contrasting(rng)
    reach = rng.uniform(0.21, 0.32)
    radius = min(rng.uniform(0.06, 0.135), reach * 0.42)
    along_side = bool(rng.random() < 0.25)
    two_reach = reach * rng.choice([1.0, rng.uniform(0.42, 1.0)])
    return Style(
        body=body,
        pip=pip,
        ace=colour(rng) if rng.random() < 0.12 else pip,
        corner=rng.choice([rng.uniform(0.02, 0.1), rng.uniform(0.1, 0.24), rng.uniform(0.24, 0.36)]),
        reach=reach,
        two_reach=max(two_reach, APART * radius) if along_side else two_reach,
        two_along_side=along_side,
        six_reach=reach * rng.choice([1.0, rng.uniform(0.7, 1.1)]),
        radius=radius,
        ace_scale=rng.choice([1.0, rng.uniform(1.0, 2.2)]),
        dimple=rng.choice([0.0, rng.uniform(0.0, 0.7)]),
        ring=rng.choice([0.0, 0.0, rng.uniform(0.2, 0.5)]),
        marble=rng.choice([0.0, 0.0, rng.uniform(5, 45)]),
        vein=rng.choice([0.0, 0.0, 0.0, rng.uniform(0.2, 0.8)]),
        glitter=rng.choice([0.0, 0.0, 0.0, rng.uniform(20, 70)]),
        flake_px=rng.choice([1.0, rng.uniform(1, 7)]),
        gloss=rng.choice([0.0, rng.uniform(0.0, 0.9)]),
    )


def _contrasting(rng: Rng) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    usual = rng.random() < 0.4
    while True:
        body = colour(rng) if not usual else np.full(3, rng.choice([240, 225, 200, 20, 40]), np.float32)
        body = np.clip(body + rng.normal(0, 12 if usual else 4, 3), 0, 255).astype(np.float32)
        pip = _pip_colour(rng, float(body.mean()))
        grey = abs(float(body @ (0.114, 0.587, 0.299) - pip @ (0.114, 0.587, 0.299)))
        if grey > 45 or (grey > 20 and float(np.abs(body - pip).max()) > 80):
            return body, pip


def _pip_colour(rng: Rng, body_mean: float) -> NDArray[np.float32]:
    if rng.random() < 0.25:
        return colour(rng)
    dark = rng.uniform(0, 60) if body_mean > 90 and rng.random() < 0.8 else rng.uniform(200, 255)
    return np.clip(np.full(3, dark) + rng.normal(0, 8, 3), 0, 255).astype(np.float32)


def pip_places(face: int, made: Style, quarter: bool) -> NDArray[np.float32]:
    """Pip centres of `face` in a unit square from -0.5 to 0.5, turned a quarter when asked."""
    a, b = made.reach, made.six_reach
    c, diagonal = made.two_reach, [(-a, -a), (a, a)]
    two = [(0.0, -c), (0.0, c)] if made.two_along_side else [(-c, -c), (c, c)]
    places = {
        1: [(0.0, 0.0)],
        2: two,
        3: [*diagonal, (0.0, 0.0)],
        4: [*diagonal, (-a, a), (a, -a)],
        5: [*diagonal, (-a, a), (a, -a), (0.0, 0.0)],
        6: [(x, y) for x in (-b, b) for y in (-a, 0.0, a)],
    }[face]
    points = np.array(places, np.float32)
    return points[:, ::-1] * np.array([1, -1], np.float32) if quarter else points


def blank(rng: Rng, made: Style) -> Image:
    """The bare body of a face, TEXTURE_PX squared, with its marbling and glitter."""
    image = np.empty((TEXTURE_PX, TEXTURE_PX, 3), np.float32)
    image[:] = made.body
    if made.marble:
        tint = rng.normal(0, 1, 3).astype(np.float32) * 0.5 + 1
        image += noise(rng, TEXTURE_PX, rng.uniform(6, 30))[..., None] * made.marble * tint
    if made.vein:
        _veins(rng, image, made)
    if made.glitter:
        image += _flakes(rng, made)
    return image


def _veins(rng: Rng, image: Image, made: Style) -> None:
    """Thin swirls of any colour, often on the way to that of the pips."""
    ink = made.body + (made.pip - made.body) * rng.uniform(0.2, 0.8) if rng.random() < 0.6 else colour(rng)
    ridge = np.abs(noise(rng, TEXTURE_PX, rng.uniform(8, 30))) * rng.uniform(1.5, 6)
    image += (np.clip(1 - ridge, 0, 1) * made.vein)[..., None] * (ink - image)


def _flakes(rng: Rng, made: Style) -> Image:
    """Glitter: squares of a fine or a coarse grid that shine lighter, darker or in a colour of their own."""
    cells = max(2, round(TEXTURE_PX / made.flake_px))
    shine = rng.normal(0, made.glitter, (cells, cells, 3)).astype(np.float32)
    shine *= rng.random((cells, cells, 1)) < rng.uniform(0.05, 0.25)
    whole_px = (TEXTURE_PX, TEXTURE_PX)
    return np.asarray(cv2.resize(shine, whole_px, interpolation=cv2.INTER_NEAREST), np.float32)


def draw_pips(rng: Rng, image: Image, places: NDArray[np.float32], made: Style, radius: float) -> None:
    """Pips into a face, as flat discs, as dimples with a lit and a dark rim, or as rings."""
    side = TEXTURE_PX
    light = rng.uniform(0, 2 * np.pi)
    lit = (made.pip * (1 - 0.5 * made.dimple) + 255 * 0.5 * made.dimple).tolist()
    ink = (made.ace if len(places) == 1 else made.pip).tolist()
    for x, y in places:
        centre = ((x + 0.5) * side, (y + 0.5) * side)
        _disc(image, centre, radius * side, ink)
        if made.dimple:
            off = radius * side * 0.45
            at = (centre[0] + off * np.cos(light), centre[1] + off * np.sin(light))
            _disc(image, at, radius * side * 0.4 * made.dimple, lit)
        if made.ring and radius * side > 5:
            _disc(image, centre, radius * side * made.ring, made.body.tolist())


def _disc(image: Image, centre: tuple[float, float], radius: float, ink: list[float]) -> None:
    fixed = (round(centre[0] * 16), round(centre[1] * 16))
    cv2.circle(image, fixed, max(1, round(radius * 16)), ink, -1, cv2.LINE_AA, 4)


def draw_emblem(rng: Rng, image: Image, made: Style) -> None:
    """Something that is no pips: a glyph, a heap of shapes, or nothing at all."""
    kind = rng.choice(3, p=[0.5, 0.35, 0.15])
    if kind == 0:
        draw_glyph(rng, image, made.pip.tolist())
    if kind == 1:
        for _ in range(rng.integers(2, 7)):
            draw_shape(rng, image, made.pip.tolist())


def draw_glyph(rng: Rng, image: Image, ink: list[float]) -> None:
    """One large letter or numeral, or two, about the middle of the picture."""
    side, text = image.shape[0], "".join(rng.choice(list(GLYPHS), int(rng.choice([1, 1, 2]))))
    scale = side / 40 * rng.uniform(0.6, 1.3) / len(text)
    bold = int(rng.integers(1, max(2, side // 14)))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    (width, height), _ = cv2.getTextSize(text, font, scale, bold)
    write(image, text, ((side - width) // 2, (side + height) // 2), font, scale, ink, bold)


def write(
    image: Image, text: str, at: tuple[int, int], font: int, scale: float, ink: list[float], bold: int
) -> None:
    """Text into a float picture, which OpenCV's own writing refuses."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, scale, 255, bold, cv2.LINE_AA)
    image += (mask / np.float32(255))[..., None] * (np.array(ink, np.float32) - image)


def draw_shape(rng: Rng, image: Image, ink: list[float]) -> None:
    """A random small polygon or arc near the middle."""
    side = image.shape[0]
    centre = rng.normal(side / 2, side / 7, 2)
    if rng.random() < 0.5:
        angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 8)))
        reach = rng.uniform(0.05, 0.28, len(angles)) * side
        points = centre + np.stack([np.cos(angles), np.sin(angles)], 1) * reach[:, None]
        cv2.fillPoly(image, [whole(points)], ink, cv2.LINE_AA)
    else:
        axes = tuple(int(v) for v in rng.uniform(0.06, 0.3, 2) * side)
        at = (int(centre[0]), int(centre[1]))
        span = (int(rng.uniform(0, 360)), int(rng.uniform(100, 360)))
        cv2.ellipse(
            image,
            at,
            axes,
            rng.uniform(0, 180),
            span[0],
            sum(span),
            ink,
            int(rng.integers(2, 6)),
            cv2.LINE_AA,
        )
