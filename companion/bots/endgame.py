"""The end of a game, two players with few dice: how to mix calls so that little is won by knowing them.

The round is solved as its rules have it, once for a game, and each call drawn from the solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from msgspec.structs import replace

from companion.bots.hands import index_of
from companion.bots.regret import Node, multiplications, shares, solve
from companion.bots.round_graph import Calls, RoundGraph
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call
from companion.rules.legality import check
from companion.rules.position import Game

MANY_NODES = 150
"""With one die each three bids tell states apart where that makes no more nodes than this; else two do. One
more costs seven times as much with two dice each."""

ITERATIONS, MAX_MULTIPLICATIONS = 100, 8_000_000
MIN_SHARE = 0.02
"""Calls chosen less often than this are left out: the iteration has not yet unlearnt them."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Every node of a round with its calls; the last one is the beginning."""

    nodes: tuple[Node, ...]
    calls: tuple[Calls, ...]

    def place(self, bids: Sequence[Bid]) -> tuple[int, int] | None:
        """The node and the row after these bids; None where one of them is not foreseen."""
        if not self.nodes:
            return None
        at = len(self.nodes) - 1, 0
        for bid in bids:
            raises = self.calls[at[0]].raises
            if bid not in raises:
                return None
            at = self.nodes[at[0]].following[raises.index(bid)]
        return at


def equilibrium(view: SeatView) -> dict[Call, float]:
    """How often the seat on turn makes each call, in a round of two players with few dice of which it sees
    its own alone; nothing in any other round."""
    game, own = view.game, dict(view.hands)
    bids = [said.bid for said in game.round.bids if isinstance(said, BidCall) and not said.pushed]
    hand = own.get(view.seat, ())
    blind = len(own) != 1 or len(hand) != game.player(view.seat).dice
    if not view.is_ending or blind or len(bids) != len(game.round.bids):
        return {}
    solution = _solved(_beginning(game))
    place = solution.place(bids)
    return _mixed(solution, place, view, index_of(len(hand))[tuple(sorted(hand))]) if place else {}


def _mixed(solution: Solution, place: tuple[int, int], view: SeatView, hand: int) -> dict[Call, float]:
    """The calls that the rules allow now, as often as the solution has them."""
    node, row = place
    may = solution.calls[node]
    calls: list[Call] = [BidCall(view.seat, bid) for bid in may.raises]
    calls += [challenge(view.seat) for challenge in may.challenges]
    played = zip(calls, shares(solution.nodes[node].chosen[row, hand]).tolist(), strict=True)
    return {call: share for call, share in played if share >= MIN_SHARE and check(call, view.game) is None}


def _beginning(game: Game) -> Game:
    """The round before anything was bid, the same for all rounds that are played alike."""
    now = game.round
    first = now.bids[0].by if now.bids else now.turn
    players = tuple(replace(player, colour="", palifico_used=False) for player in game.players)
    now = replace(now, number=1, bids=(), turn=first)
    return replace(game, players=players, round=now, verdict=None, waiting=())


@lru_cache(maxsize=16)
def _solved(game: Game) -> Solution:
    """Every state of the round; none of one too wide, or in which somebody may say nothing."""
    graph = RoundGraph(game, 2)
    if game.round.dice == 2:
        finer = RoundGraph(game, 3)
        graph = finer if len(finer.nodes) <= MANY_NODES else graph
    if multiplications(graph.nodes) > MAX_MULTIPLICATIONS or not all(node.calls for node in graph.nodes):
        return Solution((), ())
    solve(graph.nodes, graph.priors, ITERATIONS)
    return Solution(tuple(graph.nodes), tuple(graph.calls))
