"""Things that look like dice and are none: text, keys, plugs, coins, dots, dominoes, holes, lamps."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from lab.training.pictures.faces import draw_glyph, write
from lab.training.pictures.textures import Image, Rng, colour, whole


def draw(rng: Rng, image: Image) -> None:
    """One kind of clutter somewhere into the picture."""
    kinds: list[Callable[[Rng, Image], None]] = [
        _text, _keys, _plug, _coins, _spots, _domino, _lamps, _cards, _lines, _gem, _pens,
    ]  # fmt: skip
    kinds[int(rng.integers(len(kinds)))](rng, image)


def _spot(rng: Rng, image: Image) -> tuple[int, int]:
    x, y = rng.integers(0, image.shape[0], 2)
    return int(x), int(y)


def _text(rng: Rng, image: Image) -> None:
    words = "".join(chr(c) for c in rng.integers(33, 126, rng.integers(2, 12)))
    font = int(rng.integers(0, 8))
    for line in range(int(rng.integers(1, 5))):
        x, y = _spot(rng, image)
        bold = int(rng.integers(1, 6))
        write(image, words, (x - 60, y + line * 10), font, rng.uniform(0.4, 3), colour(rng).tolist(), bold)


def _keys(rng: Rng, image: Image) -> None:
    """A keyboard, dark or light, its glyphs lit or printed."""
    pitch, gap, body, ink = int(rng.integers(30, 110)), rng.uniform(0.06, 0.2), colour(rng), colour(rng)
    x0, y0 = _spot(rng, image)
    for row in range(int(rng.integers(1, 4))):
        for col in range(int(rng.integers(1, 5))):
            tile = np.empty((pitch, pitch, 3), np.float32)
            tile[:] = body
            draw_glyph(rng, tile, ink.tolist())
            _lay(image, tile, x0 + int(col * pitch * (1 + gap)), y0 + int(row * pitch * (1 + gap)))


def _lay(image: Image, tile: Image, x: int, y: int) -> None:
    part = image[max(0, y) : y + tile.shape[0], max(0, x) : x + tile.shape[1]]
    part[:] = tile[: part.shape[0], : part.shape[1]]


def _turned_rect(rng: Rng, image: Image, size: tuple[float, float]) -> cv2.typing.RotatedRect:
    rect = (_spot(rng, image), size, float(rng.uniform(0, 90)))
    cv2.fillPoly(image, [whole(cv2.boxPoints(rect))], colour(rng).tolist(), cv2.LINE_AA)
    return rect


def _holes(
    image: Image, rect: cv2.typing.RotatedRect, grid: list[tuple[float, float]], r: float, ink: Image
) -> None:
    box = cv2.boxPoints(rect)
    for u, v in grid:
        at = box[0] + u * (box[3] - box[0]) + v * (box[1] - box[0])
        cv2.circle(image, (int(at[0]), int(at[1])), max(1, int(r)), ink.tolist(), -1, cv2.LINE_AA)


def _plug(rng: Rng, image: Image) -> None:
    """A socket, a connector or a button: two to many holes in a plate that is not square."""
    length, rows, cols = rng.uniform(30, 160), int(rng.integers(1, 4)), int(rng.integers(2, 9))
    rect = _turned_rect(rng, image, (length, length * rng.uniform(0.25, 0.7)))
    grid = [((c + 0.5) / cols, (r + 0.5) / rows) for c in range(cols) for r in range(rows)]
    _holes(image, rect, grid, length / cols * rng.uniform(0.1, 0.4), colour(rng))


def _coins(rng: Rng, image: Image) -> None:
    """Coins and buttons: discs with a rim, some with two or four holes."""
    for _ in range(int(rng.integers(1, 4))):
        (x, y), radius, ink = _spot(rng, image), int(rng.integers(6, 80)), colour(rng)
        cv2.circle(image, (x, y), radius, ink.tolist(), -1, cv2.LINE_AA)
        cv2.circle(
            image, (x, y), int(radius * 0.85), colour(rng).tolist(), int(rng.integers(1, 4)), cv2.LINE_AA
        )
        turn = rng.uniform(0, 7)
        for n in range(int(rng.choice([0, 0, 2, 4]))):
            at = (
                int(x + radius * 0.3 * np.cos(turn + n * 1.57)),
                int(y + radius * 0.3 * np.sin(turn + n * 1.57)),
            )
            cv2.circle(image, at, max(1, radius // 8), (ink * 0.2).tolist(), -1, cv2.LINE_AA)


def _spots(rng: Rng, image: Image) -> None:
    """Loose dots: crumbs, screws, knots, drops."""
    ink, size = colour(rng), rng.uniform(2, 12)
    for _ in range(int(rng.integers(1, 25))):
        cv2.circle(
            image, _spot(rng, image), max(1, int(size * rng.uniform(0.7, 1.3))), ink.tolist(), -1, cv2.LINE_AA
        )


def _domino(rng: Rng, image: Image) -> None:
    """Two squares of dots in one piece with a bar between: each looks like a die's face, none is one."""
    width = rng.uniform(26, 90)
    rect = _turned_rect(rng, image, (2 * width, width))
    ink = colour(rng)
    grid = [
        (u / 2 + h / 2, v)
        for h in (0, 1)
        for u in (0.25, 0.5, 0.75)
        for v in (0.25, 0.5, 0.75)
        if rng.random() < 0.5
    ]
    _holes(image, rect, grid, width * 0.08, ink)
    box = cv2.boxPoints(rect)
    ends = [whole((box[0] + box[3]) / 2).tolist(), whole((box[1] + box[2]) / 2).tolist()]
    cv2.line(image, ends[0], ends[1], ink.tolist(), max(1, int(width * 0.05)), cv2.LINE_AA)


