"""The JSON object of one read photograph: what `dudo read --json` prints and the game builds on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict, final

from vision.values import FACES, Die, Doubt, Group, Reading

DIGITS = 5
"""Of positions: a hundredth of a pixel in a 1000 px picture."""

CHANCE_DIGITS = 7
"""Of calibrated probabilities: a verdict may rest on many dice."""


class DieJson(TypedDict):
    """One die; lengths over the picture's width, y over its height; `pips` are (x, y, radius)."""

    face: int
    x: float
    y: float
    size: float
    angle: float
    confidence: float
    certain: bool
    colour: str
    pips: list[list[float]]
    others: list[int]
    why: list[str]
    rgb: list[float] | None
    chances: list[float]


class PairJson(TypedDict):
    """Two dice that may be one thing, by their places in "dice"."""

    dice: list[int]
    chance: float


class GroupJson(TypedDict):
    """Dice that look alike, by their places in "dice"."""

    dice: list[int]
    colour: str
    rgb: list[float]
    size: float


class DoubtJson(TypedDict):
    """One doubt; its place only where it has one."""

    key: str
    x: NotRequired[float]
    y: NotRequired[float]
    size: NotRequired[float]
    chance: NotRequired[float]


@final
class ReadingJson(TypedDict):
    """A photograph that was read."""

    file: str
    width: int
    height: int
    dice: list[DieJson]
    certain: bool
    doubts: list[DoubtJson]
    groups: list[GroupJson]
    unread: float | None
    pairs: list[PairJson]
    counts: dict[str, int]
    ms: dict[str, float]


@final
class FailedJson(TypedDict):
    """A photograph that could not be read."""

    file: str
    error: str


def to_json(reading: Reading, file: str, ms: Mapping[str, float]) -> ReadingJson:
    """The reading as plain data; `ms` has the keys "decode" and "read"."""
    return {
        "file": file,
        "width": reading.width_px,
        "height": reading.height_px,
        "dice": [_die(die, reading) for die in reading.dice],
        "certain": reading.certain,
        "doubts": [_doubt(doubt, reading) for doubt in reading.doubts],
        "groups": [_group(group, reading) for group in reading.groups],
        "unread": None if reading.unread is None else round(reading.unread, CHANCE_DIGITS),
        "pairs": [
            {"dice": list(pair.dice), "chance": round(pair.chance, CHANCE_DIGITS)} for pair in reading.pairs
        ],
        "counts": {str(face): sum(die.face == face for die in reading.dice) for face in FACES},
        "ms": {key: round(value, 1) for key, value in ms.items()},
    }


def _die(die: Die, reading: Reading) -> DieJson:
    """One die; lengths over the picture's width, y over its height."""
    width, height = reading.width_px, reading.height_px
    return {
        "face": die.face,
        "x": round(die.x_px / width, DIGITS),
        "y": round(die.y_px / height, DIGITS),
        "size": round(die.size_px / width, DIGITS),
        "angle": round(die.angle_deg, 1),
        "confidence": round(die.confidence, 4),
        "certain": die.certain,
        "colour": die.colour,
        "pips": [
            [
                round(p.x_px / width, DIGITS),
                round(p.y_px / height, DIGITS),
                round(p.radius_px / width, DIGITS),
            ]
            for p in die.pips
        ],
        "others": list(die.others),
        "why": list(die.why),
        "rgb": None if die.rgb is None else list(die.rgb),
        "chances": [round(chance, CHANCE_DIGITS) for chance in die.chances],
    }


def _group(group: Group, reading: Reading) -> GroupJson:
    """Dice that look alike, by their places in "dice"."""
    return {
        "dice": list(group.dice),
        "colour": group.colour,
        "rgb": list(group.rgb),
        "size": round(group.size_px / reading.width_px, DIGITS),
    }


def _doubt(doubt: Doubt, reading: Reading) -> DoubtJson:
    """One doubt; its place only where it has one."""
    entry: DoubtJson = {"key": doubt.key}
    if doubt.x_px is not None:
        entry["x"] = round(doubt.x_px / reading.width_px, DIGITS)
    if doubt.y_px is not None:
        entry["y"] = round(doubt.y_px / reading.height_px, DIGITS)
    if doubt.size_px is not None:
        entry["size"] = round(doubt.size_px / reading.width_px, DIGITS)
    if doubt.chance is not None:
        entry["chance"] = round(doubt.chance, CHANCE_DIGITS)
    return entry
