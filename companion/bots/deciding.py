"""What a bot says: a pure function of what its seat may know, its level, and chance."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from random import Random

from companion.bots.bidding import Scene
from companion.bots.endgame import equilibrium_call
from companion.bots.seat import Level, SeatView
from companion.bots.weighing import Option, Weighing
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.counting import pass_rule
from companion.rules.legality import check, sees
from companion.rules.position import Game

DOUBTS_BELOW = {Level.EASY: 0.25, Level.MEDIUM: 0.4}
CALZA_ABOVE = 0.4
"""Exact counts are rarely likelier than this."""

OUT_OF_TURN = 0.05
"""In dice: what a call out of turn must be worth, or letting it be is better."""

TEMPERATURE = 0.08
"""In dice: a call that is worth so much less than the best is chosen 1 / e as often."""

SAYS_MORE = 0.5
"""How often a starter who may declare palifico, or turn the direction, does."""


def decide(view: SeatView, level: Level, rng: Random) -> Call | None:
    """The call of this seat now, None where it has nothing to say."""
    game, seat = view.game, view.seat
    if seat not in [player.name for player in game.inside]:
        return None
    if game.round.turn != seat:
        return _out_of_turn(view, rng) if level is Level.STRONG else None
    return _before_opening(view, rng) or _honest_pass(view) or _on_turn(view, level, rng)


def decide_on_turn(game: Game, hands: Mapping[str, tuple[int, ...]], level: Level, rng: Random) -> Call:
    """The call of the player on turn, who sees of `hands` what the rules show to that seat."""
    turn = game.round.turn
    view = SeatView(game, turn, tuple((name, hands[name]) for name in sees(game)[turn]))
    call = decide(view, level, rng)
    assert call is not None, "the player on turn always has a call"
    return call


def _before_opening(view: SeatView, rng: Random) -> Call | None:
    """The choices that come before a first bid. Closed, nobody but who has one die sees his own."""
    game, seat = view.game, view.seat
    closed = ChooseVisibility(seat, "closed")
    if game.round.visibility is None and check(closed, game) is None:
        return closed
    turned = ChooseDirection(seat, "counter_clockwise")
    for call in (DeclarePalifico(seat), turned):
        may = check(call, game) is None and (call is not turned or game.round.clockwise)
        if may and rng.random() < SAYS_MORE:
            return call
    return None


def _honest_pass(view: SeatView) -> Call | None:
    """A pass with a hand that justifies it: who doubts it loses."""
    call, hand = Pass(view.seat), dict(view.hands).get(view.seat, ())
    if check(call, view.game) is not None:
        return None
    whole = len(hand) == view.game.player(view.seat).dice
    return call if whole and pass_rule(view.game.ruleset)(hand) else None


def _on_turn(view: SeatView, level: Level, rng: Random) -> Call:
    if level is Level.STRONG:
        return equilibrium_call(view, rng) or _mixed(Weighing(view, rng).options(), rng)
    return _by_odds(view, level, rng)


def _mixed(options: list[Option], rng: Random) -> Call:
    """The best call, or now and then one that is nearly as good, so that nobody reads the dice from it."""
    weights = [exp((option.worth.dice - options[0].worth.dice) / TEMPERATURE) for option in options]
    return rng.choices(options, weights)[0].call


def _out_of_turn(view: SeatView, rng: Random) -> Call | None:
    """A challenge that is worth more than to let others go on."""
    seat, game = view.seat, view.game
    if check(Dudo(seat), game) is not None and check(Calza(seat), game) is not None:
        return None
    best = max(Weighing(view, rng).challenges(), key=lambda option: option.worth.dice)
    return best.call if best.worth.dice > OUT_OF_TURN else None


def _by_odds(view: SeatView, level: Level, rng: Random) -> Call:
    """The likeliest bids, and doubt of unlikely ones; the easy level takes all other dice for fair."""
    game, seat = view.game, view.seat
    fair = Weighing(view, rng, heard=level is not Level.EASY)
    standing = game.round.standing
    raised = _raise(fair, level, rng)
    if game.round.open_pass or standing is None:
        return raised or DudoPass(seat)
    counts = fair.beliefs.count(standing.bid.face, fair.counted(standing.bid))
    exact = counts[standing.bid.quantity] if standing.bid.quantity < len(counts) else 0.0
    if exact > CALZA_ABOVE and check(Calza(seat), game) is None:
        return Calza(seat)
    doubts = fair.holds(standing.bid) < DOUBTS_BELOW[level]
    return Dudo(seat) if doubts or raised is None else raised


def _raise(fair: Weighing, level: Level, rng: Random) -> BidCall | None:
    """The likeliest raise; the easy level takes any of the likelier ones."""
    near = _near(fair, fair.scene)
    if not near:
        return None
    near.sort(key=lambda one: (-one[0], -one[1].quantity, -one[1].face))
    bid = rng.choice(near[:4])[1] if level is Level.EASY else near[0][1]
    return BidCall(fair.view.seat, bid)


def _near(fair: Weighing, scene: Scene) -> list[tuple[float, Bid]]:
    """(chance, bid) of the lowest bids of every face; openings from a fifth of the dice on."""
    found = []
    opening = fair.game.round.standing is None
    for row in scene.now().rows:
        least = max(row.quantities[0], fair.game.round.dice // 5) if opening else row.quantities[0]
        bids = row.bids()
        near = [bid for bid in bids if bid.quantity >= least][:2] or bids[:1]
        found += [(fair.holds(bid), bid) for bid in near]
    return found
