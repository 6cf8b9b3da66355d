"""How a bot weighs its calls: some names stand for a character, all others play straight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from companion.bots.situation import Situation
from companion.texts import languages, translate

UNLIKELY = 0.35
"""A bid that is less likely than this by the own dice is a bluff."""


@dataclass(frozen=True, slots=True)
class Character:
    """`bluffs` and `doubts` multiply how often these calls are made.

    Calza is called when it is worth more than `calza_above` dice.
    """

    bluffs: float = 1.0
    doubts: float = 1.0
    calza_above: float = 0.1

    def weighed(self, now: Situation, shares: Sequence[float]) -> list[float]:
        """The shares of calls as this character has them."""
        weights = list(shares)
        for place, (bid, chance) in enumerate(zip(now.actions, now.chances, strict=True)):
            if bid and chance < UNLIKELY:
                weights[place] *= self.bluffs
        if now.facing:
            weights[0] *= self.doubts
        return weights


STRAIGHT = Character()
CHARACTERS: Mapping[str, Character] = {
    "careful": Character(bluffs=0.4, doubts=1.3),
    "liar": Character(bluffs=2.0, doubts=0.8),
    "exact": Character(calza_above=-0.35),
}
"""Those with a name, by their key under `web.bots` in the catalogues."""


@cache
def character_of(name: str) -> Character:
    """The character of a bot by its name."""
    for language, (key, character) in product(languages(), CHARACTERS.items()):
        if name == translate(language, f"web.bots.{key}"):
            return character
    return STRAIGHT
