"""Judging a challenge: from the dice that were shown to a verdict.

A verdict needs no more of the dice than it depends on: `settled` says that no value of the matching count
inside an interval can change what follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

from companion.errors import BadReveal
from companion.rules.bids import Bid
from companion.rules.calls import Calza, Dudo, DudoPass
from companion.rules.counting import (
    Faces,
    Reveal,
    check_faces,
    check_number,
    check_owners,
    count_interval,
    justifies_pass,
    matching_face_rule,
)
from companion.rules.dice import ACE, FACES
from companion.rules.players import Player, left_of, playing
from companion.rules.position import REVEAL, Game
from companion.rules.ruleset import Ruleset
from companion.rules.verdict import Changed, Verdict, what_follows

__all__ = [
    "Reveal",
    "Verdict",
    "bidder_of",
    "judge",
    "justifies_pass",
    "matching_face_rule",
    "pass_justified",
    "passer_of",
    "reveal_order",
    "settled",
]


def judge(game: Game, reveal: Reveal) -> Verdict:
    """The verdict on the challenge that waits in `game`; raises BadReveal, also when nothing is settled."""
    call = game.challenge
    if game.phase is not REVEAL or call is None:
        raise BadReveal("nothing_to_judge")
    faces = reveal.faces()
    check_faces(reveal, faces)
    if isinstance(call, DudoPass):
        return _judge_pass(game, call, reveal)
    return _judge_bid(game, call, reveal, faces)


def settled(game: Game, lo: int, hi: int) -> bool:
    """Whether every count of matching dice in [lo, hi] leads to the same outcome.

    For a called pass the interval is that of "justified", 0 or 1.
    """
    return lo == hi or (not isinstance(game.challenge, DudoPass) and _dispute(game).settled(lo, hi))


def bidder_of(game: Game) -> str | None:
    """Who made the doubted bid."""
    return game.doubted.by if game.doubted else None


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
        first = call.by if isinstance(call, Calza) else left_of(game.players, call.by)
    names = tuple(p.name for p in playing(game.players))
    start = names.index(first)
    return names[start:] + names[:start]


@dataclass(frozen=True, slots=True)
class _Dispute:
    """A doubted bid and the two it is between, as they are before the verdict."""

    rules: Ruleset
    bid: Bid
    by_calza: bool
    caller: Player
    bidder: Player

    def changed(self, count: int) -> Changed | None:
        """The one player whom a count of matching dice changes (rows D2, D3, Z4 to Z7)."""
        off = abs(count - self.bid.quantity)
        if not self.by_calza:
            return _loss(self.caller if count >= self.bid.quantity else self.bidder, off, self.rules)
        if off:
            return _loss(self.caller, off, self.rules)
        if self.rules.calza_exact == "bidder_loses":
            return _loss(self.bidder, 0, self.rules)
        return _gain(self.caller, self.rules) if self.rules.calza_exact == "regain" else None

    def settled(self, lo: int, hi: int) -> bool:
        """Whether every count in [lo, hi] changes the same player in the same way."""
        first = self.changed(lo)
        return all(self.changed(count) == first for count in range(lo + 1, hi + 1))


def _dispute(game: Game) -> _Dispute:
    doubted, call = game.doubted, game.challenge
    if doubted is None or call is None:
        raise BadReveal("nothing_to_judge")
    caller, bidder = game.player(call.by), game.player(doubted.by)
    return _Dispute(game.ruleset, doubted.bid, isinstance(call, Calza), caller, bidder)


def _loss(player: Player, off: int, rules: Ruleset) -> Changed:
    """The loser's loss; the difference penalty takes as many dice or lives as the call was `off`."""
    amount = max(1, off) if rules.penalty == "difference" else 1
    if rules.lives is None:
        dice = max(0, player.dice - amount)
        return player, _with(player, dice, player.lives, out=dice == 0)
    lives = max(0, player.lives - amount)
    return player, _with(player, player.dice, lives, out=lives == 0 and player.palifico_used)


def _gain(player: Player, rules: Ruleset) -> Changed | None:
    """A die or a life more for the player; None when he has lost none."""
    if rules.lives is None:
        missing = player.dice < rules.starting_dice
        return (player, _with(player, player.dice + 1, player.lives)) if missing else None
    missing = player.lives < rules.lives
    return (player, _with(player, player.dice, player.lives + 1)) if missing else None


def _with(player: Player, dice: int, lives: int, *, out: bool = False) -> Player:
    return Player(player.name, player.colour, dice, lives, player.palifico_used, out)


def _judge_bid(game: Game, call: Dudo | Calza, reveal: Reveal, faces: Faces) -> Verdict:
    dispute = _dispute(game)
    check_number(game, reveal, faces)
    face, wild = matching_face_rule(game)
    lo, hi = count_interval(reveal, faces, face, wild)
    if lo != hi and not dispute.settled(lo, hi):
        raise BadReveal("reveal_unsettled", lo=lo, hi=hi)
    changed, whole = dispute.changed(lo), reveal.whole
    players, winner, starter, kind = what_follows(game.ruleset, game.players, call.by, changed)
    return Verdict(
        call,
        changed,
        players,
        winner,
        starter,
        kind,
        bid=dispute.bid,
        bidder=dispute.bidder.name,
        count_lo=lo,
        count_hi=hi,
        naturals=faces.count(face) if whole else None,
        aces=faces.count(ACE) * wild if whole else None,
    )


def _judge_pass(game: Game, call: DudoPass, reveal: Reveal) -> Verdict:
    """A justified pass costs the caller, a bluffed one the passer (row P5)."""
    passer, justified = passer_of(game), pass_justified(game, reveal)
    if passer is None or justified is None:
        raise BadReveal("reveal_pass_unsettled", player=passer)
    changed = _loss(game.player(call.by if justified else passer), 0, game.ruleset)
    players, winner, starter, kind = what_follows(game.ruleset, game.players, call.by, changed)
    return Verdict(call, changed, players, winner, starter, kind, passer=passer, pass_justified=justified)


def pass_justified(game: Game, reveal: Reveal) -> bool | None:
    """Whether the called pass was justified; None while unread dice could change that. Raises BadReveal."""
    passer = passer_of(game)
    if passer is None:
        raise BadReveal("nothing_to_judge")
    check_owners(game, reveal)
    dice = game.player(passer).dice
    hand = dict(reveal.hands).get(passer, () if reveal.hands else reveal.heap)
    missing = dice - len(hand)
    if missing < 0:
        raise BadReveal("reveal_too_many", shown=len(hand), dice=dice)
    if missing > len(reveal.unsure) + reveal.unknown:
        raise BadReveal("reveal_too_few", shown=len(hand), dice=dice)
    possible = {justifies_pass(hand + rest) for rest in combinations_with_replacement(FACES, missing)}
    return possible.pop() if len(possible) == 1 else None
