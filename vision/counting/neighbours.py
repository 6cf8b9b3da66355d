"""Pairs of pips that may belong to one face, and which pip lies at a place."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Ints, lengths
from vision.counting.pips import Pips

LONGEST_DIAGONAL = 12.0
"""Between opposite corner pips, in pip radii: small pips set far apart."""

LONELY_DIAGONAL, LONELY, LONELY_CLEAR = 22.0, 9, 0.2
"""Likewise of clear pips with fewer than so many like them within LONGEST_DIAGONAL: very small ones, or those
of which the dark bottom alone is seen. Dots of a cloth have more, and would make too many pairs."""

SHORTEST_DISTANCE = 2.0
"""Between the middles of two pips of one face: they do not overlap."""

MOST_RADII_RATIO = 1.5
"""Between pips of one face: perspective, glare and blur; makes whose pips differ more are rare."""

RADIUS_SLACK_PX = 0.9
"""Working pixels: what the radius of a very small pip may be off."""

MOST_CONTRAST_RATIO = 2.5
MOST_COLOUR_STEP = 0.9
"""Of inside or ring between pips of one face, over their contrast: shading over a glossy face."""

COLOUR_SLACK = 0.04
"""In square-root colour: what noise alone may part faint pips by, whose contrast allows hardly any step."""


def pairs_of(pips: Pips) -> Ints:
    """Index pairs (P, 2), first below second, of pips alike and near enough to share a face."""
    near = _within(pips, np.arange(len(pips)), 0.0, LONGEST_DIAGONAL)
    company = np.bincount(near.ravel(), minlength=len(pips))
    clear = (pips.quality > LONELY_CLEAR) & (pips.contrast > LONELY_CLEAR)
    lonely = np.nonzero(clear & (company < LONELY))[0]
    return np.concatenate([near, _within(pips, lonely, LONGEST_DIAGONAL, LONELY_DIAGONAL)])


def _within(pips: Pips, which: Ints, nearest: float, farthest: float) -> Ints:
    """Pairs (P, 2) of alike ones of the pips `which`, so many radii apart."""
    order = which[np.argsort(pips.xy_px[which, 0], kind="stable")]
    x = pips.xy_px[order, 0]
    reach = farthest * _most_mean_px(pips.radius_px[order])
    end = np.searchsorted(x, x + reach, side="right")
    counts = end - np.arange(len(x)) - 1
    first = np.repeat(np.arange(len(x)), counts)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    pairs = np.stack([order[first], order[second]], axis=1)
    pairs = pairs[pips.light[pairs[:, 0]] == pips.light[pairs[:, 1]]]
    apart = lengths(pips.xy_px[pairs[:, 0]] - pips.xy_px[pairs[:, 1]])
    mean = (pips.radius_px[pairs[:, 0]] + pips.radius_px[pairs[:, 1]]) / 2
    far = (apart < farthest * mean) & (apart >= nearest * mean) & (apart > SHORTEST_DISTANCE * mean)
    pairs = pairs[far]
    return np.sort(pairs[alike(pips, pairs[:, 0], pairs[:, 1])], axis=1).astype(np.int32)


def _most_mean_px(radius_px: Floats) -> Floats:
    """The largest mean of a pip's radius and that of a pip alike."""
    largest = MOST_RADII_RATIO * radius_px + RADIUS_SLACK_PX
    return np.asarray((radius_px + largest) / 2, np.float32)


def alike(pips: Pips, one: Ints, other: Ints) -> Bools:
    """Whether pips `one` and `other` (index arrays) look like pips of one face."""
    radius = pips.radius_px[one], pips.radius_px[other]
    contrast = pips.contrast[one], pips.contrast[other]
    usual = (contrast[0] + contrast[1]) / 2
    ring = lengths(pips.ring[one] - pips.ring[other])
    inside = lengths(pips.inside[one] - pips.inside[other])
    return np.asarray(
        (np.maximum(*radius) <= MOST_RADII_RATIO * np.minimum(*radius) + RADIUS_SLACK_PX)
        & (np.maximum(*contrast) <= MOST_CONTRAST_RATIO * np.minimum(*contrast))
        & (ring <= MOST_COLOUR_STEP * usual + COLOUR_SLACK)
        & (inside <= MOST_COLOUR_STEP * usual + COLOUR_SLACK)
        & (pips.light[one] == pips.light[other])
    )


class PipMap:
    """Which pip lies at a place: a picture per polarity with each pip drawn as a disc of its number."""

    DISC = 0.85
    """Radius of the drawn disc over the pip's: how far from its place a pip may lie."""

    SLACK_PX = 1.0
    """Working pixels more, for very small pips."""

    def __init__(self, pips: Pips, width_px: int, height_px: int) -> None:
        self._maps = [np.full((height_px, width_px), -1, np.int16) for _ in range(2)]
        disc = np.maximum(np.rint(pips.radius_px * self.DISC + self.SLACK_PX), 1).astype(np.int32).tolist()
        places, light = np.rint(pips.xy_px).astype(np.int32).tolist(), pips.light.tolist()
        for index in np.argsort(-pips.radius_px).tolist():
            cv2.circle(self._maps[light[index]], places[index], disc[index], index, -1)

    def at(self, xy_px: Floats, light: Bools) -> Ints:
        """Number of the pip at each place (N, 2), of polarity `light` (N,), or -1."""
        height, width = self._maps[0].shape
        x = np.rint(xy_px[:, 0]).astype(np.int32)
        y = np.rint(xy_px[:, 1]).astype(np.int32)
        within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
        found = np.where(light, self._maps[1][y, x], self._maps[0][y, x])
        return np.where(within, found, -1).astype(np.int32)
