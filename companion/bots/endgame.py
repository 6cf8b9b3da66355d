"""The end of a game, one die each: how to mix calls so that nobody gains by knowing them.

Counterfactual regret minimisation (CFR+, Tammelin 2014) on the round as its rules have it. A state remembers
the last two bids alone, and the ways to it are summed: fixed-strategy iteration, as Neller and Lanctot play
Dudo with few remembered claims ("An Introduction to Counterfactual Regret Minimization", 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import mul
from random import Random

from companion.bots.bidding import Scene
from companion.bots.payoff import Payoff
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo
from companion.rules.dice import FACES
from companion.rules.legality import check, legal_bids
from companion.rules.position import Game

REGAINED = 0.4
"""In dice: a die regained where a doubt wins the game. Two dice against one win about seven games in ten."""

REMEMBERED = 2
"""So many bids, the newest ones, tell states apart."""

ITERATIONS, MOST_STATES = 60, 150
LEAST = 0.02
"""Calls chosen less often than this are left out: the iteration has not yet unlearnt them."""

HANDS = range(len(FACES))

Rows = list[list[float]]
"""Numbers by hand of who is on turn, then by hand of the other, or by action."""

Key = tuple[int, tuple[Bid, ...], int]
"""The wild face, the bids that are remembered, and who is on turn: 0 for who began."""


@dataclass(slots=True)
class State:
    """What may be called after some bids: raises, which lead to the states of these keys, and challenges with
    what each is worth to who is on turn. `regrets` and `chosen` have a sum for every hand and call."""

    raises: tuple[Bid, ...]
    following: tuple[Key, ...]
    challenges: tuple[type[Dudo | Calza], ...]
    worth: tuple[Rows, ...]
    regrets: Rows
    chosen: Rows


def equilibrium_call(view: SeatView, rng: Random) -> Call | None:
    """A call of the seat on turn, drawn by `equilibrium`; None where that has none."""
    found = equilibrium(view)
    return rng.choices(list(found), list(found.values()))[0] if found else None


def equilibrium(view: SeatView) -> dict[Call, float]:
    """How often the seat on turn makes each call, in a round of one die each of which it sees its own alone;
    nothing in any other round."""
    game, own = view.game, dict(view.hands)
    bids = [said for said in game.round.bids if isinstance(said, BidCall)]
    alone = len(game.inside) == 2 and all(player.dice == 1 for player in game.inside)
    if not alone or tuple(own) != (view.seat,) or len(bids) != len(game.round.bids):
        return {}
    key = (game.wild, _remembered([said.bid for said in bids]), len(bids) % 2)
    state = _solved(_beginning(game)).get(key)
    return _calls(state, view, FACES.index(own[view.seat][0])) if state else {}


def _calls(state: State, view: SeatView, hand: int) -> dict[Call, float]:
    """The calls that the rules allow now, as often as the solution has them."""
    calls: list[Call] = [BidCall(view.seat, bid) for bid in state.raises]
    calls += [challenge(view.seat) for challenge in state.challenges]
    shares = zip(calls, _shares(state.chosen[hand]), strict=True)
    return {call: share for call, share in shares if share >= LEAST and check(call, view.game) is None}


def _remembered(bids: Sequence[Bid]) -> tuple[Bid, ...]:
    return tuple(bids[-REMEMBERED:])


def _beginning(game: Game) -> Game:
    """The round before anything was bid, the same for all rounds that are played alike."""
    now = game.round
    first = now.bids[0].by if now.bids else now.turn
    return replace(game, round=replace(now, bids=(), turn=first), verdict=None, waiting=())


@lru_cache(maxsize=8)
def _solved(game: Game) -> dict[Key, State]:
    """Every state of the round, solved in a third of a second of a laptop; none of one too wide."""
    states = _Round(game).states()
    if len(states) > MOST_STATES:
        return {}
    for number in range(1, ITERATIONS + 1):
        _iterate(states, number)
    return states


class _Round:
    """Finds the states of a round of two players with a die each."""

    def __init__(self, game: Game) -> None:
        self._scene, first = Scene(game), game.round.turn
        self._seats = (first, game.after(first))
        self._payoffs = tuple(Payoff(game, seat) for seat in self._seats)
        self._calza_wins = game.ruleset.calza_exact in ("bidder_loses", "others_lose")
        self._found: dict[Key, State] = {}

    def states(self) -> dict[Key, State]:
        """Every state, those that follow it before it."""
        self._visit((self._scene.game.wild, (), 0))
        return self._found

    def _visit(self, key: Key) -> None:
        if key in self._found:
            return
        wild, bids, mover = key
        game = self._at(bids, mover)
        raises = tuple(bid for bid in legal_bids(game) if bid.quantity <= self._most(bid, wild))
        following = tuple(
            (self._scene.wild_after(bid.face, wild), _remembered((*bids, bid)), 1 - mover) for bid in raises
        )
        for one in following:
            self._visit(one)
        challenges = tuple(kind for kind in (Dudo, Calza) if check(kind(self._seats[mover]), game) is None)
        worth = tuple(self._worth(kind, bids[-1], wild, mover) for kind in challenges)
        calls = len(raises) + len(challenges)
        if calls:
            empty = [[0.0] * calls for _ in HANDS]
            self._found[key] = State(raises, following, challenges, worth, empty, [row[:] for row in empty])

    def _at(self, bids: tuple[Bid, ...], mover: int) -> Game:
        said = [BidCall(self._seats[(mover + len(bids) - n) % 2], bid) for n, bid in enumerate(bids)]
        return self._scene.at(said, self._seats[mover])

    def _most(self, bid: Bid, wild: int) -> int:
        """As many as two dice can count for it; a bid beyond is none that anybody believes."""
        wild = 0 if bid.zhai else self._scene.wild_after(bid.face, wild)
        return sum(
            max(self._scene.worth(seat, hand, bid.face, wild) for hand in HANDS) for seat in self._seats
        )

    def _worth(self, kind: type[Dudo | Calza], bid: Bid, wild: int, mover: int) -> Rows:
        """What the challenge is worth to who is on turn, by own hand and the other's."""
        seat, other = self._seats[mover], self._seats[1 - mover]
        counted = 0 if bid.zhai else wild

        def worth(own: int, hidden: int) -> float:
            count = self._scene.worth(seat, own, bid.face, counted)
            count += self._scene.worth(other, hidden, bid.face, counted)
            found = self._payoffs[mover].of_challenge(seat, other, bid, count, calza=kind is Calza)
            return found * REGAINED if found > 0 and kind is Calza and not self._calza_wins else found

        return [[worth(own, hidden) for hidden in HANDS] for own in HANDS]


