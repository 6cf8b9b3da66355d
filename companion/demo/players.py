"""Players who play by themselves at the simulated table: bids, buttons, questions, the next round; and dice
rolled anew for each round, seen only where a person would see them.

They see their own dice, press the box's buttons as people do, and answer the box's questions by looking at
the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from msgspec import Struct

from companion.bots.deciding import decide_on_turn
from companion.bots.seat import Level
from companion.errors import CompanionError
from companion.reveal.corrections import Add, SetFace, Strike
from companion.reveal.questions import Ask, Question
from companion.reveal.state import ALL, RevealState
from companion.rules.calls import Calza, Dudo
from companion.rules.counting import is_rolled_again
from companion.rules.dice import FACES
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.state import REVEALING, TableState, assessment, rolling, showing
from companion.table.table import Snapshot, Table

SEATS = (("Ana", "red"), ("Beto", "blue"), ("Cleo", "green"), ("Dora", "yellow"))
"""Names and dice colours of the players."""

LEVEL = Level.MEDIUM
"""How well they play. This level plays nothing out, so a call costs little beside the reading."""

NEAR = 0.04
"""Two places this near, in fractions of the picture, are the same die."""


class Lying(Struct, frozen=True):
    """A die that really lies on the simulated table, x and y as fractions of the picture."""

    face: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between what players do. A page counts up to a verdict for 3.3, which is read for 4 more. The
    first bids are quick, as if one came in the middle of a round."""

    bid_s: float = 1.5
    answer_s: float = 2.5
    verdict_s: float = 7.5
    over_s: float = 8.0
    first_s: float = 0.2


class Demo:
    """Plays one game after the other, by a `turn` now and then."""

    def __init__(
        self,
        table: Table,
        press: Callable[[str], None],
        lying: Callable[[], tuple[Lying, ...]],
        *,
        pace: Pace = Pace(),
        seed: int | None = None,
    ) -> None:
        self._table, self._press, self._lying = table, press, lying
        self._pace, self._rng, self._first_game = pace, Random(seed), True
        self._planned: tuple[int, Callable[[], object]] | None = None

    def turn(self) -> float:
        """Do what was planned, unless a person was quicker, and plan what follows; in how many seconds."""
        now, planned = self._table.snapshot(), self._planned
        self._planned = None
        if planned and planned[0] == now.stale_before:
            try:
                planned[1]()
            except CompanionError:
                return self._pace.answer_s  # the table moved on under our hands: look again
            now = self._table.snapshot()
        pause_s, act = self._next(now)
        self._planned = now.stale_before, act
        return pause_s

    def _next(self, now: Snapshot) -> tuple[float, Callable[[], object]]:
        """The next action of the demonstration, and how long it takes."""
        game = now.state.game
        if game is None:
            return self._pace.bid_s, lambda: self._table.do(cmd.NewGame(PRESETS["modern"], SEATS))
        match game.phase:
            case Phase.BIDDING:
                return self._bid_s(game), lambda: self._bid(now, game)
            case Phase.REVEAL:
                return self._pace.answer_s, lambda: self._answer(now)
            case Phase.VERDICT:
                return self._pace.verdict_s, lambda: self._press("ok")
            case _:
                return self._pace.over_s, self._again

    def _bid_s(self, game: Game) -> float:
        first = game.round.number == 1 and self._first_game and not _is_high(game)
        return self._pace.first_s if first else self._pace.bid_s

    def _bid(self, now: Snapshot, game: Game) -> None:
        call = decide_on_turn(game, rolled(now.game_id or "", game), LEVEL, self._rng)
        if game.round.number == 1 and self._first_game and _is_high(game):
            call = Dudo(game.round.turn)  # whoever has come to watch sees a verdict soon
        if isinstance(call, Dudo) and game.ruleset.dudo_by == "on_turn":  # else the box would ask who pressed
            self._press("dudo")
        elif isinstance(call, Calza) and game.ruleset.calza == "current":
            self._press("calza")
        else:
            self._table.do(cmd.Say(call))

    def _again(self) -> None:
        self._first_game = False
        self._table.do(cmd.PlayAgain())

    def _answer(self, now: Snapshot) -> None:
        """Answer the first question by looking at the table; with none, ask for another picture."""
        asked = assessment(now.state).questions
        if now.held:
            self._table.do(cmd.Confirm())
        elif asked and (command := answer(asked[0], now, self._lying())):
            self._table.do(command)
        else:
            self._table.do(cmd.TakePicture())


