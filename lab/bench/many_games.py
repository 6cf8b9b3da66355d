"""A journal of many games over many evenings, made of a few that were played."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from random import Random

from companion.json_types import Body
from companion.storage.journal import Journal
from companion.table.table import Table
from tests.many_games import play

PLAYED = 8
EACH_EVENING = 4
FIRST_EVENING = datetime(2026, 1, 2, 20, tzinfo=UTC)
BETWEEN_EVENINGS, BETWEEN_GAMES = timedelta(days=3), timedelta(minutes=40)
BETWEEN_RECORDS = timedelta(seconds=20)


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
