"""How a reading of a labelled picture is scored.

A die is read right when a reading lies within 0.6 of its side of the labelled centre and has its face. A
picture is exact when every die that counts is read right and nothing else is read. Wrong but sure is a
picture called certain and not exact, or any single die called certain that is another face or no die.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import Any

from vision.values import Die, Reading

REACH = 0.6
Label = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over any number of pictures; `false_dice` are single dice that were called certain and wrong."""

    photos: int = 0
    exact: int = 0
    dice: int = 0
    right: int = 0
    extra: int = 0
    sure_dice: int = 0
    sure: int = 0
    false_dice: int = 0
    false_photos: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def wrong_but_sure(self) -> bool:
        return bool(self.false_dice or self.false_photos)


def score(label: Label, reading: Reading) -> Score:
    """What one picture's reading got right and wrong; `label` as `python -m lab.scenes` writes it."""
    pairs = matched(label, reading)
    counted = [k for k, die in enumerate(label["dice"]) if not die.get("ignore") and not die.get("symbol")]
    right = sum(k in pairs and pairs[k].face == label["dice"][k]["face"] for k in counted)
    extra = len(reading.dice) - len(pairs)
    exact = right == len(counted) and extra == 0
    return Score(
        photos=1,
        exact=exact,
        dice=len(counted),
        right=right,
        extra=extra,
        sure_dice=sum(d.certain for d in reading.dice),
        sure=reading.certain,
        false_dice=len(false_dice(label, reading)),
        false_photos=reading.certain and not exact,
    )


def matched(label: Label, reading: Reading) -> dict[int, Die]:
    """Labelled dice by number with the reading of each, nearest first."""
    wide, high = reading.width_px, reading.height_px
    near = []
    for i, die in enumerate(label["dice"]):
        for j, seen in enumerate(reading.dice):
            far = math.hypot(die["x"] * wide - seen.x_px, die["y"] * high - seen.y_px)
            if far < REACH * die["size"] * wide:
                near.append((far, i, j))
    pairs: dict[int, int] = {}
    for _, i, j in sorted(near):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return {i: reading.dice[j] for i, j in pairs.items()}


def false_dice(label: Label, reading: Reading) -> list[Die]:
    """Dice called certain that are no die, another face, or an emblem."""
    pairs = matched(label, reading)
    true = [
        seen
        for k, seen in pairs.items()
        if seen.face == label["dice"][k]["face"] and not label["dice"][k].get("symbol")
    ]
    return [die for die in reading.dice if die.certain and not any(die is t for t in true)]
