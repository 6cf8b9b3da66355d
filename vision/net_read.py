"""The learned way alone: sights as dice, with what speaks against believing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from vision import colour, net, quality
from vision.arrays import Floats, Image
from vision.net_maps import Sight
from vision.values import Die, Doubt, Pip
from vision.working import Working, prepare

LEAST_EVIDENCE = 0.45
"""A sight is called a die from here on."""
DIE_LIKE = 0.25
"""From here on a sight that is no die keeps a picture from being certain."""
PIPLESS_SCORE = 0.4
"""So sure must the net be of a cube without pips to mention it."""
SURE_SCORE, SURE_FACE = 0.75, 0.97
"""What a die needs to be believed on this way's word alone."""


def look(image_bgr: Image, scale_px: float | None = None) -> tuple[tuple[Die, ...], list[Doubt]]:
    """All dice of a picture as the net alone sees them, from top to bottom, and what is doubtful besides."""
    seen = net.sights(image_bgr, scale_px)
    whole = quality.of_picture(image_bgr, prepare(image_bgr))
    return as_dice(image_bgr, [s for s in seen if is_die(s)]), doubts(seen) + whole


def is_die(sight: Sight) -> bool:
    """Whether a sight is a die that shows pips."""
    return not sight.pipless and sight.evidence >= LEAST_EVIDENCE


def doubt_of(sight: Sight) -> Doubt | None:
    """What to say of a sight that is not read: nothing, or that something like a die lies there."""
    if sight.pipless:
        known = sight.score >= PIPLESS_SCORE
        return Doubt("no_pips", sight.x_px, sight.y_px, sight.size_px) if known else None
    return Doubt("die_like", sight.x_px, sight.y_px, sight.size_px) if sight.evidence >= DIE_LIKE else None


def doubts(seen: Sequence[Sight]) -> list[Doubt]:
    """Places that look like dice and were not read: weak sights, and cubes without pips."""
    return [d for s in seen if not is_die(s) and (d := doubt_of(s))]


class Spot(Protocol):
    """A place in a picture, in pixels."""

    @property
    def x_px(self) -> float: ...

    @property
    def y_px(self) -> float: ...

    @property
    def size_px(self) -> float: ...


def as_dice(image_bgr: Image, seen: Sequence[Sight]) -> tuple[Die, ...]:
    """Sights as dice, from top to bottom."""
    if not seen:
        return ()
    working = prepare(image_bgr)
    factors = colour.balance(working)
    ordered = sorted(seen, key=lambda s: s.y_px)
    return tuple(_die(s, shade(working, s), factors) for s in ordered)


def _die(sight: Sight, body: Floats, factors: Floats) -> Die:
    sure = sight.score >= SURE_SCORE and sight.face_score >= SURE_FACE and len(sight.pips) == sight.face
    return Die(
        face=sight.face,
        x_px=sight.x_px,
        y_px=sight.y_px,
        size_px=sight.size_px,
        angle_deg=sight.angle_deg,
        confidence=sight.evidence,
        certain=sure,
        colour=colour.name(body, factors),
        pips=tuple(Pip(x, y, 0.09 * sight.size_px) for x, y, _ in sight.pips),
        others=others(sight),
        why=() if sure else ("low_confidence",),
        rgb=colour.rgb(body),
    )


def others(sight: Sight) -> tuple[int, ...]:
    """Faces after the likeliest that are not out of the question, best first."""
    order = np.argsort(-np.array(sight.faces[1:]), kind="stable") + 1
    return tuple(int(f) for f in order[1:4] if sight.faces[f] > 0.02)


def shade(working: Working, sight: Spot) -> Floats:
    """The body's colour (3,) as square roots of blue, green, red: the usual one over the top face."""
    x, y = sight.x_px * working.factor, sight.y_px * working.factor
    reach = max(1.0, 0.32 * sight.size_px * working.factor)
    rows = slice(max(0, int(y - reach)), max(1, int(y + reach) + 1))
    cols = slice(max(0, int(x - reach)), max(1, int(x + reach) + 1))
    patch = working.colour[rows, cols].reshape(-1, 3)
    return np.asarray(np.median(patch, axis=0) if len(patch) else np.zeros(3), np.float32)
