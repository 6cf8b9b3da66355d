"""Advice about camera, light and place, as keys of the catalogues; the tilt of the camera. Pure.

The sentences are under `advice` in the catalogues.

A die's width in pixels is inverse to its distance, so dice look larger on the side that a tilted camera is
nearer to. Relative to the middle the width grows per pixel by tan(tilt) / focal length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, degrees, hypot

import numpy as np

from hardware.optics.focus import PictureQuality
from hardware.ports import Focus

LOW_PX, GOOD_PX, HIGH_PX = 30, 60, 120
"""Width of a die in a still: the least, good with room for moving the box, and the most. Of dice 30 px
wide in stills of 2304 px a calibrated box is certain of 97 in a hundred, of those of 24 px of 84."""

DARK, BRIGHT = 0.15, 0.85
MAX_GLARE = 0.02
MIN_EVENNESS = 0.35
MIN_SHARPNESS = 20
MAX_TILT_DEG = 6.0


@dataclass(frozen=True, slots=True)
class Advice:
    """One sentence by its key, with the values that fill it."""

    key: str
    values: tuple[tuple[str, object], ...] = ()


def on_light(found: PictureQuality) -> tuple[Advice, ...]:
    """Advice about light and focus, most important first; empty when all is well."""
    wrong = {
        "dark": found.brightness < DARK,
        "glare": found.glare > MAX_GLARE,
        "bright": found.brightness > BRIGHT,
        "uneven": found.evenness < MIN_EVENNESS,
        "blurred": found.sharpness < MIN_SHARPNESS,
    }
    return tuple(Advice(key) for key, is_so in wrong.items() if is_so)


def on_keeping(refused: Sequence[str]) -> tuple[Advice, ...]:
    """Advice where the camera did not lock exposure or white balance; `refused` names the controls."""
    return (Advice("moving_light"),) if refused else ()


def on_height(die_px: float | None) -> tuple[Advice, ...]:
    """How far to move the camera until dice are GOOD_PX wide; width is inverse to distance."""
    if die_px is None:
        return (Advice("no_dice"),)
    percent = round(100 * abs(die_px / GOOD_PX - 1))
    if die_px < LOW_PX:
        return (Advice("nearer", (("pixels", round(die_px)), ("low", LOW_PX), ("percent", percent))),)
    if die_px > HIGH_PX:
        return (Advice("farther", (("pixels", round(die_px)), ("high", HIGH_PX), ("percent", percent))),)
    return ()


def on_tilt(tilt: Tilt | None) -> tuple[Advice, ...]:
    """Whether the camera should be levelled."""
    if tilt is None or tilt.degrees < MAX_TILT_DEG:
        return ()
    return (Advice(f"tilt_{tilt.nearer}", (("degrees", round(tilt.degrees)),)),)


def on_focus(focus: Focus | None) -> tuple[Advice, ...]:
    """Faults of the focus sweep; empty for a lens without a motor."""
    if focus is None:
        return ()
    if not focus.clear:
        return (Advice("unclear_focus"),)
    return () if focus.inside else (Advice("focus_at_end"),)


MIN_DICE = 4
MIN_SPREAD = 0.12
"""Minimum standard deviation of the dice in each direction, in widths of the picture."""

_FOCAL_WIDTHS = 0.8
"""Focal length in widths of the picture: that of a field of view of 64 degrees, as most Pi modules have."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """Degrees off the vertical, and the side of the picture that the camera is nearer to."""

    degrees: float
    nearer: str


def tilt(dice: Sequence[tuple[float, float, float]], width_px: int) -> Tilt | None:
    """The tilt from dice as (x, y, size) in pixels; None when they are too few or too close together."""
    if len(dice) < MIN_DICE:
        return None
    x, y, size = (np.array(column, dtype=np.float64) for column in zip(*dice, strict=True))
    across, along = (x - x.mean()) / width_px, (y - y.mean()) / width_px
    if min(across.std(), along.std()) < MIN_SPREAD:
        return None
    matrix = np.column_stack((np.ones_like(size), across, along))
    (middle, right, down), *_ = np.linalg.lstsq(matrix, size, rcond=None)
    slope = hypot(right, down) / middle
    sides = ("right", "left") if abs(right) >= abs(down) else ("bottom", "top")
    return Tilt(degrees(atan(slope * _FOCAL_WIDTHS)), sides[0 if max(right, down, key=abs) > 0 else 1])
