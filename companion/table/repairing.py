"""The games of a journal in use, checked record by record and repaired from the copies."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from companion.errors import JournalDamaged, StorageError
from companion.storage import copies
from companion.storage.chain import Row
from companion.storage.database import explained, is_text, log_of
from companion.storage.lines import lines
from companion.storage.pages import Pages
from companion.storage.rebuild import woven
from companion.storage.salvage import Readable, Source
from companion.table.journal import Journal
from companion.table.losses import Loss, add_loss

_log = logging.getLogger(__name__)


MAX_RECORDS = 100_000
"""A game that claims more has a damaged row."""


DOUBTFUL = ".doubtful"
"""Suffix of a file that marks the journal as damaged, whatever a check of it finds."""


def repair_games(path: Path) -> Loss | None:
    """Check every record of a journal in use, and repair the games that were changed on the card.

    Records that the copies do not have are cut off; such a game is kept as it was, as lines, in a file beside
    the journal. The game on the table was checked when the journal was opened.

    Raises StorageError, and JournalDamaged where this cannot be done while the journal is in use: the next
    start does it then.
    """
    with explained(path), closing(Journal(path, checked=True)) as journal, ExitStack() as open_files:
        changed = _changed(journal)
        if not changed:
            return None
        files = (path, *copies.existing(path))
        sources = [source for file in files for source in readable(file, open_files)]
        try:
            missing = {game: _mended(journal, game, sources) for game in changed}
        except StorageError as error:
            if error.reason not in ("journal_unwritable", "journal_damaged"):
                raise
            raise doubt_it(path) from error
        cut = [count for count in missing.values() if count]
        loss = Loss(sum(cut), len(cut))
        _log.error("games %s were changed on the card: %s", ", ".join(changed), loss)
        add_loss(journal, loss)
        return loss


def _changed(journal: Journal) -> list[str]:
    """The games to be put right while the journal is in use; raises JournalDamaged where that cannot be."""
    try:
        changed = [game for game in journal.changed_games() if game != journal.current()]
        listed = {info.id for info in journal.games()}
    except JournalDamaged as error:
        raise doubt_it(journal.path) from error
    if not all(is_text(game) and game in listed for game in changed):
        raise doubt_it(journal.path)  # a record with another id breaks the order of the tree
    return changed


def doubt_it(path: Path) -> JournalDamaged:
    """Have the next start bring the journal back: something in it cannot be put right while it is in use."""
    with suppress(OSError):
        path.with_suffix(DOUBTFUL).touch()
    return JournalDamaged("journal_damaged", path=path)


def readable(file: Path, open_files: ExitStack) -> Iterator[Readable]:
    """The file, where SQL can read anything of it, open as long as `open_files` are."""
    with suppress(sqlite3.Error):
        yield open_files.enter_context(closing(Readable(file)))


def _mended(journal: Journal, game: str, sources: Sequence[Source]) -> int:
    """Put one game right; returns how many of its records are missing now."""
    listed = [found.games[game] for found in (one.found() for one in sources) if game in found.games]
    before = journal.rows(game)
    rows = _good_rows(game, sources)
    created = next((one.created for one in listed if one.created), rows[0].at if rows else "")
    expected = max([len(before), *(one.records for one in listed if one.records < MAX_RECORDS)])
    if len(rows) < expected:
        with closing(Pages(journal.path, log_of(journal.path))) as pages:
            rows = _good_rows(game, [*sources, pages])
    if len(rows) < expected:
        aside = journal.path.with_name(f"{journal.path.stem}-damaged-{game}.jsonl")
        aside.write_text("".join(f"{line}\n" for line in lines(game, created, before)), encoding="utf-8")
    journal.put_right(game, created, rows)
    return expected - len(rows)


def _good_rows(game: str, sources: Sequence[Source]) -> tuple[Row, ...]:
    return woven(game, (row for source in sources for row in source.rows(game)))
