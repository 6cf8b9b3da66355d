"""What tables are covered with, painted from above: wood, cloth, leather, carpet, paper, prints.

Each painter fills a canvas of linear light (height, width, 3), order red, green, blue.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.scenes.colours import linear
from vision.scenes.noise import Shape, fractal, relief, smooth
from vision.scenes.values import Cover, FloatArray

Rng = np.random.Generator
Painter = Callable[[Cover, Rng, Shape, float], FloatArray]


def paint(cover: Cover, shape: Shape, mm_per_px: float) -> FloatArray:
    """The cover as linear albedo (height, width, 3), `mm_per_px` millimetres to a pixel."""
    rng = np.random.default_rng(cover.seed)
    canvas = PAINTERS[cover.kind](cover, rng, shape, mm_per_px)
    stains = 1 + 0.05 * cover.contrast * fractal(rng, shape, 120 / mm_per_px, 2)
    return np.asarray(np.clip(_times(canvas, stains), 0.004, 0.95), np.float32)


def _blend(cover: Cover, share: FloatArray, shade: FloatArray | None = None) -> FloatArray:
    """The cover's two colours mixed by `share` in [0, 1], lightened by `shade` around 0 (height, width)."""
    first, second = linear(cover.rgb), linear(cover.second_rgb)
    part = np.clip(np.asarray(share, np.float32), 0, 1)
    planes = [a + (b - a) * part for a, b in zip(first, second, strict=True)]
    canvas = np.asarray(cv2.merge(planes), np.float32)
    return canvas if shade is None else _shaded(canvas, shade)


def _shaded(colour: FloatArray, shade: FloatArray) -> FloatArray:
    return _times(colour, np.clip(1 + shade, 0.15, 2.0))


def _times(colour: FloatArray, factor: FloatArray) -> FloatArray:
    """Colours (height, width, 3) times a factor (height, width)."""
    wide = np.asarray(factor, np.float32)
    return np.asarray(cv2.multiply(colour, cv2.merge([wide, wide, wide])), np.float32)


def _axes(cover: Cover, shape: Shape, mm_per_px: float) -> tuple[FloatArray, FloatArray]:
    """Coordinates in units of the pitch, turned by the cover's angle, each of `shape`."""
    scale = mm_per_px / cover.pitch_mm
    c, s = scale * np.cos(np.radians(cover.angle_deg)), scale * np.sin(np.radians(cover.angle_deg))
    x, y = np.arange(shape[1], dtype=np.float32)[None], np.arange(shape[0], dtype=np.float32)[:, None]
    return np.asarray(c * x + s * y, np.float32), np.asarray(c * y - s * x, np.float32)


