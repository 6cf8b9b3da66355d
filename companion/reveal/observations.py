"""An observation: what the companion knows of a picture, as dice with faces and without pixels.

It is made from the JSON object that `dudo read --json` prints. So the game depends on nothing of the reader
but its documented contract.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NotRequired, TypedDict

from msgspec import convert

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


@dataclass(frozen=True, slots=True)
class SeenPair:
    """Two dice of an observation, by their places in it, that are one thing with the probability `chance`: a
    domino, or the top and a side of one die."""

    dice: tuple[int, int]
    chance: float


class SeenDieJson(TypedDict):
    """A die in the object of `dudo read --json`, or as the journal keeps it."""

    face: int
    x: float
    y: float
    size: float
    confidence: float
    certain: bool
    colour: str
    others: NotRequired[list[int]]
    why: NotRequired[list[str]]
    angle: NotRequired[float | None]
    rgb: NotRequired[Rgb | None]
    group: NotRequired[int | None]
    chances: NotRequired[list[float]]


class SeenDoubtJson(TypedDict):
    """A doubt there."""

    key: str
    x: NotRequired[float | None]
    y: NotRequired[float | None]
    size: NotRequired[float | None]
    chance: NotRequired[float | None]


class SeenGroupJson(TypedDict):
    """Dice there that look alike."""

    dice: list[int]


class SeenPairJson(TypedDict):
    """Two dice there that may be one thing."""

    dice: tuple[int, int]
    chance: float


class ObservationJson(TypedDict):
    """What the game uses of the object of `dudo read --json`."""

    width: int
    height: int
    dice: list[SeenDieJson]
    certain: bool
    doubts: list[SeenDoubtJson]
    groups: NotRequired[list[SeenGroupJson]]
    unread: NotRequired[float | None]
    pairs: NotRequired[list[SeenPairJson]]
    phone: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture as read. `picture` names its stored evidence, "" when none is kept.

    `unread` is the expected number of dice in it without any detection; None when the reader gives no
    calibrated probabilities. `pairs` may be one thing each. `phone` is None for a picture of the box's own
    camera, else the name of the player whose phone took it, "" for a phone without a seat.
    """

    width_px: int
    height_px: int
    dice: tuple[SeenDie, ...]
    certain: bool
    doubts: tuple[SeenDoubt, ...] = ()
    picture: str = ""
    unread: float | None = None
    phone: str | None = None
    pairs: tuple[SeenPair, ...] = ()

    @classmethod
    def from_json(cls, data: Body, picture: str = "") -> Observation:
        """From one object of `dudo read --json`; raises ValueError where a promised field is absent."""
        return cls._read(convert(data, ObservationJson), picture)

    @classmethod
    def _read(cls, data: ObservationJson, picture: str) -> Observation:
        groups = {k: number for number, group in enumerate(data.get("groups", ())) for k in group["dice"]}
        dice = tuple(_die(d, groups.get(k)) for k, d in enumerate(data["dice"]))
        doubts = tuple(
            SeenDoubt(d["key"], d.get("x"), d.get("y"), d.get("size"), d.get("chance"))
            for d in data["doubts"]
        )
        shape = data["width"], data["height"]
        pairs = tuple(SeenPair(pair["dice"], pair["chance"]) for pair in data.get("pairs", ()))
        unread, phone = data.get("unread"), data.get("phone")
        return cls(*shape, dice, data["certain"], doubts, picture, unread, phone, pairs)

    def to_json(self) -> dict[str, object]:
        """In the form that `from_json` reads; the picture's name travels beside it."""
        data: dict[str, object] = {
            "width": self.width_px,
            "height": self.height_px,
            "dice": [asdict(die) for die in self.dice],
            "certain": self.certain,
            "doubts": [asdict(doubt) for doubt in self.doubts],
            "unread": self.unread,
            "pairs": [asdict(pair) for pair in self.pairs],
        }
        return data if self.phone is None else {**data, "phone": self.phone}


def _die(data: SeenDieJson, group: int | None) -> SeenDie:
    """One entry of the contract's "dice", in the given group where it does not name its own."""
    return SeenDie(
        face=data["face"],
        x=data["x"],
        y=data["y"],
        size=data["size"],
        confidence=data["confidence"],
        certain=data["certain"],
        colour=data["colour"],
        others=tuple(data.get("others", ())),
        why=tuple(data.get("why", ())),
        angle=data.get("angle"),
        rgb=data.get("rgb"),
        group=data.get("group", group),
        chances=tuple(data.get("chances", ())),
    )
