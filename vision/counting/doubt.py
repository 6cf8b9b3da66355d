"""What speaks against believing a reading. Being wrong for certain is the one unforgivable fault.

A die's own chance says whether its face is right; it does not know of dice that were missed. So a picture is
certain only when nothing die-like was left over: no pips, no guess, no body, no patch of a die's colour.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Floats
from vision.counting.dice import Found
from vision.counting.faces import mean_of_pips
from vision.counting.objects import in_shades, standing_out
from vision.counting.spacing import like_holes
from vision.picture.working import Working
from vision.values import CUT_OFF, Doubt

CERTAIN_CHANCE = np.array([0.92, 0.88, 0.82, 0.92, 0.82, 0.90])
"""A die's least chance to be called certain, by its face: a lone dot and rows of four or six are on many
things (keys, plugs, bricks, buttons), slanting twos and threes and fives on few."""

LEAST_NARROW = 0.62
"""Ratio of the narrow axes of a die's pips: a pip on a side face, seen aslant, is narrower still."""

RIVAL_CHANCE = 0.3
"""A guess of another face at the same place this likely makes a die uncertain."""

PIP_RADIUS = (0.55, 1.8)
PIP_CONTRAST = 0.5
PIP_QUALITY = 0.42
PIP_FLAT = 0.55
PIP_RING = 0.3
STRONG_QUALITY, STRONG_FLAT, STRONG_CONTRAST = 0.42, 0.58, 0.45
"""A pip left over counts when it is as large, as strong and as round as those of the dice that were read and
lies on the colour of one of them, or when it is very strong and round on whatever colour."""

COMPANY = 9.0
"""One that is not very strong counts only when another lies within so many of its radii, as the opposite
corner of the widest face does: a lone one would be an ace, and that guess was weighed."""

OWN_REACH = 1.95
"""Pips within this many half sides of a die's middle are its own: they lie on its side faces."""

BODY_RADIUS = (0.6, 1.7)
BODY_CONTRAST = 0.16
BODY_QUALITY = 0.35
BODY_FLAT = 0.7
"""A round spot as large as a die's face (over the half side of those that were read, or of any when none was)
counts when it is this strong and round; shadows beside dice are long."""

BODY_SHADE = 0.12
HELD_REACH, HELD_RADIUS, HELD_QUALITY = 0.75, (0.07, 0.42), 0.3
"""And when it has nearly the colour of a die that was read, or holds something that may be a pip: this near
its middle and of such a radius, both over its own radius."""

BODY_REACH = 1.9
"""Middles of dice that touch lie two half sides apart; nearer lie shadows and the dice's own sides."""

PATCH_REACH = 1.75
"""A patch may come as near to a die's middle: a die's own sides have its colour, and mostly no shadow."""

MOST_NAMED = 8
"""Doubts of one kind that are listed; more help nobody."""


def hints(_: Working, found: Found) -> list[Doubt]:
    """Guesses, pips and round spots away from the dice that were read: enough for who asks the nets as well,
    which see all that is like a die."""
    return _left_guesses(found) + _left_pips(found) + _left_bodies(found)


def unread(working: Working, found: Found) -> list[Doubt]:
    """Everything die-like away from the dice that were read, also what shows no pips."""
    return hints(working, found) + _left_patches(working, found) + _left_objects(working, found)


def reasons(working: Working, found: Found) -> list[tuple[str, ...]]:
    """Per die what makes it uncertain, empty where nothing does."""
    half = found.half_px
    x, y = found.faces.middle_px.T
    beyond = np.minimum.reduce([x, y, working.width_px - 1 - x, working.height_px - 1 - y]) < 0.9 * half
    rival = found.others.copy()
    rival[np.arange(len(found)), found.faces.face - 1] = 0
    weak = found.chance < CERTAIN_CHANCE[found.faces.face - 1]
    table = {
        "low_confidence": weak | _uneven(found) | like_holes(found),
        "rival_face": rival.max(axis=1, initial=0) > RIVAL_CHANCE,
        CUT_OFF: beyond,
    }
    return [tuple(key for key, flags in table.items() if flags[k]) for k in range(len(found))]


def _uneven(found: Found) -> Bools:
    """Which dice have a pip much narrower than their others: one of a side face was perhaps counted."""
    narrow = (found.pips.radius_px * found.pips.flat)[np.maximum(found.faces.pips, 0)]
    real = found.faces.pips >= 0
    least = np.where(real, narrow, np.inf).min(axis=1)
    return np.asarray(least < LEAST_NARROW * np.where(real, narrow, 0).max(axis=1))


def _away(xy_px: Floats, found: Found, reach: float) -> Bools:
    """Which places (N, 2) lie farther than `reach` half sides from every die."""
    if not len(found):
        return np.ones(len(xy_px), bool)
    apart = np.linalg.norm(xy_px[:, None] - found.faces.middle_px[None], axis=2)
    return np.asarray((apart > reach * found.half_px[None]).all(axis=1))


