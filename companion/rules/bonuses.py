"""Hands that count more than their dice: stairs, and five alike (rows C5, C6).

A bonus depends on a whole hand. Of hands that are not known whole it is bounded instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.dice import FACES, matching
from companion.rules.players import NORMAL
from companion.rules.position import Game
from companion.rules.ruleset import Ruleset

FIVE = 5
"""So many dice at least are a hand of five alike."""

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bonuses:
    """What hands add to the count of a bid on `face` while `wild` is the wild face, 0 for none.

    `dice` is how many each player has in the round.
    """

    rules: Ruleset
    face: int
    wild: int
    dice: Mapping[str, int]

    def of(self, hand: tuple[int, ...]) -> int:
        """What a whole hand counts besides its matching dice."""
        alike = matching(hand, self.face, self.wild)
        if self.rules.stairs and sorted(hand) == list(range(1, len(hand) + 1)):
            return len(hand) + 1 - alike
        return self.rules.hand_bonus if alike == len(hand) >= FIVE else 0

    def at_most(self, dice: int) -> int:
        """The most that any hand of so many dice adds."""
        stair = tuple(range(1, dice + 1)) if self.rules.stairs and dice <= len(FACES) else ()
        five = self.rules.hand_bonus if dice >= FIVE else 0
        return max(self.of(stair) if stair else 0, five)

    def within(self, hands: Mapping[str, tuple[int, ...]]) -> Interval:
        """The least and the most that all hands add, of which these are known whole."""
        known = sum(self.of(hand) for hand in hands.values())
        open_ = sum(self.at_most(dice) for name, dice in self.dice.items() if name not in hands)
        return known, known + open_

    @property
    def most(self) -> int:
        """The most that all hands together add."""
        return self.within({})[1]


def above_its_dice(dice: int, rules: Ruleset) -> int:
    """How many more than its dice a hand of so many can count."""
    stair = int(rules.stairs and 0 < dice <= len(FACES))
    return max(stair, rules.hand_bonus if dice >= FIVE else 0)


def is_rolled_again(hand: Sequence[int], rules: Ruleset) -> bool:
    """Whether a hand just rolled is rolled again: five or more in a row, where that is played (row C8)."""
    if not rules.straight_rerolls or len(hand) < FIVE:
        return False
    return sorted(hand) == list(range(min(hand), min(hand) + len(hand)))


def by_hands(rules: Ruleset) -> bool:
    """Whether whole hands count by these rules, so that the box has to know whose dice are whose."""
    return rules.stairs or rules.hand_bonus > 0


def bonuses_of(game: Game, face: int, wild: int) -> Bonuses | None:
    """The bonuses in this round; None where hands count their dice alone, as in special rounds."""
    if not by_hands(game.ruleset) or game.round.kind is not NORMAL:
        return None
    return Bonuses(game.ruleset, face, wild, {p.name: p.dice for p in game.inside})
