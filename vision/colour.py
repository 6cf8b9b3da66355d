"""Names for the colours of dice, with the white balance taken from the picture."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats
from vision.working import Working

BALANCE_SHARE = 0.5
"""How far the picture's mean colour is pulled to grey: all the way would turn a red cloth's dice green."""

NAMES = (
    "white",
    "ivory",
    "yellow",
    "orange",
    "red",
    "pink",
    "purple",
    "blue",
    "green",
    "black",
    "grey",
    "wood",
)


def balance(working: Working) -> Floats:
    """Factors (3,) for blue, green, red (of square roots) that pull the picture's mean half way to grey."""
    mean = np.maximum(working.colour.reshape(-1, 3).mean(axis=0), 0.02)
    return np.asarray((mean.mean() / mean) ** BALANCE_SHARE, np.float32)


def rgb(shade: Floats) -> tuple[int, int, int]:
    """A body colour as it is in the picture, red, green, blue, 0 to 255: `shade` (3,) as for `name`."""
    blue, green, red = (round(255 * float(v)) for v in np.clip(shade**2, 0, 1))
    return red, green, blue


def name(shade: Floats, factors: Floats) -> str:
    """Name of a body colour: `shade` (3,) square roots of blue, green, red."""
    value = np.clip((shade * factors) ** 2, 0, 1).astype(np.float32)
    hue, saturation, bright = (
        float(v) for v in cv2.cvtColor(value.reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0]
    )
    if bright < 0.2:
        return "black"
    if saturation < 0.1:
        return "white" if bright > 0.55 else "grey" if bright > 0.3 else "black"
    return _hue_name(hue, saturation, bright)


def _hue_name(hue: float, saturation: float, bright: float) -> str:
    """Name of a colour that is not grey; hue in degrees."""
    if 18 <= hue < 75 and saturation < 0.45:
        return "ivory" if bright > 0.5 else "wood"
    if hue < 18 or hue >= 340:
        return "pink" if saturation < 0.5 and bright > 0.6 else "red"
    if hue < 42:
        return "orange" if bright > 0.6 else "wood"
    if hue < 70:
        return "yellow"
    if hue < 170:
        return "green"
    if hue < 255:
        return "blue"
    return "purple" if hue < 310 else "pink"
