"""Second stage: spots become pips when an edge runs round them.

Rays from the spot's middle meet the edge; a Fourier series of second order through the meeting points gives
centre, radius and axes of an ellipse. The colour axis is each spot's own: from its inside to its ring.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Ints, along, picked
from vision.counting.candidates import Spots
from vision.picture.working import Working

RAYS = 16
SAMPLES = 18
INNER, OUTER = 0.2, 2.0
"""Rays are sampled between these multiples of the spot's radius."""

RING_FROM = 11
"""First of the samples that may show the ring: 1.4 radii out."""

RING_RANK = 2
"""Which of them shows it, counted from the farthest from the inside's colour."""

INSIDE_TO = 4
"""The samples before this one show the inside: up to half a radius."""

EDGE_WIDTH = 4
"""Samples across which an edge is measured, 0.4 radii: the edge of a small pip is blurred that wide."""

LEAST_STEP = 0.28
"""Across it, of the way from inside to ring, on a ray that meets an edge."""

LEAST_CONTRAST = 0.055
"""Between inside and ring, in square-root colour; below, noise makes edges too."""

MOST_RESIDUAL = 0.20
"""Root mean square distance of the edge from the ellipse, over the radius."""

LEAST_RAYS = 0.65
"""Share of rays that must meet an edge: a pip can touch the face's border or a glare."""

HOPEFUL_RAYS, HOPEFUL_CONTRAST = 0.4, 0.03
"""What a first fit must show to be worth a second one from its middle and radius."""

MOST_OFF = 0.22
"""A ray whose edge lies farther from the fitted series, over the spot's radius, met another edge: that of the
face, of a glare, of the next pip."""

TINY, LEAST_MEAN = 1e-3, 0.1
"""Held against division by nothing: added to the equations of a fit that too few rays determine; the least
contrast, bend of a climb without a peak, and (LEAST_MEAN) mean radius of a fit that ran away."""

MEAN_RADII, MOST_SHIFT = (0.4, 1.8), 0.8
"""Over the spot's radius, how large a pip may be and how far its middle may lie off in x and in y: rays are
sampled from INNER to OUTER, what lies beyond was not seen."""

SPREAD_RESIDUAL = 0.3
"""A residual at which quality is nothing: half as much again as one that is allowed."""

SOFT_SHARE = 0.3
"""Of quality, what is left to a pip without any step at its edge: blur makes edges soft, not wrong."""

FULL_CONTRAST = 0.25
"""A contrast from which on quality is whole."""

MOST_FLAT = 0.38
"""Smallest ratio of the ellipse's axes: pips on side faces seen aslant are flatter."""

MOST_PIPS = 800
"""The best are kept: bounds the cost on cloths that are all dots."""


@dataclass(frozen=True, slots=True)
class Pips:
    """N pips in working pixels.

    `xy_px` (N, 2). `radius_px` (N,). `flat` (N,): ratio of the axes in (0, 1]. `light` (N,). `inside` and
    `ring` (N, 3): colours; `contrast` (N,): their distance. `residual` (N,): of the edge fit over the radius.
    `quality` (N,): in [0, 1].
    """

    xy_px: Floats
    radius_px: Floats
    flat: Floats
    light: Bools
    inside: Floats
    ring: Floats
    contrast: Floats
    residual: Floats
    quality: Floats

    def __len__(self) -> int:
        return len(self.radius_px)

    def take(self, which: Ints | Bools) -> Pips:
        return Pips(*(getattr(self, name)[which] for name in self.__slots__))


def fit_pips(working: Working, spots: Spots) -> Pips:
    """The spots that have a round edge, each once, best first."""
    first, met = _fit(working, spots.xy_px, spots.radius_px)
    first = first.take((met >= HOPEFUL_RAYS) & (first.contrast >= HOPEFUL_CONTRAST))
    pips, _ = _fit(working, first.xy_px, first.radius_px)
    good = pips.take(
        (pips.quality > 0)
        & (pips.contrast >= LEAST_CONTRAST)
        & (pips.residual <= MOST_RESIDUAL)
        & (pips.flat >= MOST_FLAT)
    )
    return _each_once(good.take(np.argsort(-good.quality, kind="stable").astype(np.int32)))


