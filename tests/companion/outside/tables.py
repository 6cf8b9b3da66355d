"""Tables whose players roll in their phones and call by chance: whole games without a camera."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Self

from companion.app.table_parts import Subscriber
from companion.outside.club import evening
from companion.outside.connection import MqttLink
from companion.outside.outline import OutlineJson, outline
from companion.outside.reporter import Reporter
from companion.outside.topics import EVENING, STATE, Message, Topics, topics
from companion.rules.calls import BidCall, ChooseVisibility, Dudo
from companion.rules.legality import choice_is_due
from companion.rules.position import Phase
from companion.rules.presets import PRESETS
from companion.settings import Mqtt
from companion.statistics.archive import Archive
from companion.statistics.evenings import Summary
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Snapshot, Table
from companion.table.view import view
from tests.companion.games import won
from tests.perft import legal_calls

PEOPLE = ("Ana", "Beto", "Carla")


class ChanceTable:
    """A table in a folder of its own; `act` does the next step of its game, whatever that is."""

    def __init__(
        self, folder: Path, seed: int = 1, people: tuple[str, ...] = PEOPLE, **house: object
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.random, self.people, self.house = Random(seed), people, {"starting_dice": 2, **house}
        self.journal = Journal(folder / "games")
        self.table = Table(self.journal, roll=lambda n: tuple(self.random.randint(1, 6) for _ in range(n)))
        self.winners: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()

    def begin(self) -> None:
        """A new game, all dice in phones."""
        if self.table.snapshot().state.game:
            self.table.do(cmd.PutAway())
        rules = PRESETS["modern"].with_house(self.house)
        players = tuple((name, "") for name in self.people)
        self.table.do(cmd.NewGame(rules, players, self.people[0], self.people))

    def act(self) -> Snapshot:
        """One step: a bid or a doubt by chance, the next round, or another game once one is over."""
        game = self.table.snapshot().state.game
        if game is None or game.phase is Phase.OVER:
            self.begin()
        elif game.phase is Phase.VERDICT:
            self.table.do(cmd.NextRound())
        elif choice_is_due(game):
            views = [call for call in legal_calls(game) if isinstance(call, ChooseVisibility)]
            self.table.do(cmd.Say(self.random.choice(views)))
        else:
            calls = [call for call in legal_calls(game) if isinstance(call, BidCall | Dudo)]
            doubts = [call for call in calls if isinstance(call, Dudo) and call.by == game.round.turn]
            near = [call for call in calls if isinstance(call, BidCall)][:6]
            doubt = bool(doubts) and (not near or self.random.random() < 0.4)
            self.table.do(cmd.Say(self.random.choice(doubts if doubt else near)))
        now = self.table.snapshot()
        if now.state.game and now.state.game.winner and game and not game.winner:
            self.winners.append(now.state.game.winner)
        return now

    def play(self, games: int = 1, most: int = 10_000) -> None:
        """Until so many more games have a winner."""
        wanted = len(self.winners) + games
        for _ in range(most):
            if len(self.winners) >= wanted:
                return
            self.act()
        raise AssertionError("the game does not end")


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
            link = MqttLink(Mqtt("127.0.0.1", port), own)
            opening.callback(link.close)
            tables.append(SimulatedTable(name, link, own, cycle(known[number % 6 :])))
            tables[-1].go_on()
        for table in tables:
            opening.callback(table.link.stop)
        yield tables


@contextmanager
def reporting(table: ChanceTable, port: int, name: str) -> Iterator[MqttLink]:
    """The table tells the broker of its games, as a box does, and says goodbye at the end."""
    wanted = topics("dudo", name, name)
    link = MqttLink(Mqtt("127.0.0.1", port), wanted)
    archive = Archive(table.journal)
    reporter = Reporter((link.put,), archive, wanted, name, "en")
    subscriber = Subscriber("reporter", table.table, reporter.report, on_quiet=reporter.report_evening)
    try:
        yield link
    finally:
        for part in (subscriber, link):
            part.stop()
        for part in (subscriber, link):
            part.close()
        archive.close()


def die(link: MqttLink) -> None:
    """End without a goodbye, as a box that is killed."""
    link._loop.close()
    assert link._client is not None
    link._client.socket().close()  # type: ignore[union-attr]
