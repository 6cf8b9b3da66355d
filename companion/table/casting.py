"""Where dice come from: a seed of the system's randomness, but a throw that was made once stays as it fell.

Dice belong to their round: going back and on finds the same ones, as the ledger has them. It also has who
held which seat. The box commits to the seed: its hash is shown before the bids, the seed after the reveal, so
that whoever kept the hash can check both (docs/reference/security.md).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import reduce
from hashlib import sha256
from itertools import count, islice

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.counting import is_rolled_again
from companion.rules.dice import FACES
from companion.rules.events import NextRound, RolledOff, Started
from companion.rules.players import Player
from companion.rules.position import Game, Phase
from companion.rules.ruleset import Ruleset
from companion.table.commands import NewGame
from companion.table.kept_game import KeptGame
from companion.table.knowledge import Role, known_cups
from companion.table.ledger import (
    EMPTY,
    Entry,
    Ledger,
    Note,
    Sat,
    Sealed,
    Thrown,
    note,
    seat_moved,
    seats_held,
)
from companion.table.sitting import Sitting
from companion.table.state import TableState
from companion.table.table_events import Rolled
from companion.table.wire.game import SeedJson

FAIR_BYTES = 252
"""Bytes from here on are passed over: 256 is no multiple of six."""


def commitment(state: TableState, ledger: Ledger) -> SeedJson | None:
    """What everybody may know of the seed; None where the box has rolled no dice for this round."""
    game = state.game
    thrown = tuple(name for name, _ in state.rolled)
    if game is None or not ledger.seal or not thrown or not game.round.number:
        return None
    seed = seed_of(ledger, f"round {game.round.number} {ledger.throws(game.round.number)}")
    shown = known_cups(game, Role.SCREEN, None, thrown, asked=bool(state.asked))
    return {"hash": sha256(seed.encode()).hexdigest(), "seed": seed if shown == thrown else None}


def of_throw(ledger: Ledger, throw: str) -> str:
    """The seed that a throw of the ledger belongs to: whatever kind of round it is."""
    words = throw.split()
    return seed_of(ledger, " ".join((*words[:2], *words[3:4])))


def seed_of(ledger: Ledger, what: str) -> str:
    """The seed of a round's throws, 128 bits in hexadecimal; another one once they are thrown anew."""
    return hmac.digest(ledger.seal.encode(), f"dice of {what}".encode(), "sha256").hex()[:32]


def dice_of(seed: str, throw: str, player: str, first: int) -> Iterator[int]:
    """Fair dice without end, for a player's dice from number `first` of a throw on.

    The bytes of SHA-256("seed/throw/player/first/block") for block 0, 1, 2, ..., modulo six.
    """
    for block in count():
        for byte in sha256(f"{seed}/{throw}/{player}/{first}/{block}".encode()).digest():
            if byte < FAIR_BYTES:
                yield FACES[byte % len(FACES)]


Roll = Callable[[int], tuple[int, ...]]
"""So many dice rolled."""

MAX_THROWS = 100
"""A straight comes up once in 32 throws of five dice: so many in a row come from no die."""

SEAL_DICE = 64
"""A seal is as hard to guess as so many dice are: 165 bits."""


def fresh_dice(number: int) -> tuple[int, ...]:
    """So many dice from the system's own randomness."""
    return tuple(secrets.choice(FACES) for _ in range(number))


class Cast(Struct, frozen=True):
    """Dice rolled by `roll`, those in phones as the ledger has them where they were thrown before."""

    roll: Roll
    ledger: Ledger = EMPTY

    def round(self, game: Game, cups: Collection[str]) -> tuple[Rolled, ...]:
        """The dice that belong to the round on the table, of those who roll in their phone."""
        throw = throw_of(game, self.ledger)
        rolling = [p for p in game.inside if p.name in cups]
        return tuple(
            self._again(game, p)
            if game.round.pushed_by(p.name)
            else self._rolled(throw, p.name, p.dice, game.ruleset)
            for p in rolling
        )

    def pushed(self, game: Game, player: str, cups: Collection[str]) -> tuple[Rolled, ...]:
        """The dice of a player who has just pushed some out, the others rolled again, where he has a cup in
        the phone."""
        return (self._again(game, game.player(player)),) if player in cups else ()

    def _again(self, game: Game, player: Player) -> Rolled:
        """The dice in the open, and those rolled since the last of them was pushed out."""
        out = game.round.pushed_by(player.name)
        rolled = self._rolled(
            throw_after_push(game, player.name, self.ledger), player.name, player.dice - len(out)
        )
        return Rolled(player.name, (*out, *rolled.faces))

    def roll_off(
        self, game: Game, number: int, names: Iterable[str], cups: Collection[str]
    ) -> tuple[Rolled, ...]:
        """The dice of everybody who rolls for seats or starter in the phone; `number` counts the rolls."""
        throw, each = throw_of(game, self.ledger, number), game.ruleset.roll_off_dice
        return tuple(self._rolled(throw, name, each) for name in names if name in cups)

    def _rolled(self, throw: str, player: str, number: int, rules: Ruleset | None = None) -> Rolled:
        """Where a corrected verdict leaves more dice than were thrown, the others are thrown to them.

        A straight is rolled again where that is the rule.
        """
        row = self.ledger.row(throw, player)
        roll = self._roll_of(throw, player, len(row))
        for _ in range(MAX_THROWS):
            more = roll(number - len(row)) if number > len(row) else ()
            hand = (*row, *more)[:number]
            if not more or rules is None or not is_rolled_again(hand, rules):
                break
        return Rolled(player, hand)

    def _roll_of(self, throw: str, player: str, first: int) -> Roll:
        """Where the dice of a player from number `first` on come from: the round's seed, unless the table
        rolls otherwise or the game has no seal."""
        if self.roll is not fresh_dice or not self.ledger.seal:
            return self.roll
        dice = dice_of(of_throw(self.ledger, throw), throw, player, first)
        return lambda number: tuple(islice(dice, number))


