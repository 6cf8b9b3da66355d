"""What a player sees of a round, compiled: the keys and calls of `companion.bots.situation`.

A deal is a tuple (hands, dice, rules): how often each player has every face from 1 to 6, how many dice, and
which order of bids. A round is an array of bids as rows (quantity, face, bidder), `number` of them made.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TypeAlias, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from companion.bots.policy import OPENING
from companion.bots.situation import EDGES, FINE_DICE, MEMORY, OWN, RULES, SECOND, TRUST, VOICED

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
Deal: TypeAlias = tuple[Ints, Ints, int]
Calls: TypeAlias = tuple[Ints, Ints, Bools]
"""The quantity and the face of each call, and whether it may be made."""
Plain = TypeVar("Plain", bound=Callable[..., object])

ORDER, CONVERTING, PALIFICO, HIGHEST = 0, 1, 2, 3
"""Aces are the lowest face; they cost half; they are not wild, and the face stays; they are the highest."""

FINE = RULES * 36
FACING_KEYS, OPENING_KEYS = TRUST * OWN * TRUST * SECOND * MEMORY * VOICED, 6 * 6 * 4
FAR, MOST = 400, 40
"""A number that nobody bids, and so many dice at most."""

SIDES = (1 / 3, 1 / 6)
BORDERS = np.array(EDGES)


def _tails() -> Floats:
    """P(at least k) of so many dice that count with 1 in 3, or with 1 in 6."""
    found = np.zeros((2, MOST + 1, MOST + 2))
    for side, chance in enumerate(SIDES):
        for dice in range(MOST + 1):
            for k in range(dice, -1, -1):
                exactly = comb(dice, k) * chance**k * (1 - chance) ** (dice - k)
                found[side, dice, k] = found[side, dice, k + 1] + exactly
    return found


TAILS = _tails()


def compiled(plain: Plain) -> Plain:
    """The function in machine code."""
    found: Plain = njit(plain)
    return found


@compiled
def seed(number: int) -> None:
    """Begin all draws anew."""
    np.random.seed(number)


@compiled
def group_of(seats: int, own: int, hidden: int) -> int:
    """The group of who has `own` dice."""
    if seats == 2:
        return (own - 1) * 5 + min(hidden, 5) - 1
    mean = hidden / (seats - 1)
    near = 0 if mean <= 1.5 else 1 if mean <= 2.5 else 2 if mean <= 3.75 else 3
    return 25 + (min(seats, 4) - 3) * 20 + (own - 1) * 4 + near


@compiled
def is_fine(dice: Ints) -> bool:
    """Whether faces are remembered, too."""
    return len(dice) == 2 and dice.sum() <= FINE_DICE


@compiled
def tail(face: int, dice: int, needed: int, rules: int) -> float:
    """The chance that at least `needed` of so many hidden dice count for the face."""
    if needed <= 0:
        return 1.0
    if needed > dice:
        return 0.0
    return float(TAILS[1 if face == 1 or rules == PALIFICO else 0, dice, needed])


@compiled
def count(hands: Ints, player: int, face: int, rules: int) -> int:
    """What a hand counts for a face."""
    found = hands[player, face]
    return int(found + hands[player, 1] if face != 1 and rules != PALIFICO else found)


@compiled
def lowest(quantity: int, face: int, wanted: int, rules: int, dice: int) -> int:
    """The fewest dice of the face `wanted` to which who has so many dice may raise a bid."""
    if rules == PALIFICO and wanted != face and dice > 1:
        return FAR
    if rules == CONVERTING and (face == 1) != (wanted == 1):
        return (quantity + 1) // 2 if wanted == 1 else 2 * quantity + 1
    if rules == HIGHEST:
        wanted, face = 7 if wanted == 1 else wanted, 7 if face == 1 else face
    return quantity if wanted > face else quantity + 1


@compiled
def first_face(rules: int, dice: int) -> int:
    """The lowest face that may be opened on: where aces cost half only who has one die opens on them."""
    return 2 if rules == CONVERTING and dice > 1 else 1


@compiled
def ranking(scores: Floats, ranked: Ints) -> int:
    """Faces by score, the highest first, 0 for those with a score below 0; how many there are."""
    number = 0
    for face in range(1, 7):
        if scores[face] < 0:
            continue
        place = number
        while place > 0 and scores[ranked[place - 1]] < scores[face]:
            ranked[place] = ranked[place - 1]
            place -= 1
        ranked[place] = face
        number += 1
    ranked[number:] = 0
    return number


@compiled
def put(calls: Calls, place: int, quantity: int, face: int, total: int) -> None:
    """Note a call; one on face 0 is none."""
    quantities, faces, legal = calls
    quantities[place], faces[place], legal[place] = quantity, face, face > 0 and quantity <= total


@compiled
def opening_view(deal: Deal, me: int, calls: Calls) -> int:
    """The key of who opens; notes what may be called."""
    hands, dice, rules = deal
    total, fine = dice.sum(), is_fine(dice)
    scores, ranked = np.full(7, -1.0), np.zeros(6, dtype=np.int64)
    for face in range(first_face(rules, dice[me]), 7):
        scores[face] = count(hands, me, face, rules) + (0.0 if fine else np.random.random() * 0.5)
    number = ranking(scores, ranked)
    best, second = ranked[0], ranked[1]
    base = max(1, (total - dice[me] + 1) // 3 - 1)
    other = ranked[2 + np.random.randint(number - 2)]
    for place in range(OPENING):
        if not fine:
            face, more = best if place < 5 else second if place < 10 else other, place % 5
        elif place < 12:
            face, more = ranked[place % 6], place // 6
        else:
            face, more = best if place < 14 else second, 2 + (place == 13)
        put(calls, place, base + more, face, total)
    aces = 3 if rules == PALIFICO else min(hands[me, 1], 2)
    key = min(int(scores[best]), 5) * 24 + min(int(scores[second]), 5) * 4 + aces
    return int((key * RULES + rules) * 36 + (best - 1) * 6 + second - 1 if fine else key)


@compiled
def facing_view(deal: Deal, me: int, said: Ints, number: int, calls: Calls) -> int:
    """The key of who faces a bid; notes what may be called, dudo first."""
    hands, dice, rules = deal
    quantity, face = said[number - 1, 0], said[number - 1, 1]
    total, fine = dice.sum(), is_fine(dice)
    lows, voiced = np.zeros(7, dtype=np.int64), heard(me, said, number)
    scores, ranked = np.full(7, -1.0), np.zeros(6, dtype=np.int64)
    for wanted in range(1, 7):
        lows[wanted] = lowest(quantity, face, wanted, rules, dice[me])
        if wanted != face and lows[wanted] <= total:
            needed = lows[wanted] - count(hands, me, wanted, rules) - voiced[wanted]
            apart = 0.0 if fine else np.random.random() * 1e-6
            scores[wanted] = tail(wanted, total - dice[me], needed, rules) + apart
    others = ranking(scores, ranked)
    note_raises(calls, quantity, face, total, ranked, others, lows, fine)
    best, second = ranked[0], ranked[1]
    ratio = scores[second] / max(scores[best], 0.01) if second else 0.0
    own = count(hands, me, face, rules)
    key = np.searchsorted(BORDERS, tail(face, total - dice[me], quantity - own, rules), "right")
    key = (key * OWN + min(own, OWN - 1)) * TRUST
    key += np.searchsorted(BORDERS, scores[best], "right") if best else 0
    key = (key * SECOND + (2 if ratio >= 0.8 else 1 if ratio >= 0.4 else 0)) * MEMORY
    key = (key + remembered(me, said, number, total, rules)) * VOICED + voiced[best]
    return int((key * RULES + rules) * 36 + (face - 1) * 6 + max(best - 1, 0) if fine else key)


@compiled
def note_raises(
    calls: Calls, quantity: int, face: int, total: int, ranked: Ints, others: int, lows: Ints, fine: bool
) -> None:
    """Dudo, three raises of the face, the best other face, and then others by rank."""
    put(calls, 0, 0, 1, total)
    for more in range(3):
        put(calls, 1 + more, quantity + 1 + more, face, total)
        put(calls, 4 + more, lows[ranked[0]] + more, ranked[0], total)
    if fine:
        for place in range(1, 5):
            put(calls, 5 + place, lows[ranked[place]], ranked[place], total)
        return
    other = ranked[2 + np.random.randint(others - 2)] if others > 2 else 0
    put(calls, 7, lows[ranked[1]], ranked[1], total)
    put(calls, 8, lows[ranked[1]] + 1, ranked[1], total)
    put(calls, 9, lows[other], other, total)


@compiled
def heard(me: int, said: Ints, number: int) -> Ints:
    """1 for the faces on which others have bid."""
    found = np.zeros(7, dtype=np.int64)
    for n in range(number):
        if said[n, 2] != me:
            found[said[n, 1]] = 1
    return found


@compiled
def remembered(me: int, said: Ints, number: int, total: int, rules: int) -> int:
    """How the standing bid follows from those before it, and whether it is higher than it had to be."""
    quantity, face = said[number - 1, 0], said[number - 1, 1]
    if number == 1:
        return 1 if quantity * 3 > total else 0
    mine, before = 0, False
    for n in range(number - 1):
        mine = said[n, 1] if said[n, 2] == me else mine
        before = before or said[n, 1] == face
    kind = (1 if mine == face else 3 if before else 2) if mine else (4 if before else 5)
    low = lowest(said[number - 2, 0], said[number - 2, 1], face, rules, 1)
    return 2 * kind + (1 if quantity > low else 0)