def _lamps(rng: Rng, image: Image) -> None:
    """Bright round lamps in a row, with a glow."""
    (x, y), step = _spot(rng, image), rng.uniform(-40, 40, 2)
    radius = rng.uniform(3, 16)
    glow = np.zeros(image.shape[:2], np.float32)
    for n in range(int(rng.integers(1, 9))):
        cv2.circle(glow, (int(x + n * step[0]), int(y + n * step[1])), int(radius), 1.0, -1, cv2.LINE_AA)
    glow = glow + 0.6 * cv2.GaussianBlur(glow, (0, 0), radius * 1.5)
    image += glow[..., None] * colour(rng) + glow[..., None] * 120


def _cards(rng: Rng, image: Image) -> None:
    """Cards, notes, boxes: bare rectangles, half of them with a framed edge."""
    for _ in range(int(rng.integers(1, 3))):
        rect = _turned_rect(rng, image, tuple(float(v) for v in rng.uniform(20, 260, 2)))  # type: ignore[arg-type]
        if rng.random() < 0.5:
            cv2.polylines(
                image, [whole(cv2.boxPoints(rect))], True, colour(rng).tolist(), int(rng.integers(1, 6))
            )


def _lines(rng: Rng, image: Image) -> None:
    for _ in range(int(rng.integers(1, 8))):
        cv2.line(
            image,
            _spot(rng, image),
            _spot(rng, image),
            colour(rng).tolist(),
            int(rng.integers(1, 14)),
            cv2.LINE_AA,
        )


def _gem(rng: Rng, image: Image) -> None:
    """A many-sided numeral die: polygon, inner triangle, number."""
    (x, y), reach, sides = _spot(rng, image), int(rng.integers(20, 90)), int(rng.integers(5, 11))
    turn = rng.uniform(0, 7) + np.arange(sides) * 2 * np.pi / sides
    outline = whole(np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], 1))
    body, ink = colour(rng), colour(rng)
    cv2.fillPoly(image, [outline], body.tolist(), cv2.LINE_AA)
    inner = whole([x, y] + (outline[:: max(1, sides // 3)] - [x, y]) * 0.65)
    cv2.fillPoly(image, [inner], np.clip(body * 1.2 + 8, 0, 255).tolist(), cv2.LINE_AA)
    number = str(rng.integers(1, 21))
    scale = reach / 45
    write(image, number, (x - reach // 3, y + reach // 4), 2, scale, ink.tolist(), max(1, reach // 20))


def _pens(rng: Rng, image: Image) -> None:
    """Long round things with ends: pens, cables, cups' rims."""
    if rng.random() < 0.5:
        cv2.circle(
            image,
            _spot(rng, image),
            int(rng.integers(40, 220)),
            colour(rng).tolist(),
            int(rng.integers(3, 24)),
        )
    else:
        cv2.line(
            image,
            _spot(rng, image),
            _spot(rng, image),
            colour(rng).tolist(),
            int(rng.integers(10, 50)),
            cv2.LINE_AA,
        )
