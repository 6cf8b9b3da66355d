"""Dice from a seed that the box commits to: its hash is shown before the bids, the seed after the reveal.

The seed of a round follows from the secret seal of the game. Who kept the hash can check that the box chose
the dice before it heard a bid, and has not changed them: docs/reference/security.md says how.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from companion.rules.dice import FACES
from companion.table.knowledge import Role, known_cups
from companion.table.ledger import Ledger
from companion.table.state import TableState

FAIR_BYTES = 252
"""Bytes from here on are passed over: 256 is no multiple of six."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The hash of the seed of this round's dice, and the seed itself once all of them are shown."""

    hash: str
    seed: str | None = None


def commitment(state: TableState, ledger: Ledger) -> Commitment | None:
    """What everybody may know of the seed; None where the box has rolled no dice for this round."""
    game = state.game
    thrown = tuple(name for name, _ in state.rolled)
    if game is None or not ledger.seal or not thrown or not game.round.number:
        return None
    seed = seed_of(ledger, f"round {game.round.number} {ledger.throws(game.round.number)}")
    shown = known_cups(game, Role.SCREEN, None, thrown, asked=bool(state.asked))
    return Commitment(hash_of(seed), seed if shown == thrown else None)


def of_throw(ledger: Ledger, throw: str) -> str:
    """The seed that a throw of the ledger belongs to: whatever kind of round it is."""
    words = throw.split()
    return seed_of(ledger, " ".join((*words[:2], *words[3:4])))


def seed_of(ledger: Ledger, what: str) -> str:
    """The seed of a round's throws, 128 bits in hexadecimal; another one once they are thrown anew."""
    return hmac.digest(ledger.seal.encode(), f"dice of {what}".encode(), "sha256").hex()[:32]


def hash_of(seed: str) -> str:
    """What is shown of a seed before the dice are: its SHA-256 in hexadecimal."""
    return sha256(seed.encode()).hexdigest()


def dice_of(seed: str, throw: str, player: str, first: int) -> Iterator[int]:
    """Fair dice without end, for a player's dice from number `first` of a throw on.

    The bytes of SHA-256("seed/throw/player/first/block") for block 0, 1, 2, ..., modulo six.
    """
    for block in count():
        for byte in sha256(f"{seed}/{throw}/{player}/{first}/{block}".encode()).digest():
            if byte < FAIR_BYTES:
                yield FACES[byte % len(FACES)]