def _iterate(states: dict[Key, State], number: int) -> None:
    """One iteration of CFR+: regrets of one player against the other as both play now, in turns."""
    learner = number % 2
    plays = {key: [_shares(row) for row in state.regrets] for key, state in states.items()}
    reached = _reached(states, plays)
    values: dict[Key, Rows] = {}
    for key, state in states.items():
        worth = [_turned(values[one]) for one in state.following] + list(state.worth)
        values[key] = [
            _mixed(row, [by_call[hand] for by_call in worth]) for hand, row in enumerate(plays[key])
        ]
        if key[2] == learner:
            _learn(state, plays[key], worth, reached[key], number)


def _reached(states: dict[Key, State], plays: dict[Key, Rows]) -> dict[Key, tuple[list[float], list[float]]]:
    """How often each hand of who is on turn, and of the other, comes to a state as far as its own calls
    decide; all ways are summed."""
    reached = {key: ([0.0] * len(HANDS), [0.0] * len(HANDS)) for key in states}
    beginning = next(reversed(states))
    reached[beginning] = ([1.0] * len(HANDS), [1.0] * len(HANDS))
    for key in reversed(states):
        own, other = reached[key]
        for call, following in enumerate(states[key].following):
            theirs, mine = reached[following]
            for hand in HANDS:
                mine[hand] += own[hand] * plays[key][hand][call]
                theirs[hand] += other[hand]
    return reached


def _turned(values: Rows) -> Rows:
    """What the other's values are worth to who is on turn."""
    return [[-value for value in row] for row in zip(*values, strict=True)]


def _mixed(shares: list[float], worth: list[list[float]]) -> list[float]:
    """The average of what the calls are worth, by the other's hand."""
    return [sum(map(mul, shares, column)) for column in zip(*worth, strict=True)]


def _learn(
    state: State, plays: Rows, worth: list[Rows], reached: tuple[list[float], list[float]], weight: int
) -> None:
    """Add to the regrets of every hand what each call would have won more, and to the choices what is
    played now."""
    own, other = reached
    for hand, shares in enumerate(plays):
        gains = [sum(map(mul, by_call[hand], other)) for by_call in worth]
        average = sum(map(mul, shares, gains))
        regrets, chosen = state.regrets[hand], state.chosen[hand]
        for call, gain in enumerate(gains):
            regrets[call] = max(0.0, regrets[call] + gain - average)
            chosen[call] += weight * own[hand] * shares[call]


def _shares(sums: Sequence[float]) -> list[float]:
    """What regrets or choices say of the calls: in proportion to those above 0, alike where none is."""
    positive = [max(one, 0.0) for one in sums]
    total = sum(positive)
    return [one / total for one in positive] if total > 0 else [1 / len(sums)] * len(sums)
