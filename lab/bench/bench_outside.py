"""What telling programs outside costs, and a club of 200 tables on a real broker where there is one."""

from __future__ import annotations

import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

from companion.outside.club import Club, ClubLink, club_json, evening, heard, standings
from companion.outside.connection import MqttLink
from companion.outside.outline import outline
from companion.outside.reporter import events
from companion.outside.topics import Message, Topics
from companion.settings import Mqtt
from companion.table.view import view
from companion.table.wire.state import ClubNow, TableJson
from tests.companion.games import won
from tests.companion.outside.brokers import broker
from tests.companion.outside.tables import ChanceTable
from tests.tools import find_tool
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app

TABLES, GAMES = 200, 10
Row = tuple[str, str, str]


def rows() -> Iterator[Row]:
    """The figures for `make bench`."""
    with tempfile.TemporaryDirectory() as folder:
        views = _views(Path(folder) / "table")
        yield from _event_rows(views)
        messages = list(_club(views))
        yield from _folded(messages)
        if find_tool("mosquitto"):
            yield from _live(Path(folder) / "broker", messages)


def _views(folder: Path) -> list[TableJson]:
    with ChanceTable(folder) as table:
        return [view(table.act()) for _ in range(60)]


def _event_rows(views: list[TableJson]) -> Iterator[Row]:
    began = time.process_time()
    for before, after in pairwise(views):
        outline(after, "t", "en")
        events(before, after, "en")
    yield "state and events of one change", f"{(time.process_time() - began) / 59 * 1e6:.0f} µs", "of a view"


def _club(views: list[TableJson]) -> Iterator[Message]:
    """Every table's retained messages, with an evening of ten games each."""
    for number in range(TABLES):
        name = f"Table {number + 1}"
        state = outline(views[number % len(views)], name, "en")
        games = [
            won(f"{number}-{game}", _at(game, 0), _at(game, 25), f"P{(number + game) % 5}", _people(number))
            for game in range(GAMES)
        ]
        yield Message(f"dudo/{number}/status", "online", retained=True)
        yield Message(f"dudo/{number}/state", json.dumps(state), retained=True)
        yield Message(f"dudo/{number}/evening", json.dumps(evening(games, name)), retained=True)


def _people(number: int) -> list[str]:
    return [f"P{(number + place) % 5}" for place in range(5)]


def _at(game: int, minute: int) -> str:
    return f"2026-11-25T{12 + game // 2:02}:{30 * (game % 2) + minute:02}:00+00:00"


def _folded(messages: list[Message]) -> Iterator[Row]:
    club, began = Club(), time.process_time()
    for message in messages:
        club = heard(club, "dudo", message.topic, message.text.encode())
    took_s = time.process_time() - began
    assert len(club.tables) == TABLES
    assert len(club.won) == TABLES * GAMES
    yield "all messages of a club", f"{took_s * 1e3:.0f} ms", f"{TABLES} tables, {len(messages)} messages"
    began = time.process_time()
    places = standings(club.won)
    yield (
        "standings",
        f"{(time.process_time() - began) * 1e3:.0f} ms",
        f"{len(club.won)} games, {len(places)} people",
    )
    yield from _drawn(ClubNow("1", True, "", club_json(club)))


def _drawn(now: ClubNow) -> Iterator[Row]:
    """The page of a club, and its answer while nothing has changed."""
    with tempfile.TemporaryDirectory() as folder:
        table = BoxedTable(Path(folder))
        client = create_app(deps_for(table, club=lambda: now)).test_client()
        page = client.get("/club/now").data
        for name, path, count in (
            ("the club's page", "/club/now", 5),
            ("nothing new", "/club/now?seen=1", 50),
        ):
            began = time.process_time()
            for _ in range(count):
                client.get(path)
            took_ms = (time.process_time() - began) / count * 1e3
            size = f"{TABLES} tables, {len(page) // 1000} kB before gzip" if count == 5 else "204"
            yield name, f"{took_ms:.1f} ms", size
        table.journal.close()


def _live(folder: Path, messages: list[Message]) -> Iterator[Row]:
    with broker(folder) as running:
        box = MqttLink(Mqtt("127.0.0.1", running.port), Topics("dudo", "bench"))
        club = ClubLink(Mqtt("127.0.0.1", running.port))
        try:
            began = time.perf_counter()
            for message in messages:
                box.put(message)
            _until(lambda: len(club.club.won) == TABLES * GAMES)
            yield (
                "200 tables through a broker",
                f"{time.perf_counter() - began:.2f} s",
                "from nothing to all shown",
            )
            late, began = ClubLink(Mqtt("127.0.0.1", running.port)), time.perf_counter()
            _until(lambda: len(late.club.won) == TABLES * GAMES)
            yield (
                "a club begun late",
                f"{time.perf_counter() - began:.2f} s",
                "all from what is retained",
            )
            late.close()
            yield _latency(box, club)
        finally:
            box.close()
            club.close()


def _latency(box: MqttLink, club: ClubLink) -> Row:
    """From a change at a table to the club's view of it."""
    found, random, pause = [], Random(1), threading.Event()
    for number in range(40):
        pause.wait(random.random() / 5)  # else each change would meet the link's thread as it wakes
        text, began = ("offline", "online")[number % 2], time.perf_counter()
        box.put(Message("dudo/7/status", text, retained=True))
        _until(lambda wanted=text == "online": club.club.tables["7"].online is wanted)  # type: ignore[misc]
        found.append(time.perf_counter() - began)
    quick, slow = statistics.median(found), max(found)
    return (
        "one change until the club shows it",
        f"{quick * 1e3:.0f} ms",
        f"median of 40, at most {slow * 1e3:.0f} ms",
    )


def _until(holds: object) -> None:
    pause, until_s = threading.Event(), time.monotonic() + 60.0
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < until_s, "the club does not hear of it"
        pause.wait(0.002)
