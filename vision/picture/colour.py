"""Names for the colours of dice, with the white taken from the picture.

A name is the one whose usual place in Oklab, seen against that white, is likeliest. The places were measured
on drawn dice of every make under lamps from candle to sky (as `python -m lab.measure.colours` does).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from vision import fits
from vision.arrays import Floats, along, quantiles
from vision.picture.working import Working, roots

STEP_PX = 6
"""Every so many working pixels one is looked at for the white."""

LIGHT = 4.4
"""A square root of a stored value to this power is linear light."""

NORM = 6.0
"""Exponent of the mean that estimates the colour of the light: between grey world (1) and white patch
(infinity), as Finlayson and Trezzi found best (Shades of Gray, 2004)."""

BRIGHT = 0.99
"""The brightest hundredth of the picture counts as white's brightness."""

DARKEST = 0.2
"""No white is darker than this (square root): a black picture has none."""

NEUTRAL = 0.3
"""Maximum relative difference of the colours of a shade that counts for the light. No lamp is as red as a red
cloth."""

MIN_NEUTRAL = 0.05
"""A picture with less of them than this share is judged by all its shades."""

GREEN = 0.02
"""Maximum logarithm (of square roots) of the light's green over its red and blue: lamps and sky lie between
amber and blue. What is greener, or pinker, is the ground. Drawn dice on cloths of all hues: 90 % named right
without it, 95 % with it."""

NAMES = (
    *("white", "ivory", "yellow", "orange", "red", "pink"),
    *("purple", "blue", "green", "black", "grey", "wood"),
)


@cache
def _usual() -> tuple[Floats, Floats]:
    """Middles and standard deviations (12, 3) of NAMES, as of `_place`."""
    rows = np.array([fits.weights("colours")[name] for name in NAMES], np.float64)
    return rows[:, :3], rows[:, 3:]


def balance(working: Working) -> Floats:
    """Factors (3,) for blue, green, red (of square roots) that make the picture's white 1."""
    shades = np.ascontiguousarray(roots(working.image[::STEP_PX, ::STEP_PX]).reshape(-1, 3).T)
    most = shades.max(axis=0)
    neutral = most - shades.min(axis=0) < NEUTRAL * most
    used = shades.compress(neutral, axis=1) if neutral.mean() > MIN_NEUTRAL else shades
    lamp = np.log(np.maximum((used ** (LIGHT * NORM)).mean(axis=1), 1e-30)) / (LIGHT * NORM)
    green = lamp[1] - (lamp[0] + lamp[2]) / 2
    lamp[1] += np.clip(green, -GREEN, GREEN) - green
    bright = max(DARKEST, float(quantiles(shades, BRIGHT).max()))
    return np.asarray(np.exp(lamp.max() - lamp) / bright, np.float32)


def rgb(shade: Floats) -> tuple[int, int, int]:
    """A body colour as it is in the picture, red, green, blue, 0 to 255: `shade` (3,) as for `name`."""
    blue, green, red = (round(255 * float(v)) for v in np.clip(shade**2, 0, 1))
    return red, green, blue


def likelihoods(shade: Floats, factors: Floats) -> Floats:
    """How likely each of NAMES is for body colours, (..., 12), logarithms up to a constant: `shade` (..., 3)
    square roots of blue, green, red."""
    middles, spreads = _usual()
    off = (_place(np.clip(shade * factors, 0, 1))[..., None, :] - middles) / spreads
    return np.asarray(-0.5 * (off**2).sum(axis=-1) - np.log(spreads).sum(axis=1))


FULL = 50.0
"""Beyond this colourfulness more says little more about the name."""

_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""Björn Ottosson's Oklab (2020), whose blues do not bend to purple as those of CIE Lab do."""


def _place(shade: Floats) -> Floats:
    """Lightness (0 to 100), green to red and blue to yellow (..., 3) of square roots of blue, green, red."""
    cones = np.cbrt(along(shade[..., None, ::-1].astype(np.float64) ** LIGHT, _TO_CONES))
    lightness, red, yellow = np.moveaxis(along(cones[..., None, :], _TO_OKLAB), -1, 0)
    red, yellow = 250 * red, 250 * yellow
    less = FULL / (FULL + np.hypot(red, yellow))
    return np.stack([100 * lightness, less * red, less * yellow], axis=-1)


def lab(rgb: Floats) -> Floats:
    """CIE L*a*b* of colours (n, 3) from 0 to 255; source: CIE 15, and IEC 61966-2-1 for sRGB.

    OpenCV's own, asked for the first time, makes tables that take a quarter of that reading.
    """
    value = rgb / 255
    linear = np.where(value > 0.04045, ((value + 0.055) / 1.055) ** 2.4, value / 12.92)
    share = along(linear[:, None], _TO_XYZ / _TO_XYZ.sum(axis=1, keepdims=True))  # over that of white
    x, y, z = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


_TO_XYZ = np.array(
    [[0.412453, 0.35758, 0.180423], [0.212671, 0.71516, 0.072169], [0.019334, 0.119193, 0.950227]]
)
