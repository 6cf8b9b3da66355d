"""What becomes of a game by a command: what follows by itself, and what was noted wrong put right.

A challenge that was noted wrong becomes the right one here, an earlier round is corrected, and a round is
rolled again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import takewhile

from msgspec import structs

from companion.errors import BadCommand, CompanionError
from companion.reveal.corrections import ByHand, Correction
from companion.rules.calls import Call, Calza, Dudo, DudoPass
from companion.rules.counting import Reveal
from companion.rules.events import Called, HandedBack, Joined, Left, NextRound, Revealed, RolledOff, Started
from companion.rules.position import Phase
from companion.table import table_events as ev
from companion.table.casting import MAX_THROWS, Cast, Roll, dealt, seal_for, secrets_of
from companion.table.commands import By, Command, CorrectRound
from companion.table.deciding import decide, due, goes_on
from companion.table.history import step_of
from companion.table.kept_game import KeptGame
from companion.table.ledger import Kind, Note
from companion.table.state import TableState


def followed(game: KeptGame, command: Command, cast: Cast, *, held: bool = False) -> KeptGame:
    """The game after a command and what follows from it by itself; raises BadCommand. `held`: a person has
    the say when the reveal goes on."""
    after = game.played(*decide(game.state, command, cast))
    return with_due(after, cast) if goes_on(command, game.state, after.state, held=held) else after


def with_due(game: KeptGame, cast: Cast) -> KeptGame:
    """The game with what follows from it by itself.

    A roll in phones that ends in a tie is followed by the next one, up to `MAX_THROWS`.
    """
    for _ in range(MAX_THROWS):
        following = due(game.state, cast)
        if not following:
            break
        game = game.played(*following)
    return game


_BESIDE = ev.ColoursLearnt | Joined | Left | ev.BotSeated | ev.Amended
"""What holds whatever was called and shown, as long as all have the seats that they had."""


def recalled(game: KeptGame, call: Call) -> KeptGame:
    """The game in which this round's challenge is `call`.

    Observations and corrections follow; a count by hand does not, for it was of other dice. Raises BadCommand
    where nothing was challenged in this round.
    """
    at = called_at(game)
    return game.following(ev.Undone(at)).played(Called(call), *filter(_stays, game.history[at + 1 :]))


def called_at(game: KeptGame) -> int:
    """Where in the history this round's challenge stands; raises BadCommand where nothing was challenged, or
    the seats have changed since."""
    _check_seats(game)
    for at in range(len(game.history) - 1, -1, -1):
        match game.history[at]:
            case Called(Dudo() | Calza() | DudoPass()):
                return at
            case NextRound():
                break
    raise BadCommand("no_reveal")


def rejudged(game: KeptGame, correction: Correction) -> KeptGame:
    """The game in which the dice behind the newest verdict are corrected, and no verdict is given yet.

    Raises BadCommand where the last thing that happened was no verdict.
    """
    _check_seats(game)
    after = tuple(takewhile(lambda one: isinstance(one, _BESIDE | HandedBack), reversed(game.history)))
    at = len(game.history) - len(after) - 1
    if not isinstance(game.history[at], Revealed):
        raise BadCommand("no_reveal")
    return game.following(ev.Undone(at)).played(*filter(_stays, reversed(after)), ev.Corrected(correction))


def _check_seats(game: KeptGame) -> None:
    if game.state.seats_changed:
        raise BadCommand("seats_changed")


def undone(game: KeptGame, keep: int, cast: Cast) -> KeptGame:
    """The game with its first `keep` events, and the verdict without the correction that made another."""
    back = game.following(ev.Undone(keep))
    corrected = game.state.is_judged and isinstance(game.history[keep], ev.Corrected)
    return with_due(back, cast) if corrected else back


def without_lost_dice(game: KeptGame, roll: Roll) -> KeptGame:
    """The game before the round that is on where dice rolled in phones for it are lost: a copy has none. The
    first round is rolled again."""
    now, begun, rolled = game.state.game, _round_begun(game.history), dict(game.state.rolled)
    if now is None or now.phase not in (Phase.BIDDING, Phase.REVEAL):
        return game
    cups = (player for player in now.inside if player.name in game.state.cups)
    if all(len(rolled.get(player.name, ())) == player.dice for player in cups):
        return game
    note = Note(Kind.UNDONE, now.round.number, By.HOST, step=step_of(game.history[begun]))
    if not isinstance(game.history[begun], NextRound):
        return rolled_again(game, begun + 1, note, roll)
    return game.following(ev.Undone(begun), note)


def amended(game: KeptGame, wish: CorrectRound, cast: Cast) -> KeptGame:
    """The game with an earlier round corrected. Dice in phones of the round on the table are as many as their
    players have then.

    Raises BadCommand with the first round that could not have been played so, where the dice are not kept;
    BadReveal for a count that cannot be.
    """
    found = (at for at, event in enumerate(game.history) if isinstance(event, Revealed))
    at = next((at for at in found if _round_at(game.states[at]) == wish.round), None)
    if at is None:
        raise BadCommand("no_such_round", round=wish.round)
    if wish.keep_dice and (wish.game or wish.round < _round_at(game.state)):
        return game.played(ev.Amended(wish.round, wish.count))
    counted = ev.Corrected(ByHand(wish.count)), Revealed(Reveal(count=wish.count))
    after = game.following(ev.Undone(at)).played(*counted)
    begun = _round_begun(game.history)
    judged = any(isinstance(event, Revealed) for event in game.history[begun:])  # its dice lay on the table
    for number, event in enumerate(game.history[at + 1 :], at + 1):
        try:
            after = after.played(event) if judged or number < begun else _said_again(after, event, cast.roll)
        except CompanionError as error:
            raise _cannot_stand(wish, _round_at(after.state) + isinstance(event, NextRound)) from error
    in_reveal = after.state.game is not None and after.state.game.phase is Phase.REVEAL
    if _ending(after.state) != _ending(game.state) or (
        in_reveal and dict(after.state.rolled) != dict(game.state.rolled)
    ):
        raise _cannot_stand(wish, _round_at(after.state))
    return after


def _ending(state: TableState) -> tuple[bool, bool]:
    """Whether the game goes on, and whether it is won; by being ahead, too, as others go home (row E3)."""
    game = state.game
    return state.goes_on, state.is_ahead or bool(game and game.winner)


def _cannot_stand(wish: CorrectRound, later: int) -> BadCommand:
    return BadCommand("round_cannot_stand", round=wish.round, later=later)


def _round_at(state: TableState) -> int:
    return state.game.round.number if state.game else 0


def _stays(event: ev.TableEvent) -> bool:
    """Whether it holds whatever was called."""
    if isinstance(event, ev.Corrected):
        return not isinstance(event.correction, ByHand)
    return isinstance(event, ev.Observed | _BESIDE)


def rolled_again(game: KeptGame, keep: int, note: Note, roll: Roll) -> KeptGame:
    """The game with its first `keep` events, the dice of its last round rolled again; the ledger has `note`
    with another kind."""
    state, said = game.states[keep], game.history[:keep]
    assert state.game is not None
    taken_back = structs.replace(note, kind=Kind.TAKEN_BACK, round=state.game.round.number)
    game = game.following(*seal_for(game.ledger, secrets_of(state), roll), taken_back)
    begun = _round_begun(said) + 1
    game = _with_dice(game.following(ev.Undone(begun)), roll)
    return reduce(lambda game, event: _said_again(game, event, roll), said[begun:], game)


def _round_begun(history: Sequence[ev.TableEvent]) -> int:
    """Where the last round begins, or the game."""
    return max(
        at for at, event in enumerate(history) if isinstance(event, NextRound | RolledOff | Started | ev.Cups)
    )


def _said_again(game: KeptGame, event: ev.TableEvent, roll: Roll) -> KeptGame:
    """The game after an event of its round, with other dice in the phones than then."""
    return game if isinstance(event, ev.Rolled) else _with_dice(game.played(event), roll)


def _with_dice(game: KeptGame, roll: Roll) -> KeptGame:
    """The game in which whoever rolls in the phone has the dice that belong to the round as it stands."""
    state = game.state
    if state.game is None or state.game.phase is not Phase.BIDDING:
        return game
    now = Cast(roll, game.ledger).round(state.game, state.cups)
    game = game.played(*(one for one in now if (one.player, one.faces) not in state.rolled))
    return game.following(*dealt(game))