def sample(working: Working, x: Floats, y: Floats) -> Floats:
    """Colours at the places x, y (any equal shape), bilinear, border repeated: shape (*x.shape, 3)."""
    wide = math.prod(x.shape[1:])  # rows of few places take OpenCV up to four times as long
    columns, rows = (np.asarray(v, np.float32).reshape(len(v), wide) for v in (x, y))
    found = np.empty((*rows.shape, 3), np.float32)
    for start in range(0, len(rows), _REMAP_ROWS):
        some = slice(start, start + _REMAP_ROWS)
        cv2.remap(
            working.colour,
            columns[some],
            rows[some],
            cv2.INTER_LINEAR,
            dst=found[some],
            borderMode=cv2.BORDER_REPLICATE,
        )
    return found.reshape(*x.shape, 3)


_REMAP_ROWS = 16384
"""OpenCV's remap takes maps of fewer than 32768 rows."""

_ANGLES = (np.arange(RAYS) * (2 * np.pi / RAYS)).astype(np.float32)
_STEPS = np.linspace(INNER, OUTER, SAMPLES, dtype=np.float32)
_BASIS = np.stack(
    [np.ones(RAYS), np.cos(_ANGLES), np.sin(_ANGLES), np.cos(2 * _ANGLES), np.sin(2 * _ANGLES)], axis=1
).astype(np.float32)

_SQUARES = (_BASIS[:, :, None] * _BASIS[:, None, :]).reshape(RAYS, 25)
"""Products of each two functions of the basis on each ray."""

