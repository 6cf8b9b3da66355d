"""Colours by name, and the way between sRGB and linear light."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np

from lab.scenes.values import FloatArray, Vec

# name: ranges of hue (degrees), saturation and value that people call by it
BODIES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "white": ((0, 360), (0.0, 0.05), (0.88, 0.99)),
    "ivory": ((40, 54), (0.12, 0.30), (0.84, 0.96)),
    "yellow": ((46, 60), (0.55, 0.95), (0.75, 0.95)),
    "orange": ((16, 34), (0.65, 0.95), (0.78, 0.96)),
    "red": ((-10, 7), (0.70, 0.95), (0.42, 0.84)),
    "pink": ((325, 350), (0.30, 0.70), (0.85, 1.0)),
    "purple": ((265, 300), (0.45, 0.9), (0.35, 0.75)),
    "blue": ((195, 235), (0.5, 0.95), (0.35, 0.88)),
    "green": ((80, 165), (0.45, 0.95), (0.25, 0.75)),
    "black": ((0, 360), (0.0, 0.15), (0.06, 0.16)),
    "grey": ((0, 360), (0.0, 0.08), (0.35, 0.65)),
    "wood": ((24, 36), (0.35, 0.60), (0.60, 0.85)),
}


def pick(name: str, rng: np.random.Generator) -> Vec:
    """A colour that people would call `name`."""
    hue, saturation, value = (float(rng.uniform(*span)) for span in BODIES[name])
    return colorsys.hsv_to_rgb((hue % 360) / 360, saturation, value)


def any_rgb(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> Vec:
    """Any colour whose value lies between `low` and `high`, pale ones more often than bright ones."""
    hue, value = rng.uniform(), rng.uniform(low, high)
    return colorsys.hsv_to_rgb(float(hue), float(rng.beta(1.2, 1.8)), float(value))


def linear(rgb: Vec) -> FloatArray:
    """sRGB in [0, 1] as linear light, shape (3,); the power 2.2 stands for the exact curve."""
    return np.asarray(np.power(np.clip(rgb, 0, 1), 2.2), np.float32)


def grey_of(rgb: Vec) -> float:
    """Luminance in [0, 1] of an sRGB colour, linear."""
    return float(linear(rgb) @ np.array([0.2126, 0.7152, 0.0722], np.float32))


def mixed(first: Vec, second: Vec, share: FloatArray, shade: FloatArray | None = None) -> FloatArray:
    """Two sRGB colours mixed in linear light by `share` in [0, 1] (height, width), lightened by `shade`."""
    part = np.clip(np.asarray(share, np.float32), 0, 1)
    planes = [a + (b - a) * part for a, b in zip(linear(first), linear(second), strict=True)]
    canvas = np.asarray(cv2.merge(planes), np.float32)
    return canvas if shade is None else shaded(canvas, shade)


def shaded(colour: FloatArray, shade: FloatArray) -> FloatArray:
    """Linear light (height, width, 3) lightened by `shade` (height, width), which lies around 0."""
    return times(colour, np.clip(1 + shade, 0.15, 2.0))


def times(colour: FloatArray, factor: FloatArray) -> FloatArray:
    """Linear light (height, width, 3) times a factor (height, width)."""
    wide = np.asarray(factor, np.float32)
    return np.asarray(cv2.multiply(colour, cv2.merge([wide, wide, wide])), np.float32)