def _left_guesses(found: Found) -> list[Doubt]:
    """Guesses too unlikely to be read and too likely to be nothing."""
    faces = found.left
    away = _away(faces.middle_px, found, 1.2)
    if len(found):  # a large guess with dice for pips is none
        apart = np.linalg.norm(faces.middle_px[:, None] - found.faces.middle_px[None], axis=2)
        away &= (apart > 1.45 * faces.half_px[:, None]).all(axis=1)
    return _doubts("unread_face", faces.middle_px[away], 2 * faces.half_px[away])


def _left_pips(found: Found) -> list[Doubt]:
    """Pips like those of the dice read, away from all of them."""
    pips = found.pips
    if not len(found):
        return []
    radius = mean_of_pips(pips.radius_px, found.faces)
    contrast = float(np.median(mean_of_pips(pips.contrast, found.faces)))
    like = (pips.radius_px > PIP_RADIUS[0] * radius.min()) & (pips.radius_px < PIP_RADIUS[1] * radius.max())
    like &= pips.contrast > PIP_CONTRAST * contrast
    ring = np.linalg.norm(pips.ring[:, None] - found.bodies.shade[None], axis=2).min(axis=1)
    strong = (pips.quality > STRONG_QUALITY) & (pips.flat > STRONG_FLAT) & (pips.contrast > STRONG_CONTRAST)
    away = _away(pips.xy_px, found, OWN_REACH)
    coloured = like & away & (pips.quality > PIP_QUALITY) & (pips.flat > PIP_FLAT) & (ring < PIP_RING)
    coloured[coloured] = _in_company(pips.xy_px[coloured], pips.radius_px[coloured])
    like = coloured | (like & away & strong)
    return _doubts("unread_pips", pips.xy_px[like], 10 * pips.radius_px[like])


def _in_company(xy_px: Floats, radius_px: Floats) -> Bools:
    """Which places (N, 2) have another of them near."""
    apart = np.linalg.norm(xy_px[:, None] - xy_px[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.asarray((apart < COMPANY * radius_px[:, None]).any(axis=1))


def _left_bodies(found: Found) -> list[Doubt]:
    """Round spots of the size of a die where none was read."""
    pips, half = found.pips, found.half_px
    least, most = (half.min(), half.max()) if len(found) else (SMALLEST_HALF_PX, LARGEST_HALF_PX)
    like = (pips.radius_px > BODY_RADIUS[0] * least) & (pips.radius_px < BODY_RADIUS[1] * most)
    like &= (pips.contrast > BODY_CONTRAST) & (pips.quality > BODY_QUALITY) & (pips.flat > BODY_FLAT)
    like &= _away(pips.xy_px, found, BODY_REACH)
    like[like] = [_like_a_body(found, int(k)) for k in np.nonzero(like)[0]]
    return _doubts("unread_body", pips.xy_px[like], 2 * pips.radius_px[like])


def _like_a_body(found: Found, spot: int) -> bool:
    """Whether a round spot holds something like a pip or has the colour of a die that was read."""
    pips = found.pips
    if not len(found) or np.linalg.norm(pips.inside[spot] - found.bodies.shade, axis=1).min() < BODY_SHADE:
        return True
    apart = np.linalg.norm(pips.xy_px - pips.xy_px[spot], axis=1) / pips.radius_px[spot]
    share = pips.radius_px / pips.radius_px[spot]
    inside = (apart < HELD_REACH) & (share > HELD_RADIUS[0]) & (share < HELD_RADIUS[1])
    return bool((inside & (pips.quality > HELD_QUALITY)).any())


SMALLEST_HALF_PX, LARGEST_HALF_PX = 22.0, 60.0
"""Half sides of dice looked for where none was read, in working pixels."""


def _left_objects(working: Working, found: Found) -> list[Doubt]:
    """Things of a die's size that stand out from the table, of whatever colour."""
    halves = [float(np.median(found.half_px))] if len(found) else [SMALLEST_HALF_PX, 45.0, 90.0]
    doubts: list[Doubt] = []
    for half in halves:
        xy = standing_out(working, half, _circles(found, BODY_REACH))
        doubts += _doubts("unread_body", xy, np.full(len(xy), 2 * half))
    return doubts


def _left_patches(working: Working, found: Found) -> list[Doubt]:
    """Patches in the colour and of the size of a die that was read, away from all of them."""
    if not len(found):
        return []
    small = np.asarray(cv2.resize(working.colour, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    half = float(np.median(found.half_px))
    xy = 2 * in_shades(small, found.bodies.shade, _circles(found, PATCH_REACH) / 2, half / 2)
    return _doubts("unread_body", xy, np.full(len(xy), 2 * half))


def _circles(found: Found, reach: float) -> Floats:
    """Middle and radius (K, 3) of what lies within `reach` half sides of the dice."""
    return np.column_stack([found.faces.middle_px, reach * found.half_px])


def _doubts(key: str, xy_px: Floats, size_px: Floats) -> list[Doubt]:
    """One doubt per place, the first few."""
    places = zip(xy_px[:MOST_NAMED], size_px[:MOST_NAMED], strict=True)
    return [Doubt(key, float(x), float(y), float(size)) for (x, y), size in places]
