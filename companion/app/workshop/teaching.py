"""The pages that teach the box: emblem faces shown, tried and forgotten, and the colours of players' dice."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager

from companion.app.reading.decoder import encoded
from companion.app.reading.lessons import Lessons
from companion.errors import BadCommand
from companion.reveal.observations import Observation, SeenDie
from companion.reveal.owners import Colour, alike, learn_colours, of_one_colour
from companion.rules.players import Player, playing
from companion.table import commands as cmd
from companion.table.state import TableState
from companion.table.table import Table
from vision.arrays import Image
from vision.contract import ReadingJson

Data = dict[str, object]


class Teaching:
    """State and steps of the page, one step at a time."""

    def __init__(
        self,
        lessons: Lessons,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        show: Callable[[str, bytes], None],
    ) -> None:
        """`picture` takes one now, `read` gives the object of `dudo read --json` of it, `show` keeps a JPEG
        under a name for the page."""
        self._lessons, self._picture, self._read, self._show_jpeg = lessons, picture, read, show
        self._numbers = itertools.count(1)
        self._shown: Data | None = None
        self._seen: list[Data] | None = None

    def now(self) -> Data:
        """Every taught face with its showings, what was shown last, and what was seen when it was tried."""
        faces = [{"face": face, "times": times} for face, times in sorted(self._lessons.faces.items())]
        return {"faces": faces, "shown": self._shown, "seen": self._seen}

    def do(self, what: str, face: int | None) -> None:
        """`show` a face, `recognise` what lies there, or `forget` a face (None: all).

        Raises BadCommand, PartFault, StorageError."""
        match what:
            case "show" if face is not None:
                self._show(face)
            case "recognise":
                self._recognise()
            case "forget":
                self._lessons.forget(face)
                self._shown = self._seen = None
            case _:
                raise BadCommand("bad_face", face=face)

    def _show(self, face: int) -> None:
        name = f"taught-{next(self._numbers)}"
        self._show_jpeg(name, encoded(self._lessons.show(self._picture(), face)))
        self._shown, self._seen = {"face": face, "picture": name}, None

    def _recognise(self) -> None:
        dice = self._read(self._picture())["dice"]
        self._seen = [
            {"face": die["face"], "taught": "taught" in die["why"], "certain": die["certain"]} for die in dice
        ]


class Colouring:
    """State and steps of the page, one step at a time. The colours found are kept until the next game."""

    def __init__(
        self,
        table: Table,
        picture: Callable[[], Image],
        read: Callable[[Image], ReadingJson],
        laid_out: Callable[[str], AbstractContextManager[None]],
    ) -> None:
        """`picture` takes one now, `read` gives the object of `dudo read --json`. Within `laid_out` a
        simulated table shows the dice of one player alone."""
        self._table, self._picture, self._read, self._laid_out = table, picture, read, laid_out
        self._game: str | None = None
        self._shown: dict[str, tuple[SeenDie, ...]] = {}
        self._found: tuple[Colour, ...] = ()

    def now(self) -> Data:
        """Who has dice on the table, how many of each were shown, and whether colours identify their
        owner."""
        state = self._state()
        return {
            "players": [
                {"name": p.name, "colour": p.colour, "shown": len(self._shown.get(p.name, ()))}
                for p in _with_dice(state)
            ],
            "learnt": [colour.player for colour in state.colours if colour.name],
            "alike": list(alike(state.colours or self._found)),
        }

    def do(self, what: str, name: str | None) -> None:
        """`colour`: the dice that lie there are those of `name`; `mixed`: colours identify nobody.

        Raises BadCommand, PartFault, StorageError.
        """
        state = self._state()
        if what == "mixed":
            self._table.do(cmd.ForgetColours())
            self._shown, self._found = {}, ()
            return
        player = next((p for p in _with_dice(state) if p.name == name), None)
        if player is None:
            raise BadCommand("unknown_player", player=name)
        self._shown[player.name] = _of_one(self._dice(player.name), player)
        self._learn({p.name for p in _with_dice(state)})

    def _state(self) -> TableState:
        """The table as it is; what was shown in another game is forgotten."""
        now = self._table.snapshot()
        if now.game_id != self._game:
            self._game, self._shown, self._found = now.game_id, {}, ()
        return now.state

    def _dice(self, player: str) -> tuple[SeenDie, ...]:
        """The dice that surely lie there, with their colours."""
        with self._laid_out(player):
            image = self._picture()
        observation = Observation.from_json(self._read(image))
        return tuple(die for die in observation.dice if die.certain and die.rgb)

    def _learn(self, names: set[str]) -> None:
        """Hand the colours to the table once everybody was shown: a colour not yet known could be taken for
        another's."""
        if len(names) < 2 or not names <= self._shown.keys():
            return
        self._found = learn_colours({name: self._shown[name] for name in self._shown if name in names})
        named = self._found if any(colour.name for colour in self._found) else ()
        if named or self._state().colours:
            self._table.do(cmd.LearnColours(named))


def _with_dice(state: TableState) -> list[Player]:
    """The players whose dice lie on the table."""
    if state.game is None:
        return []
    return [p for p in playing(state.game.players) if p.name not in state.cups]


def _of_one(dice: tuple[SeenDie, ...], player: Player) -> tuple[SeenDie, ...]:
    """The dice, which can be one player's; raises BadCommand."""
    if not dice:
        raise BadCommand("no_dice_shown")
    if len(dice) > player.dice:
        raise BadCommand("too_many_shown", player=player.name)
    if not of_one_colour(dice):
        raise BadCommand("dice_differ")
    return dice
