"""The states of a round of two players as its rules have it, for `lab.bots.regret` to solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from companion.bots.deciding import payoff
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, Dudo
from companion.rules.consequences import Dispute
from companion.rules.hands import Counting, prior, worths
from companion.rules.legality import check
from companion.rules.players import NORMAL
from companion.rules.position import Game
from lab.bots.regret import Floats, Node, challenge_worths

REGAINED = 0.4
"""In dice: a die regained where a doubt wins the game. Two dice against one win about seven games in ten."""

Challenge = type[Dudo | Calza]
Key = tuple[int, int, tuple[Bid, ...]]
"""Who is on turn, 0 for who began, the wild face, and the newest bids."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What may be called at a node."""

    raises: tuple[Bid, ...]
    challenges: tuple[Challenge, ...]


class RoundGraph:
    """The nodes of a round before its first bid, with their calls: those that follow one before it.

    `priors`: the probabilities of the hands of who begins, and of the other.
    """

    def __init__(self, game: Game, remembered: int) -> None:
        """States remember so many bids, two at least: a node all of them but the oldest, which is its row."""
        self._newest = remembered - 1
        self._game, first = game, game.round.turn
        self._dice = {player.name: player.dice for player in game.inside}
        self._seats = (first, game.after(first))
        self._calza_wins = game.ruleset.calza_exact in ("bidder_loses", "others_lose")
        self._found: dict[Key, int] = {}
        self.nodes: list[Node] = []
        self.calls: list[Calls] = []
        self.priors = tuple(prior(self._dice[seat]) for seat in self._seats)
        root = self._visit((0, game.wild, ()))
        self.nodes[root].rows = 1

    def _visit(self, key: Key) -> int:
        """The number of a node, found with all that follow it where it is new."""
        if key in self._found:
            return self._found[key]
        mover, _, bids = key
        game = self._at(key)
        after = [(bid, game.wild_after(bid.face)) for bid in legal_bids(game)]
        believed = [(bid, wild) for bid, wild in after if bid.quantity <= self._most(bid, wild)]
        children = [self._visit((1 - mover, wild, (*bids, bid)[-self._newest :])) for bid, wild in believed]
        seat = self._seats[mover]
        challenges = tuple(kind for kind in (Dudo, Calza) if check(kind(seat), game) is None)
        self.calls.append(Calls(tuple(bid for bid, _ in believed), challenges))
        self.nodes.append(
            Node(mover, self._worths(challenges, key), [self._row(child) for child in children])
        )
        self._found[key] = len(self.nodes) - 1
        return self._found[key]

    def _row(self, child: int) -> tuple[int, int]:
        """One row more at this node, for the ways to it from the one that is visited."""
        self.nodes[child].rows += 1
        return child, self.nodes[child].rows - 1

    def _at(self, key: Key) -> Game:
        """The game at a node. Where the wild face is wild no more, somebody has bid on it; where it still
        is, the oldest bid that is remembered did not end it."""
        mover, wild, newest = key
        rules, bids = self._game.ruleset, list(newest)
        if wild != self._game.wild:
            bids.insert(0, Bid(1, rules.wild_face))
        elif wild and bids and not self._game.wild_after(bids[0].face):  # it was not the opening
            bids.insert(0, Bid(1, next(face for face in (2, 3) if face != wild)))
        said = [BidCall(self._seats[(mover + len(bids) - n) % 2], bid) for n, bid in enumerate(bids)]
        return replace(self._game, round=replace(self._game.round, bids=tuple(said), turn=self._seats[mover]))

    def _most(self, bid: Bid, wild: int) -> int:
        """As many as all dice can count for it; a bid beyond is none that anybody believes."""
        counted = 0 if bid.zhai else wild
        return sum(max(self._counts(mover, bid.face, counted)) for mover in (0, 1))

    def _counts(self, mover: int, face: int, wild: int) -> list[int]:
        """What each hand of a player counts for a face."""
        rules, bonus = self._game.ruleset, self._game.round.kind is NORMAL
        counting = Counting(wild, rules.stairs and bonus, rules.hand_bonus if bonus else 0)
        return list(worths(self._dice[self._seats[mover]], counting)[face - 1])

    def _worths(self, challenges: Sequence[Challenge], key: Key) -> Floats:
        """What challenges are worth to who is on turn, by challenge, own hand and the other's."""
        mover, wild, bids = key
        if not bids:
            return challenge_worths([], *(range(len(self.priors[seat])) for seat in (mover, 1 - mover)))
        bid = bids[-1]
        counted = 0 if bid.zhai else wild
        own, hidden = (self._counts(seat, bid.face, counted) for seat in (mover, 1 - mover))
        counts = range(max(own) + max(hidden) + 1)
        by_count = [[self._worth(kind, mover, bid, count) for count in counts] for kind in challenges]
        return challenge_worths(by_count, own, hidden)

    def _worth(self, kind: Challenge, mover: int, bid: Bid, count: int) -> float:
        """What the challenge is worth to who is on turn when so many dice count."""
        game, calza = self._game, kind is Calza
        seat, other = (game.player(self._seats[place]) for place in (mover, 1 - mover))
        found = payoff(Dispute(game.ruleset, bid, calza, seat, other, game.players), seat, count)
        ends = calza and not self._calza_wins and other.dice == 1
        return found * REGAINED if found > 0 and ends else found
