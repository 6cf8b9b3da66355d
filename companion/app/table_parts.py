"""What every part of a running box is given, what it keeps in its data folder, and the table with all that
follows each change: log, evidence, turn clock, keeper, bots."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct

from companion.app.bot_players import BotPlayers
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.system.log import EventLog
from companion.errors import CompanionError, StorageError
from companion.reveal.evidence import FILE as EVIDENCE
from companion.reveal.evidence import Evidence
from companion.rules.legality import seconds_to_decide
from companion.rules.position import Game, Phase
from companion.settings import Settings
from companion.statistics.archive import SUMS, Archive, Forgetting
from companion.storage.journal import Journal
from companion.storage.side_files import SideFiles
from companion.table.commands import CLOCK, TimeUp
from companion.table.folder import DataFolder, Reserve, secret
from companion.table.groups import Groups
from companion.table.resuming import GAMES, open_journal
from companion.table.table import Snapshot, Table
from companion.threads import QUICK_S, SLOW_S, Ending, Heartbeats, Loop
from hardware.ports import Clock

_log = logging.getLogger(__name__)


WAIT_S = 0.5
"""How long one wait lasts."""


class Subscriber:
    """Calls `on_change` with every newer snapshot, from a thread of its own, until it is closed.

    Snapshots that pass while `on_change` is at work are skipped: only the newest counts. `on_quiet` is called
    after each wait of WAIT_S without a change. What they raise is logged, and the thread goes on.
    """

    def __init__(
        self,
        name: str,
        table: Table,
        on_change: Callable[[Snapshot], None],
        beat: Callable[[], None] = lambda: None,
        on_quiet: Callable[[Snapshot], None] = lambda _: None,
    ) -> None:
        self._table, self._on_change, self._on_quiet = table, on_change, on_quiet
        self._version, self._ended = -1, threading.Event()
        self._loop = Loop(name, self._turn, beat)

    def stop(self) -> None:
        """Have the thread stop; may be called twice."""
        self._loop.stop()
        self._ended.set()
        self._table.wake()

    def close(self) -> None:
        """Stop the thread; may be called twice."""
        self.stop()
        self._loop.close()

    def _turn(self) -> float:
        snapshot = self._table.wait(self._version, WAIT_S, self._ended.is_set)
        changed, self._version = snapshot.version > self._version, snapshot.version
        if changed:
            self._on_change(snapshot)
        elif not self._ended.is_set():
            self._on_quiet(snapshot)
        return 0.0


class Runtime(Struct, frozen=True):
    """The surroundings of all parts of one box. Parts end in the opposite order of their opening."""

    settings: Settings
    clock: Clock
    heartbeats: Heartbeats
    ending: Ending
    files: SideFiles

    def every(self, name: str, turn: Callable[[], float | None], limit_s: float = SLOW_S) -> Loop:
        """Call `turn` again and again in a thread of that name; it gives the seconds until the next time."""
        loop = Loop(name, turn, self.heartbeats.expect(name, limit_s))
        self.ending.add(loop)
        return loop

    def follow(
        self,
        table: Table,
        name: str,
        on_change: Callable[[Snapshot], None],
        on_quiet: Callable[[Snapshot], None] = lambda _: None,
    ) -> None:
        """Call `on_change` after every change of the table in a thread of that name, `on_quiet` after a
        while without one."""
        self.ending.add(Subscriber(name, table, on_change, self.heartbeats.expect(name, QUICK_S), on_quiet))


PERSONS = "persons.json"
SUMS_TIMEOUT_S = 0.5
"""So long a page waits for sums of games that nobody has asked for yet."""


class KeptData:
    """The data folder with its lock, and every file in it that stays open."""

    def __init__(self, settings: Settings, files: SideFiles, ending: Ending) -> None:
        """Open everything, to be closed by `ending`, the lock last; raises FolderBusy."""
        self.reserve = Reserve(settings.data_folder / "reserve")
        self.reserve.ease_start()
        folder = DataFolder(settings.data_folder)
        ending.on_close(folder.close)
        self.folder = folder.path
        self.secret = secret(files.file("secret"))
        self.groups = Groups(files.file("groups.json"))
        self.journal = open_journal(folder.path / GAMES, more_room=self.reserve.give_up)
        ending.on_close(self.journal.close)
        limit = settings.data.evidence_mb * 1_000_000
        self.evidence = Evidence(files.file(EVIDENCE), limit_bytes=limit)
        ending.on_close(self.evidence.close)
        persons = files.file(PERSONS)
        self.archive = Archive(self.journal, files.file(SUMS), persons=persons, timeout_s=SUMS_TIMEOUT_S)
        ending.on_close(self.archive.close)

    def forgetting(self, table: Table) -> Forgetting:
        """By which a game is forgotten in every file, never one that goes on."""
        places = (self.archive, self.evidence, self.groups)
        return Forgetting(table.forget, *places, going_on=table.playing)


KEEPER_S = 600.0
"""So long the thread that keeps the journal may be silent: it copies a large one to a slow card."""


class TableParts:
    """The opened table. `frames` pictures of one place must agree."""

    def __init__(self, runtime: Runtime) -> None:
        """Open the journal and begin to follow the table; raises FolderBusy."""
        settings, now_s = runtime.settings, runtime.clock.now_s
        self.kept = KeptData(settings, runtime.files, runtime.ending)
        self.frames = 1 if settings.camera.use.startswith("folder") else 2  # a folder shows another each time
        each, bound = settings.camera.places == "each", settings.table.doubt
        self.table = Table(self.kept.journal, each=each, frames=self.frames, bound=bound, now_s=now_s)
        runtime.follow(self.table, "log", EventLog().follow)
        keep = settings.data.keep_examples
        self.store = EvidenceStore(self.table, self.kept.evidence, settings.data_folder, keep_examples=keep)
        runtime.follow(self.table, "evidence", self.store.follow, self.store.follow)
        self.turns = TurnTimer(self.table, now_s)
        runtime.follow(self.table, "turn clock", self.turns.follow, self.turns.follow)
        runtime.every("keeper", Keeper(self.table, self.kept.journal, self.kept.archive).turn, KEEPER_S)
        runtime.every("bots", BotPlayers(self.table, now_s).turn)


SUM_EVERY_S = 0.05
"""A pause between two games that are added up, for those who play."""


class Keeper:
    """Keeps the journal safe while the box is at work, in a thread of its own: nobody waits for it.

    Between rounds it is written down how far it has got; between games every record is checked again. What
    vanished is written anew. The sums of games are made before anybody asks for them.
    """

    def __init__(self, table: Table, journal: Journal, archive: Archive) -> None:
        self._table, self._journal, self._archive = table, journal, archive
        self._at, self._reported = _moment(table.snapshot()), journal.losses()
        self._to_check = self._to_sum = True

    def turn(self) -> float:
        """Keep the journal of the table as it is now; seconds until the next turn."""
        now = self._table.snapshot()
        before, self._at = self._at, _moment(now)
        if self._journal.trouble() is not None:  # health tells of it
            return WAIT_S
        self._to_check |= self._at != before and not now.state.goes_on
        self._to_sum |= self._at != before
        self._keep(moved_on=self._at != before)
        if self._to_sum:  # of one game, not of the one that goes on
            self._to_sum = self._archive.sum_one(but=now.game_id if now.state.goes_on else None)
        return SUM_EVERY_S if self._to_sum else WAIT_S

    def _keep(self, *, moved_on: bool) -> None:
        """Put right what the card has changed or somebody has deleted, and report it."""
        try:
            if moved_on:
                self._journal.settle()
            if self._to_check:
                self._to_check = False
                for info in self._journal.games():
                    self._journal.check(info.id)
        except StorageError as error:
            _log.warning("the journal could not be put right: %s", error)
        if (found := self._journal.losses()) != self._reported:
            self._reported = found
            self._table.report_losses()


def _moment(now: Snapshot) -> tuple[object, ...]:
    """A value that changes from round to round and from game to game."""
    game = now.state.game
    return now.game_id, game and game.round.number, game and game.phase is Phase.OVER


class TurnTimer:
    """Calls for the player on turn once the time is over that the rules give.

    It is told of a change as it happens, for a turn or a pause is measured from then on. A turn ends late by
    WAIT_S at most.
    """

    def __init__(self, table: Table, now_s: Callable[[], float]) -> None:
        self._table, self._clock = table, TurnClock(now_s)
        self._timed_out = self._measured = -1
        self._lock = threading.Lock()

    def left_s(self) -> float | None:
        """The seconds left to the player on turn; None while no clock runs."""
        return self._left_s(self._table.snapshot())

    def follow(self, snapshot: Snapshot) -> None:
        """End the turn of a player if its time is over."""
        if self._left_s(snapshot) == 0 and self._timed_out != snapshot.version:
            self._timed_out = snapshot.version
            with suppress(CompanionError):  # somebody was quicker, or the page tells why not
                self._table.do(TimeUp(), snapshot.version, CLOCK)

    def _left_s(self, snapshot: Snapshot) -> float | None:
        """By the page's threads too: whoever sees a new turn first begins to measure it."""
        with self._lock:
            if snapshot.version >= self._measured:
                self._measured = snapshot.version
                self._clock.follow(snapshot)
            return self._clock.left_s()


