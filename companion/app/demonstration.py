"""A demonstration: simulated players at a table of its own, with simulated parts, a data folder for the while
and another port.

It is opened when somebody asks for it and closed when nobody watches any more, or when a game begins at the
real table, which it never touches.
"""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.app.system.https import Https
from companion.demo.players import Pace
from companion.errors import BadCommand, CompanionError
from companion.settings import Box, Camera, Data, Settings
from companion.table.snapshot import Snapshot
from companion.threads import Part

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shows:
    """That a companion is a demonstration: the port of the table `home`, if any, how fast they play, and
    what encrypts its page where that of the table is."""

    home: int | None = None
    https: Https | None = None
    pace: Pace = field(default_factory=Pace)


IDLE_S = 60.0
"""After so long without a visitor it closes: a page that is open asks every twenty seconds."""

POLL_S = 2.0


class Shown(Part, Protocol):
    """A companion at whose table simulated players play."""

    @property
    def port(self) -> int: ...

    @property
    def visited_s(self) -> float: ...

    def serve(self) -> None: ...


class DemonstrationTable:
    """Opens and closes the one demonstration of a box. Any thread may ask."""

    def __init__(
        self,
        opener: Callable[[Settings], Shown],
        settings: Settings,
        table: Callable[[], Snapshot],
        now_s: Callable[[], float],
    ) -> None:
        """`opener` makes a companion of settings, `settings` are the box's own, `table` is the real table."""
        self._opener, self._settings, self._table, self._now_s = opener, settings, table, now_s
        self._lock = threading.Lock()
        self._shown: Shown | None = None
        self._closing = ExitStack()

    def open(self) -> int:
        """The port of the demonstration, begun where there is none; raises BadCommand while a game goes on,
        and what opening a companion raises."""
        with self._lock:
            if self._table().state.goes_on:
                raise BadCommand("game_going_on")
            if self._shown is None:
                self._shown = self._opened()
            return self._shown.port

    def stop(self) -> None:
        """Have the demonstration end; may be called twice."""
        shown = self._shown
        if shown is not None:
            shown.stop()

    def close(self) -> None:
        """End the demonstration; may be called twice."""
        with self._lock:
            if self._shown is not None:
                self._shown = None
                self._closing.close()
                _log.info("the demonstration is over")

    def turn(self) -> float:
        """Close what nobody watches, and whatever goes on beside a game; seconds until the next turn."""
        shown = self._shown
        if shown and (self._table().state.goes_on or self._now_s() - shown.visited_s > IDLE_S):
            self.close()
        return POLL_S

    def _opened(self) -> Shown:
        with ExitStack() as opening:
            made = tempfile.TemporaryDirectory(prefix="dudo-demonstration-", ignore_cleanup_errors=True)
            folder = opening.enter_context(made)
            shown = self._at_a_port(folder)
            opening.callback(shown.close)
            serving = threading.Thread(target=shown.serve, name="demonstration page", daemon=True)
            serving.start()
            self._closing = opening.pop_all()
            return shown

    def _at_a_port(self, folder: str) -> Shown:
        """At the port after the box's own, where that is free, else at any."""
        beside = self._settings.web.port + 1 if self._settings.web.port else 0
        try:
            return self._opener(simulated(self._settings, folder, beside))
        except CompanionError as error:
            if not beside or error.reason != "port_busy":
                raise
            return self._opener(simulated(self._settings, folder, 0))


def simulated(settings: Settings, folder: str, port: int) -> Settings:
    """The settings of a box of which nothing is real, and which keeps all it writes in `folder`."""
    return Settings(
        web=replace(settings.web, port=port, local_leads=False, open_scoreboard=True),
        data=Data(folder=folder, keep_examples=False),
        camera=Camera(use="simulated"),
        box=Box(pins="mock"),
        table=settings.table,
    )
