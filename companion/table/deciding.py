"""From a command to what happens because of it: pure, and refused with a reason where the rules say no.

A press of OK goes on: to the next round, the verdict, one more picture, another game. It leaves a screen only
once that has been shown for a moment: a finger already on its way means what was there before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from msgspec.structs import replace

from companion.errors import BadCommand, BadReveal, IllegalCall
from companion.names import check_name, same_person
from companion.reveal.assessing import is_seen_enough
from companion.reveal.claims import Kind
from companion.reveal.corrections import ByHand
from companion.reveal.owners import Colour
from companion.reveal.state import Shot
from companion.rules import events
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass
from companion.rules.events import Called, Finished, HandedBack, Joined, Left, RolledOff, Started
from companion.rules.legality import call_when_time_is_up, check, choice_is_due
from companion.rules.position import Game, Phase
from companion.rules.rolloff import roll_off
from companion.rules.seating import stayed, with_waiting
from companion.table import commands as cmd
from companion.table import table_events as ev
from companion.table.casting import Cast, Roll
from companion.table.commands import Command
from companion.table.state import (
    REVEALING,
    Rolls,
    TableState,
    assessment,
    colours_of,
    faces_rolled,
    rolling,
    step,
    unknown_dice_come,
    verdict_event,
)


def decide(state: TableState, command: Command, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """Everything that `command` makes happen, in order; raises a CompanionError with the reason why not."""
    match command:
        case cmd.NewGame():
            return _opening(command, cast)
        case cmd.RollOff(rolls):
            return _rolled(state, tuple(tuple(roll.items()) for roll in rolls), cast)
        case cmd.Say(call):
            return _said(state, call, cast)
        case cmd.TimeUp():
            return _timed_out(_game(state))
        case cmd.Press(kind, by):
            return _pressed(state, kind, by)
        case cmd.AddObservation(observation, place):
            return (ev.Observed(observation, place),)
        case cmd.Correct(ByHand()) if _game(state).phase is Phase.ROLLOFF:
            raise BadCommand("no_reveal")  # there is nothing to count
        case cmd.Correct(correction):
            return (ev.Corrected(correction),)
        case cmd.LearnColours(colours):
            return _learnt(state, colours)
        case cmd.ForgetColours():
            return (ev.ColoursLearnt(()),)
        case cmd.Confirm():
            return _shown(state, cast)
        case cmd.NextRound():
            return _next_round(state, cast)
        case cmd.Abandon():
            return (Finished(),)
        case cmd.Join():
            return _joined(_game(state), command, dict(state.handicaps))
        case cmd.Leave(player):
            if state.asked:  # it may be the own call
                raise BadCommand("answer_first")
            return _seated_anew(state, Left(player, strict=True), cast)
        case cmd.HandBack(player, count):
            return _seated_anew(state, HandedBack(player, count, strict=True, ordinary=True), cast)
    raise BadCommand("command_unknown", type=type(command).__name__)


def due(state: TableState, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """Events that follow automatically: the verdict, or the end of the roll, once enough frames agree.

    A place counts once enough pictures of it agree, or the first of them shows every die, unless a person
    has just spoken.
    """
    if state.game is None or state.game.phase not in REVEALING:
        return ()
    reveal, found = state.revealing, assessment(state)
    spoken = bool(reveal.steps) and not isinstance(reveal.steps[-1], Shot)
    return _shown(state, cast) if found.settled and (spoken or is_seen_enough(reveal, found)) else ()


def goes_on(command: Command, before: TableState, after: TableState, *, held: bool) -> bool:
    """Whether what is due follows a command: after what was shown to the box, unless a person has the say
    (`held`), and at the opening of a reveal, in which dice in phones are known."""
    if isinstance(command, cmd.AddObservation | cmd.Correct | cmd.ForgetColours):
        return not held
    return after.reveal is not before.reveal


def _shown(state: TableState, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """The events that follow from the dice shown; raises BadReveal while the reveal is open."""
    if _game(state).phase is not Phase.ROLLOFF:
        return (verdict_event(state),)
    found = assessment(state)
    if not found.settled:
        raise BadReveal("reveal_unsettled", lo=found.lo, hi=found.hi)
    learnt = None if state.rolls else colours_of(state.revealing)  # of the first roll: everybody shows a die
    colours = (learnt,) if learnt else ()
    return (*colours, *_rolled(state, (*state.rolls, faces_rolled(found)), cast))


def _rolled(state: TableState, rolls: Rolls, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """The end of the roll for seats or starter, or one more roll of those who tied."""
    game = _game(state)
    tied = rolling(game, rolls) if game.phase is Phase.ROLLOFF else ()
    if tied:
        return (ev.RollTied(rolls), *cast.roll_off(game, len(rolls), tied, state.cups))
    begun = RolledOff(rolls)
    return (begun, *cast.round(_game(step(state, begun)), state.cups))


def _game(state: TableState) -> Game:
    if state.game is None:
        raise BadCommand("no_game")
    return state.game


def _learnt(state: TableState, colours: tuple[Colour, ...]) -> tuple[ev.TableEvent, ...]:
    """Colours shown between the reveals: what is shown in one was named by what was known before."""
    if _game(state).phase in REVEALING:
        raise BadCommand("camera_at_work")
    return (ev.ColoursLearnt(colours),)


def _opening(command: cmd.NewGame, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """The first events of a game; the rules are asked before anything is kept."""
    names = tuple(name for name, _ in command.players)
    for seat, name in enumerate(names):
        check_name(name, names[:seat])
    begun = Started(command.ruleset, command.players, None, command.handicaps)
    step(TableState(), begun)  # refuses what cannot be seated
    starter = command.starter or (None if command.roll_off else _drawn(names, cast.roll))
    started = replace(begun, starter=starter)
    state = step(TableState(), started)
    strangers = set(command.cups) - set(names)
    if strangers:
        raise BadCommand("unknown_player", player=min(strangers))
    cups = (ev.Cups(command.cups, command.bots),) if command.cups or command.bots else ()
    if _game(state).phase is Phase.ROLLOFF:
        return (started, *cups, *cast.roll_off(_game(state), 0, names, command.cups))
    learnt = (ev.ColoursLearnt(command.colours),) if command.colours else ()
    return (started, *cups, *learnt, *cast.round(_game(state), command.cups))


def _drawn(names: tuple[str, ...], roll: Roll) -> str | None:
    """Who starts when the box draws lots: it rolls a die for everybody, again for those who tie."""
    rolls: list[dict[str, int]] = []
    tied, starter = names, None
    while tied and starter is None:
        rolls.append(dict(zip(tied, roll(len(tied)), strict=True)))
        result = roll_off(names, rolls, "starter_only")
        starter, tied = result.starter, result.reroll[0] if result.reroll else ()
    return starter


def rematch(state: TableState) -> cmd.NewGame | None:
    """Those still here by the same rules, the winner with the first word; None before a game is over."""
    game = state.game
    if game is None or state.goes_on:
        return None
    players = tuple(player for player in with_waiting(game) if not player.left)
    names = [player.name for player in players]
    starter = game.winner if game.winner in names else names[0] if names else None
    cups = tuple(name for name in state.cups if name in names)
    bots = tuple(bot for bot in state.bots if bot[0] in names)
    handicaps = tuple((p.name, p.handicap) for p in players if p.handicap)
    seats = tuple((p.name, p.colour) for p in players)
    colours = () if unknown_dice_come(state) else state.colours
    return cmd.NewGame(game.ruleset, seats, starter, cups, bots=bots, handicaps=handicaps, colours=colours)


def _seated_anew(state: TableState, event: Left | HandedBack, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """Who goes or gets dice back, with the dice that those who roll in phones then have; the end where one
    is ahead by that (row E3)."""
    _game(state)
    after = step(state, event)
    game = _game(after)
    if game.phase is not Phase.OVER and after.is_ahead:
        return (event, Finished())
    if game.phase is Phase.ROLLOFF:
        return (event, *cast.roll_off(game, 0, (player.name for player in game.players), state.cups))
    return (event, *cast.round(game, state.cups)) if game.phase is Phase.BIDDING else (event,)


def _joined(game: Game, join: cmd.Join, handicaps: Mapping[str, int]) -> tuple[ev.TableEvent, ...]:
    """Who comes late; who has gone home comes back as the same person, however the name is spelt."""
    gone = {player.name for player in game.players if player.left} - {one.name for one in game.waiting}
    name = same_person(join.player, (*gone, *handicaps)) or join.player
    here = {one.name for one in stayed(game)} | {one.name for one in game.waiting}
    check_name(name, here)
    phone_cup, handicap = bool(join.phone_cup or join.bot), handicaps.get(name, 0)
    joined = Joined(name, join.colour, join.after, phone_cup, strict=True, handicap=handicap)
    return (joined, ev.BotSeated(name, join.bot)) if join.bot else (joined,)


def _next_round(state: TableState, cast: Cast) -> tuple[ev.TableEvent, ...]:
    begun = events.NextRound()
    return (begun, *cast.round(_game(step(state, begun)), state.cups))


def _said(state: TableState, call: Call, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """A player's call. A palifico is opened after its starter has chosen how it is looked at (row F9)."""
    if not isinstance(call, BidCall) or check(call, game := _game(state)):
        return (Called(call),)
    if choice_is_due(game):
        raise IllegalCall("visibility_first", player=call.by)
    return _pushed(state, call, cast) if call.pushed else (Called(call),)


