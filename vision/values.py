"""The frozen values that pass between the stages of reading a picture.

Positions are in pixels of the picture as read (EXIF orientation applied), origin top left, x right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

FACES = range(1, 7)

CUT_OFF = "cut_off"
"""Of a die that is read: the border cuts it."""

ONE_THING = "one_thing"
"""Of a die that is read: it and a neighbour may be one thing, a domino or the top and the side of one die."""


@dataclass(frozen=True, slots=True)
class Pip:
    """One pip of a top face: its centre and usual radius in pixels."""

    x_px: float
    y_px: float
    radius_px: float


@dataclass(frozen=True, slots=True)
class Nets:
    """What the nets by themselves say of a die.

    `first` and `second` are how sure the detecting net and the crop classifier are that one lies here; the
    latter is None where count and first net settle it. `clear`: the first clearly shows the face read.
    """

    first: float = 1.0
    second: float | None = None
    clear: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """One die as read.

    `size_px` is the side of the top face, `angle_deg` its turn in [0, 90). `confidence` is the calibrated
    probability that `face` is right; `certain` says that nothing speaks against believing it.
    `others` are the next likeliest faces, best first, offered when a person is asked.
    `why` names what makes the die uncertain (docs/explanation/reading.md), empty when certain. `rgb` is its
    body's colour as it is in the picture, 0 to 255. `chances` are the probabilities of the faces 1 to 6; what
    lacks to one is no die at all; empty where not known. `nets` is what the calibration weighs besides.
    """

    face: int
    x_px: float
    y_px: float
    size_px: float
    angle_deg: float
    confidence: float
    certain: bool
    colour: str
    pips: tuple[Pip, ...] = ()
    others: tuple[int, ...] = ()
    why: tuple[str, ...] = ()
    rgb: tuple[int, int, int] | None = None
    chances: tuple[float, ...] = ()
    nets: Nets = Nets()


def is_strong(die: Die) -> bool:
    """Whether nothing speaks against a die but that it may be one thing with a neighbour."""
    return set(die.why) <= {ONE_THING}


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a picture is not certain: a key (docs/explanation/reading.md) and, where it has one, a place.

    `chance` is the probability that a die lies there unread, where that is known; before calibration it is
    the net's score.
    """

    key: str
    x_px: float | None = None
    y_px: float | None = None
    size_px: float | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two dice of a reading, by their places in it, that may be one thing: `chance` is the probability."""

    dice: tuple[int, int]
    chance: float


Seen = tuple[tuple[Die, ...], list[Doubt]]
"""The result of one reader: dice from top to bottom, and doubts."""


@dataclass(frozen=True, slots=True)
class Group:
    """Dice of one picture that look alike: their places among its dice, the name of their colour, and the
    means of their bodies' colours (as `Die.rgb`) and of their sides."""

    dice: tuple[int, ...]
    colour: str
    rgb: tuple[int, int, int]
    size_px: float


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice of one picture of `width_px` by `height_px`, and what is doubtful about it.

    `certain`: these dice lie in it, and no others do whole. `groups` are the dice that look alike, the
    largest group first. `unread` is the expected number of dice without any detection; None where not known.
    `pairs` are dice that may be one thing.
    """

    width_px: int
    height_px: int
    dice: tuple[Die, ...]
    certain: bool
    doubts: tuple[Doubt, ...] = ()
    groups: tuple[Group, ...] = ()
    unread: float | None = None
    pairs: tuple[Pair, ...] = ()
