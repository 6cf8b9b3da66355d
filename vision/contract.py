"""The JSON object of one read photograph: what `dudo read --json` prints and the game builds on."""

from __future__ import annotations

from collections.abc import Mapping

from vision.values import Die, Doubt, Group, Reading

DIGITS = 5
"""Of positions: a hundredth of a pixel in a 1000 px picture."""

CHANCE_DIGITS = 7
"""Of calibrated probabilities: a verdict may rest on many dice."""


def to_json(reading: Reading, file: str, ms: Mapping[str, float]) -> dict[str, object]:
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
        "counts": {str(face): sum(die.face == face for die in reading.dice) for face in range(1, 7)},
        "ms": {key: round(value, 1) for key, value in ms.items()},
    }


def _die(die: Die, reading: Reading) -> dict[str, object]:
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


def _group(group: Group, reading: Reading) -> dict[str, object]:
    """Dice that look alike, by their places in "dice"."""
    return {
        "dice": list(group.dice),
        "colour": group.colour,
        "rgb": list(group.rgb),
        "size": round(group.size_px / reading.width_px, DIGITS),
    }


def _doubt(doubt: Doubt, reading: Reading) -> dict[str, object]:
    """One doubt; its place only where it has one."""
    place = {
        "x": None if doubt.x_px is None else round(doubt.x_px / reading.width_px, DIGITS),
        "y": None if doubt.y_px is None else round(doubt.y_px / reading.height_px, DIGITS),
        "size": None if doubt.size_px is None else round(doubt.size_px / reading.width_px, DIGITS),
    }
    told = {"chance": None if doubt.chance is None else round(doubt.chance, CHANCE_DIGITS)}
    return {"key": doubt.key} | {key: value for key, value in (place | told).items() if value is not None}
