"""Fourth stage: the body round a candidate's face.

Rays run from the middle of the face outwards. A die shows as a rounded square of one colour, the pips left
out, whose border makes an edge on most rays. Dots of a cloth have no such border, and a candidate across
two dice has a border running through it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.arrays import Bools, Floats, Ints, along, lengths, picked, without
from vision.counting.faces import Faces, mean_of_pips
from vision.counting.pips import Pips, sample
from vision.picture.working import Working

RAYS = 32
NEAREST, FARTHEST, SAMPLES = 0.2, 2.7, 46
"""Samples along a ray, in half sides of the candidate's face."""

EDGE_REACH = 2
"""Samples on either side between which an edge is measured: 0.2 of half a side."""

ROUND_CORNER = 1.24
"""The corner of a die lies this many half sides from its middle; 1.41 were it sharp."""

FULL_EDGE = 0.33
"""An edge of this share of the pips' contrast counts whole."""

PIP_MARGIN = 1.45
"""Nearer than this many radii to one of the face's own pips nothing counts as edge."""

SPOILT = 0.7
"""Weight of strange colour inside against edge on the border; marbled dice are strange to themselves."""

UNUSUAL_SCALE = 0.08
"""What a body loses for each unit of the logarithm of its scale: of two borders alike the one where the pips
say it is."""

SAME_SIZE = 0.15
"""A body of about a given size differs by no more than this, as a logarithm."""

BEYOND = range(2, 6)
"""Samples farther out than the border that show what lies just beyond it."""

FOREIGN = 0.5
"""A colour this share of the pips' contrast away from the body's is not the body's."""


@dataclass(frozen=True, slots=True)
class Bodies:
    """The bodies of M candidates.

    `scale` (M,): half side of the body over that of the candidate's face. `turn_rad` (M,): its turn against
    the candidate. `sides` (M, 4): how much of each shows an edge, most first, [0, 1]. `clean` (M,): share of
    the face, without pips, in the body's colour. `outside` (M,): share of the rim beyond the border in
    another colour. `own` (M,): share of the face nearer to the body's colour than to that beyond, which
    marbling does not change. `shade` (M, 3): the body's colour (square roots).
    """

    scale: Floats
    turn_rad: Floats
    sides: Floats
    clean: Floats
    outside: Floats
    own: Floats
    shade: Floats


@dataclass(frozen=True, slots=True)
class _Search:
    """Sizes and turns tried for one kind of face."""

    scales: Floats
    turns: Floats


def _search(least: float, most: float, turns_deg: tuple[float, ...]) -> _Search:
    scales = np.geomspace(least, most, max(3, int(np.log(most / least) / 0.05))).astype(np.float32)
    return _Search(scales, np.radians(np.array(turns_deg, np.float32)))


_SEARCHES = {
    1: _search(0.56, 2.0, tuple(range(0, 90, 10))),
    2: _search(0.72, 2.1, (-16, -8, 0, 8, 16, 37, 45, 53)),
    3: _search(0.72, 1.5, (-16, -8, 0, 8, 16)),
    4: _search(0.82, 1.3, (-6, 0, 6)),
    5: _search(0.82, 1.3, (-6, 0, 6)),
    6: _search(0.82, 1.3, (-6, 0, 6)),
}
"""Aces say nothing of their die's size or turn, twos little: some are set close and along a side; threes say
more, the others nearly all."""

