"""Trains the policy that the bots remember: `python -m lab.bots.train [--effort 1] [--seed 1]`.

Every group of seats and dice learns by itself; what it learnt is written as `companion.bots.policy` reads
it. Seed and effort decide the file, also where `--seats` learns one number of seats anew.
"""

from __future__ import annotations

import argparse
import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random

import numpy as np

from companion.bots.policy import FACING, FILE, GROUPS, OPENING
from companion.bots.situation import FINE_DICE
from lab.bots.selfplay import Table, Tables, play
from lab.bots.views import FACING_KEYS, FINE, OPENING_KEYS, group_of, seed

HONEST, EPOCHS = 0.25, 20
"""The share of opponents who play honestly; so many times all that was learnt is weighed less."""

STEPS, TABLE_STEPS, MIN_SHARE, MIN_WEIGHT = 15, 3, 0.05, 4.0
"""Shares are kept in so many steps, of two players and of several; rarer calls are left out, and situations
met with less weight."""

ROUNDS, TABLE_ROUNDS = 60_000, 50_000
"""Rounds of two players for each die on the table, and of several with each set of dice."""

SEATS, TABLES = (2, 3, 4), 25
"""Numbers of seats that are learnt; the first group of more than two."""

PAIRS = [(a, b) for a in range(1, 6) for b in range(a, 6)]


class Learner:
    """The tables of rounds that are learnt together, a row for each group that plays in them."""

    def __init__(self, groups: list[int], *, fine: bool) -> None:
        self.groups, more = groups, FINE if fine else 1
        facing = len(groups), FACING_KEYS * more, FACING
        opening = len(groups), OPENING_KEYS * more, OPENING
        self._tables: Tables = (
            np.zeros(facing, np.float32),
            np.zeros(facing, np.float32),
            np.zeros(opening, np.float32),
            np.zeros(opening, np.float32),
        )

    def learn(self, dice: tuple[int, ...], rounds: int) -> None:
        """Play rounds of players with these dice."""
        groups = [group_of(len(dice), own, sum(dice) - own) for own in dice]
        sides = np.array([self.groups.index(group) for group in groups])
        # With one die each a solution is near, and honest players would lead away from it.
        play(self._tables, sides, np.array(dice), rounds, 0.0 if max(dice) == 1 else HONEST)

    def fade(self, share: float) -> None:
        """Weigh all that was learnt less."""
        for row in (row for table in self._tables for row in table):
            met = np.flatnonzero(row.any(1))
            row[met] *= share

    def blocks(self, row: int) -> tuple[bytes, bytes]:
        """What a group has learnt, as the file has it."""
        steps = STEPS if self.groups[row] < TABLES else TABLE_STEPS
        return packed(self._tables[1][row], steps), packed(self._tables[3][row], STEPS)


def learnt(learner: Learner, dice: Sequence[tuple[int, ...]], rounds: int) -> None:
    """Play so many rounds with each of these dice; later ones weigh linearly more."""
    for epoch in range(1, EPOCHS + 1):
        for one in dice:
            learner.learn(one, rounds // EPOCHS)
        learner.fade(epoch / (epoch + 1))


def table_dice(seats: int, number: int, chance: Random) -> list[tuple[int, ...]]:
    """So many tables as games have them: all with about as many dice, some with fewer."""
    found = []
    for _ in range(number):
        most = chance.randint(1, 5)
        found.append(tuple(chance.randint(max(1, most - chance.randint(0, 3)), most) for _ in range(seats)))
    return found


def packed(sums: Table, most: int) -> bytes:
    """The keys that were met, and the shares of their calls in steps. Where three calls or more are as good,
    nothing was learnt."""
    met = np.flatnonzero(sums.any(1))
    keys = met[sums[met].sum(1) >= MIN_WEIGHT]
    shares = sums[keys] / sums[keys].sum(1, keepdims=True)
    shares[shares < MIN_SHARE] = 0
    shares /= shares.sum(1, keepdims=True)
    steps = np.rint(shares * most).astype(np.uint8)
    telling = (steps.max(1, initial=0) > 1) | ((steps.sum(1) > 0) & (steps.sum(1) < 3))
    keys, steps = keys[telling], steps[telling]
    deltas = np.diff(keys, prepend=0).astype("<u4").view(np.uint8).reshape(-1, 4)
    body = deltas.T.tobytes() + steps.T.tobytes()
    return zlib.compress(struct.pack("<I", len(keys)) + body, 9)


def heads_up(effort: float) -> Iterator[Learner]:
    """Two players with one to five dice each."""
    for pair in PAIRS:
        groups = sorted({group_of(2, *pair), group_of(2, *reversed(pair))})
        learner = Learner(groups, fine=sum(pair) <= FINE_DICE)
        learnt(learner, [pair], int(effort * ROUNDS * sum(pair)))
        yield learner


def at_table(seats: int, effort: float) -> Learner:
    """Three players or four; more than four go by the same memory."""
    first = TABLES + (seats - 3) * 20
    learner = Learner(list(range(first, first + 20)), fine=False)
    learnt(learner, table_dice(seats, 60, Random(seats)), int(effort * TABLE_ROUNDS))
    return learner


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, nargs="+", choices=SEATS, default=SEATS)
    parser.add_argument("--out", type=Path, default=FILE)
    asked = parser.parse_args()
    blocks = kept(asked.out) if asked.out.exists() else [b""] * (2 * GROUPS)
    for seats in asked.seats:
        seed(asked.seed)
        for learner in heads_up(asked.effort) if seats == 2 else [at_table(seats, asked.effort)]:
            for row, group in enumerate(learner.groups):
                blocks[2 * group : 2 * group + 2] = learner.blocks(row)
            print(f"groups {learner.groups}, {time.process_time():.0f} s", flush=True)
            asked.out.write_bytes(struct.pack(f"<{len(blocks)}I", *map(len, blocks)) + b"".join(blocks))


def kept(file: Path) -> list[bytes]:
    """The blocks that a file has."""
    packed = file.read_bytes()
    lengths = struct.unpack_from(f"<{2 * GROUPS}I", packed)
    places = accumulate(lengths, initial=8 * GROUPS)
    return [packed[place : place + length] for place, length in zip(places, lengths, strict=False)]


if __name__ == "__main__":
    main()
