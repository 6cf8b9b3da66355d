"""First stage: spots, lighter or darker than what is around them, by differences of Gaussians.

Everything that might be a pip is kept; the next stages throw away.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.picture.working import Working

SMALLEST_SIGMA = 1.15
"""Of the first Gaussian, in working pixels: a pip of about 1.7 px radius."""

OCTAVES = 6
"""Radii up to about 80 working pixels: the pip of a die that fills the picture, the body of a large one."""

LARGEST_PIP = 0.3
"""Radius of the largest ace, in sides of a die: where those are known no larger spot is looked for."""

STEPS = 2
"""Scales per octave; finer ones only find the same spots again, the edge fit sets the radius."""

LEAST_RESPONSE = 0.012
"""Of a difference of Gaussians, in units of the channel: a contrast of about 0.05."""

LEAST_SIDE_PX = 12
"""Of a level on which spots are looked for."""

MOST_ALIKE = 150
"""Maximum number of spots of one scale: thirty dice have 105 pips on the mean, and the weave of a cloth
must not crowd out the pips of dice that lie on it."""

MOST_OF_SCALE = 3600
"""Of one scale and channel before their roundness is looked at."""

SAME_PLACE = 0.7
"""Side of the cells, in radii, in which two channels' spots are one."""

MOST_ALONG = 0.7
"""Of a spot's response, what may be left one radius away in any direction: along an edge all is left."""

KERNEL_SIGMAS = 3
"""Half width of the Gaussians' kernels: what lies beyond weighs a four-hundredth."""

RADIUS_PER_SIGMA = 1.6
"""Radius of the disc that answers strongest to a difference of Gaussians one half-octave apart."""


@dataclass(frozen=True, slots=True)
class Spots:
    """N spots: `xy_px` (N, 2) and `radius_px` (N,) in working pixels, `light` (N,) true where the spot is
    lighter than its surroundings, `response` (N,) its strength."""

    xy_px: Floats
    radius_px: Floats
    light: Bools
    response: Floats

    def __len__(self) -> int:
        return len(self.radius_px)

    def take(self, which: Ints | Bools | slice) -> Spots:
        return Spots(self.xy_px[which], self.radius_px[which], self.light[which], self.response[which])


