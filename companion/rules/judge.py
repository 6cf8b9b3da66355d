"""Judging a challenge: from the dice shown to a verdict.

A verdict depends on few of the dice. `settling` tells whether a value of the matching count inside an
interval can change the consequence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement

from companion.errors import BadReveal
from companion.rules.calls import Calza, Dudo, DudoPass
from companion.rules.consequences import Dispute, settle, what_follows
from companion.rules.counting import (
    Faces,
    Reveal,
    bonuses_of,
    check_faces,
    check_number,
    check_owners,
    count_interval,
    matching_faces,
    pass_rule,
    whole_hands,
)
from companion.rules.dice import ACE, FACES
from companion.rules.position import REVEAL, Game
from companion.rules.verdict import Verdict


def judge(game: Game, reveal: Reveal) -> Verdict:
    """The verdict on the challenge that waits in `game`; raises BadReveal, also when nothing is settled.

    >>> from companion.rules import bids, calls, events, game, presets
    >>> now = game.start(events.Started(presets.CLASSIC, (("Ana", ""), ("Ben", "")), "Ana"))
    >>> for call in (calls.BidCall("Ana", bids.Bid(4, 5)), calls.Dudo("Ben")):
    ...     now = game.apply(now, events.Called(call))
    >>> verdict = judge(now, Reveal(heap=(5, 5, 1, 2, 3, 4, 4, 6, 6, 2)))
    >>> verdict.count_lo, verdict.losers
    (3, ('Ana',))
    """
    call = game.challenge
    if game.phase is not REVEAL or call is None:
        raise BadReveal("nothing_to_judge")
    faces = reveal.faces()
    check_faces(reveal, faces)
    if isinstance(call, DudoPass):
        return _judge_pass(game, call, reveal)
    return _judge_bid(game, call, reveal, faces)


def settling(game: Game) -> Callable[[int, int], bool]:
    """Whether every count of matching dice in [lo, hi] leads to the same outcome, for many such intervals.

    For a called pass the interval is that of "justified", 0 or 1. Each two neighbouring counts are compared
    once.
    """
    if isinstance(game.challenge, DudoPass):
        return lambda lo, hi: lo == hi
    alike = cache(disputed(game).alike)
    return lambda lo, hi: all(map(alike, range(lo, hi)))


def bidder_of(game: Game) -> str | None:
    """Who made the doubted bid."""
    return said.by if (said := game.doubted) else None


def passer_of(game: Game) -> str | None:
    """Whose pass was called."""
    call = game.challenge
    if not isinstance(call, DudoPass):
        return None
    return game.round.open_pass or call.passer


def reveal_order(game: Game) -> tuple[str, ...]:
    """Who lifts the cup first, second and so on; empty where everybody lifts together (row D6)."""
    call, rules = game.challenge, game.ruleset
    if call is None or rules.reveal_order == "together":
        return ()
    if rules.reveal_order == "challenged_counts":
        first = bidder_of(game) or passer_of(game) or call.by
    else:
        first = call.by if isinstance(call, Calza) else game.after(call.by)
    names = tuple(p.name for p in game.inside)
    names = names if game.round.clockwise else names[::-1]
    start = names.index(first)
    return names[start:] + names[:start]


def disputed(game: Game) -> Dispute:
    """The bid that is challenged, and who is between; raises BadReveal without one."""
    doubted, call = game.doubted, game.challenge
    if doubted is None or call is None:
        raise BadReveal("nothing_to_judge")
    caller, bidder = game.player(call.by), game.player(doubted.by)
    return Dispute(game.ruleset, doubted.bid, isinstance(call, Calza), caller, bidder, game.players)


def _judge_bid(game: Game, call: Dudo | Calza, reveal: Reveal, faces: Faces) -> Verdict:
    dispute = disputed(game)
    face, wild = matching_faces(dispute.bid, game.wild)
    bonuses = bonuses_of(game, face, wild)
    check_number(game, reveal, faces, bonuses.most if bonuses else 0)
    lo, hi = count_interval(reveal, faces, face, wild)
    least, most = bonuses.within(whole_hands(game, reveal)) if bonuses and reveal.count is None else (0, 0)
    lo, hi = lo + least, hi + most
    if lo != hi and not settling(game)(lo, hi):
        raise BadReveal("reveal_unsettled", lo=lo, hi=hi)
    changes, whole = dispute.changes(lo), reveal.whole and not most
    return Verdict(
        call,
        changes,
        *what_follows(game, call.by, changes),
        bid=dispute.bid,
        bidder=dispute.bidder.name,
        count_lo=lo,
        count_hi=hi,
        naturals=faces.count(face) if whole else None,
        aces=faces.count(wild) if whole else None,
        wild=wild or ACE,
    )


def _judge_pass(game: Game, call: DudoPass, reveal: Reveal) -> Verdict:
    """A justified pass costs the caller, a bluffed one the passer (row P5)."""
    passer, justified = passer_of(game), pass_justified(game, reveal)
    if passer is None or justified is None:
        raise BadReveal("reveal_pass_unsettled", player=passer)
    caller, by = game.player(call.by), game.player(passer)
    right, wrong = (by, caller) if justified else (caller, by)
    changes = settle(right, wrong, 0, game.ruleset, game.players)
    after = what_follows(game, call.by, changes)
    return Verdict(call, changes, *after, passer=passer, pass_justified=justified)


def pass_justified(game: Game, reveal: Reveal) -> bool | None:
    """Whether the called pass was justified; None while unread dice could change that. Raises BadReveal."""
    passer = passer_of(game)
    if passer is None:
        raise BadReveal("nothing_to_judge")
    if reveal.count is not None:  # said by hand
        if reveal.count not in (0, 1):
            raise BadReveal("reveal_bad_count", count=reveal.count, dice=1)
        return bool(reveal.count)
    check_owners(game, reveal)
    dice = game.player(passer).dice
    hand = dict(reveal.hands).get(passer, () if reveal.hands else reveal.heap)
    missing = dice - len(hand)
    if missing < 0:
        raise BadReveal("reveal_too_many", shown=len(hand), dice=dice)
    if missing > len(reveal.unsure) + reveal.unknown:
        raise BadReveal("reveal_too_few", shown=len(hand), dice=dice)
    justifies = pass_rule(game.ruleset)
    possible = {justifies(hand + rest) for rest in combinations_with_replacement(FACES, missing)}
    return possible.pop() if len(possible) == 1 else None
