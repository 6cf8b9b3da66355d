"""The one way from one game to the next: `apply`, a pure function of a game and an event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from companion.errors import BadCommand, BadReveal, IllegalCall, RulesError
from companion.rules.bidding import least_opening
from companion.rules.bids import most_dice
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Pass,
)
from companion.rules.events import (
    Called,
    Event,
    Finished,
    HandedBack,
    Joined,
    Left,
    NextRound,
    Revealed,
    RolledOff,
    Started,
    seated,
)
from companion.rules.judge import judge
from companion.rules.legality import check
from companion.rules.players import NORMAL, PALIFICO, after, dice_in_play, teamed
from companion.rules.position import BIDDING, OVER, REVEAL, VERDICT, Game, Phase, Round
from companion.rules.rolloff import roll_off
from companion.rules.ruleset import Ruleset, faults
from companion.rules.seating import begun, handed_back, in_special_round, joined, left, next_round


def start(event: Started) -> Game:
    """The game that `event` begins; raises BadRuleset, BadCommand."""
    _check_rules(event.ruleset)
    _check_seats(event)
    players = seated(event)
    if event.starter is None:
        waiting = Round(0, NORMAL, "", "", dice_in_play(players))
        return Game(event.ruleset, players, waiting, Phase.ROLLOFF)
    players = teamed(event.ruleset, players)
    return Game(event.ruleset, players, begun(event.ruleset, players, event.starter), BIDDING)


@lru_cache(maxsize=64)
def _check_rules(ruleset: Ruleset) -> None:
    """Remembered, because the same table plays many games."""
    for fault in faults(ruleset):
        raise fault


def _check_seats(event: Started) -> None:
    names = [name for name, _ in event.players]
    most = event.ruleset.most_players
    if len(names) < 2:
        raise BadCommand("too_few_players")
    if len(names) > most:
        raise BadCommand("too_many_players", players=len(names), most=most)
    if len(set(names)) != len(names) or not all(name.strip() for name in names):
        raise BadCommand("names_not_distinct")
    if event.starter is not None and event.starter not in names:
        raise BadCommand("unknown_player", player=event.starter)
    _check_handicaps(event, names)


def _check_handicaps(event: Started, names: Sequence[str]) -> None:
    """Everybody begins with a die at least, and with as many as it takes to be in the game (row S5)."""
    rules = event.ruleset
    if event.handicaps and not rules.handicap:
        raise BadCommand("handicap_off")
    needed = rules.out_below if rules.lives is None else 1
    most = rules.starting_dice - min(rules.starting_dice, needed)
    for name, fewer in event.handicaps:
        if name not in names:
            raise BadCommand("unknown_player", player=name)
        if not 0 <= fewer <= most:
            raise BadCommand("handicap_too_large", player=name, most=most)


def apply(game: Game, event: Event) -> Game:
    """The game after `event`; raises a CompanionError with the reason, and then nothing has changed.

    >>> from companion.rules.bids import Bid
    >>> from companion.rules.presets import MODERN
    >>> game = start(Started(MODERN, (("Ana", "red"), ("Ben", "blue")), "Ana"))
    >>> apply(game, Called(BidCall("Ana", Bid(3, 5)))).round.turn
    'Ben'
    """
    return _APPLY[type(event)](game, event)


def _apply_started(game: Game, event: Started) -> Game:
    raise BadCommand("already_started")


def _apply_rolled_off(game: Game, event: RolledOff) -> Game:
    """Seats in the order of the roll, or the highest roller starts where everybody sits already."""
    _expect(game, Phase.ROLLOFF)
    rules, names = game.ruleset, tuple(p.name for p in game.players)
    rolls = [dict(rolled) for rolled in event.rolls]
    result = roll_off(names, rolls, rules.order, rules.roll_off_dice)
    if result.starter is None:
        raise BadCommand("rolloff_tied", players=", ".join(name for group in result.reroll for name in group))
    seats = result.order or names
    seated_anew = teamed(rules, [game.player(name) for name in seats])
    begun = replace(game, players=seated_anew, phase=BIDDING)
    return next_round(begun, result.starter, NORMAL)


_SAID = (BidCall, Pass)


def _apply_called(game: Game, event: Called) -> Game:
    if check(event.call, game):
        refuse(event.call, game)
    return _said(game, event.call)


def refuse(call: Call, game: Game) -> None:
    """Raises IllegalCall with the reason when `call` may not be made now."""
    if reason := check(call, game):
        raise IllegalCall(reason, **_values(call, game))


def apply_kept(game: Game, event: Event) -> Game:
    """`apply` for an event that a journal has kept: bids of any quantity stand, where earlier versions
    allowed them."""
    if isinstance(event, Called) and check(event.call, game) == "exceeds_most":
        return _said(game, event.call)
    return apply(game, event)


def _said(game: Game, call: Call) -> Game:
    """The game after a call that may be made."""
    now = game.round
    if isinstance(call, _SAID):
        turn = after(game.players, call.by, now.clockwise)
        return replace(game, round=replace(now, turn=turn, bids=(*now.bids, call)), verdict=None)
    if isinstance(call, ChooseVisibility):
        return replace(game, round=replace(now, visibility=call.visibility))
    if isinstance(call, ChooseDirection):
        return replace(game, round=replace(now, clockwise=call.direction == "clockwise"))
    if isinstance(call, DeclarePalifico):
        players = in_special_round(game.players, call.by)
        return replace(game, players=players, round=replace(now, kind=PALIFICO))
    players = game.players
    if isinstance(call, Calza) and game.ruleset.calza_limit == "once":
        players = tuple(replace(p, calza_used=p.calza_used or p.name == call.by) for p in players)
    return replace(game, players=players, phase=REVEAL, challenge=call, verdict=None)


def _values(call: Call, game: Game) -> dict[str, object]:
    """The values that sentences for refused calls may use."""
    standing = game.round.standing
    return {
        "player": call.by,
        "turn": game.round.turn,
        "bid": getattr(call, "bid", None),
        "standing": standing.bid if standing else None,
        "dice": game.shown.round.dice,
        "most": most_dice(game.original_dice),
        "starter": game.round.starter,
        "least": least_opening(game) if isinstance(call, BidCall) else game.ruleset.pass_dice,
    }


def _apply_revealed(game: Game, event: Revealed) -> Game:
    if game.phase is not REVEAL:
        raise BadReveal("nothing_to_judge")
    verdict = judge(game, event.reveal)
    phase = OVER if verdict.winner else VERDICT
    return replace(game, players=verdict.players, phase=phase, verdict=verdict)


def _apply_next_round(game: Game, event: NextRound) -> Game:
    _expect(game, VERDICT)
    verdict = game.verdict
    if verdict is None or verdict.next_starter is None or verdict.next_round_kind is None:
        raise BadCommand("wrong_phase")
    return next_round(game, verdict.next_starter, verdict.next_round_kind)


def _apply_finished(game: Game, event: Finished) -> Game:
    if game.phase is OVER:
        raise RulesError("game_over")
    return replace(game, phase=OVER, verdict=None)


def _expect(game: Game, phase: Phase) -> None:
    if game.phase is not phase:
        raise BadCommand("game_over" if game.phase is OVER else "wrong_phase")


_APPLY: dict[type, Callable[..., Game]] = {
    Started: _apply_started,
    RolledOff: _apply_rolled_off,
    Called: _apply_called,
    Revealed: _apply_revealed,
    NextRound: _apply_next_round,
    Finished: _apply_finished,
    Joined: joined,
    Left: left,
    HandedBack: handed_back,
}
