"""An observation: what the companion knows of a picture, as dice with faces and without pixels.

It is made from the JSON object that `dudo read --json` prints. So the game depends on nothing of the reader
but its documented contract.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import Struct, convert

from companion.json_types import Body

Rgb = tuple[float, float, float]
"""A colour as it is in a picture: red, green, blue, 0 to 255."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die of an observation. x and y are fractions of the picture's width and height, size of its width.

    `angle` is the rotation of its square in degrees, modulo 90, and `rgb` the colour of its body. `group` is
    the number of its group of equal dice in the picture. Each is None when the reader does not give it.
    `chances` are the calibrated probabilities of the faces 1 to 6; what is missing to one is no die. Empty
    when the reader gives none.
    """

    face: int
    x: float
    y: float
    size: float
    confidence: float
    certain: bool
    colour: str
    others: tuple[int, ...] = ()
    why: tuple[str, ...] = ()
    angle: float | None = None
    rgb: Rgb | None = None
    group: int | None = None
    chances: tuple[float, ...] = ()

    def z(self, height: float) -> complex:
        """Where it lies, in picture widths, in a picture so many of them high."""
        return complex(self.x, self.y * height)


@dataclass(frozen=True, slots=True)
class SeenDoubt:
    """A reason why the whole observation is not certain, with its place where it has one.

    `chance` is the calibrated probability that a die lies there unread; None when the reader gives none.
    """

    key: str
    x: float | None = None
    y: float | None = None
    size: float | None = None
    chance: float | None = None

    def z(self, height: float) -> complex:
        """As of a die."""
        return complex(self.x or 0.0, (self.y or 0.0) * height)


@dataclass(frozen=True, slots=True)
class SeenPair:
    """Two dice of an observation, by their places in it, that are one thing with the probability `chance`: a
    domino, or the top and a side of one die."""

    dice: tuple[int, int]
    chance: float


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture as read, in pixels. `picture` names its stored evidence, "" when none is kept.

    `unread` is the expected number of dice in it without any detection; None when the reader gives no
    calibrated probabilities. `pairs` may be one thing each. `phone` is None for a picture of the box's own
    camera, else the name of the player whose phone took it, "" for a phone without a seat.
    """

    width: int
    height: int
    dice: tuple[SeenDie, ...]
    certain: bool
    doubts: tuple[SeenDoubt, ...] = ()
    picture: str = ""
    unread: float | None = None
    phone: str | None = None
    pairs: tuple[SeenPair, ...] = ()

    @property
    def ratio(self) -> float:
        """The height of the picture over its width."""
        return self.height / self.width

    @classmethod
    def from_json(cls, data: Body, picture: str = "") -> Observation:
        """From one object of `dudo read --json`; raises ValueError where a promised field is absent."""
        found = convert({**data, "picture": picture}, cls)
        groups = convert(data.get("groups", ()), tuple[_Group, ...])
        numbers = {k: number for number, group in enumerate(groups) for k in group.dice}
        dice = (
            die if die.group is not None else replace(die, group=numbers.get(k))
            for k, die in enumerate(found.dice)
        )
        return replace(found, dice=tuple(dice))


class _Group(Struct, frozen=True):
    """Dice of a picture that look alike."""

    dice: tuple[int, ...]
