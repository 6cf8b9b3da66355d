"""The form of every check: a picture with what was read in it goes in, what becomes less likely comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from vision.arrays import Image
from vision.values import Die, Doubt

MAX_DOUBTED = 0.9
"""Maximum confidence of a die that a check doubts."""
WHY = "low_confidence"
"""Reason key of such a die, unless the check has its own."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A picture (height, width, 3) uint8, blue, green, red, the dice read in it, and all doubts so far.

    `tilt_deg` estimates the tilt of the view at a die; as long as nobody does, it is seen from above.
    """

    image_bgr: Image
    dice: tuple[Die, ...]
    doubts: tuple[Doubt, ...]
    tilt_deg: Callable[[Die], float] = lambda die: 0.0


@dataclass(frozen=True, slots=True)
class Change:
    """What a check found: numbers of dice it makes uncertain, why, reason keys of the whole picture, and
    places where a die may lie unread."""

    dice: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    why: str = WHY
    places: tuple[Doubt, ...] = ()


Check = Callable[[Checked], Change]


def applied(checks: Mapping[str, Check], read: Checked) -> Checked:
    """What was read after all checks, one after the other."""
    for check in checks.values():
        read = changed(read, check(read))
    return read


def changed(read: Checked, change: Change) -> Checked:
    """What was read, less likely where the change says so; each reason once."""
    dice = tuple(doubted(die, change.why) if k in change.dice else die for k, die in enumerate(read.dice))
    known = {doubt.key for doubt in read.doubts if doubt.x_px is None}
    new = (Doubt(key) for key in change.keys if key not in known)
    return replace(read, dice=dice, doubts=(*read.doubts, *new, *change.places))


def doubted(die: Die, why: str = WHY) -> Die:
    """The die, uncertain for one reason more; unchanged if it has that reason already."""
    if why in die.why:
        return die
    return replace(die, certain=False, confidence=min(die.confidence, MAX_DOUBTED), why=(*die.why, why))
