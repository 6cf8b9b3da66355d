"""The table with its journal, and what follows each change: log, evidence, turn clock, keeper, bots."""

from __future__ import annotations

from companion.app.bot_players import BotPlayers
from companion.app.keeper import Keeper
from companion.app.kept_data import KeptData
from companion.app.reading.evidence_store import EvidenceStore
from companion.app.runtime import Runtime
from companion.app.system.log import EventLog
from companion.app.turn_timer import TurnTimer
from companion.heartbeats import QUICK_S, SLOW_S
from companion.loop import Loop
from companion.table.table import Table

KEEPER_S = 600.0
"""So long the thread that keeps the journal may be silent: it copies a large one to a slow card."""


class TableParts:
    """The opened table. `frames` pictures of one place must agree."""

    def __init__(self, runtime: Runtime) -> None:
        """Open the journal and begin to follow the table; raises FolderBusy."""
        settings, now_s, ending = runtime.settings, runtime.clock.now_s, runtime.ending
        self.kept = KeptData(settings, runtime.files)
        ending.on_close(self.kept.close)
        self.frames = 1 if settings.camera.use.startswith("folder") else 2  # a folder shows another each time
        each, bound = settings.camera.places == "each", settings.table.doubt
        self.table = Table(self.kept.journal, each=each, frames=self.frames, bound=bound, now_s=now_s)
        runtime.follow(self.table, "log", EventLog().follow)
        keep = settings.data.keep_examples
        self.store = EvidenceStore(self.table, self.kept.evidence, settings.data_folder, keep_examples=keep)
        runtime.follow(self.table, "evidence", self.store.follow)
        self.turns = TurnTimer(self.table, now_s, runtime.heartbeats.expect("turn clock", QUICK_S))
        ending.add(self.turns)
        beat = runtime.heartbeats.expect("keeper", KEEPER_S)
        ending.add(Keeper(self.table, self.kept.journal, self.kept.archive, beat))
        beat = runtime.heartbeats.expect("bots", SLOW_S)
        ending.add(Loop("bots", BotPlayers(self.table, now_s).turn, beat))
