"""How likely a face is, given what the nets and the count of pips say of a place: one formula for every case.

What speaks for a face gives its odds (a logistic regression, each face by itself); then no die and the six
faces compete, no die's odds being one. Two sets of weights: without the crop classifier, and with it
(`vision/models/fits.toml`, docs/explanation/agreement.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vision import fits
from vision.counting.count import Count
from vision.learned.maps import CLEAR, MIN_HEATMAP, Detection
from vision.values import FACES, Nets

NAMES = (
    "one",
    "a die, says the net",
    "of this face",
    "a die, says the crop classifier",
    "of this face",
    "the count says so",
    "its confidence",
    "the count says else",
    "odd size",
)
"""The features: a constant; for each net the logarithm of the odds that any die lies there, and of the share
it gives the face (a die dimly seen may show a clear face: those are two questions); whether the count says
the face, and the logarithm of its odds; its confidence in another face; how odd the size is."""
SETTLED = 0.985
"""Where the count and the first net say one face and it is this likely, the crop classifier is not needed."""
CERTAIN = 0.94
"""The same of a die that was classified. Of dice in steep views 16 of 114 between 0.92 and 0.94 are wrong, of
those from 0.94 on 30 of 1 044."""
TELLS = 0.7
"""Evidence of a clear die that may tell it: printed flowers have 0.5 to 0.65 on the coarsest level."""
LEAST = 0.007
"""No voice alone is surer than this."""


@dataclass(frozen=True)
class Place:
    """What is known of one place: the net's detection, the count of its pips, the crop classifier's answer.

    `asked` says whether the classifier was asked (it may have seen nothing), `odd` how odd the size is among
    the others (a logarithm, 0 for usual).
    """

    detection: Detection
    count: Count | None = None
    classified: Detection | None = None
    asked: bool = False
    odd: float = 0.0

    @property
    def last(self) -> Detection | None:
        """The nets' last word: the crop classifier's if it was asked."""
        return self.classified if self.asked else self.detection

    @property
    def pipless(self) -> bool:
        """Whether the nets' last word is that this is a cube without pips: an emblem, a numeral, a blank."""
        return self.last is not None and self.last.pipless

    @property
    def agreed(self) -> bool:
        """Whether the count and the nets' last word are one face."""
        count, last = self.count, self.last
        return count is not None and last is not None and not last.pipless and count.face == last.face

    @cached_property
    def chances(self) -> Mapping[int, float]:
        """The probability that a die here shows each face 1 to 6; what lacks to one is no die at all."""
        row = weights(self)
        odds = [math.exp(sum(v * w for v, w in zip(evidence(self, f), row, strict=True))) for f in FACES]
        whole = 1 + sum(odds)
        return {face: each / whole for face, each in zip(FACES, odds, strict=True)}


def certain(place: Place) -> bool:
    """Whether the count and the nets say the same face and it is as good as sure."""
    if place.count is None or not place.agreed:
        return False
    return place.chances[place.count.face] >= (CERTAIN if place.asked else SETTLED)


def said_by_nets(place: Place, face: int) -> Nets:
    """What the nets by themselves say of a die that shows this face. Of an ace the count says little more
    than that there is a dot, so its evidence is to tell it alone."""
    first, second = place.detection, place.classified
    enough = CLEAR if place.agreed and face > 1 else TELLS
    clear = first.evidence > enough and first.face == face and not place.pipless
    score = second.score if second else 0.0
    return Nets(first.score, score if place.asked else None, clear)


def weights(place: Place) -> Sequence[float]:
    """One for each of NAMES: without the crop classifier, or with it."""
    return fits.weights("trust")["twice" if place.asked else "once"]


def evidence(place: Place, face: int) -> tuple[float, ...]:
    """What speaks for a face, in the order of NAMES."""
    count = place.count
    says = count is not None and count.face == face
    return (
        1.0,
        *_voice(place.detection, face),
        *(_voice(place.classified, face) if place.asked else (0.0, 0.0)),
        float(says),
        log_odds(count.confidence) if count and says else 0.0,
        count.confidence if count and not says else 0.0,
        place.odd,
    )


def _voice(detection: Detection | None, face: int) -> tuple[float, float]:
    if detection is None:  # less than the least that is reported
        return log_odds(MIN_HEATMAP), math.log(1 / 7)
    return log_odds(detection.score), math.log(max(detection.faces[face], LEAST))


def log_odds(chance: float) -> float:
    """The logarithm of a chance's odds, none surer than LEAST allows."""
    held = min(max(chance, LEAST), 1 - LEAST)
    return math.log(held / (1 - held))
