"""From a picture to a reading: the stages one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from vision import agree, colour, covered, doubt, emblems, glare, groups, net, net_alone, noticed, quality
from vision.arrays import Image
from vision.candidates import find_spots
from vision.dice import Found, angle_deg, find_dice
from vision.pips import fit_pips
from vision.straight import straightened
from vision.taught import Taught
from vision.values import CUT_OFF, Die, Doubt, Pip, Reading
from vision.working import Working, prepare

Seen = tuple[tuple[Die, ...], list[Doubt]]
Left = Callable[[Working, Found], list[Doubt]]

READY_PX = 1600
"""Width of the empty picture that is read to get ready: memory, too, is fetched the first time."""

SMALLEST_PX = 48
"""In a picture with less on its short side not even one die could be read."""


def read(
    image_bgr: Image,
    *,
    expect: int | None = None,
    reader: str = "both",
    scale_px: float | None = None,
    taught: Sequence[Taught] = (),
) -> Reading:
    """The dice in a picture (height, width, 3) uint8, blue, green, red.

    `expect` is the number of dice that must be there, where it is known; `scale_px` the side of a die, where
    it is known (both ways together believe it where a clear die is about that large); `reader` chooses the
    way of reading; `taught` are faces shown to this box. Raises ValueError for a reader that does not exist
    or an array that is no picture.
    """
    _check(image_bgr, reader)
    height, width = image_bgr.shape[:2]
    if min(height, width) < SMALLEST_PX:
        return Reading(width, height, (), certain=False, doubts=(Doubt("too_small"),))
    dice, doubts = WAYS[reader](image_bgr, scale_px)
    if taught:
        dice, doubts = emblems.known_again(image_bgr, dice, doubts, taught)
    if glare.hides_something(image_bgr, dice, doubts):
        doubts.append(Doubt("glare"))
    if expect is not None and expect != len(dice):
        doubts.append(Doubt("count"))
    certain = {doubt.key for doubt in doubts} <= {CUT_OFF} and all(die.certain for die in dice)
    dice, alike = groups.grouped(image_bgr, dice)
    return Reading(width, height, dice, certain, tuple(doubts), alike)


@cache
def get_ready(reader: str = "both") -> None:
    """Load what reading takes, so that the first reading of a program is as quick as others.

    Raises ValueError for a reader that does not exist and `vision.net.ModelMissing`.
    """
    empty = np.full((READY_PX * 3 // 4, READY_PX, 3), 96, np.uint8)
    _check(empty, reader)
    WAYS[reader](empty, None)


def _check(image_bgr: Image, reader: str) -> None:
    """Raises ValueError for a reader that does not exist or an array that is no picture."""
    if reader not in WAYS:
        raise ValueError(f"reader must be one of {', '.join(WAYS)}, not {reader!r}")
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8 or not image_bgr.size:
        raise ValueError(f"expected a picture (h, w, 3) uint8, got {image_bgr.shape} {image_bgr.dtype}")


def pips_way(image_bgr: Image, scale_px: float | None = None) -> tuple[Working, Found]:
    """The classical way alone: the working picture and what was found in it."""
    working = prepare(image_bgr, scale_px)
    return working, find_dice(working, fit_pips(working, find_spots(working)))


def _by_pips(image_bgr: Image, scale_px: float | None, left: Left = doubt.unread) -> Seen:
    """Dice and doubts of the classical way, in pixels of the picture as it came; `left` tells what of it was
    left unread."""
    working, found = pips_way(image_bgr, scale_px)
    seen, advice = _read_out(working, found, left), quality.advice(image_bgr, working, found)
    if view := straightened(image_bgr, found):
        dice, doubts = _read_out(*pips_way(view.image_bgr, scale_px and scale_px * view.larger), left)
        home = view.dice_home(dice), list(view.doubts_home(doubts))
        seen = max(seen, home, key=lambda way: sum(die.confidence for die in way[0]))
    return seen[0], seen[1] + advice


def pips_and_hints(image_bgr: Image, scale_px: float | None = None) -> Seen:
    """What the classical way tells the two together: its dice, and hints where it left something."""
    return _by_pips(image_bgr, scale_px, doubt.hints)


def _read_out(working: Working, found: Found, left: Left) -> Seen:
    """What was found, in pixels of the picture that `working` was made from, and what was left unread."""
    return _dice(working, found), [_scaled(d, working.factor) for d in left(working, found)]


def _by_both(image_bgr: Image, scale_px: float | None) -> Seen:
    """Dice and doubts after both ways looked. A known scale that no clear die bears out is forgotten."""
    dice, doubts = pips_and_hints(image_bgr, scale_px)
    if scale_px and noticed.usual_px(dice, scale_px) != scale_px:
        dice, doubts = pips_and_hints(image_bgr, None)
    levels = net.levels(image_bgr, noticed.usual_px(dice, scale_px))
    seen = noticed.with_large(image_bgr, dice, net.seen(levels))
    read_dice, left = agree.together(image_bgr, dice, doubts, seen)
    return read_dice, left + covered.parts(image_bgr, levels, read_dice, left)


def _dice(working: Working, found: Found) -> tuple[Die, ...]:
    """The found dice as values, from top to bottom."""
    factors = colour.balance(working)
    reasons = doubt.reasons(working, found)
    angles = angle_deg(found.faces, found.bodies)
    dice = []
    for k in np.argsort(found.faces.middle_px[:, 1], kind="stable"):
        x, y = found.faces.middle_px[k] / working.factor
        dice.append(
            Die(
                face=int(found.faces.face[k]),
                x_px=float(x),
                y_px=float(y),
                size_px=float(2 * found.half_px[k] / working.factor),
                angle_deg=float(angles[k]),
                confidence=float(found.chance[k]),
                certain=not reasons[k],
                colour=colour.name(found.bodies.shade[k], factors),
                pips=_pips(working, found, int(k)),
                others=_others(found, int(k)),
                why=reasons[k],
                rgb=colour.rgb(found.bodies.shade[k]),
            )
        )
    return tuple(dice)


def _pips(working: Working, found: Found, k: int) -> tuple[Pip, ...]:
    """The pips of die k."""
    which = [int(i) for i in found.faces.pips[k] if i >= 0]
    pips, factor = found.pips, working.factor
    lengths = np.column_stack([pips.xy_px, pips.radius_px])[which] / factor
    return tuple(Pip(float(x), float(y), float(radius)) for x, y, radius in lengths)


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


WAYS: dict[str, Callable[[Image, float | None], Seen]] = {
    "pips": _by_pips,
    "net": net_alone.look,
    "both": _by_both,
}
