"""The first way from a picture to dice and doubts: its stages one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.arrays import Image
from vision.counting import doubt, view
from vision.counting.candidates import find_spots
from vision.counting.dice import Found, angle_deg, find_dice
from vision.counting.pips import fit_pips
from vision.counting.straight import straightened
from vision.picture import colour, quality
from vision.picture.working import Working, prepare
from vision.values import Die, Doubt, Pip, Seen

Left = Callable[[Working, Found], list[Doubt]]


def found_in(image_bgr: Image, scale_px: float | None = None) -> tuple[Working, Found]:
    """The classical way alone: the working picture and what was found in it."""
    working = prepare(image_bgr, scale_px)
    return working, find_dice(working, fit_pips(working, find_spots(working)))


def look(image_bgr: Image, scale_px: float | None, left: Left = doubt.unread) -> Seen:
    """Dice and doubts of the classical way, in pixels of the picture as it came; `left` tells what of it was
    left unread."""
    working, found = found_in(image_bgr, scale_px)
    seen = _read_out(working, found, left)
    advice = quality.advice(image_bgr, working) + view.advice(found)  # either may say blurred
    del working  # the picture made straight takes as much memory again
    if straight := straightened(image_bgr, found):
        again = found_in(straight.image_bgr, scale_px and scale_px * straight.larger)
        dice, doubts = _read_out(*again, left)
        home = straight.dice_home(dice), list(straight.doubts_home(doubts))
        seen = max(seen, home, key=lambda way: sum(die.confidence for die in way[0]))
    return seen[0], seen[1] + list(dict.fromkeys(advice))


def look_with_hints(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """What the classical way tells the two together: its dice, and hints where it left something."""
    return look(image_bgr, scale_px, doubt.hints)


def _read_out(working: Working, found: Found, left: Left) -> Seen:
    """What was found, in pixels of the picture that `working` was made from, and what was left unread."""
    return _dice(working, found), [_scaled(d, working.factor) for d in left(working, found)]


def _dice(working: Working, found: Found) -> tuple[Die, ...]:
    """The found dice as values, from top to bottom."""
    factors = colour.balance(working)
    reasons = doubt.reasons(working, found)
    angles = angle_deg(found.faces, found.bodies)
    x, y = found.faces.middle_px.T / working.factor
    sides, pips = 2 * found.half_px / working.factor, _pips(working, found)
    dice = []
    for k in np.argsort(y, kind="stable"):
        dice.append(
            Die(
                face=int(found.faces.face[k]),
                x_px=float(x[k]),
                y_px=float(y[k]),
                size_px=float(sides[k]),
                angle_deg=float(angles[k]),
                confidence=float(found.chance[k]),
                certain=not reasons[k],
                colour=colour.name(found.bodies.shade[k], factors),
                pips=tuple(pips[i] for i in found.faces.pips[k] if i >= 0),
                others=_others(found, int(k)),
                why=reasons[k],
                rgb=colour.rgb(found.bodies.shade[k]),
            )
        )
    return tuple(dice)


def _pips(working: Working, found: Found) -> list[Pip]:
    """All pips, on dice or not."""
    lengths = np.column_stack([found.pips.xy_px, found.pips.radius_px]) / working.factor
    return [Pip(x, y, radius) for x, y, radius in lengths.tolist()]


def _others(found: Found, k: int) -> tuple[int, ...]:
    """Faces that other guesses at the place of die k gave, likeliest first."""
    order = np.argsort(-found.others[k], kind="stable")
    return tuple(int(f) + 1 for f in order if found.others[k][f] > 0 and f + 1 != found.faces.face[k])


def _scaled(known: Doubt, factor: float) -> Doubt:
    """The doubt in pixels of the picture as it came."""
    if known.x_px is None or known.y_px is None:
        return known
    size = None if known.size_px is None else known.size_px / factor
    return replace(known, x_px=known.x_px / factor, y_px=known.y_px / factor, size_px=size)