def _plain(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Painted board, plastic, a white table: nearly even."""
    return _shaded(
        _blend(cover, np.zeros(shape, np.float32)), 0.03 * cover.contrast * smooth(rng, shape, 1.5)
    )


def _wood(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Boards along x: rings cut lengthwise, fine pores and joints between boards of different tone."""
    y = np.arange(shape[0], dtype=np.float32)[:, None] * np.float32(mm_per_px)
    wide = float(rng.choice([rng.uniform(45, 140), 1e5]))
    board = np.floor(y / wide + rng.uniform(0, 1))
    tone = 0.12 * np.sin(board * 12.9898 + cover.seed % 97)
    joint = np.clip(1 - np.abs((y / wide + 0.5) % 1 - 0.5) * wide / 0.5, 0, 1) if wide < 1e4 else 0.0 * y
    bend = fractal(rng, shape, 30 / mm_per_px, 3, stretch=9.0)
    rings = np.sin(6.28 * (y / cover.pitch_mm + 0.8 * bend) + board * 2.0)
    pores = smooth(rng, shape, max(1.0, 0.35 / mm_per_px), 16)
    streaks = smooth(rng, shape, 2.5 / mm_per_px, 30) + smooth(rng, shape, max(1.0, 0.8 / mm_per_px), 40)
    share = 0.4 + cover.contrast * (0.22 * rings + 0.12 * bend + 0.16 * streaks)
    shade = 0.1 * pores - 0.12 * np.clip(pores - 1, 0, 1)  # pores that were cut open are dark
    return _blend(cover, share, tone - 0.5 * joint + cover.contrast * shade)


def _weave(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Threads over and under one another, as in linen, canvas, upholstery."""
    x, y = _axes(cover, shape, mm_per_px)
    wobble = 0.12 * smooth(rng, shape, 3 * cover.pitch_mm / mm_per_px)
    x, y = x + wobble, y - wobble
    over = np.sin(np.pi * x) * np.sin(np.pi * y)
    thread = np.where(over > 0, np.abs(np.sin(np.pi * y)), np.abs(np.sin(np.pi * x)))
    tone = 0.5 + 0.5 * np.sign(over) * np.minimum(1, np.abs(over) * 4)
    tone = tone + 0.25 * smooth(rng, shape, cover.pitch_mm / mm_per_px)
    return _shaded(_blend(cover, tone * cover.contrast), 0.5 * cover.contrast * (thread - 0.75))


def _felt(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Fibres pressed together; also cloth seen from afar."""
    fibres = 0.6 * smooth(rng, shape, 0.6 / mm_per_px) + 0.4 * fractal(rng, shape, 4 / mm_per_px, 3)
    return _shaded(_blend(cover, np.zeros(shape, np.float32)), 0.13 * cover.contrast * fibres)


def _leather(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Pebbles with creases between them, no two alike, lit from one side."""
    pitch = max(cover.pitch_mm / mm_per_px, 1.5)
    dome, crease = _pebbles(rng, shape, pitch)
    dome = dome + 0.15 * smooth(rng, shape, max(pitch / 3, 1)) + 0.2 * smooth(rng, shape, 3 * pitch)
    light = relief(dome * min(pitch, 6), np.radians(cover.angle_deg))
    return _shaded(_blend(cover, 0.35 * crease), cover.contrast * (0.3 * light - 0.25 * crease + 0.05))


def _pebbles(rng: Rng, shape: Shape, pitch_px: float) -> tuple[FloatArray, FloatArray]:
    """Cells round points strewn evenly: their height in [0, 1], and where they meet, both of `shape`."""
    rows, columns = (int(side / pitch_px) + 2 for side in shape)
    seeds = np.moveaxis(np.mgrid[:rows, :columns], 0, -1) + rng.uniform(0, 0.9, (rows, columns, 2))
    ground = np.ones(shape, np.uint8)
    y, x = (np.clip(seeds[..., k] * pitch_px, 0, shape[k] - 1).astype(int) for k in (0, 1))
    ground[y, x] = 0
    away = cv2.distanceTransform(ground, cv2.DIST_L2, 5) / np.float32(pitch_px)
    dome, crease = np.clip(1 - 1.6 * away * away, 0, 1), np.clip((away - 0.45) * 3, 0, 1)
    return np.asarray(dome, np.float32), np.asarray(crease, np.float32)


def _carpet(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Tufts of fibres, each with its own shade, and dark gaps between them."""
    pitch = max(cover.pitch_mm / mm_per_px, 1.2)
    dome, gap = _pebbles(rng, shape, pitch)
    fibres = smooth(rng, shape, max(0.25 / mm_per_px, 1)) + smooth(rng, shape, max(pitch / 4, 1))
    light = relief(dome * min(pitch, 6) + fibres * 0.3, np.radians(cover.angle_deg))
    share = 0.35 + 0.25 * smooth(rng, shape, pitch * 1.2) + 0.1 * fibres
    shade = 0.12 * fibres + 0.3 * light - 0.35 * gap + 0.08 * smooth(rng, shape, 4 * pitch)
    return _shaded(_blend(cover, share), cover.contrast * shade)


def _paper(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Paper with a grid of lines in the second colour."""
    x, y = _axes(cover, shape, mm_per_px)
    half = 0.5 * max(0.25, mm_per_px) / cover.pitch_mm
    near = np.minimum(np.abs((x % 1) - 0.5), np.abs((y % 1) - 0.5))
    line = np.clip(1.5 - near / half, 0, 1) * 0.7 * cover.contrast
    return _shaded(_blend(cover, line), 0.015 * smooth(rng, shape, 1.2))


def _dots(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Polka dots, or the holes of a mesh: the pattern that looks most like pips."""
    x, y = _axes(cover, shape, mm_per_px)
    x = x + 0.5 * (np.floor(y) % 2) * (cover.seed % 2)
    radius = 0.14 + 0.24 * ((cover.seed // 2) % 7) / 6
    away = np.sqrt((x % 1 - 0.5) ** 2 + (y % 1 - 0.5) ** 2)
    step = mm_per_px / cover.pitch_mm
    return _shaded(_blend(cover, (radius - away) / step + 0.5), 0.05 * smooth(rng, shape, 1.5))


def _stripes(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Stripes or checks of cloth."""
    x, y = _axes(cover, shape, mm_per_px)
    a = (np.sin(2 * np.pi * x) > 0).astype(np.float32)
    b = (np.sin(2 * np.pi * y) > 0).astype(np.float32)
    share = a if cover.seed % 2 else 0.5 * (a + b)
    share = cv2.GaussianBlur(share, (3, 3), 0.8) * min(1.0, cover.contrast)
    return _shaded(_blend(cover, share), 0.10 * smooth(rng, shape, 0.8 / mm_per_px))


def _print(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """A printed cloth or oilcloth: leaves, rings, discs and stars strewn in several colours."""
    ground = np.uint8(np.clip(np.array(cover.rgb) * 255, 0, 255))
    canvas = np.empty((*shape, 3), np.uint8)
    canvas[:] = ground
    pitch = cover.pitch_mm / mm_per_px
    inks = [np.array(cover.second_rgb) * 255, rng.uniform(20, 250, 3), rng.uniform(20, 250, 3)]
    count = int(min(900, 1.6 * shape[0] * shape[1] / pitch**2))
    for x, y, kind in zip(*rng.uniform(0, 1, (2, count)), rng.integers(0, 4, count), strict=True):
        at = (int(x * shape[1]), int(y * shape[0]))
        ink = tuple(float(v) for v in inks[rng.integers(3)])
        size = float(pitch * rng.uniform(0.1, 0.45))
        _motif(canvas, int(kind), at, size, float(rng.uniform(0, 360)), ink)
    light = np.power(canvas.astype(np.float32) / 255, 2.2)
    return _shaded(light, 0.06 * smooth(rng, shape, 0.8 / mm_per_px))


def _motif(
    canvas: np.ndarray, kind: int, at: tuple[int, int], size: float, angle: float, ink: tuple[float, ...]
) -> None:
    """One leaf (0), ring (1), disc (2) or flower (3) of `size` pixels."""
    if kind == 0:
        cv2.ellipse(
            canvas, at, (max(1, int(size)), max(1, int(size / 3))), angle, 0, 360, ink, -1, cv2.LINE_AA
        )
    elif kind == 1:
        cv2.circle(canvas, at, max(1, int(size)), ink, max(1, int(size / 4)), cv2.LINE_AA)
    elif kind == 2:
        cv2.circle(canvas, at, max(1, int(size / 2)), ink, -1, cv2.LINE_AA)
    else:
        for k in range(5):
            turn = np.radians(angle + 72 * k)
            petal = (at[0] + int(size * 0.6 * np.cos(turn)), at[1] + int(size * 0.6 * np.sin(turn)))
            cv2.circle(canvas, petal, max(1, int(size * 0.35)), ink, -1, cv2.LINE_AA)


def _stone(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """Granite, terrazzo, laminate: chips of many sizes and shades with sharp edges on a clouded ground."""
    pitch = max(cover.pitch_mm / mm_per_px, 1.2)
    share = 0.25 + 0.08 * fractal(rng, shape, 60 / mm_per_px, 4)
    for size, amount in ((1.0, 0.5), (0.6, -0.25), (0.35, 0.35)):
        bumps = smooth(rng, shape, max(size * pitch, 1)) + 0.5 * smooth(rng, shape, max(size * pitch / 3, 1))
        share = share + amount * cover.contrast * np.clip((bumps - 1.0) * 3, 0, 1)
    return _blend(cover, share, 0.04 * smooth(rng, shape, 1.2))


def _tiles(cover: Cover, rng: Rng, shape: Shape, mm_per_px: float) -> FloatArray:
    """A game board or floor: hexagons of several colours with grout between and a numbered disc on some."""
    x, y = _axes(cover, shape, mm_per_px)
    row = np.floor(y / 0.866)
    shift = x - 0.5 * (row % 2)
    column, u, v = np.floor(shift), shift % 1 - 0.5, (y / 0.866) % 1 - 0.5
    inks = np.stack(
        [linear(cover.rgb), linear(cover.second_rgb), *np.power(rng.uniform(0.1, 0.9, (3, 3)), 2.2)]
    )
    which = (np.abs(np.sin(column * 12.9898 + row * 78.233 + cover.seed % 31) * 43758.5) % 1 * 5).astype(int)
    canvas = np.asarray(inks.astype(np.float32)[np.clip(which, 0, 4)], np.float32)
    grout = np.maximum(np.abs(u), np.abs(v)) > 0.5 - 0.6 * max(mm_per_px, 0.8) / cover.pitch_mm
    canvas[grout] *= 0.45
    disc = (np.hypot(u, v) < 0.16) & (which % 2 == 0) & (cover.seed % 2 == 0)
    canvas[disc] = 0.75
    canvas[disc & (np.abs(u) < 0.02 + 0.04 * (cover.seed // 2 % 2)) & (np.abs(v) < 0.06)] = 0.05
    return _shaded(canvas, 0.12 * cover.contrast * fractal(rng, shape, 3 / mm_per_px, 3))


PAINTERS: dict[str, Painter] = {
    "plain": _plain,
    "wood": _wood,
    "weave": _weave,
    "felt": _felt,
    "leather": _leather,
    "carpet": _carpet,
    "paper": _paper,
    "dots": _dots,
    "stripes": _stripes,
    "print": _print,
    "stone": _stone,
    "tiles": _tiles,
}
