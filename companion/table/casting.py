"""Where dice come from: the system's randomness, but a throw that was made once stays as it fell.

Dice belong to their round: going back and on finds the same ones, as the ledger has them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from companion.rules.dice import FACES
from companion.rules.players import playing
from companion.rules.position import Game, Phase
from companion.table.ledger import EMPTY, Ledger, Sealed, Thrown
from companion.table.state import TableState
from companion.table.table_events import Rolled

Roll = Callable[[int], tuple[int, ...]]
"""So many dice rolled."""

SEAL_DICE = 64
"""A seal is as hard to guess as so many dice are: 165 bits."""


def fresh_dice(number: int) -> tuple[int, ...]:
    """So many dice from the system's own randomness."""
    return tuple(secrets.choice(FACES) for _ in range(number))


@dataclass(frozen=True, slots=True)
class Cast:
    """Dice rolled by `roll`, those in phones as the ledger has them where they were thrown before."""

    roll: Roll
    ledger: Ledger = EMPTY

    def round(self, game: Game, cups: Collection[str]) -> tuple[Rolled, ...]:
        """The dice that belong to the round on the table, of those who roll in their phone."""
        throw = throw_of(game, 0, self.ledger)
        return tuple(self._rolled(throw, p.name, p.dice) for p in playing(game.players) if p.name in cups)

    def roll_off(
        self, game: Game, number: int, names: Iterable[str], cups: Collection[str]
    ) -> tuple[Rolled, ...]:
        """The dice of everybody who rolls for seats or starter in the phone; `number` counts the rolls."""
        throw, each = throw_of(game, number, self.ledger), game.ruleset.roll_off_dice
        return tuple(self._rolled(throw, name, each) for name in names if name in cups)

    def _rolled(self, throw: str, player: str, number: int) -> Rolled:
        """Where a corrected verdict leaves more dice than were thrown, the others are thrown to them."""
        row = self.ledger.row(throw, player)
        more = self.roll(number - len(row)) if number > len(row) else ()
        return Rolled(player, (*row, *more)[:number])


def throw_of(game: Game, rolls: int, ledger: Ledger) -> str:
    """The name of the throw on the table; `rolls` counts those for seats or starter before it."""
    now = game.round
    if game.phase is Phase.ROLLOFF:
        return f"roll {rolls}"
    return f"round {now.number} {now.kind.value} {ledger.throws(now.number)}"


def thrown(ledger: Ledger, rolled: Iterable[Rolled], after: TableState) -> tuple[Thrown, ...]:
    """The entries that the ledger lacks of dice just rolled in phones."""
    if after.game is None:
        return ()
    throw = throw_of(after.game, len(after.rolls), ledger)
    return tuple(
        Thrown(throw, one.player, one.faces)
        for one in rolled
        if len(one.faces) > len(ledger.row(throw, one.player))
    )


def sealed(roll: Roll) -> Sealed:
    """A new seal."""
    return Sealed("".join(map(str, roll(SEAL_DICE))))
