"""Self-play of single rounds, compiled: external sampling (Lanctot and others 2009).

One player tries every call, the others draw theirs. Some opponents are honest players with a doubt of their
own, so that the policy also wins from people.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.bots.policy import FACING, OPENING
from lab.bots.views import (
    CONVERTING,
    HIGHEST,
    MOST,
    ORDER,
    PALIFICO,
    Bools,
    Deal,
    Floats,
    Ints,
    compiled,
    count,
    facing_view,
    first_face,
    heard,
    is_fine,
    lowest,
    opening_view,
    tail,
)

Table: TypeAlias = NDArray[np.float32]
Tables: TypeAlias = tuple[Table, Table, Table, Table]
"""Regrets and sums of choices by row and key: when a bid stands, and when none does."""

Seats: TypeAlias = tuple[Ints, Floats]
"""By player: the row of the tables, and (honest, doubts below, hears, calls what is likeliest)."""

PRUNED_BELOW, FLOOR, TRIES_ALL = -30.0, -60.0, 0.05
"""Calls with less regret are tried in one round of twenty alone; no regret falls below the second."""


@compiled
def matched(regrets: Table, legal: Bools) -> Floats:
    """Shares in proportion to regrets above 0, alike where there is none."""
    shares = np.where(legal, np.maximum(regrets, 0.0), 0.0)
    if shares.sum() <= 0:
        shares = np.where(legal, 1.0, 0.0)
    found: Floats = shares / shares.sum()
    return found


@compiled
def drawn(shares: Floats) -> int:
    """A place, as often as its share says."""
    left, last = np.random.random(), 0
    for place in range(len(shares)):
        if shares[place] > 0:
            last = place
            left -= shares[place]
            if left < 0:
                break
    return last


@compiled
def doubted(deal: Deal, said: Ints, number: int, by: int, me: int) -> float:
    """What dudo is worth to `me`: who is wrong loses a die, which the others share."""
    hands, dice, rules = deal
    quantity, face, bidder = said[number - 1, 0], said[number - 1, 1], said[number - 1, 2]
    found = 0
    for player in range(len(dice)):
        found += count(hands, player, face, rules)
    loser = by if found >= quantity else bidder
    return -1.0 if loser == me else 1.0 / (len(dice) - 1)


@compiled
def honest_opening(deal: Deal, me: int, hears: bool) -> tuple[int, int]:
    """The face that an honest player has most of; some count on others as well."""
    hands, dice, rules = deal
    hidden, face, most = dice.sum() - dice[me], 0, -1.0
    for wanted in range(first_face(rules, dice[me]), 7):
        score = count(hands, me, wanted, rules) + 0.01 * wanted
        if score > most:
            face, most = wanted, score
    more = (hidden - 2) // 3 if hears and hidden > 3 else 0
    return min(max(1, int(most)) + more, dice.sum()), face


@compiled
def honest(deal: Deal, me: int, said: Ints, number: int, kind: Floats) -> tuple[int, int]:
    """The bid of an honest player, the likeliest one, or (0, 0) where he doubts."""
    hands, dice, rules = deal
    quantity, face, total = said[number - 1, 0], said[number - 1, 1], dice.sum()
    told = heard(me, said, number) if kind[2] > 0 else np.zeros(7, dtype=np.int64)
    needed = quantity - count(hands, me, face, rules) - told[face]
    trust = tail(face, total - dice[me], needed, rules)
    chosen, number_chosen, likeliest = 0, 0, -1.0
    for wanted in range(1, 7):
        low = lowest(quantity, face, wanted, rules, dice[me])
        if low <= total:
            own = count(hands, me, wanted, rules)
            low = max(low, own)
            chance = tail(wanted, total - dice[me], low - own - told[wanted], rules) + 1e-6 * low
            if chance > likeliest:
                chosen, number_chosen, likeliest = wanted, low, chance
    doubts = 1 - trust > likeliest if kind[3] > 0 else trust < kind[1]
    return (0, 0) if chosen == 0 or doubts else (number_chosen, chosen)


@compiled
def walk(tables: Tables, seats: Seats, deal: Deal, said: Ints, number: int, turn: int, me: int) -> float:
    """What the rest of the round is worth to `me`, who tries every call."""
    sides, kinds = seats
    after = (turn + 1) % len(sides)
    if turn != me and kinds[turn, 0] > 0:
        if number:
            quantity, face = honest(deal, turn, said, number, kinds[turn])
        else:
            quantity, face = honest_opening(deal, turn, kinds[turn, 2] > 0)
        if face == 0:
            return doubted(deal, said, number, turn, me)
        said[number, 0], said[number, 1], said[number, 2] = quantity, face, turn
        return walk(tables, seats, deal, said, number + 1, after, me)
    calls = (np.empty(OPENING, np.int64), np.empty(OPENING, np.int64), np.zeros(OPENING, np.bool_))
    if number:
        key = facing_view(deal, turn, said, number, calls)
        regrets, sums = tables[0][sides[turn], key], tables[1][sides[turn], key]
    else:
        key = opening_view(deal, turn, calls)
        regrets, sums = tables[2][sides[turn], key], tables[3][sides[turn], key]
    shares = matched(regrets, calls[2][: FACING if number else OPENING])
    worth, tried = np.zeros(len(shares)), np.zeros(len(shares), np.bool_)
    prunes, only = np.random.random() > TRIES_ALL, -1 if turn == me else drawn(shares)
    for place in range(len(shares)):
        hopeless = prunes and regrets[place] < PRUNED_BELOW and shares[place] == 0
        if place != only and (turn != me or not calls[2][place] or hopeless):
            continue
        tried[place] = True
        if number and place == 0:
            worth[place] = doubted(deal, said, number, turn, me)
        else:
            said[number, 0], said[number, 1], said[number, 2] = calls[0][place], calls[1][place], turn
            worth[place] = walk(tables, seats, deal, said, number + 1, after, me)
    if turn != me:
        sums += shares
        return float(worth[only])
    mean = (shares * worth).sum()
    for place in range(len(shares)):
        if tried[place]:
            regrets[place] = max(regrets[place] + worth[place] - mean, FLOOR)
    return float(mean)


@compiled
def order_drawn(dice: Ints) -> int:
    """The order of bids of a round."""
    lot = np.random.random()
    if lot > 0.85 and dice.min() == 1:
        return PALIFICO
    if lot > 0.75 and is_fine(dice):
        return HIGHEST
    return CONVERTING if lot < 0.5 else ORDER


@compiled
def play(tables: Tables, sides: Ints, dice: Ints, rounds: int, honest_share: float) -> None:
    """So many rounds of players with these dice; who begins and who learns goes round."""
    said, hands = np.zeros((8 * MOST, 3), np.int64), np.zeros((len(dice), 7), np.int64)
    kinds = np.zeros((len(dice), 4))
    for number in range(rounds):
        hands[:] = 0
        for player in range(len(dice)):
            for _ in range(dice[player]):
                hands[player, 1 + np.random.randint(6)] += 1
            kinds[player, 0] = 1.0 if np.random.random() < honest_share else 0.0
            kinds[player, 1] = 0.12 + 0.4 * np.random.random()
            kinds[player, 2], kinds[player, 3] = np.random.randint(2), np.random.randint(2)
        deal, first = (hands, dice, order_drawn(dice)), (number // len(dice)) % len(dice)
        walk(tables, (sides, kinds), deal, said, 0, first, number % len(dice))
