"""Highlights of a winner: the boldest bid, the best call, and the lowest point."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.bids import Bid
from companion.rules.calls import Calza
from companion.rules.odds import Knowledge, exact, holds
from companion.statistics.record import Counted, GameRecord, JudgedRound
from companion.statistics.scores import MadeBid, call_was_right, courses, made_bids


@dataclass(frozen=True, slots=True)
class BestCall:
    """A right call on `bid`. `chance`, without seeing dice: that the bid holds (dudo) or is exact (calza)."""

    calza: bool
    bid: Bid
    chance: float

    @property
    def surprise(self) -> float:
        """The chance that the call would have been wrong."""
        return 1 - self.chance if self.calza else self.chance


@dataclass(frozen=True, slots=True)
class Highlights:
    """Of one player in one game. `lowest` is the fewest dice (or lives) they had before the last round."""

    boldest: MadeBid | None
    best_call: BestCall | None
    lowest: int
    came_back: bool


def highlights(game: GameRecord, name: str) -> Highlights:
    """The player's boldest bid (least likely to hold), most surprising right call, and lowest point."""
    lowest = min(courses(game)[name])
    calls = [call for one in game.rounds if (call := _right_call(one, name)) is not None]
    return Highlights(
        boldest=min(_bids_of(game, name), key=lambda made: made.chance, default=None),
        best_call=max(calls, key=lambda call: call.surprise, default=None),
        lowest=lowest,
        came_back=game.counted is not Counted.MARKS and 0 < lowest <= game.starting // 2,
    )


def _bids_of(game: GameRecord, name: str) -> list[MadeBid]:
    return [made for made in made_bids(game) if made.by == name]


def _right_call(one: JudgedRound, name: str) -> BestCall | None:
    """The call that ended a round, where it was this player's and right, and about a bid."""
    verdict = one.verdict
    if one.by_clock or verdict.caller != name or not call_was_right(verdict) or verdict.bid is None:
        return None
    calza, unseen = isinstance(verdict.call, Calza), Knowledge((), one.dice, one.wild)
    chance = exact(verdict.bid, unseen) if calza else holds(verdict.bid, unseen)
    return BestCall(calza, verdict.bid, float(chance))