def _pushed(state: TableState, call: BidCall, cast: Cast) -> tuple[ev.TableEvent, ...]:
    """A bid with dice set out in the open (row O4). The box knows what those who roll in the phone have."""
    game, said = _game(state), Called(call)
    hidden = Counter(dict(state.rolled).get(call.by, ())) - Counter(game.round.pushed_by(call.by))
    if call.by in state.cups and not Counter(call.pushed) <= hidden:
        raise IllegalCall("push_not_held", player=call.by)
    return (said, *cast.pushed(_game(step(state, said)), call.by, state.cups))


def _timed_out(game: Game) -> tuple[ev.TableEvent, ...]:
    """The call that the rules make for whoever did not decide in time."""
    call = call_when_time_is_up(game)
    if call is None:
        raise BadCommand("time_means_nothing")
    return (Called(call, by_clock=True),)


def _pressed(state: TableState, kind: str, by: str | None) -> tuple[ev.TableEvent, ...]:
    """The events of a button for a challenge at this moment. OK is handled by `presses`."""
    game = _game(state)
    if kind in ("dudo", "calza") and game.phase is Phase.BIDDING:
        return _challenged(game, Kind(kind), by, {name for name, _ in state.bots})
    raise BadCommand("press_means_nothing", button=kind)


def _challenged(game: Game, kind: Kind, by: str | None, bots: Set[str]) -> tuple[ev.TableEvent, ...]:
    """The challenge, where it is clear who made it on which bid; else the table asks. No bot presses."""
    if not game.round.bids:
        return (ev.Asked(kind),)
    calls = [call for call in _possible(game, kind) if by in (None, call.by) and call.by not in bots]
    allowed = [call for call in calls if check(call, game) is None]
    if len(allowed) == 1:
        return (Called(allowed[0]),)
    if allowed:
        return (ev.Asked(kind),)
    if not calls:
        raise BadCommand("press_means_nothing")
    return (Called(calls[0]),)  # the rules will say why not


