"""Keeps the evidence of each verdict as it arises: the pictures of its reveal."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path

from companion.app.reading.reader_process import Jpegs
from companion.errors import StorageError
from companion.reveal.evidence import Evidence, examples, picture_id
from companion.table.folder import no_room
from companion.table.state import Played
from companion.table.table import Fault, Snapshot, Table

_log = logging.getLogger(__name__)

KEEPING_S = 3.0
"""So long whoever asks for a picture waits that is being kept: it is drawn after the verdict."""

PLAIN_BYTES = 5_000_000
"""So much of the newest pictures stays in memory as they were taken: the page draws its own marks on them.
Of older ones it shows the marked picture."""


class EvidenceStore:
    """Keeps pictures and verdicts; a full disk costs the evidence, not the reveal. Any thread may ask."""

    def __init__(self, table: Table, evidence: Evidence, folder: Path, *, keep_examples: bool) -> None:
        """`folder` is asked for room; with `keep_examples` pictures are kept as they were taken, too."""
        self._table, self._evidence, self._folder = table, evidence, folder
        self._keep_examples = keep_examples
        self._plain: dict[str, bytes] = {}
        self._came = threading.Condition()
        self._awaited: frozenset[str] | set[str] = frozenset()
        self._kept: Played | None = None
        self._due: Snapshot | None = None

    def picture(self, name: str) -> bytes | None:
        """A kept picture by its id; one of the newest also as it was taken, with "-plain" after its id."""
        self._await(name.removesuffix("-plain"))
        return self._plain.get(name) or self._evidence.picture(name)

    def show(self, name: str, jpeg: bytes) -> None:
        """Keep a picture in memory for the page."""
        with self._came:
            self._plain = _newest({**self._plain, name: jpeg})

    def expect(self) -> str:
        """The id of a picture that is kept by `keep` in a moment, "" where there is no room for it. A verdict
        may name it before."""
        if no_room(self._folder):
            return ""
        name = picture_id()
        with self._came:
            self._awaited = {*self._awaited, name}
        return name

    def keep(self, name: str, draw: Callable[[], Jpegs | None]) -> None:
        """Keep the picture that is expected under that name, drawn now; "" is none."""
        if not name:
            return
        try:
            self._keep(name, draw())
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))
        except Exception as error:  # the verdict has been given: whatever it is costs the picture alone
            _log.warning("a picture could not be drawn: %s", error)
        finally:
            with self._came:
                self._awaited = self._awaited - {name}
                self._came.notify_all()

    def _keep(self, name: str, drawn: Jpegs | None) -> None:
        """Show and write the picture; raises StorageError."""
        if drawn is None:
            return
        self.show(f"{name}-plain", drawn.plain)
        plain = drawn.plain if self._keep_examples else None
        self._evidence.keep(self._table.snapshot().game_id or "", drawn.marked, plain, name)
        self._table.report("evidence", None)

    def _await(self, *names: str) -> bool:
        """Wait a moment for pictures that are being kept; whether all of them have come."""
        with self._came:
            return self._came.wait_for(lambda: not self._awaited.intersection(names), KEEPING_S)

    def follow(self, now: Snapshot) -> None:
        """Keep the evidence of a verdict once its pictures are drawn, whatever has come since; anew after it
        was taken back and given again."""
        played = now.state.played[-1] if now.state.is_judged and now.state.played else None
        if played and now.state.reveal and played is not self._kept:
            self._kept, self._due = played, now
        if self._due and self._await(*self._due.state.played[-1].pictures):
            due, self._due = self._due, None
            self._keep_verdict(due)

    def _keep_verdict(self, now: Snapshot) -> None:
        reveal, played = now.state.reveal, now.state.played[-1]
        assert reveal is not None
        try:
            if self._keep_examples:
                self._evidence.keep_examples(examples(reveal))
            self._evidence.keep_verdict(now.game_id or "", played.number, played.pictures)
        except StorageError as error:
            self._table.report("evidence", Fault(error.reason))


def _newest(pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """The last of them that are PLAIN_BYTES together, and one in any case."""
    sizes = accumulate(len(jpeg) for jpeg in reversed([*pictures.values()]))
    kept = max(1, sum(size <= PLAIN_BYTES for size in sizes))
    return dict(list(pictures.items())[-kept:])
