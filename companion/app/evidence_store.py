"""Keeps the evidence of each verdict as it arises: the pictures of its reveal, and what was read in them."""

from __future__ import annotations

from pathlib import Path

from companion.app.health import no_room
from companion.app.readings import Seen
from companion.errors import StorageError
from companion.reveal.evidence import Evidence, record
from companion.reveal.examples import examples
from companion.rules.game import Phase
from companion.table.state import Played, assessment
from companion.table.table import Fault, Snapshot, Table

PLAIN_KEPT = 16
"""So many of the newest pictures stay in memory as they were taken: the page draws its own marks on them."""


class EvidenceStore:
    """Keeps pictures and verdicts; a full disk costs the evidence, not the reveal. Any thread may ask."""

    def __init__(self, table: Table, evidence: Evidence, folder: Path, *, keep_examples: bool) -> None:
        """`folder` is asked for room; with `keep_examples` pictures are kept as they were taken, too."""
        self._table, self._evidence, self._folder = table, evidence, folder
        self._keep_examples = keep_examples
        self._plain: dict[str, bytes] = {}
        self._kept: Played | None = None

    def picture(self, name: str) -> bytes | None:
        """A kept picture by its id; one of the newest also as it was taken, with "-plain" after its id."""
        return self._plain.get(name) or self._evidence.picture(name)

    def show(self, name: str, jpeg: bytes) -> None:
        """Keep a picture in memory for the page."""
        newest = list(self._plain.items())[1 - PLAIN_KEPT :]
        self._plain = {**dict(newest), name: jpeg}

    def keep(self, seen: Seen) -> str:
        """Keep a picture that was read; returns its id, "" where it could not be kept."""
        if no_room(self._folder):
            return ""
        plain = seen.plain if self._keep_examples else None
        try:
            name = self._evidence.keep(self._table.snapshot().game_id or "", seen.marked, plain)
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))
            return ""
        self._table.report("evidence", None)
        self.show(f"{name}-plain", seen.plain)
        return name

    def follow(self, now: Snapshot) -> None:
        """Keep the evidence of a verdict once it is there, anew after it was taken back and given again."""
        game = now.state.game
        decided = game is not None and game.phase in (Phase.VERDICT, Phase.OVER) and now.state.reveal
        if decided and now.state.played and now.state.played[-1] is not self._kept:
            self._kept = now.state.played[-1]
            self._keep_verdict(now)

    def _keep_verdict(self, now: Snapshot) -> None:
        reveal, played = now.state.reveal, now.state.played[-1]
        assert reveal is not None
        try:
            if self._keep_examples:
                self._evidence.keep_examples(examples(reveal))
            body = record(reveal, assessment(now.state))
            self._evidence.keep_verdict(now.game_id or "", played.number, body, played.pictures)
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))
