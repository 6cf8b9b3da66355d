"""Every action of the player on turn with what it is worth: challenges exactly, raises by rollouts."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from companion.bots.beliefs import Beliefs
from companion.bots.bidding import Replies, Scene
from companion.bots.hands import at_least
from companion.bots.rollouts import Rollouts, Worth
from companion.bots.seat import SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass
from companion.rules.legality import check

FEW, MANY = 40, 160
"""Draws for every raise, and for the best of them."""

COMPARED, FINALISTS = 9, 3
"""So many raises are compared, so many of them closely."""

LIKELY, DOUBTFUL = 0.6, 0.12
"""Raises are tried up to the last one this likely; one less likely than the second never where others are."""


@dataclass(frozen=True, slots=True)
class Option:
    """A call with what it is worth, and the chance that the bid it makes or challenges holds."""

    call: Call
    worth: Worth
    holds: float = 0.0


class Weighing:
    """The position of one seat: what it believes, and what its calls are worth."""

    def __init__(self, view: SeatView, rng: Random, *, heard: bool = True) -> None:
        self.view, self.game = view, view.game
        self.scene = Scene(view.game)
        self.beliefs = Beliefs(view, self.scene, heard=heard)
        self.rollouts = Rollouts(self.scene, self.beliefs, view.seat, rng)

    def options(self) -> list[Option]:
        """Every call that is worth comparing, the best first."""
        found = [*self.challenges(), *self.raises()]
        return sorted(found, key=lambda option: -option.worth.dice)

    def challenges(self) -> list[Option]:
        """Dudo, calza and the doubt of a pass, as far as the rules allow them now."""
        seat = self.view.seat
        calls: tuple[Dudo | Calza | DudoPass, ...] = (Dudo(seat), Calza(seat), DudoPass(seat))
        return [self._challenge(call) for call in calls if check(call, self.game) is None]

    def raises(self) -> list[Option]:
        """The raises worth comparing; those that look best are played out more often."""
        bids = self._candidates(self.scene.now()) if self.game.round.turn == self.view.seat else []
        if not bids:
            return []
        few = self.rollouts.draws(FEW)
        rated = [(self.rollouts.worth(bid, few).dice, bid) for bid, _ in bids]
        best = sorted(rated, key=lambda one: -one[0])[:FINALISTS]
        many, chances = self.rollouts.draws(MANY), dict(bids)
        seat = self.view.seat
        return [Option(BidCall(seat, bid), self.rollouts.worth(bid, many), chances[bid]) for _, bid in best]

    def raised(self, bid: Bid) -> Option:
        """A raise by itself, played out as often as the best ones."""
        worth = self.rollouts.worth(bid, self.rollouts.draws(MANY))
        return Option(BidCall(self.view.seat, bid), worth, self.holds(bid))

    def holds(self, bid: Bid) -> float:
        """The chance that the standing bid, or one to be made now, holds, as the seat believes."""
        return at_least(self.rollouts.tail(bid.face, self.counted(bid)), bid.quantity)

    def counted(self, bid: Bid) -> int:
        """The face that is wild for a bid once it stands, 0 for none."""
        return 0 if bid.zhai else self.scene.wild_after(bid.face, self.game.wild)

    def _challenge(self, call: Dudo | Calza | DudoPass) -> Option:
        if isinstance(call, DudoPass):
            return self._of_pass(call)
        standing, payoff, calza = self.game.round.standing, self.rollouts.payoff, isinstance(call, Calza)
        assert standing is not None
        bid = standing.bid
        dice = spared = 0.0
        for count, chance in enumerate(self.beliefs.count(bid.face, self.counted(bid))):
            dice += chance * payoff.of_challenge(call.by, standing.by, bid, count, calza=calza)
            spared += chance * payoff.spares(call.by, standing.by, bid, count, calza=calza)
        return Option(call, Worth(dice, spared), self.holds(bid))

    def _of_pass(self, call: DudoPass) -> Option:
        passer = self.game.round.open_pass
        assert passer is not None
        right = self.beliefs.justified(passer)
        share = self.rollouts.payoff.share
        return Option(call, Worth((1 - right) * share - right, 1 - right), right)

    def _candidates(self, replies: Replies) -> list[tuple[Bid, float]]:
        """(bid, chance that it holds) of raises that span what may be bid on every face."""
        found = [one for row in replies.rows for one in self._spanned(row.bids())]
        found.sort(key=lambda one: -one[1])
        fair = [one for one in found if one[1] >= DOUBTFUL] or found[:1]
        return fair if len(fair) <= COMPARED else _spread(fair)

    def _spanned(self, bids: tuple[Bid, ...]) -> list[tuple[Bid, float]]:
        """The lowest bid of a kind, and the highest ones that are still likely."""
        chances = [(bid, self.holds(bid)) for bid in bids]
        likely = [one for one in chances if one[1] >= LIKELY]
        return list(dict.fromkeys([chances[0], *likely[-2:]]))


def _spread(fair: list[tuple[Bid, float]]) -> list[tuple[Bid, float]]:
    """As many as are compared, evenly from the likeliest to the least likely."""
    step = (len(fair) - 1) / (COMPARED - 1)
    return [fair[round(n * step)] for n in range(COMPARED)]