_NONE = Spots(
    np.zeros((0, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, bool), np.zeros(0, np.float32)
)


def find_spots(working: Working) -> Spots:
    """All spots of both polarities, those first that stand out most, at most MOST_ALIKE of each scale."""
    octaves = _octaves(working.die_px)
    of_channels = [_spots_of_channel(channel, octaves) for channel in working.channels()]
    found = [_NONE, *(spots for of_channel in of_channels for spots in of_channel)]
    joined = Spots(
        np.concatenate([s.xy_px for s in found]),
        np.concatenate([s.radius_px for s in found]),
        np.concatenate([s.light for s in found]),
        np.concatenate([s.response for s in found]),
    )
    once = _each_once(joined.take(np.argsort(-joined.response, kind="stable")))
    return once.take(_among_first(_scale(once), MOST_ALIKE))


def _octaves(die_px: float | None) -> int:
    """How many octaves reach the largest pip of dice so large, where that is known."""
    if die_px is None:
        return OCTAVES
    finest_px = SMALLEST_SIGMA * RADIUS_PER_SIGMA
    return int(np.clip(math.ceil(math.log2(LARGEST_PIP * die_px / finest_px)), 1, OCTAVES))


def _among_first(kinds: Ints, most: int) -> Bools:
    """Which of ordered things (N,) are among the first `most` of their kind."""
    order = np.argsort(kinds, kind="stable")
    begins = np.searchsorted(kinds[order], kinds[order])
    rank = np.empty(len(kinds), np.int64)
    rank[order] = np.arange(len(kinds)) - begins
    return np.asarray(rank < most)


def _each_once(spots: Spots) -> Spots:
    """Of spots that several channels found at one place and scale the first alone stays."""
    _, first = np.unique(_cell(spots), return_index=True)
    return spots.take(np.sort(first))


def _cell(spots: Spots) -> Ints:
    """Number (N,) of the square, SAME_PLACE radii wide, of each spot; each scale and polarity has its own."""
    side_px = np.maximum(spots.radius_px * SAME_PLACE, 1)
    column, row = (spots.xy_px // side_px[:, None]).astype(np.int64).T
    kind = _scale(spots) * 2 + spots.light
    return np.asarray((kind * _MOST_CELLS + row) * _MOST_CELLS + column, np.int64)


def _scale(spots: Spots) -> Ints:
    """Number (N,) of the scale at which each spot was found."""
    return np.asarray(np.rint(STEPS * np.log2(spots.radius_px)), np.int64)


_MOST_CELLS = 1 << 20
"""More than there are in a row or column of any picture."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """A difference of Gaussians, the finer one `sigma` of its pixels wide, each `pixel` working pixels."""

    difference: Floats
    sigma: float
    pixel: float


def _spots_of_channel(channel: Floats, octaves: int) -> list[Spots]:
    """Spots of one channel, one entry per scale."""
    return [_extrema(scale) for scale in _scales(channel, octaves)]


def _scales(channel: Floats, octaves: int) -> Iterator[_Scale]:
    """The channel at STEPS scales per octave, from fine to coarse."""
    level, pixel = channel, 1.0
    for octave in range(octaves):
        if min(level.shape) < LEAST_SIDE_PX:
            return
        blurred = _blurs(level, already=SMALLEST_SIGMA if octave else 0.0)
        for step, (fine, coarse) in enumerate(pairwise(blurred)):
            yield _Scale(cv2.subtract(fine, coarse), _sigma(step), pixel)
            del fine
        level, pixel = np.ascontiguousarray(coarse[::2, ::2]), pixel * 2


def _sigma(step: int) -> float:
    """Of a Gaussian within an octave."""
    return float(SMALLEST_SIGMA * 2 ** (step / STEPS))


def _blurs(level: Floats, already: float) -> Iterator[Floats]:
    """The level at STEPS + 1 growing widths; `already` is the blur it comes with, in its own pixels."""
    have = already
    for want in map(_sigma, range(STEPS + 1)):
        extra = float(np.sqrt(max(want**2 - have**2, 0.0)))
        if extra > 0.05:
            side = 2 * round(KERNEL_SIGMAS * extra) + 1
            level = np.asarray(cv2.GaussianBlur(level, (side, side), extra), np.float32)
        yield level
        have = want


def _extrema(scale: _Scale) -> Spots:
    """Places where a difference is largest among its neighbours."""
    difference = scale.difference
    size = np.abs(difference)
    peak = size >= cv2.dilate(size, _SQUARE)
    peak &= size >= np.float32(LEAST_RESPONSE)
    del size
    at = np.flatnonzero(peak)
    if len(at) > MOST_OF_SCALE:
        at = at[np.argpartition(-np.abs(difference.take(at)), MOST_OF_SCALE)[:MOST_OF_SCALE]]
    ys, xs = np.divmod(at, peak.shape[1])
    value = difference.take(at)
    left = _left_along(difference, ys, xs, scale.sigma)
    ys, xs, value, left = (values[left < MOST_ALONG] for values in (ys, xs, value, left))
    xy = (np.stack([xs, ys], axis=1).astype(np.float32) + 0.5) * scale.pixel - 0.5
    radius = np.full(len(xs), scale.sigma * RADIUS_PER_SIGMA * scale.pixel, np.float32)
    return Spots(xy, radius, value > 0, (np.abs(value) * (1 - left)).astype(np.float32))


_SQUARE = np.ones((3, 3), np.uint8)
_TURNS = np.arange(8) * (np.pi / 4)
_CIRCLE = (RADIUS_PER_SIGMA * np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)).astype(np.float32)


def _left_along(difference: Floats, ys: Ints, xs: Ints, sigma: float) -> Floats:
    """Of the response at each place, the most that is left one radius away: along an edge nearly all."""
    if not len(ys):
        return np.zeros(0, np.float32)
    # the directions come first: along a short last axis all of this takes twice as long
    x, y = (sigma * way[:, None] + at.astype(np.float32) for way, at in zip(_CIRCLE.T, (xs, ys), strict=True))
    around = cv2.remap(difference, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray((around / difference[ys, xs]).max(axis=0))
