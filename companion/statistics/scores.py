"""Sums for each player that add up over games: calls, bids, boldness, luck; and the highlights of a winner:
the boldest bid, the best call, and the lowest point."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import fields

from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza
from companion.rules.dice import ACE
from companion.rules.hands import Counting
from companion.rules.odds import Knowledge
from companion.rules.players import Player
from companion.statistics.record import Counted, GameRecord, JudgedRound


class Score(Struct, frozen=True):
    """Sums of one player; adding two scores adds every member.

    - `dudos`: doubts of bids and passes. `doubted`: own bids that were doubted; `held` of them held.
    - `chance`: over `bids`, the sum of the probabilities that the bid holds, without seeing any dice.
    - `own_chance`: the same over `own_bids`, whose hand was shown later, seeing that hand alone.
      `daring` of them were likelier to fail than to hold.
    - `by_clock`: doubts that the clock made when the time was up, no `dudos`; `by_clock_lost` cost something.
    - `aces`: among the `dice` shown in rounds where aces are wild.
    """

    rounds: int = 0
    dudos: int = 0
    dudos_right: int = 0
    calzas: int = 0
    calzas_right: int = 0
    doubted: int = 0
    held: int = 0
    bids: int = 0
    chance: float = 0.0
    own_bids: int = 0
    own_chance: float = 0.0
    daring: int = 0
    dice: int = 0
    aces: int = 0
    by_clock: int = 0
    by_clock_lost: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def mean_chance(self) -> float | None:
        """Mean probability that this player's bids hold, without seeing any dice; None without bids."""
        return self.chance / self.bids if self.bids else None

    @property
    def mean_own_chance(self) -> float | None:
        """The same, seeing the bidder's hand, over bids whose hand is known; None without any."""
        return self.own_chance / self.own_bids if self.own_bids else None


class MadeBid(Struct, frozen=True):
    """A bid and how likely it holds: `chance` without seeing dice, `own_chance` seeing the own hand."""

    round: int
    by: str
    bid: Bid
    dice: int
    chance: float
    own_chance: float | None


def made_bids(game: GameRecord) -> tuple[MadeBid, ...]:
    """Every bid of the game with its chances, in order."""
    return tuple(
        _made(one, said, counting)
        for one in game.rounds
        for said, counting in zip(one.bids, one.countings, strict=True)
    )


def _made(one: JudgedRound, said: BidCall, counting: Counting) -> MadeBid:
    own, held = one.hand(said.by), dict(one.held)
    return MadeBid(
        round=one.number,
        by=said.by,
        bid=said.bid,
        dice=one.dice,
        chance=float(Knowledge(held, {}).holds(said.bid, counting)),
        own_chance=(
            None if own is None else float(Knowledge(held, {said.by: own}).holds(said.bid, counting))
        ),
    )


def scores(game: GameRecord) -> dict[str, Score]:
    """The score of every player, in order of the table."""
    bids = made_bids(game)
    return {name: _score(name, game.rounds, [b for b in bids if b.by == name]) for name, _ in game.players}


def _score(name: str, rounds: Iterable[JudgedRound], bids: list[MadeBid]) -> Score:
    return sum((_of_round(name, one) for one in rounds), _of_bids(bids))


def _of_round(name: str, one: JudgedRound) -> Score:
    verdict = one.verdict
    timed_out = one.by_clock and verdict.caller == name
    calls = verdict.caller == name and not timed_out
    right = calls and verdict.right
    calza = isinstance(verdict.call, Calza)
    was_doubted = verdict.bidder == name and not calza
    faces = _faces(name, one) if one.wild == ACE else ()
    return Score(
        rounds=int(name in dict(one.held)),
        dudos=int(calls and not calza),
        dudos_right=int(right and not calza),
        calzas=int(calls and calza),
        calzas_right=int(right and calza),
        doubted=int(was_doubted),
        held=int(was_doubted and bool(verdict.holds)),
        dice=len(faces),
        aces=faces.count(ACE),
        by_clock=int(timed_out),
        by_clock_lost=int(timed_out and name in verdict.losers),
    )


def _faces(name: str, one: JudgedRound) -> tuple[int, ...]:
    """The player's own dice of a reveal of everybody's; a called pass shows a hand that was chosen."""
    return tuple(f for part in one.shown if part.owner == name for f in part.faces) if one.fair_sample else ()


def _of_bids(bids: list[MadeBid]) -> Score:
    known = [bid.own_chance for bid in bids if bid.own_chance is not None]
    return Score(
        bids=len(bids),
        chance=sum(bid.chance for bid in bids),
        own_bids=len(known),
        own_chance=sum(known),
        daring=sum(chance < 0.5 for chance in known),
    )


def courses(game: GameRecord) -> dict[str, tuple[int, ...]]:
    """Every player's dice (lives, marks) before the first round and after each one that was judged; 0 as
    long as somebody who came late was not there."""
    began = {player.name for one in game.rounds[:1] for player in one.verdict.players}
    left = {name: [game.starting if name in began or not began else 0] for name, _ in game.players}
    for one in game.rounds:
        there = {player.name: player for player in one.verdict.players}
        for name, values in left.items():
            values.append(_has(there[name], game.counted) if name in there else 0)
    return {name: tuple(values) for name, values in left.items()}


def _has(player: Player, counted: Counted) -> int:
    if player.out:
        return 0
    return {Counted.DICE: player.dice, Counted.LIVES: player.lives, Counted.MARKS: player.marks}[counted]


class BestCall(Struct, frozen=True):
    """A right call on `bid`. `chance`, without seeing dice: that the bid holds (dudo) or is exact (calza)."""

    calza: bool
    bid: Bid
    chance: float

    @property
    def surprise(self) -> float:
        """The chance that the call would have been wrong."""
        return 1 - self.chance if self.calza else self.chance


class Highlights(Struct, frozen=True):
    """Of one player in one game. `lowest` is the fewest dice (or lives) they had before the last round."""

    boldest: MadeBid | None
    best_call: BestCall | None
    lowest: int
    came_back: bool


def highlights(game: GameRecord, name: str) -> Highlights:
    """The player's boldest bid (least likely to hold), most surprising right call, and lowest point."""
    lowest = min(courses(game)[name])
    bids = [made for made in made_bids(game) if made.by == name]
    calls = [call for one in game.rounds if (call := _right_call(one, name)) is not None]
    return Highlights(
        boldest=min(bids, key=lambda made: made.chance, default=None),
        best_call=max(calls, key=lambda call: call.surprise, default=None),
        lowest=lowest,
        came_back=game.counted is not Counted.MARKS and 0 < lowest <= game.starting // 2,
    )


def _right_call(one: JudgedRound, name: str) -> BestCall | None:
    """The call that ended a round, where it was this player's and right, and about a bid."""
    verdict = one.verdict
    if one.by_clock or verdict.caller != name or not verdict.right or verdict.bid is None:
        return None
    calza, unseen = isinstance(verdict.call, Calza), Knowledge(dict(one.held), {})
    chance = (unseen.exact if calza else unseen.holds)(verdict.bid, one.countings[-1])
    return BestCall(calza, verdict.bid, float(chance))
