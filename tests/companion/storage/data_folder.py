"""A data folder in which games were played, to be damaged."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.bots.deciding import decide_on_turn
from companion.bots.seat import Level
from companion.rules.players import playing
from companion.rules.position import Phase
from companion.rules.presets import PRESETS
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.resuming import GAMES
from companion.table.table import Table
from tests.many_games import PEOPLE, observation, play

MIRROR = f"{GAMES}-mirror"

Games = Mapping[str, tuple[str, ...]]
"""The bodies of every game as they were written, by its id."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as the box left it: its files by their paths within it, its games, and which of them is on the
    table."""

    files: Mapping[str, bytes]
    games: Games
    current: str | None

    def laid_out(self, place: Path) -> Path:
        """Its files in the fresh folder `place`; returns where the journal is."""
        shutil.rmtree(place, ignore_errors=True)
        for name, content in self.files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
        return place / GAMES


def played(place: Path, games: int, seed: int, *, closed: bool = False) -> Folder:
    """Play so many games and half of another one in `place`. `closed`: the box was switched off in good
    order, else the power was cut."""
    random = Random(seed)
    journal = Journal(place / GAMES)
    table = Table(journal, frames=1)
    for _ in range(games):
        play(table, random)
        journal.settle()  # as the box does between rounds
    table.do(cmd.NewGame(PRESETS["modern"], PEOPLE, starter="Ana"))
    half_a_game(table, random)
    if closed:
        journal.close()
    files = {str(file.relative_to(place)): file.read_bytes() for file in place.rglob("*") if file.is_file()}
    journal.close()
    return Folder(files, games_of(journal), table.snapshot().game_id)


def half_a_game(table: Table, random: Random, rounds: int = 4) -> None:
    """Some rounds of a game between bots, and a bid of the next one."""
    for left in range(rounds, -1, -1):
        game = table.snapshot().state.game
        assert game is not None
        hands = {p.name: tuple(random.choices((1, 2, 3, 4, 5, 6), k=p.dice)) for p in playing(game.players)}
        while (game := table.snapshot().state.game) and game.phase is Phase.BIDDING:
            table.do(cmd.Say(decide_on_turn(game, hands, Level.EASY, random)))
            if not left:
                return
        assert game is not None
        table.do(cmd.AddObservation(observation(game, hands), "all"))
        table.do(cmd.NextRound())


def games_of(journal: Journal) -> dict[str, tuple[str, ...]]:
    """The bodies of every game of a journal."""
    return {
        info.id: tuple(json.dumps(record.body) for record in journal.records(info.id))
        for info in journal.games()
    }
