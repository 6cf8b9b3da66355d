"""What happens at a table in short form: "Ana 5x3, Bea dudo, 5, next" is a bid, a doubt, a count by hand, and
the next round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.reveal.corrections import ByHand
from companion.reveal.observations import Observation, SeenDie
from companion.reveal.state import ALL
from companion.rules import game as games
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass, Pass
from companion.rules.counting import Reveal
from companion.rules.dice import FACES
from companion.rules.events import Called, Event, NextRound, Revealed
from companion.rules.position import Game
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.table import Snapshot, Table
from tests import new_games

CALLS = {"dudo": Dudo, "calza": Calza, "pass": Pass, "dudo_pass": DudoPass}
ALONE = {
    "next": cmd.NextRound(),
    "undo": cmd.Undo(),
    "confirm": cmd.Confirm(),
    "abandon": cmd.Abandon(),
    "away": cmd.PutAway(),
    "again": cmd.PlayAgain(),
}
SEATS = {"leaves": cmd.Leave, "joins": cmd.Join}


def _steps(script: str) -> list[str]:
    return script.split(", ") if script else []


def call(said: str, turn: str = "") -> Call:
    """ "Ana 5x3", "Bea dudo" and their like; without a name by whoever is on turn."""
    by, _, word = said.rpartition(" ")
    return CALLS[word](by or turn) if word in CALLS else BidCall(by or turn, Bid.parse(word))


def bid(by: str, text: str) -> cmd.Say:
    return cmd.Say(call(f"{by} {text}"))


def command(step: str, turn: str = "") -> cmd.Command:
    """A step of the script as a command of the table."""
    who, _, word = step.rpartition(" ")
    if word in ALONE:
        return ALONE[word]
    if word.isdecimal():
        return cmd.Correct(ByHand(int(word)))
    return SEATS[word](who) if word in SEATS else cmd.Say(call(step, turn))


def event(step: str, turn: str = "") -> Event:
    """A step of the script, as far as calls, counts and rounds go, as an event of a game without a table."""
    if step.isdecimal():
        return Revealed(Reveal(count=int(step)))
    return NextRound() if step == "next" else Called(call(step, turn))


def events(script: str) -> tuple[Event, ...]:
    return tuple(map(event, _steps(script)))


def after(game: Game, *steps: Event | str) -> Game:
    """The game after these events and scripts."""
    for one in steps:
        for step in _steps(one) if isinstance(one, str) else (one,):
            now = event(step, game.round.turn) if isinstance(step, str) else step
            game = games.apply(game, now)
    return game


def said(rules: Ruleset, names: Sequence[str], *steps: Event | str) -> Game:
    """A new game by these rules, in which the first begins, after these events and scripts."""
    return after(new_games.new_game(rules, names, names[0]), *steps)


def play(table: Table, script: str) -> Snapshot:
    """The table after the script, in which nothing is refused."""
    for step in _steps(script):
        game = table.snapshot().state.game
        table.do(command(step, game.round.turn if game else ""))
    return table.snapshot()


def say(table: Table, kind: str, **more: object) -> Snapshot:
    """A command in the form in which it is sent."""
    return table.do(parse({"type": kind, **more}))


def new_game(
    names: str, *, rules: Ruleset | str = "modern", cups: str = "", roll_off: bool = False, **house: object
) -> cmd.NewGame:
    """A new game of these people, in which the first begins unless they roll for it."""
    rules = PRESETS[rules] if isinstance(rules, str) else rules
    players = tuple((name, "") for name in names.split())
    starter = None if roll_off else players[0][0]
    return cmd.NewGame(rules.with_house(house), players, starter, tuple(cups.split()), roll_off)


def begin(table: Table, names: str, script: str = "", **more: object) -> Snapshot:
    """A new game of these people, as far as the script leads."""
    table.do(new_game(names, **more))  # type: ignore[arg-type]
    return play(table, script)


def in_play(table: Table) -> Game:
    """The game on the table, which there is."""
    game = table.snapshot().state.game
    assert game
    return game


def dice(table: Table) -> dict[str, int]:
    """How many dice each player inside has, in the order of seats."""
    return {player.name: player.dice for player in in_play(table).inside}


def fair(seed: int = 1) -> Callable[[int], tuple[int, ...]]:
    """Rolls dice in phones as they may fall."""
    random = Random(seed)
    return lambda number: tuple(random.choices(FACES, k=number))


def rolled(table: Table) -> dict[str, tuple[int, ...]]:
    """The dice in phones."""
    return dict(table.snapshot().state.rolled)


def observation(*faces: int, doubtful: tuple[int, ...] = ()) -> Observation:
    """A picture of dice in a row; those at the places `doubtful` are not certain."""
    dice = tuple(
        SeenDie(face, 0.05 + 0.09 * n, 0.5, 0.05, 0.9, n not in doubtful, "ivory", (face % 6 + 1,))
        for n, face in enumerate(faces)
    )
    return Observation(1000, 1000, dice, not doubtful)


def see(table: Table, *faces: int, doubtful: tuple[int, ...] = (), frames: int = 2) -> Snapshot:
    """So many pictures of these dice are taken in."""
    for _ in range(frames):
        table.do(cmd.AddObservation(observation(*faces, doubtful=doubtful), ALL))
    return table.snapshot()
