"""From a command to what happens because of it: pure, and refused with a reason where the rules say no."""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import BadCommand
from companion.reveal.claims import Kind
from companion.reveal.state import Shot
from companion.rules import events
from companion.rules.calls import Call, Calza, Dudo, DudoPass
from companion.rules.events import Called, Finished, Revealed, RolledOff, Started
from companion.rules.game import Game, Phase
from companion.rules.legality import check
from companion.rules.position import playing
from companion.rules.rolloff import roll_off
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.happenings import Asked, Corrected, Cups, Happening, Looked, Rolled
from companion.table.state import TableState, assessment, step, verdict_event

Roll = Callable[[int], tuple[int, ...]]
"""So many dice rolled."""


def decide(state: TableState, command: Command, roll: Roll) -> tuple[Happening, ...]:
    """Everything that `command` makes happen, in order; raises a CompanionError with the reason why not."""
    match command:
        case cmd.NewGame():
            return _opening(command, roll)
        case cmd.PlayAgain():
            return _opening(_rematch(_game(state), state.cups), roll)
        case cmd.RollOff(rolls):
            return (RolledOff(rolls),)
        case cmd.Say(call):
            return (Called(call),)
        case cmd.Press(kind, by):
            return _pressed(state, kind, by, roll)
        case cmd.TakeLook(look, place):
            return (Looked(look, place),)
        case cmd.Correct(correction):
            return (Corrected(correction),)
        case cmd.Confirm():
            return (verdict_event(state),)
        case cmd.NextRound():
            return _next_round(state, roll)
        case cmd.Abandon():
            return (Finished(),)
    raise BadCommand("command_unknown", type=type(command).__name__)


def verdict_due(state: TableState, frames: int) -> Revealed | None:
    """The verdict, as soon as it is settled and no flicker can have made it.

    A place counts once `frames` pictures of it agree, unless a person has just spoken.
    """
    if state.game is None or state.game.phase is not Phase.REVEAL or not assessment(state).settled:
        return None
    reveal = state.revealing
    spoken = bool(reveal.steps) and not isinstance(reveal.steps[-1], Shot)
    steady = all(view.frames >= frames for view in reveal.places if view.frames)
    return verdict_event(state) if spoken or steady else None


def _game(state: TableState) -> Game:
    if state.game is None:
        raise BadCommand("no_game")
    return state.game


def _opening(command: cmd.NewGame, roll: Roll) -> tuple[Happening, ...]:
    """The first happenings of a game; the rules are asked before anything is kept."""
    names = tuple(name for name, _ in command.players)
    step(TableState(), Started(command.ruleset, command.players))  # refuses what cannot be seated
    starter = command.starter or (None if command.roll_off else _drawn(names, roll))
    started = Started(command.ruleset, command.players, starter)
    state = step(TableState(), started)
    strangers = set(command.cups) - set(names)
    if strangers:
        raise BadCommand("unknown_player", player=min(strangers))
    cups = (Cups(command.cups),) if command.cups else ()
    return (started, *cups, *_cup_rolls(_game(state), command.cups, roll))


def _drawn(names: tuple[str, ...], roll: Roll) -> str | None:
    """Who starts when the box draws lots: it rolls a die for everybody, again for those who tie."""
    rolls: list[dict[str, int]] = []
    tied, starter = names, None
    while tied and starter is None:
        rolls.append(dict(zip(tied, roll(len(tied)), strict=True)))
        result = roll_off(names, rolls, "starter_only")
        starter, tied = result.starter, result.reroll[0] if result.reroll else ()
    return starter


def _rematch(game: Game, cups: tuple[str, ...]) -> cmd.NewGame:
    """The same people by the same rules; the winner has the first word."""
    if game.phase is not Phase.OVER:
        raise BadCommand("game_not_over")
    players = tuple((p.name, p.colour) for p in game.players)
    return cmd.NewGame(game.ruleset, players, game.winner or game.players[0].name, cups)


def _next_round(state: TableState, roll: Roll) -> tuple[Happening, ...]:
    begun = events.NextRound()
    after = step(state, begun)
    return (begun, *_cup_rolls(_game(after), state.cups, roll))


def _cup_rolls(game: Game, cups: tuple[str, ...], roll: Roll) -> tuple[Happening, ...]:
    return tuple(Rolled(p.name, roll(p.dice)) for p in playing(game.players) if p.name in cups)


def _pressed(state: TableState, kind: str, by: str | None, roll: Roll) -> tuple[Happening, ...]:
    """What a button of the box means at this moment."""
    game = _game(state)
    match kind, game.phase:
        case "ok", Phase.VERDICT:
            return _next_round(state, roll)
        case "ok", Phase.REVEAL:
            return (verdict_event(state),)
        case (("dudo" | "calza"), Phase.BIDDING):
            return _challenged(game, Kind(kind), by)
    raise BadCommand("press_means_nothing", button=kind)


def _challenged(game: Game, kind: Kind, by: str | None) -> tuple[Happening, ...]:
    """The challenge, where it is clear who made it on which bid; else the table asks."""
    if not game.round.bids:
        return (Asked(kind),)
    calls = [call for call in _possible(game, kind) if by in (None, call.by)]
    allowed = [call for call in calls if check(call, game) is None]
    if len(allowed) == 1:
        return (Called(allowed[0]),)
    if len(allowed) > 1:
        return (Asked(kind),)
    return (Called(calls[0] if calls else Dudo(by or game.round.turn)),)  # the rules will say why not


def _possible(game: Game, kind: Kind) -> list[Call]:
    """Who could have pressed, the player on turn first."""
    turn = game.round.turn
    names = sorted((p.name for p in playing(game.players)), key=lambda name: name != turn)
    if kind is Kind.CALZA:
        return [Calza(name) for name in names]
    return [DudoPass(name) if game.round.open_pass else Dudo(name) for name in names]
