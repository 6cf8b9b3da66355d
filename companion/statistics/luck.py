"""Luck: the aces a player rolled against those to be expected. No bid or call can change them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.statistics.chance import binomial_tail
from companion.statistics.scores import Score

ACE_CHANCE = 1 / 6
ORDINARY = 0.1
"""A result that at least one in ten players has is called ordinary."""


@dataclass(frozen=True, slots=True)
class Luck:
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
    if score.aces >= expected:
        share = binomial_tail(score.aces, score.dice, ACE_CHANCE)
    else:
        share = 1 - binomial_tail(score.aces + 1, score.dice, ACE_CHANCE)
    return Luck(score.dice, score.aces, expected, share)
