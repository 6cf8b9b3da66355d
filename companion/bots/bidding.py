"""How sensible players bid and doubt: for every hand, whether they trust a bid and what they bid instead.

They know their own dice and take all others for fair. Models of them share one table, which depends on the
standing bid alone: how likely it is with a hand, and how likely every raise near it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.bots.hands import Counting, Masses, at_least, fair_tail, worths
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Pass
from companion.rules.legality import legal_bids
from companion.rules.players import NORMAL
from companion.rules.position import Game

NEAR = 3
"""So many quantities of each face, from the lowest that is allowed on, count as near."""

BOLD = 4.0
"""A raise is chosen in proportion to this power of its chance, by players who do not take the safest."""


class Standing(NamedTuple):
    """A bid and who faces it; `wild` is the wild face of the round once it is made, 0 for none."""

    turn: str
    bidder: str
    bid: Bid
    wild: int

    @property
    def counted(self) -> int:
        """The face that is wild for this bid, which may be made without."""
        return 0 if self.bid.zhai else self.wild


Kind = tuple[int, bool]
"""A face, and whether it is bid without wild dice."""


def quantities_of(bids: Sequence[Bid]) -> dict[Kind, list[int]]:
    """The quantities of every kind of bid that may be made, the lowest first."""
    found: dict[Kind, list[int]] = {}
    for bid in bids:
        found.setdefault((bid.face, bid.zhai), []).append(bid.quantity)
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
        rules, opening = self.game.ruleset, not self.game.round.bids
        until = rules.wild == "until_aces_bid" or (rules.wild == "until_aces_open" and opening)
        return 0 if until and face == rules.wild_face else wild

    def tail(self, name: str, face: int, wild: int) -> Masses:
        """P(dice of all but `name` count >= k for `face`), all fair."""
        return fair_tail(self._others[name], face, self.counting(wild))

    def worth(self, name: str, hand: int, face: int, wild: int) -> int:
        """What the hand of `name` at that place of `hands_of` counts for `face`."""
        return worths(self.dice[name], self.counting(wild))[face - 1][hand]

    def at(self, bids: Sequence[BidCall | Pass], turn: str) -> Game:
        """The game once these bids have been made in the round and `turn` has the word."""
        return replace(self.game, round=replace(self.game.round, bids=tuple(bids), turn=turn))

    def after_bid(self, by: str, bid: Bid, wild: int) -> Standing:
        """Who faces which bid once `by` has made it."""
        return Standing(self.game.after(by), by, bid, self.wild_after(bid.face, wild))

    def replies(self, standing: Standing) -> Replies:
        """What the player on turn may do about a bid, remembered."""
        found = self._replies.get(standing)
        if found is None:
            bid = BidCall(standing.bidder, standing.bid)
            game = self.at((*self.game.round.bids, bid), standing.turn)
            found = self._replies[standing] = Replies(self, game, standing)
        return found

    def before(self, place: int) -> Replies:
        """What could be done before the bid at `place` of the round, as its bidder saw it."""
        bids = self.game.round.bids
        return self._facing(self.at(bids[:place], bids[place].by))

    def now(self) -> Replies:
        """What the player on turn may bid now."""
        return self._facing(self.game)

    def _facing(self, game: Game) -> Replies:
        turn, standing = game.round.turn, game.round.standing
        faced = Standing(turn, standing.by, standing.bid, game.wild) if standing else None
        return Replies(self, game, faced)


class Row(NamedTuple):
    """Bids of one kind: for every number of own matching dice the safest, with its chance, and the weight of
    all near ones. `counts` has what every hand counts for them, `wild` the wild face they count with."""

    face: int
    zhai: bool
    wild: int
    counts: tuple[int, ...]
    tail: Masses
    quantities: tuple[int, ...]
    best: tuple[tuple[float, int, int, bool], ...]
    weight: tuple[float, ...]

    def bids(self) -> tuple[Bid, ...]:
        """All bids of this kind, the lowest first."""
        return tuple(Bid(quantity, self.face, self.zhai) for quantity in self.quantities)


class Replies:
    """What the player on turn does about a bid with each hand. Hands go by their place in `hands_of`."""

    def __init__(self, scene: Scene, game: Game, faced: Standing | None) -> None:
        self._faced = faced
        name = game.round.turn
        found = quantities_of(legal_bids(game))
        self.rows = tuple(_row(kind, found[kind], scene, name, game.wild) for kind in sorted(found))
        if faced is not None:
            face, wild = faced.bid.face, faced.counted
            self._counts = worths(scene.dice[name], scene.counting(wild))[face - 1]
            self._tail = scene.tail(name, face, wild)
        self._safest: dict[int, Bid | None] = {}

    def trust(self, hand: int) -> float:
        """The chance that the bid holds, as who has this hand sees it; 1 before any bid."""
        if self._faced is None:
            return 1.0
        return at_least(self._tail, self._faced.bid.quantity - self._counts[hand])

    def safest(self, hand: int) -> Bid | None:
        """The raise likeliest to hold, of equals the highest; None where nothing is left to bid."""
        if hand not in self._safest:
            best = max((row.best[row.counts[hand]] for row in self.rows), default=None)
            self._safest[hand] = Bid(*best[1:]) if best else None
        return self._safest[hand]

    def likelihoods(self, bid: Bid, hands: int) -> list[tuple[bool, float]]:
        """For every hand: whether `bid` is its safest, and the chance to choose it by weight."""
        kind = (bid.face, bid.zhai)
        row = next((row for row in self.rows if (row.face, row.zhai) == kind), None)
        if row is None:
            return [(False, 0.0)] * hands
        found = []
        for hand in range(hands):
            chance = at_least(row.tail, bid.quantity - row.counts[hand]) ** BOLD
            total = sum([other.weight[other.counts[hand]] for other in self.rows])
            best = max([other.best[other.counts[hand]] for other in self.rows])
            found.append((best[1:] == (bid.quantity, *kind), chance / (total + chance) if chance else 0.0))
        return found


def _row(kind: Kind, quantities: list[int], scene: Scene, name: str, wild: int) -> Row:
    face, zhai = kind
    wild = 0 if zhai else scene.wild_after(face, wild)
    counts = worths(scene.dice[name], scene.counting(wild))[face - 1]
    tail = scene.tail(name, face, wild)
    best, weight = [], []
    for own in range(max(counts) + 1):
        certain = [quantity for quantity in quantities if quantity <= own]
        likeliest = certain[-1] if certain else quantities[0]
        best.append((at_least(tail, likeliest - own), likeliest, *kind))
        weight.append(sum(at_least(tail, quantity - own) ** BOLD for quantity in quantities[:NEAR]))
    return Row(face, zhai, wild, counts, tail, tuple(quantities), tuple(best), tuple(weight))
