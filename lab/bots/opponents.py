"""Players for the arena that no level was fitted to: the safest bid, a child, a listener, networks."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from companion.bots.seat import SeatView
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Dudo, DudoPass
from companion.rules.dice import matching
from companion.rules.hands import Counting, added, at_least, fair_masses, hands_of, masses, prior, tail_of

Player = Callable[[SeatView, Random], Call | None]

DOUBTS_BELOW = 0.2
"""The player of the safest bid doubts what is less likely."""

HEARD = 4
"""A listener takes a hand for likelier by this power of the number of dice that it has for a bid, and one."""


def safest(view: SeatView, rng: Random) -> Call:
    """The safest bid, dudo on what is less likely than one in five: by the own dice alone."""
    game, standing = view.game, view.game.round.standing
    own = _own(view)

    def chance(bid: Bid) -> float:
        return _fair(view, bid, own)

    best = _highest(legal_bids(game), chance)
    if standing is None or game.round.open_pass:
        return BidCall(view.seat, best) if best else DudoPass(view.seat)
    doubted = chance(standing.bid) < DOUBTS_BELOW
    return Dudo(view.seat) if doubted or best is None else BidCall(view.seat, best)


def child(view: SeatView, rng: Random) -> Call:
    """Bids on the face it has most of, sees a third of the other dice in everything, and doubts by feel."""
    game, standing, own = view.game, view.game.round.standing, _own(view)

    def above(bid: Bid) -> float:
        return bid.quantity - matching(own, bid.face, game.wild) - (game.round.dice - len(own)) / 3

    bids = legal_bids(game)
    liked = max({bid.face for bid in bids}, key=lambda face: (own.count(face), rng.random()), default=0)
    found = next((bid for bid in bids if bid.face == liked), None)
    if standing is None or game.round.open_pass:
        return BidCall(view.seat, found) if found else DudoPass(view.seat)
    doubts = found is None or above(standing.bid) > rng.uniform(0.0, 2.0) or above(found) > 2.5
    return Dudo(view.seat) if doubts or found is None else BidCall(view.seat, found)


def listener(view: SeatView, rng: Random) -> Call:
    """Infers dice from each bid by Bayes' rule and makes the call that is then most likely right, the lowest
    of equals. It opens low on any face, and so says little of its own dice."""
    game, standing, own = view.game, view.game.round.standing, _own(view)
    dice = {player.name: player.dice for player in game.inside if player.name != view.seat}
    said = {name: tuple(call.bid for call in bids_of(view, name)) for name in dice}

    @cache
    def tail(face: int) -> tuple[float, ...]:
        counting = Counting(game.wild)
        heard = {name: _heard(dice[name], said[name], game.wild) for name in dice}
        return tail_of(added(masses(dice[name], heard[name], face, counting) for name in dice))

    def chance(bid: Bid) -> float:
        return round(at_least(tail(bid.face), bid.quantity - matching(own, bid.face, game.wild)), 2)

    bids = legal_bids(game)
    if standing is None:
        low = [bid for bid in bids if bid.quantity <= max(bids[0].quantity, game.round.dice // 4)]
        return BidCall(view.seat, rng.choice(low[-5:]))
    best = max(bids, key=lambda bid: (chance(bid), -bid.quantity, rng.random()), default=None)
    if game.round.open_pass:
        return BidCall(view.seat, best) if best else DudoPass(view.seat)
    doubts = best is None or 1 - chance(standing.bid) > chance(best)
    return Dudo(view.seat) if doubts or best is None else BidCall(view.seat, best)


def bids_of(view: SeatView, name: str) -> list[BidCall]:
    """What a player has bid in this round."""
    return [call for call in view.game.round.bids if isinstance(call, BidCall) and call.by == name]


@cache
def _heard(dice: int, bids: tuple[Bid, ...], wild: int) -> tuple[float, ...]:
    """The chances of every hand of who has made these bids."""
    weights = list(prior(dice))
    for bid in bids:
        for at, hand in enumerate(hands_of(dice)):
            weights[at] *= (1 + matching(hand, bid.face, wild)) ** HEARD
    return tuple(weight / sum(weights) for weight in weights)


def networks(folder: Path) -> Player:
    """The networks of github.com/thomasahle/liars-dice from a copy of its folder `models`, by the extra
    `train`: for two players by the rules `NETWORKS`, each round for itself."""

    @cache
    def layers(first: int, second: int) -> dict[str, np.ndarray]:
        import onnx

        read = onnx.load(folder / f"model_{first}{second}_joker.onnx").graph.initializer
        return {one.name: onnx.numpy_helper.to_array(one) for one in read}

    return lambda view, rng: _by_network(view, rng, layers)


def _by_network(view: SeatView, rng: Random, layers: Callable[[int, int], dict[str, np.ndarray]]) -> Call:
    """Each call as often as it is worth more than the position. A network takes cells for the bids of either
    player, for who is on turn, and for the own dice."""
    game = view.game
    said = [call.bid for call in game.round.bids if isinstance(call, BidCall)]
    actions = [(bid.quantity - 1) * 6 + bid.face - 1 for bid in said]
    me = len(said) % 2
    other = next(player for player in game.inside if player.name != view.seat)
    own = _own(view)
    sizes = (len(own), other.dice) if me == 0 else (other.dice, len(own))
    weights, doubt = layers(*sizes), game.round.dice * 6
    width, low = doubt + 2, actions[-1] + 1 if actions else 0
    public = np.zeros((doubt - low + 2, 2 * width), dtype=np.float32)
    for at, action in enumerate(actions):
        public[:, action + width * (at % 2)] = 1
    public[0, doubt + 1 + width * me] = 1
    public[1:, doubt + 1 + width * (1 - me)] = 1
    for row, action in enumerate(range(low, doubt + 1), 1):
        public[row, action + width * me] = 1
    private = np.zeros(max(sizes) * 6 + 2, dtype=np.float32)
    private[max(sizes) * 6 + me] = 1
    for face in range(1, 7):
        private[(face - 1) * max(sizes) : (face - 1) * max(sizes) + own.count(face)] = 1
    worth = _worth(weights, private, public)
    gains = np.maximum(worth[1:] - worth[0], 0)
    if not actions:
        gains[-1] = 0
    total = gains.sum()
    chosen = rng.choices(range(low, doubt + 1), gains.tolist() if total > 0 else [1] * len(gains))[0]
    if chosen == doubt:
        return Dudo(view.seat)
    return BidCall(view.seat, Bid(chosen // 6 + 1, chosen % 6 + 1))


def _worth(weights: dict[str, np.ndarray], private: np.ndarray, public: np.ndarray) -> np.ndarray:
    into = [weights[name] for name in sorted((n for n in weights if n.isdigit()), key=int)]
    first = private @ into[0] + weights["layer_pri.bias"]
    found = np.maximum(first * (public @ into[1] + weights["layer_pub.bias"]), 0)
    for layer, bias in zip(into[2:-1], (1, 3, 5, 7), strict=True):
        found = np.maximum(found @ layer + weights[f"seq.{bias}.bias"], 0)
    worth: np.ndarray = np.tanh(found @ into[-1] + weights["seq.9.bias"])[:, 0]
    return worth


def _own(view: SeatView) -> tuple[int, ...]:
    return tuple(face for _, hand in view.hands for face in hand)


def _fair(view: SeatView, bid: Bid, own: tuple[int, ...]) -> float:
    game = view.game
    tail = tail_of(fair_masses((1,) * (game.round.dice - len(own)), bid.face, Counting(game.wild)))
    return at_least(tail, bid.quantity - matching(own, bid.face, game.wild))


def _highest(bids: Sequence[Bid], chance: Callable[[Bid], float]) -> Bid | None:
    """The likeliest bid, of equals the highest."""
    return max(bids, key=lambda bid: (chance(bid), bid.quantity, bid.face), default=None)
