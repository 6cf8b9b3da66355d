"""A table of a club that plays by chance and tells a broker: `python -m tests.companion.outside.club_table`.

It plays `--games` games and the beginning of another, says who won in a line, and waits to be killed.
"""

import argparse
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.outside.mqtt import MqttLink
from companion.outside.reporter import Reporter
from companion.outside.topics import topics
from companion.settings import Mqtt
from companion.statistics.archive import Archive
from tests.companion.outside.tables import ChanceTable

STEPS = 4
"""The beginning of a game: too few steps for anybody to win it."""


@contextmanager
def reporting(table: ChanceTable, port: int, name: str) -> Iterator[MqttLink]:
    """The table tells the broker of its games, as a box does."""
    wanted = topics("dudo", name, name)
    link = MqttLink(Mqtt("127.0.0.1", port), wanted)
    archive = Archive(table.journal)
    reporter = Reporter(table.table, (link,), archive.overview, wanted, name, "en")
    try:
        yield link
    finally:
        for part in (reporter, link):
            part.stop()
        for part in (reporter, link):
            part.close()
        archive.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--port", type=int)
    parser.add_argument("--name")
    parser.add_argument("--games", type=int, default=1)
    args = parser.parse_args()
    with ChanceTable(args.folder, seed=4) as table, reporting(table, args.port, args.name):
        table.play(args.games)
        for _ in range(STEPS):
            table.act()
        print(" ".join(table.winners), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
