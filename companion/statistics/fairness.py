"""Whether dice are fair: counts of each face, Pearson's chi-square, and what a number of throws can show.

Only real dice count, read by the camera or entered by a person. With fair dice one test in twenty is
"significant". A face that is hard to read looks the same here as a face that falls rarely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import reduce

from msgspec import Struct

from companion.rules.dice import FACES
from companion.statistics.record import GameRecord, How
from companion.statistics.scores import Score

Counts = tuple[int, ...]
"""How often each face was seen, six numbers."""

NONE: Counts = (0,) * len(FACES)

MIN_THROWS = 30
"""Below five expected of each face the chi-square is not valid (Cochran's rule)."""

RARE, VERY_RARE = 0.05, 0.001

POWER = 12.83
"""Noncentrality at which a test of five degrees and level 0.05 has a power of 0.8 (noncentral chi-square).

For dice loaded so strongly that few throws suffice the power is nearer to 0.75; a test measures it."""


class Fairness(Struct, frozen=True):
    """The counts of a set of dice with Pearson's statistic and its p-value, None with too few throws."""

    counts: Counts
    statistic: float | None
    p_value: float | None

    @property
    def throws(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How often each face was to be expected."""
        return self.throws / len(FACES)

    @property
    def word(self) -> str:
        """few (throws), usual, rare or very_rare: how often fair dice give such counts."""
        if self.p_value is None:
            return "few"
        if self.p_value >= RARE:
            return "usual"
        return "rare" if self.p_value >= VERY_RARE else "very_rare"

    @property
    def notices(self) -> float | None:
        """Smallest probability of one face that so many throws detect with power 0.8; None with too few."""
        return detectable_chance(self.throws) if self.p_value is not None else None


def fairness(counts: Iterable[int]) -> Fairness:
    """The test of fairness of these counts of faces 1 to 6."""
    found = tuple(counts)
    throws = sum(found)
    if throws < MIN_THROWS:
        return Fairness(found, None, None)
    expected = throws / len(FACES)
    statistic = sum((count - expected) ** 2 for count in found) / expected
    return Fairness(found, statistic, chi_square_tail(statistic))


def throws_to_detect(chance: float) -> int:
    """Throws until a face of probability `chance` is detected with power 0.8; the others share the rest."""
    off = chance - 1 / 6
    return math.ceil(POWER / (7.2 * off * off))


def detectable_chance(throws: int) -> float:
    """The inverse of `throws_to_detect`: the smallest probability of a face that `throws` detect."""
    return min(1.0, 1 / 6 + math.sqrt(POWER / (7.2 * throws)))


def faces_by_colour(game: GameRecord) -> dict[str, Counts]:
    """Counts by the colour of the dice, "" where it is unknown; only dice that were really on the table."""
    shown = (part for one in game.rounds if one.fair_sample for part in one.shown)
    return together({one.colour: counts_of(one.faces)} for one in shown if one.how is not How.PHONE)


def left_out(game: GameRecord) -> int:
    """Number of dice of the same reveals whose face is not certain; they are not counted."""
    return sum(one.dice - one.known for one in game.rounds if one.fair_sample)


def counts_of(faces: tuple[int, ...]) -> Counts:
    """How often each face occurs."""
    return tuple(faces.count(face) for face in FACES)


def added(first: Counts, second: Counts) -> Counts:
    """Two sets of counts together."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def together(by_colour: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    """Counts by colour over several games, or reveals."""
    found: dict[str, Counts] = {}
    for one in by_colour:
        for colour, counts in one.items():
            found[colour] = added(found.get(colour, NONE), counts)
    return found


def of_all(by_colour: Mapping[str, Counts]) -> Counts:
    """The counts of all colours."""
    return reduce(added, by_colour.values(), NONE)


def chi_square_tail(statistic: float) -> float:
    """P(X >= statistic) for chi-square with five degrees of freedom.

    For odd degrees the incomplete gamma function ends in the error function: Q = erfc(sqrt(x/2)) +
    sqrt(2x/pi) exp(-x/2) (1 + x/3) (Abramowitz and Stegun, 26.4.4).
    """
    if statistic <= 0:
        return 1.0
    rest = math.sqrt(2 * statistic / math.pi) * math.exp(-statistic / 2) * (1 + statistic / 3)
    return min(1.0, math.erfc(math.sqrt(statistic / 2)) + rest)


def _binomial(successes: int, trials: int, chance: float) -> float:
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    return math.exp(ways + successes * math.log(chance) + (trials - successes) * math.log1p(-chance))


ACE_CHANCE = 1 / 6
ORDINARY = 0.1
"""A result that at least one in ten players has is called ordinary."""


class Luck(Struct, frozen=True):
    """`aces` among `dice`; a `share` of players has as many or more (below the expected: as few or fewer)."""

    dice: int
    aces: int
    expected: float
    share: float

    @property
    def word(self) -> str:
        """lucky, unlucky or ordinary."""
        if self.share >= ORDINARY:
            return "ordinary"
        return "lucky" if self.aces > self.expected else "unlucky"


def luck(score: Score) -> Luck | None:
    """The luck behind a score; None when none of the player's dice are known."""
    if not score.dice:
        return None
    expected = score.dice * ACE_CHANCE
    alike = range(score.aces, score.dice + 1) if score.aces >= expected else range(score.aces + 1)
    share = math.fsum(_binomial(aces, score.dice, ACE_CHANCE) for aces in alike)
    return Luck(score.dice, score.aces, expected, min(1.0, share))
