"""What a person should change about camera, light and place: keys of the catalogue of texts. Pure.

The sentences stand under `advice` in the catalogues, so that terminal and page say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.optics.focus import Focus
from hardware.optics.image_quality import PictureQuality
from hardware.optics.plan import GOOD_PX, HIGH_PX, LOW_PX
from hardware.optics.tilt import Leaning

DARK, BRIGHT = 0.15, 0.85
MOST_GLARE = 0.02
LEAST_EVEN = 0.35
LEAST_SHARP = 20
MOST_LEANING_DEG = 6.0


@dataclass(frozen=True, slots=True)
class Advice:
    """One sentence by its key, with the numbers and keys that fill it."""

    key: str
    values: tuple[tuple[str, object], ...] = ()


KEYS = (
    *("dark", "glare", "bright", "uneven", "blurred", "moving_light"),
    *("no_dice", "nearer", "farther", "unclear_focus", "focus_at_end", "not_empty"),
    *("leaning_left", "leaning_right", "leaning_top", "leaning_bottom"),
)


def on_light(found: PictureQuality) -> tuple[Advice, ...]:
    """What to change about light and focus, most important first; empty when all is well."""
    wrong = {
        "dark": found.brightness < DARK,
        "glare": found.glare > MOST_GLARE,
        "bright": found.brightness > BRIGHT,
        "uneven": found.evenness < LEAST_EVEN,
        "blurred": found.sharpness < LEAST_SHARP,
    }
    return tuple(Advice(key) for key, is_so in wrong.items() if is_so)


def on_keeping(refused: Sequence[str]) -> tuple[Advice, ...]:
    """What to mind with a camera that refused to keep exposure or colours during a reveal."""
    return (Advice("moving_light"),) if refused else ()


def on_height(die_px: float | None) -> tuple[Advice, ...]:
    """Where to move the camera so that dice are GOOD_PX wide; distance and width go inversely."""
    if die_px is None:
        return (Advice("no_dice"),)
    percent = round(100 * abs(die_px / GOOD_PX - 1))
    if die_px < LOW_PX:
        return (Advice("nearer", (("pixels", round(die_px)), ("low", LOW_PX), ("percent", percent))),)
    if die_px > HIGH_PX:
        return (Advice("farther", (("pixels", round(die_px)), ("high", HIGH_PX), ("percent", percent))),)
    return ()


def on_leaning(leaning: Leaning | None) -> tuple[Advice, ...]:
    """Whether the camera should be levelled."""
    if leaning is None or leaning.degrees < MOST_LEANING_DEG:
        return ()
    return (Advice(f"leaning_{leaning.nearer}", (("degrees", round(leaning.degrees)),)),)


def on_focus(focus: Focus | None) -> tuple[Advice, ...]:
    """What a sweep of the lens found wrong; nothing for a lens without a motor."""
    if focus is None:
        return ()
    if not focus.clear:
        return (Advice("unclear_focus"),)
    return () if focus.inside else (Advice("focus_at_end"),)
