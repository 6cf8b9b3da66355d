"""A journal of many games over many evenings, made of a few that were played."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from random import Random

from companion.bots.deciding import decide_on_turn
from companion.bots.seat import Level
from companion.json_types import Body
from companion.reveal.observations import Observation, SeenDie
from companion.rules.players import playing
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Table

PEOPLE = (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"), ("Dora", "yellow"))

PLAYED = 8
EACH_EVENING = 4
FIRST_EVENING = datetime(2026, 1, 2, 20, tzinfo=UTC)
BETWEEN_EVENINGS, BETWEEN_GAMES = timedelta(days=3), timedelta(minutes=40)
BETWEEN_RECORDS = timedelta(seconds=20)


def observation(game: Game, hands: dict[str, tuple[int, ...]]) -> Observation:
    """All dice in rows, each read for certain."""
    colours = {player.name: player.colour for player in game.players}
    lying = [(face, colours[name]) for name, hand in hands.items() for face in hand]
    dice = [
        SeenDie(face, 0.05 + 0.15 * (n % 6), 0.1 + 0.18 * (n // 6), 0.06, 0.99, True, colour, (), (), 0.0)
        for n, (face, colour) in enumerate(lying)
    ]
    return Observation(1280, 960, tuple(dice), True, (), "shot")


def play(table: Table, random: Random) -> None:
    """One whole game between bots, every reveal read in one look."""
    table.do(cmd.NewGame(PRESETS["modern"], PEOPLE, starter="Ana"))
    while (game := table.snapshot().state.game) and game.phase is not Phase.OVER:
        hands = {p.name: tuple(random.choices((1, 2, 3, 4, 5, 6), k=p.dice)) for p in playing(game.players)}
        while (game := table.snapshot().state.game) and game.phase is Phase.BIDDING:
            table.do(cmd.Say(decide_on_turn(game, hands, Level.EASY, random)))
        assert game is not None
        table.do(cmd.AddObservation(observation(game, hands), "all"))
        if (game := table.snapshot().state.game) and game.phase is Phase.VERDICT:
            table.do(cmd.NextRound())
    table.do(cmd.PutAway())


def fill(journal: Journal, games: int) -> None:
    """Put `games` games into an empty journal, four an evening, every third day."""
    table, random = Table(journal, frames=1), Random(3)
    for _ in range(min(PLAYED, games)):
        play(table, random)
    played = [[json.loads(line) for line in journal.export(info.id)] for info in journal.games()]
    for number, lines in enumerate(islice(cycle(played), games - len(played)), len(played)):
        journal.take_in(_dated(lines, number))


def _dated(lines: Sequence[Body], number: int) -> Iterator[str]:
    """The game's lines as if it had been played as number `number`, without the checksums of the old ones."""
    evening, game = divmod(number, EACH_EVENING)
    began = FIRST_EVENING + evening * BETWEEN_EVENINGS + game * BETWEEN_GAMES
    for step, line in enumerate(lines):
        at = (began + step * BETWEEN_RECORDS).isoformat(timespec="seconds")
        dated = {"created": at} if step == 0 else {"at": at, "tick": "", "chain": ""}
        yield json.dumps(line | dated)
