"""How one picture of a place lies over the next: the small shift of a nudged box, or a larger move.

Positions are complex numbers in picture widths (x + iy), so that a similarity is `turn * z + shift`.
Only dice are compared, never pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import NamedTuple

from msgspec import Struct

REACH = 0.6
"""Two sightings this many die sizes apart, or less, may be the same die; touching dice are 1.0 apart."""

STAYS = 2
"""A box mostly stays: a move must explain this many dice more, which is one misread die."""

TURNED = 3
"""So many dice tell a small turn from the jitter of their places."""
LOOSE = 0.3
"""A shift that leaves this many sizes over is no shift alone."""

SIZES = (0.7, 1.43)
SCALES = (0.8, 1.25)
SEEDS = 8
HYPOTHESES = 120


class Landmark(NamedTuple):
    """Something with a place, a size (both in picture widths) and a face (0 when unread); where pictures of
    two places are compared, with what else is known of it."""

    z: complex
    size: float
    face: int
    id: str = ""
    colour: str = ""
    angle_deg: float | None = None


class Move(Struct, frozen=True):
    """A similarity of the plane."""

    turn: complex = 1
    shift: complex = 0

    def __call__(self, z: complex) -> complex:
        return self.turn * z + self.shift


STILL = Move()


def pairs(old: Sequence[Landmark], new: Sequence[Landmark], move: Move = STILL) -> list[tuple[int, int]]:
    """Greedy one-to-one matches (index in old, index in new), the nearest first, within REACH."""
    near = []
    for i, a in enumerate(old):
        moved, size_a = move(a.z), a.size * abs(move.turn)
        for j, b in enumerate(new):
            gap = abs(moved - b.z) / max(size_a, b.size)
            if gap <= REACH and SIZES[0] < b.size / size_a < SIZES[1]:
                near.append((gap, i, j))
    taken_old, taken_new, found = set(), set(), []
    for _, i, j in sorted(near):
        if i not in taken_old and j not in taken_new:
            taken_old.add(i)
            taken_new.add(j)
            found.append((i, j))
    return found


def align(old: Sequence[Landmark], new: Sequence[Landmark]) -> Move | None:
    """The move that brings `old` onto `new`, or None when too few dice agree.

    Staying needs half of the dice to lie where they lay; a real move needs three quarters of the faces too.
    Some faces agree by chance, so a shift needs two dice and a turn four.
    """
    fewer = min(len(old), len(new))
    best, best_score = None, 0
    for move, needed in _hypotheses(old, new, fewer):
        found = pairs(old, new, move)
        agreeing = sum(alike(old[i], new[j]) for i, j in found)
        score = 2 * agreeing - len(found)
        if agreeing >= needed and 4 * agreeing >= 3 * fewer and score > best_score:
            best, best_score = move, score + STAYS * (move is STILL)
        if 5 * score >= 4 * fewer:
            break
    if best is None and 2 * len(pairs(old, new)) >= fewer:
        best = STILL
    return best and _fitted(best, old, new)


def _hypotheses(old: Sequence[Landmark], new: Sequence[Landmark], fewer: int) -> Iterator[tuple[Move, int]]:
    """Moves worth trying with the number of dice that must bear each out: none, shifts, then turns."""
    yield STILL, 1
    read = [landmark for landmark in old if landmark.face][:SEEDS]
    for a in read:
        for b in new:
            if a.face == b.face:
                yield Move(1, b.z - a.z), 2
    enough = max(3, min(4, fewer))
    yield from islice(((turn, enough) for turn in _turns(read, new)), HYPOTHESES)


def _turns(old: Sequence[Landmark], new: Sequence[Landmark]) -> Iterator[Move]:
    """Moves that bring a pair of old dice onto a pair of new dice of the same faces."""
    for a, b in permutations(old, 2):
        for c, d in permutations(new, 2):
            if a.face == c.face and b.face == d.face and a.z != b.z:
                turn = (d.z - c.z) / (b.z - a.z)
                if SCALES[0] < abs(turn) < SCALES[1]:
                    yield Move(turn, c.z - turn * a.z)


def _fitted(move: Move, old: Sequence[Landmark], new: Sequence[Landmark]) -> Move:
    """The move fitted to the dice alike that it lays over one another, so that slow drift never adds up.

    Its shift alone where that fits; else its turn too, so that dice outside the new picture stay right.
    """
    met = [(i, j) for i, j in pairs(old, new, move) if alike(old[i], new[j])]
    laid = [(move(old[i].z), new[j].z) for i, j in met]
    if not laid:
        return move
    shift = sum(b - a for a, b in laid) / len(laid)
    shifted = Move(move.turn, move.shift + shift)
    turned = fitted([old[i].z for i, _ in met], [b for _, b in laid])
    size = sum(new[j].size for _, j in met) / len(met)
    off = max(abs(a + shift - b) for a, b in laid)
    better = all(abs(turned(old[i].z) - new[j].z) < off / 2 for i, j in met)
    return turned if len(met) >= TURNED and off > LOOSE * size and better else shifted


def fitted(old: Sequence[complex], new: Sequence[complex]) -> Move:
    """The similarity that lays the old points over the new ones best (least squares in the complex plane)."""
    mean_old, mean_new = sum(old) / len(old), sum(new) / len(new)
    spread = sum(abs(z - mean_old) ** 2 for z in old)
    turn = sum((z - mean_old).conjugate() * (w - mean_new) for z, w in zip(old, new, strict=True))
    turn = turn / spread if spread else 1
    return Move(turn, mean_new - turn * mean_old)


def alike(a: Landmark, b: Landmark) -> bool:
    """Whether both have one face, and one colour where both colours are known."""
    return a.face == b.face != 0 and (a.colour == b.colour or not (a.colour and b.colour))