def throw_of(game: Game, ledger: Ledger, rolls: int = 0) -> str:
    """The name of the throw on the table; `rolls` counts those for seats or starter before it."""
    now = game.round
    if game.phase is Phase.ROLLOFF:
        return f"roll {rolls}"
    return f"round {now.number} {now.kind.value} {ledger.throws(now.number)}"


def throw_after_push(game: Game, player: str, ledger: Ledger) -> str:
    """The name of the throw of a player's other dice after some were pushed out."""
    return f"{throw_of(game, ledger)} without {len(game.round.pushed_by(player))}"


def thrown(ledger: Ledger, rolled: Iterable[tuple[Rolled, TableState]]) -> tuple[Thrown, ...]:
    """The entries that the ledger lacks of dice just rolled in phones, each with the table after it."""
    entries = [_entry(ledger, one, after.game, len(after.rolls)) for one, after in rolled if after.game]
    return tuple(one for one in entries if len(one.faces) > len(ledger.row(one.throw, one.player)))


def _entry(ledger: Ledger, rolled: Rolled, game: Game, rolls: int) -> Thrown:
    """What fell: dice in the open were thrown before."""
    out = len(game.round.pushed_by(rolled.player))
    throw = throw_after_push(game, rolled.player, ledger) if out else throw_of(game, ledger, rolls)
    return Thrown(throw, rolled.player, rolled.faces[out:])


def seal_for(ledger: Ledger, secrets: Sequence[object], roll: Roll) -> tuple[Entry, ...]:
    """The seal to be kept where a game has none and `secrets`: cups in phones, or bots."""
    return (Sealed("".join(map(str, roll(SEAL_DICE)))),) if secrets and not ledger.seal else ()


def secrets_of(game: TableState | NewGame) -> tuple[object, ...]:
    """What of a game needs secrets: dice in phones, and what bots decide."""
    return (*game.cups, *game.bots)


def dealt(game: KeptGame, sitting: Sitting | None = None) -> tuple[Entry, ...]:
    """The dice that fell in phones with the fresh events, and the seats of a round that begins with them.

    Without `sitting` the round has begun before: no seat of it is given any more."""
    fresh = game.fresh_events
    fallen = thrown(game.ledger, ((one, after) for one, after in fresh if isinstance(one, Rolled)))
    begins = any(isinstance(event, Started | NextRound | RolledOff) for event, _ in fresh)
    return (*fallen, *_held(game.ledger, sitting, game.state)) if sitting and begins else fallen


def reseated(ledger: Ledger, state: TableState, sitting: Sitting, freed: Note | None) -> tuple[Entry, ...]:
    """What is kept of who sits where from now on. `freed`: who freed a seat, for the note to all phones."""
    game = state.game
    if game is None or game.phase is Phase.OVER:
        return ()
    sat = _sat(ledger, sitting, game) if ledger.seal else ()
    moved = [entry for one in sat for entry in seat_moved(ledger, game, one, state.cups)]
    return (*moved, replace(freed, round=game.round.number)) if freed else tuple(moved)


def _held(ledger: Ledger, sitting: Sitting, after: TableState) -> tuple[Entry, ...]:
    if not after.cups or after.game is None:
        return ()
    sat = _sat(ledger, sitting, after.game)
    held = seats_held(reduce(note, sat, ledger), after.game) if after.game.phase is Phase.BIDDING else ()
    return (*sat, *held)


def _sat(ledger: Ledger, sitting: Sitting, game: Game) -> tuple[Sat, ...]:
    """Where another phone sits than the ledger has it, as far as they have come back since the start."""
    names = [player.name for player in game.players if player.name in sitting.last]
    now = (Sat(name, ledger.mark(sitting.taken.get(name, ""))) for name in names)
    return tuple(one for one in now if one.phone != ledger.sits(one.player))