def _possible(game: Game, kind: Kind) -> list[Call]:
    """Who could have pressed, the player on turn first."""
    turn = game.round.turn
    names = sorted((p.name for p in game.inside), key=lambda name: name != turn)
    if kind is Kind.CALZA:
        return [Calza(name) for name in names]
    return [DudoPass(name) if game.round.open_pass else Dudo(name) for name in names]


SEEN_S = 0.5
"""So long something must have been shown before a press of OK leaves it, or a challenge is about it."""

_OK: Mapping[Phase, Command] = {Phase.VERDICT: cmd.NextRound(), Phase.OVER: cmd.PlayAgain()}


def meaning(press: cmd.Press, state: TableState) -> Command:
    """The command that a press stands for at this moment; itself where it is for a challenge, or means
    nothing."""
    if press.button != "ok" or state.game is None:
        return press
    if state.game.phase in REVEALING:
        return cmd.Confirm() if assessment(state).settled else cmd.TakePicture()
    return _OK.get(state.game.phase, press)


def leaves(command: Command) -> bool:
    """Whether a press with this meaning leaves what is shown."""
    return isinstance(command, cmd.Confirm | cmd.NextRound | cmd.PlayAgain)


def doubts_standing(command: Command, state: TableState) -> bool:
    """Whether it challenges what stands at this moment, without naming it."""
    if state.game is None or state.game.phase is not Phase.BIDDING or not state.game.round.bids:
        return False
    match command:
        case cmd.Press("dudo" | "calza") | cmd.Say(Dudo(bid=None) | Calza(bid=None) | DudoPass(passer=None)):
            return True
    return False


def on_screen(game_id: str | None, state: TableState) -> tuple[object, ...]:
    """A value that changes with what a press of OK would leave, or a challenge be about."""
    number, bids = (state.game.round.number, len(state.game.round.bids)) if state.game else (0, 0)
    return game_id, number, bids, len(state.rolls), meaning(cmd.Press("ok"), state)
