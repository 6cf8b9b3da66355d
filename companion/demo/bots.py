"""Players made of odds, for a table without people: they know the dice they may look at, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    DeclarePalifico,
    Dudo,
    DudoPass,
)
from companion.rules.game import Game
from companion.rules.legality import check, legal_bids
from companion.rules.odds import Raise, exact, holds, knowledge

DOUBTS_BELOW = Fraction(1, 3)
"""A standing bid less likely than this is doubted."""

CALZA_ABOVE = Fraction(2, 5)
"""Exact counts are rarely likelier than this; such a chance is taken."""

SAYS_MORE = 0.5
"""How often a starter who may declare palifico, or turn the direction, does."""


def choose(game: Game, own: Sequence[int], rng: Random) -> Call:
    """The call of the player on turn, who sees these dice: the own ones, or those of the others in an open
    round."""
    name = game.round.turn
    if game.round.open_pass:
        return _raise(game, own, rng) or DudoPass(name)
    standing = game.round.standing
    if standing is None:
        return _open(game, own, rng)
    known = knowledge(game, own)
    if check(Calza(name), game) is None and exact(standing.bid, known) > CALZA_ABOVE:
        return Calza(name)
    if holds(standing.bid, known) < DOUBTS_BELOW:
        return Dudo(name)
    return _raise(game, own, rng) or Dudo(name)


def _open(game: Game, own: Sequence[int], rng: Random) -> Call:
    """The first bid, or now and then the choice that comes before it."""
    name = game.round.turn
    if check(DeclarePalifico(name), game) is None and rng.random() < SAYS_MORE:
        return DeclarePalifico(name)
    turned = ChooseDirection(name, "counter_clockwise")
    if game.round.clockwise and check(turned, game) is None and rng.random() < SAYS_MORE:
        return turned
    opened = _raise(game, own, rng)
    assert opened is not None, "a round can always be opened"
    return opened


def _raise(game: Game, own: Sequence[int], rng: Random) -> BidCall | None:
    """One of the three likeliest bids among the nearest: bold enough to move on, not to fall at once."""
    near = _near(game)
    known = knowledge(game, own)
    rated = sorted((Raise(bid, holds(bid, known)) for bid in near), key=lambda r: (-r.holds, -r.bid.quantity))
    likely = [r for r in rated[:3] if r.holds >= DOUBTS_BELOW] or rated[:1]
    return BidCall(game.round.turn, rng.choice(likely).bid) if likely else None


def _near(game: Game) -> list[Bid]:
    """Bids of at most one die more than needed; openings around a third of the dice."""
    bids = legal_bids(game)
    standing = game.round.standing
    start = standing.bid.quantity if standing else max(1, game.round.dice // 3)
    near = [bid for bid in bids if bid.quantity <= start + 1]
    if standing is None:
        near = [bid for bid in near if bid.quantity >= start] or near
    return near or list(bids[:3])