def _is_high(game: Game) -> bool:
    """Whether the standing bid is above what so many dice show on average, a third of them."""
    said = game.round.standing
    return said is not None and 3 * said.bid.quantity > sum(player.dice for player in game.inside)


def answer(question: Question, now: Snapshot, lying: tuple[Lying, ...]) -> Command | None:
    """The answer of somebody who sees the table; None when there is no answer."""
    dice = {die.id: die for die in assessment(now.state).dice}
    if question.ask is Ask.MISSING:
        seen = [(d.x, d.y) for d in dice.values() if d.x is not None and d.y is not None and not d.struck]
        unseen = [die for die in lying if not any(_near(die, x, y) for x, y in seen)]
        return cmd.Correct(Add(unseen[0].face, ALL, unseen[0].x, unseen[0].y)) if unseen else None
    die = dice.get(question.die or "")
    if die is None or die.x is None or die.y is None:
        return None
    there = [real for real in lying if _near(real, die.x, die.y)]
    return cmd.Correct(SetFace(die.id, there[0].face) if there else Strike(die.id))


def _near(die: Lying, x: float, y: float) -> bool:
    return abs(die.x - x) < NEAR and abs(die.y - y) < NEAR


Hands = Mapping[str, tuple[int, ...]]


def rolled(game_id: str, game: Game) -> Hands:
    """Everybody's dice in the round on the table. A pure function of the game and the round, so that an undo
    or a restart finds the same dice under the cups."""
    rng = Random(f"{game_id}/{game.round.number}")
    return {p.name: _thrown(rng, p.dice, game.ruleset) for p in game.inside}


def _thrown(rng: Random, dice: int, rules: Ruleset) -> tuple[int, ...]:
    hand = tuple(rng.choices(FACES, k=dice))
    return _thrown(rng, dice, rules) if is_rolled_again(hand, rules) else hand


def rolled_off(game_id: str, state: TableState) -> Hands:
    """The dice of everybody who rolls for seats or starter."""
    if state.game is None:
        return {}
    rng, dice = Random(f"{game_id}/roll/{len(state.rolls)}"), range(state.game.ruleset.roll_off_dice)
    return {name: tuple(rng.choice(FACES) for _ in dice) for name in rolling(state.game, state.rolls)}


def on_table(game_id: str, state: TableState, frames: int = 2) -> tuple[tuple[int, str], ...]:
    """(face, colour) of every die the camera can see: those of the reveal, while the cups are lifted.

    Where the box is set over one player's dice after the other, it is moved on after `frames` pictures.
    """
    game, reveal = state.game, state.reveal
    if game is None or reveal is None or game.phase not in REVEALING:
        return ()
    colours = {p.name: p.colour for p in game.players}
    hands = rolled(game_id, game) if game.phase is Phase.REVEAL else rolled_off(game_id, state)
    under = _under_the_box(reveal, frames) or {p.name for p in showing(game)} - set(state.cups)
    return tuple((face, colours[name]) for name, hand in hands.items() if name in under for face in hand)


def _under_the_box(reveal: RevealState, frames: int) -> set[str]:
    """The player whose dice the box stands over, nobody where it stands over all dice at once."""
    players = [(view.player, view.frames) for view in reveal.places if view.player]
    return {next((player for player, seen in players if seen < frames), players[-1][0])} if players else set()


def laid_out(game_id: str, game: Game, player: str) -> tuple[tuple[int, str], ...]:
    """(face, colour) of every die of one player, shown on purpose between the reveals."""
    colours = {p.name: p.colour for p in game.players}
    return tuple((face, colours[player]) for face in rolled(game_id, game).get(player, ()))
