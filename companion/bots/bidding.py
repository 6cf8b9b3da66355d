"""How sensible players bid and doubt: for every hand, whether they trust a bid and what they bid instead.

They know their own dice and take all others for fair. Models of them share one table, which depends on the
standing bid alone: how likely it is with a hand, and how likely every raise near it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from companion.bots.hands import Counting, Masses, at_least, fair_tail, worths
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.dice import FACES
from companion.rules.legality import legal_bids
from companion.rules.players import NORMAL
from companion.rules.position import Game

NEAR = 3
"""So many quantities of each face, from the lowest that is allowed on, count as near."""

BOLD = 4.0
"""A raise is chosen in proportion to this power of its chance, by players who do not take the safest."""


class Standing(NamedTuple):
    """A bid and who faces it; `named`: the wild face has been named, which may have ended its being wild."""

    turn: str
    bidder: str
    quantity: int
    face: int
    wild: int


def near_quantities(bids: Sequence[Bid]) -> dict[int, list[int]]:
    """The quantities of every face that may be bid, the lowest first."""
    found: dict[int, list[int]] = {}
    for bid in bids:
        found.setdefault(bid.face, []).append(bid.quantity)
    return found


class Scene:
    """One round as everybody sees it, with tables that are filled as they are asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.dice = {player.name: player.dice for player in game.inside}
        rules = game.ruleset
        bonus = game.round.kind is NORMAL
        self._stairs, self._five = (rules.stairs, rules.hand_bonus) if bonus else (False, 0)
        self._others = {
            name: tuple(sorted(dice for other, dice in self.dice.items() if other != name))
            for name in self.dice
        }
        self._replies: dict[Standing, Replies] = {}

    def counting(self, wild: int) -> Counting:
        """What hands count while `wild` is the wild face."""
        return Counting(wild, self._stairs, self._five)

    def wild_after(self, face: int, wild: int) -> int:
        """The wild face once `face` has been bid."""
        ends = self.game.ruleset.wild == "until_aces_bid" and face == self.game.ruleset.wild_face
        return 0 if ends else wild

    def tail(self, name: str, face: int, wild: int) -> Masses:
        """P(dice of all but `name` count >= k for `face`), all fair."""
        return fair_tail(self._others[name], face, self.counting(wild))

    def at(self, bids: Sequence[BidCall], turn: str) -> Game:
        """The game once these bids have been made and `turn` has the word."""
        now = self.game.round
        return replace(self.game, round=replace(now, bids=(*now.bids, *bids), turn=turn))

    def after_bid(self, by: str, bid: Bid, wild: int) -> Standing:
        """Who faces which bid once `by` has made it."""
        return Standing(self.game.after(by), by, bid.quantity, bid.face, self.wild_after(bid.face, wild))

    def replies(self, standing: Standing) -> Replies:
        """What the player on turn may do about a bid, remembered."""
        found = self._replies.get(standing)
        if found is None:
            bid = BidCall(standing.bidder, Bid(standing.quantity, standing.face))
            quantities = near_quantities(legal_bids(self.at((bid,), standing.turn)))
            found = Replies(self, standing.turn, quantities, standing.wild, standing)
            self._replies[standing] = found
        return found

    def worth(self, name: str, hand: int, face: int, wild: int) -> int:
        """What the hand of `name` at that place of `hands_of` counts for `face`."""
        return worths(self.dice[name], self.counting(wild))[face - 1][hand]

    def before(self, place: int) -> Replies:
        """What could be done before the bid at `place` of the round, as its bidder saw it."""
        now = self.game.round
        bids = now.bids[:place]
        game = replace(self.game, round=replace(now, bids=bids, turn=now.bids[place].by))
        standing = game.round.standing
        faced = None
        if standing is not None:
            faced = Standing(
                now.bids[place].by, standing.by, standing.bid.quantity, standing.bid.face, game.wild
            )
        return Replies(self, now.bids[place].by, near_quantities(legal_bids(game)), game.wild, faced)

    def now(self) -> Replies:
        """What the player on turn may bid now."""
        game, standing = self.game, self.game.round.standing
        turn = game.round.turn
        faced = None
        if standing is not None:
            faced = Standing(turn, standing.by, standing.bid.quantity, standing.bid.face, game.wild)
        return Replies(self, turn, near_quantities(legal_bids(game)), game.wild, faced)


class Row(NamedTuple):
    """Bids on one face: for every number of own matching dice the safest bid, its chance, and the weight
    of all near bids."""

    face: int
    counts: tuple[int, ...]
    tail: Masses
    quantities: tuple[int, ...]
    best: tuple[tuple[float, int, int], ...]
    weight: tuple[float, ...]


class Replies:
    """What one player does about a bid with each hand. Hands go by their place in `hands_of`."""

    def __init__(
        self, scene: Scene, name: str, quantities: dict[int, list[int]], wild: int, faced: Standing | None
    ) -> None:
        self.turn, self._faced = name, faced
        dice = scene.dice[name]
        self.rows = tuple(
            _row(face, quantities[face], scene, name, dice, scene.wild_after(face, wild))
            for face in FACES
            if face in quantities
        )
        if faced is not None:
            self._counts = worths(dice, scene.counting(wild))[faced.face - 1]
            self._tail = scene.tail(name, faced.face, wild)
        self._safest: dict[int, Bid | None] = {}

    def trust(self, hand: int) -> float:
        """The chance that the bid holds, as who has this hand sees it; 1 before any bid."""
        if self._faced is None:
            return 1.0
        return at_least(self._tail, self._faced.quantity - self._counts[hand])

    def safest(self, hand: int) -> Bid | None:
        """The raise likeliest to hold, of equals the highest; None where nothing is left to bid."""
        if hand not in self._safest:
            best = max((row.best[row.counts[hand]] for row in self.rows), default=None)
            self._safest[hand] = Bid(best[1], best[2]) if best else None
        return self._safest[hand]

    def likelihoods(self, bid: Bid, hands: int) -> list[tuple[bool, float]]:
        """For every hand: whether `bid` is its safest, and the chance to choose it by weight."""
        row = next((row for row in self.rows if row.face == bid.face), None)
        if row is None:
            return [(False, 0.0)] * hands
        found = []
        for hand in range(hands):
            own = row.counts[hand]
            chance = at_least(row.tail, bid.quantity - own) ** BOLD
            total = sum([other.weight[other.counts[hand]] for other in self.rows])
            best = max([other.best[other.counts[hand]] for other in self.rows])
            found.append((best[1:] == (bid.quantity, bid.face), chance / (total + chance) if chance else 0.0))
        return found


def _row(face: int, quantities: list[int], scene: Scene, name: str, dice: int, wild: int) -> Row:
    counts = worths(dice, scene.counting(wild))[face - 1]
    tail = scene.tail(name, face, wild)
    best, weight = [], []
    for own in range(max(counts) + 1):
        chances = [(at_least(tail, q - own), q, face) for q in quantities if q <= max(quantities[0], own)]
        best.append(max(chances or [(at_least(tail, quantities[0] - own), quantities[0], face)]))
        weight.append(sum(at_least(tail, q - own) ** BOLD for q in quantities[:NEAR]))
    return Row(face, counts, tail, tuple(quantities), tuple(best), tuple(weight))
