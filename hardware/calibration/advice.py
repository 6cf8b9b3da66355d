"""Advice about camera, light and place, as keys of the catalogues. Pure.

The sentences are under `advice` in the catalogues; terminal and page use the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.optics.focus import Focus
from hardware.optics.image_quality import PictureQuality
from hardware.optics.plan import GOOD_PX, HIGH_PX, LOW_PX
from hardware.optics.tilt import Tilt

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


KEYS = (
    *("dark", "glare", "bright", "uneven", "blurred", "moving_light"),
    *("no_dice", "nearer", "farther", "unclear_focus", "focus_at_end", "not_empty"),
    *("tilt_left", "tilt_right", "tilt_top", "tilt_bottom"),
)


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