_ANGLES = (np.arange(RAYS) * (2 * np.pi / RAYS)).astype(np.float32)
_RHO = np.linspace(NEAREST, FARTHEST, SAMPLES, dtype=np.float32)
_NUMBERS = np.arange(SAMPLES, dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Rays:
    """Samples along the rays of M candidates, (M, RAYS, SAMPLES) each.

    `off` (M, RAYS, SAMPLES, 3): the colours less their body's, `shade` (M, 3). `masked`: on one of the
    candidate's own pips or close to it. `edge`, [0, 1]: strength of an edge. `strange`, [0, 1]: distance from
    the body's colour. `worth`: evidence for the candidate if the border were here.
    """

    off: Floats
    shade: Floats
    masked: Bools
    edge: Floats
    strange: Floats
    worth: Floats

    def take(self, which: Ints | Bools) -> Rays:
        return Rays(*(getattr(self, name)[which] for name in self.__slots__))


def cast_rays(working: Working, pips: Pips, faces: Faces) -> Rays:
    """The rays from the middle of each candidate."""
    x, y = _places(faces)
    contrast = mean_of_pips(pips.contrast, faces)
    shade = mean_of_pips(pips.ring, faces)
    off = without(sample(working, x, y), shade)
    masked = _near_own_pips(pips, faces, x, y)
    edge = _edges(off, masked, contrast)
    strange = np.minimum(lengths(off) / (FOREIGN * contrast[:, None, None]), 1) * ~masked
    return Rays(off, shade, masked, edge, strange, _worth(edge, strange))


def _worth(edge: Floats, strange: Floats) -> Floats:
    """Edge less the strange colour within; the colour counts up to three samples before."""
    inner = np.cumsum(strange * _RHO, axis=2)
    inner *= SPOILT / np.cumsum(_RHO)
    worth = edge.copy()
    worth[:, :, 3:] -= inner[:, :, :-3]
    worth[:, :, :3] -= inner[:, :, :1]
    return worth


def find_bodies(faces: Faces, rays: Rays, half_px: float | None = None) -> Bodies:
    """The best body for each candidate; of about `half_px` (half a side) if that is given."""
    scale, turn = _best(faces.face, rays.worth, None if half_px is None else half_px / faces.half_px)
    return _measure(scale, turn, rays)


def _places(faces: Faces) -> tuple[Floats, Floats]:
    """Where the samples lie, (M, RAYS, SAMPLES) each."""
    direction = (
        np.cos(_ANGLES)[None, :, None] * faces.across_px[:, None, :]
        + np.sin(_ANGLES)[None, :, None] * faces.down_px[:, None, :]
    )
    x, y = (
        faces.middle_px[:, k, None, None] + _RHO * np.ascontiguousarray(direction[:, :, k, None])
        for k in range(2)
    )
    return x.astype(np.float32, copy=False), y.astype(np.float32, copy=False)


def _near_own_pips(pips: Pips, faces: Faces, x: Floats, y: Floats) -> Bools:
    """Which samples lie on or close to the face's own pips."""
    near = np.zeros(x.shape, bool)
    for column in range(faces.pips.shape[1]):
        has = np.nonzero(faces.pips[:, column] >= 0)[0]
        which = faces.pips[has, column]
        (px, py), radius = pips.xy_px[which].T, pips.radius_px[which] * PIP_MARGIN
        apart = (x[has] - px[:, None, None]) ** 2 + (y[has] - py[:, None, None]) ** 2
        near[has] |= apart < (radius**2)[:, None, None]
    return near


def _edges(off: Floats, masked: Bools, contrast: Floats) -> Floats:
    """How much of an edge each sample is, [0, 1]: the step of colour across it, softened along the ray."""
    step = np.zeros(off.shape[:3], np.float32)
    wide = EDGE_REACH
    step[:, :, wide:-wide] = lengths(off[:, :, 2 * wide :] - off[:, :, : -2 * wide])
    hidden = masked.copy()
    hidden[:, :, :-wide] |= masked[:, :, wide:]
    hidden[:, :, wide:] |= masked[:, :, :-wide]
    step /= FULL_EDGE * contrast[:, None, None]
    np.minimum(step, 1, out=step)
    step *= ~hidden
    widest = step.copy()
    np.maximum(widest[:, :, 1:], step[:, :, :-1], out=widest[:, :, 1:])
    np.maximum(widest[:, :, :-1], step[:, :, 1:], out=widest[:, :, :-1])
    return widest


def rounded_square(angle_rad: Floats) -> Floats:
    """How far out the outline of a body lies in each direction from its middle, in its half sides."""
    sharp = 1 / np.maximum(np.abs(np.cos(angle_rad)), np.abs(np.sin(angle_rad)))
    return np.asarray(np.minimum(sharp, ROUND_CORNER))


def _border(scale: Floats, turn: Floats) -> Ints:
    """Number of the sample where each ray meets the rounded square; broadcasts scale and turn, adds RAYS."""
    rho = rounded_square(_ANGLES - turn[..., None]) * scale[..., None]
    index = (rho - NEAREST) / (FARTHEST - NEAREST) * (SAMPLES - 1)
    return np.clip(np.rint(index), 0, SAMPLES - 1).astype(np.int32)


@cache
def _tried(face: int) -> tuple[Floats, Floats, Ints]:
    """Scales and turns (S,) of all squares tried for a face, and where their borders meet the rays (RAYS, S),
    as places in the flattened samples."""
    search = _SEARCHES[face]
    scales, turns = (v.ravel() for v in np.meshgrid(search.scales, search.turns, indexing="ij"))
    return scales, turns, np.ascontiguousarray((_border(scales, turns) + np.arange(RAYS) * SAMPLES).T)


def _best(face: Ints, worth: Floats, usual: Floats | None) -> tuple[Floats, Floats]:
    """Scale and turn of the square whose border is worth most; about the scales `usual` (M,) where they are
    known."""
    scale, turn = np.ones(len(face), np.float32), np.zeros(len(face), np.float32)
    for value in _SEARCHES:
        mine = np.nonzero(face == value)[0]
        if not len(mine):
            continue
        scales, turns, places = _tried(value)
        by_place = np.ascontiguousarray(worth[mine].reshape(-1, RAYS * SAMPLES).T)
        mean = by_place.take(places, axis=0).sum(axis=0).T / np.float32(RAYS)
        mean -= UNUSUAL_SCALE * np.abs(np.log(scales))
        if usual is not None:
            mean -= np.abs(np.log(scales / usual[mine, None])) > SAME_SIZE
        best = np.argmax(mean, axis=1)
        scale[mine], turn[mine] = scales[best], turns[best]
    return scale, turn


def _measure(scale: Floats, turn: Floats, rays: Rays) -> Bodies:
    """What the chosen squares show."""
    border, strange = _border(scale, turn), rays.strange
    support = picked(rays.edge, border)
    quarter = (np.rint((_ANGLES[None] - turn[:, None]) / (np.pi / 2)).astype(np.int32)) % 4
    sides = np.stack(
        [(support * (quarter == q)).sum(axis=1) / (quarter == q).sum(axis=1) for q in range(4)], axis=1
    )
    within = ((border[..., None] - 2).astype(np.int8) > _NUMBERS) & ~rays.masked
    weight = within * _RHO
    area = np.maximum(weight.sum(axis=(1, 2)), 1e-3)
    outside, ground = _beyond(border, rays)
    return Bodies(
        scale,
        turn,
        -np.sort(-sides, axis=1).astype(np.float32),
        (1 - (strange * weight).sum(axis=(1, 2)) / area).astype(np.float32),
        outside,
        ((_own(rays.off, ground) * weight).sum(axis=(1, 2)) / area).astype(np.float32),
        rays.shade,
    )


def _beyond(border: Ints, rays: Rays) -> tuple[Floats, Floats]:
    """What lies just beyond the border: how strange it is (M,), and its mean colour on each ray (M, RAYS, 3)
    less the body's."""
    count, strange = (np.zeros(border.shape, np.float32) for _ in range(2))
    colour = np.zeros((*border.shape, 3), np.float32)
    for step in BEYOND:  # one after the other is much faster than all at once
        there, number = border + step < SAMPLES, np.minimum(border + step, SAMPLES - 1)
        count += there
        strange += picked(rays.strange, number) * there
        colour += picked(rays.off, number) * there[..., None]
    some = np.maximum(count, 1)[..., None]
    return strange.sum(axis=1) / np.maximum(count.sum(axis=1), 1), colour / some


def _own(off: Floats, ground: Floats) -> Bools:
    """Which samples are nearer to the body's colour than to that of the ground (M, RAYS, 3) on their ray."""
    length = np.maximum(along(ground, ground), 1e-4)
    return np.asarray(along(off, ground[:, :, None]) < 0.5 * length[..., None])
