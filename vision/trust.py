"""How likely a face is, given what the pips way and the net say of a place: one formula for every case.

A logistic regression, fitted by `python -m vision.training.trust` on drawn pictures and on photographs other
than those whose scores are quoted (docs/training.md). Two sets of weights: after the net's first look, and
after its second, closer one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.net_maps import Sight
from vision.values import Die

NAMES = ("one", "first look", "second look", "pips say so", "their chance", "pips say else", "pips left over")
"""What is weighed: a constant; the logarithms of the odds that the net's looks give the face; whether the
pips way says it, and the logarithm of its odds; its chance for another face; whether it found pips or a body
here that it could not read."""
ONCE = (-1.23, 1.41, 0.0, 1.45, 0.73, -0.03, 1.03)
TWICE = (0.32, 0.37, 1.36, 0.6, 0.5, -0.42, 0.52)
"""The weights without and with a second look."""
LEAST, MOST = 0.007, 0.993
"""No voice alone is surer than this."""
FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of one place: the pips way's die, the net's sights (None: saw nothing), and a hint.

    `asked` says whether the net has looked a second time, `hint` whether the pips way left something here.
    """

    die: Die | None
    sight: Sight | None
    again: Sight | None = None
    asked: bool = False
    hint: bool = False

    @property
    def pipless(self) -> bool:
        """Whether the net's last word is that this is a cube without pips: an emblem, a numeral, a blank."""
        last = self.again if self.asked else self.sight
        return last is not None and last.pipless


def chances(place: Place) -> dict[int, float]:
    """The probability of each face 1 to 6 that a die here shows it; what lacks to one is no die at all."""
    weights = TWICE if place.asked else ONCE
    raw = {face: _logistic(evidence(place, face), weights) for face in FACES}
    whole = max(1.0, sum(raw.values()))
    return {face: chance / whole for face, chance in raw.items()}


def evidence(place: Place, face: int) -> tuple[float, ...]:
    """What speaks for a face, in the order of NAMES."""
    die = place.die
    says = die is not None and die.face == face
    return (
        1.0,
        _odds(_voice(place.sight, face)),
        _odds(_voice(place.again, face)) if place.asked else 0.0,
        float(says),
        _odds(die.confidence) if die and says else 0.0,
        die.confidence if die and not says else 0.0,
        float(place.hint),
    )


def _voice(sight: Sight | None, face: int) -> float:
    return sight.score * sight.faces[face] if sight else 0.0


def _odds(chance: float) -> float:
    held = min(max(chance, LEAST), MOST)
    return math.log(held / (1 - held))


def _logistic(values: tuple[float, ...], weights: tuple[float, ...]) -> float:
    return 1 / (1 + math.exp(-sum(v * w for v, w in zip(values, weights, strict=True))))
