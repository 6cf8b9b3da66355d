"""Many tables of a club that tell a broker of a game as boxes do, without a game of their own each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from companion.outside.connection import Broker
from companion.outside.evening import evening
from companion.outside.mqtt import MqttLink
from companion.outside.outline import OutlineJson, outline
from companion.outside.topics import EVENING, STATE, Message, Topics, topics
from companion.statistics.evenings import Summary
from companion.table.view import view
from tests.companion.games import won
from tests.companion.outside.tables import ChanceTable


@dataclass
class SimulatedTable:
    """A table whose state is one of some that a real game had, under its own name."""

    name: str
    link: MqttLink
    topics: Topics
    states: Iterator[OutlineJson]
    games: list[Summary] = field(default_factory=list)

    def go_on(self) -> None:
        """Something happens in the game."""
        state: OutlineJson = {**next(self.states), "table": self.name}
        self._say(STATE, state)

    def win(self, winner: str, at: str, *others: str) -> None:
        """Somebody wins a game that ended `at`."""
        number = f"{self.topics.key}-{len(self.games)}"
        self.games.append(won(number, at, at, winner, [winner, *others]))
        self._say(EVENING, evening(self.games, self.name))

    def _say(self, what: str, data: object) -> None:
        self.link.put(Message(self.topics.of(what), json.dumps(data), retained=True))


def states(folder: Path, steps: int = 12) -> list[OutlineJson]:
    """States of a real game from its beginning."""
    with ChanceTable(folder, seed=3) as table:
        return [outline(view(table.act()), "", "en") for _ in range(steps)]


@contextmanager
def simulated_tables(folder: Path, port: int, names: list[str]) -> Iterator[list[SimulatedTable]]:
    """These tables, each with a connection of its own; all say goodbye at the end."""
    known = states(folder)
    with ExitStack() as opening:
        tables = []
        for number, name in enumerate(names):
            own = topics("dudo", name, name)
            link = MqttLink(Broker("127.0.0.1", port), own)
            opening.callback(link.close)
            tables.append(SimulatedTable(name, link, own, cycle(known[number % 6 :])))
            tables[-1].go_on()
        for table in tables:
            opening.callback(table.link.stop)
        yield tables