class TurnClock:
    """Measures one turn after the other on a clock that never jumps.

    It stands still while a challenge is half said, in a pause, and after a restart until somebody does
    something. A turn has its seconds once: nobody gets more of them who is renamed, or while others come
    and go.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._left_s = now_s, 0.0
        self._turn: tuple[object, ...] = ()
        self._measured_s: float | None = None

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of the table after every change."""
        game, left_s = snapshot.state.game, self.left_s()
        turn = _turn_of(game, snapshot) if game else ()
        seconds = seconds_to_decide(game) if game else 0
        if turn != self._turn:
            self._turn, left_s = turn, float(seconds)
        self._left_s = self._left_s if left_s is None else left_s
        runs = seconds and not snapshot.state.asked and not (snapshot.resumed or snapshot.paused)
        self._measured_s = self._now_s() if runs else None

    def left_s(self) -> float | None:
        """The seconds left to the player on turn, never below 0; None while no clock runs."""
        if self._measured_s is None:
            return None
        return max(0.0, self._left_s - (self._now_s() - self._measured_s))


def _turn_of(game: Game, snapshot: Snapshot) -> tuple[object, ...]:
    """A value that changes from turn to turn and knows no names; empty while nobody is to decide."""
    if game.phase is not Phase.BIDDING:
        return ()
    now = game.round
    seat = [player.name for player in game.players].index(now.turn)
    return snapshot.game_id, now.number, seat, sum(said.by == now.turn for said in now.bids)