_MIDDLE = [RAYS // 2 - 1, RAYS // 2]
"""Of the sorted rays those whose mean is the median, which numpy's own takes three times as long to tell."""

_TINY_GRAM = TINY * np.eye(5, dtype=np.float32)


def _fit(working: Working, xy: Floats, radius: Floats) -> tuple[Pips, Floats]:
    """One round of ray casting and fitting for all spots at once, and the share of rays that met an edge."""
    colours = _along_rays(working, xy, radius)
    inside = _median(colours[:, :, :INSIDE_TO])
    ring = _ring(colours, inside)
    axis = ring - inside
    contrast = np.linalg.norm(axis, axis=1)
    unit = axis / np.maximum(contrast, TINY)[:, None] ** 2
    profile = along(colours, unit[:, None, None])
    edge, step = _edges(profile)
    series, met, residual = _series(edge, step)
    mean, shift, flat = _ellipse(series)
    quality = _quality(met, residual, step, contrast)
    place = xy + shift * radius[:, None], radius * mean, flat
    return Pips(*place, -axis.sum(axis=1) > 0, inside, ring, contrast, residual, quality), met


def _along_rays(working: Working, xy: Floats, radius: Floats) -> Floats:
    """What the rays from each spot's middle meet, (N, RAYS, SAMPLES, 3)."""
    rho = radius[:, None, None] * _STEPS[None, None, :]
    x = xy[:, 0, None, None] + rho * np.cos(_ANGLES)[None, :, None]
    y = xy[:, 1, None, None] + rho * np.sin(_ANGLES)[None, :, None]
    return sample(working, x, y)


def _median(colours: Floats) -> Floats:
    """Median of each channel over rays and samples: (N, rays, samples, 3) becomes (N, 3)."""
    rays, samples = colours.shape[1:3]
    flat = np.ascontiguousarray(colours.reshape(-1, rays * samples, 3).transpose(0, 2, 1))
    half = flat.shape[2] // 2
    return np.asarray(np.partition(flat, half, axis=2)[:, :, half])


def _ring(colours: Floats, inside: Floats) -> Floats:
    """Colour round each spot: per ray a sample far from the inside's colour, then the median.

    A blurred edge and a neighbouring pip both lie between the two colours, so neither is taken; the very
    farthest would be a vein of a marbled body, or what lies beyond its border.
    """
    outer = colours[:, :, RING_FROM:]
    rough = _median(outer[:, :, ::2]) - inside
    far = np.argpartition(along(outer, rough[:, None, None]), -RING_RANK, axis=2)[:, :, -RING_RANK]
    return _median(picked(colours, RING_FROM + far)[:, :, None])


def _edges(profile: Floats) -> tuple[Floats, Floats]:
    """Where each ray climbs fastest (multiples of the radius) and by how much, (N, RAYS) each."""
    climb = profile[:, :, EDGE_WIDTH:] - profile[:, :, :-EDGE_WIDTH]
    best = np.argmax(climb, axis=2)
    nearer, farther = np.maximum(best - 1, 0), np.minimum(best + 1, climb.shape[2] - 1)
    before, step, after = (picked(climb, number) for number in (nearer, best, farther))
    bend = np.maximum(2 * step - before - after, TINY)
    shift = np.clip(0.5 * (after - before) / bend, -0.5, 0.5)
    return (_STEPS[EDGE_WIDTH // 2] + (best + shift) * (_STEPS[1] - _STEPS[0])).astype(np.float32), step


def _series(edge: Floats, step: Floats) -> tuple[Floats, Floats, Floats]:
    """Coefficients (N, 5) of the edge as a series in the angle, share of rays that agree, and residual."""
    weight = (step > LEAST_STEP).astype(np.float32)
    for _ in range(3):
        gram = np.einsum("nr,rk->nk", weight, _SQUARES).reshape(-1, 5, 5) + _TINY_GRAM
        right = np.einsum("nr,ri->ni", weight * edge, _BASIS)
        series = np.linalg.solve(gram, right[..., None])[..., 0]
        # einsum, not BLAS: some emulated processors make nonsense of its products
        off = np.abs(edge - np.einsum("ni,ri->nr", series, _BASIS))
        weight = ((step > LEAST_STEP) & (off < MOST_OFF)).astype(np.float32)
    met = weight.mean(axis=1)
    residual = np.sqrt((weight * off**2).sum(axis=1) / np.maximum(weight.sum(axis=1), 1))
    return series, met, residual / np.maximum(series[:, 0], LEAST_MEAN)


def _ellipse(series: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean radius (N,) and middle (N, 2) of what the series describe, over the spots' radii, and the ratio of
    its axes (N,)."""
    mean = np.clip(series[:, 0], *MEAN_RADII)
    wave = np.hypot(series[:, 3], series[:, 4])
    flat = np.clip((mean - wave) / (mean + wave), 0, 1)
    return mean, np.clip(series[:, 1:3], -MOST_SHIFT, MOST_SHIFT), flat


def _quality(met: Floats, residual: Floats, step: Floats, contrast: Floats) -> Floats:
    """How much each is like a pip (N,), in [0, 1]; 0 where too few rays met an edge."""
    steep = np.clip(np.partition(step, _MIDDLE, axis=1)[:, _MIDDLE].mean(axis=1), 0, 1)
    neat, sharp = np.clip(1 - residual / SPREAD_RESIDUAL, 0, 1), SOFT_SHARE + (1 - SOFT_SHARE) * steep
    quality = met * neat * sharp * (met >= LEAST_RAYS)
    return np.asarray(quality * np.minimum(contrast / FULL_CONTRAST, 1))


def _each_once(pips: Pips) -> Pips:
    """Of pips that cover one another (same polarity) the best alone stays; `pips` come best first."""
    kept: list[int] = []
    taken: dict[tuple[int, int, bool], list[_Disc]] = {}
    lengths = np.column_stack([pips.xy_px, pips.radius_px]).tolist()
    for index, (disc, light) in enumerate(zip(lengths, pips.light.tolist(), strict=True)):
        if _free(disc, light, taken):
            kept.append(index)
            if len(kept) >= MOST_PIPS:
                break
    return pips.take(np.array(kept, np.int32))


_Disc = list[float]
"""x, y and radius of a pip."""

_CELL_PX = 16

COVERED = 1.4
"""Nearer than so many of the larger radius two circles are not both pips: those of a die do not overlap.
Beside a pip the edge fit meets its border again, and what it finds there would count as an intruder."""

NESTED = 2.9
"""Unless one is this many times the other: light pips lie within the light disc that their die is."""


def _free(disc: _Disc, light: bool, taken: dict[tuple[int, int, bool], list[_Disc]]) -> bool:
    """Whether no better pip lies round this one's middle; marks the place round its own as taken if so."""
    x, y, radius = disc
    for other_x, other_y, other in taken.get((int(x) // _CELL_PX, int(y) // _CELL_PX, light), ()):
        small, large = min(radius, other), max(radius, other)
        if math.hypot(other_x - x, other_y - y) < COVERED * large and large < NESTED * small:
            return False
    reach = radius * COVERED
    for cell_x in range(int(x - reach) // _CELL_PX, int(x + reach) // _CELL_PX + 1):
        for cell_y in range(int(y - reach) // _CELL_PX, int(y + reach) // _CELL_PX + 1):
            taken.setdefault((cell_x, cell_y, light), []).append(disc)
    return True
