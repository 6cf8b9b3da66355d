"""The last look at a picture that would be certain: bodies of a die's size on which neither way saw a face.

A die that is still rolling, or burnt out, or lies with a blank side up shows no pips to count and no face to
the first net. What is left is a body: it stands out from the table, or has the colour of dice that were
read. The second net then says whether it is nothing; that is rarely asked, so it costs little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.agreement.likeness import colour_round
from vision.arrays import Floats, Image, lengths
from vision.counting.objects import SAME_SHADE, in_shades, standing_out
from vision.learned import closeup
from vision.learned.sights import usual_side_px
from vision.picture.working import Working, sized
from vision.values import Die, Doubt

DIE_PX = 11.0
"""A body is looked for where dice are so wide: enough for its colour and outline, and quick."""

SIDES = (0.046, 0.094, 0.188)
TINY_SIDES = (0.0115, 0.023)
"""Of a die over the picture's long side, where none was read; and of one that is too small to be read."""

OWN_REACH = 0.95
"""Within so many sides of a die's middle lie its own side faces and shadow."""

STANDS_OUT, ALIKE, SHADOW = 0.9, 0.8, 0.5
"""Chance of nothing from which no die is what stands out, what only has a die's colour, what may be a die's
shadow. Of 169 certain photographs three show something below that, of 1 670 changed in light 26; so do one of
two with a die painted over or blurred beyond reading that nothing else doubts."""

SHADOW_REACH, MIDDLE, AROUND = 1.6, (0.0, 0.3), (0.8, 1.3)
"""A shadow's middle lies at most so many sides from its die's; between these shares of a side its colour and
the ground's are looked at. Shadows were half of what was doubted in photographs changed in light."""

TINY = 0.3
"""And from which nothing so small is one: specks and knots, made large, look less like nothing. Of 24 drawn
tables each of dice 16 to 24 and 8 to 16 px wide in 1280 three and 17 were called empty for certain without
this look, one and eight are with it, and nine empty tables on photographs as before."""

Body = tuple[Floats, float, float]
"""Its middle (2,), the chance of nothing that clears it, and the side of a die it may be, in pixels."""

MOST = 24
"""So many bodies are looked at; where there are more nobody can say that none of them is a die."""


def bodies(image_bgr: Image, dice: Sequence[Die]) -> list[Doubt]:
    """What may be a die that shows no face, away from all `dice` that were read."""
    found = _about(image_bgr, dice, usual_side_px(dice)) if dice else _on_empty(image_bgr)
    doubted = [
        Doubt("unread_body", float(x), float(y), side_px)
        for (x, y), nothing, side_px in found[:MOST]
        if closeup.classes(image_bgr, float(x), float(y), side_px)[closeup.NOTHING] < nothing
    ]
    return [Doubt("unread_body")] if len(found) > MOST and not doubted else doubted


def _about(image_bgr: Image, dice: Sequence[Die], side_px: float) -> list[Body]:
    """What lies about, beside the dice that were read, of this size."""
    return [(xy, nothing, side_px) for xy, nothing in _bodies(image_bgr, dice, side_px)]


def _on_empty(image_bgr: Image) -> list[Body]:
    """What lies on a table on which no die was read, of any size."""
    usual, tiny = (
        [body for share in shares for body in _about(image_bgr, (), share * max(image_bgr.shape))]
        for shares in (SIDES, TINY_SIDES)
    )
    return usual + [(xy, TINY, side_px) for xy, _, side_px in tiny]


def _bodies(image_bgr: Image, dice: Sequence[Die], side_px: float) -> list[tuple[Floats, float]]:
    """Middles (2,) of what stands out or has a die's colour, and the chance of nothing that clears each."""
    small = sized(image_bgr, min(1.0, DIE_PX / side_px))
    circles = [(die.x_px, die.y_px, OWN_REACH * die.size_px) for die in dice]
    taken = np.array(circles, np.float32).reshape(-1, 3) * small.factor
    half_px = side_px * small.factor / 2
    shades = [_shade(die.rgb) for die in dice if die.rgb]
    out = [
        (xy / small.factor, SHADOW if _may_be_shadow(small, xy, half_px, taken, shades) else STANDS_OUT)
        for xy in standing_out(small, half_px, taken)
    ]
    return out + [(xy / small.factor, ALIKE) for xy in in_shades(small.colour, shades, taken, half_px)]


def _may_be_shadow(
    small: Working, xy: Floats, half_px: float, taken: Floats, shades: Sequence[Floats]
) -> bool:
    """Whether a body beside one of the dice is but darker than the ground, and of no die's colour."""
    if not len(taken) or lengths(taken[:, :2] - xy).min() > SHADOW_REACH * 2 * half_px:
        return False
    at = float(xy[0] / small.factor), float(xy[1] / small.factor)
    body, ground = (colour_round(small, at, 2 * half_px / small.factor, share) for share in (MIDDLE, AROUND))
    return bool((body < ground).all() and all(np.linalg.norm(body - s) > SAME_SHADE for s in shades))


def _shade(rgb: tuple[int, int, int]) -> Floats:
    """A body's colour as square roots of blue, green, red."""
    return np.sqrt(np.array(rgb[::-1], np.float32) / 255)
