"""The journal opened for play, with the games of older versions; and games brought back from other files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from companion.errors import BadCommand, StorageError
from companion.storage import exports, old_journal
from companion.storage.exports import Exported
from companion.storage.form import good_lines
from companion.storage.game_list import NAME, Loss
from companion.storage.journal import Journal

_log = logging.getLogger(__name__)

GAMES = "games"
"""The folder of games in a data folder; the mirror is beside it."""
LEFT_BY_GAMES = ("groups.json",)
"""Files beside the journal that only games bring about."""
_TAKEN_OVER = "taken_over"


def open_journal(path: Path, *, more_room: Callable[[], bool] = lambda: False) -> Journal:
    """Open the journal at `path`, and take over what an older version wrote beside it.

    Losses are written down in it. Where nothing can be written it is opened to be read alone.
    """
    journal = Journal(path, more_room=more_room, version=version("dudo-companion"))
    try:
        _take_over(journal)
        played = any(path.with_name(name).exists() for name in LEFT_BY_GAMES)
        if journal.was_empty and played and not journal.games():
            journal.put_notes({}, Loss(emptied=True))
    except StorageError as error:
        _log.warning("journals of older versions are not taken over: %s", error)
    except BaseException:
        journal.close()
        raise
    return journal


def _take_over(journal: Journal) -> None:
    """The games of an older version, once, and again when that one has played on. Its files stay."""
    folder = journal.path.parent
    stamp = old_journal.stamp(folder)
    if not stamp or stamp == journal.note(_TAKEN_OVER):
        return
    old, before = old_journal.read(*old_journal.own_files(folder)), _lengths(journal)
    ids = journal.keep(*old.games)
    now = dict(zip((game.game for game in old.games), ids, strict=True)).get(old.current)
    went_on = now is not None and _lengths(journal)[now] > before.get(now, 0)
    notes: dict[str, object] = {
        _TAKEN_OVER: stamp,
        "boots": max(old.boots, int(str(journal.note("boots") or 0))),
    }
    if went_on:
        notes["current"] = now
    lost = bool(old.missing) or not (old.games or old.boots)
    loss = Loss(old.missing, old.cut, old_journal.NAME, emptied=not old.games)
    journal.put_notes(notes, *([loss] if lost else []))
    _log.warning("%d games of %s were taken over; it stays as it is", len(ids), folder / old_journal.NAME)


def _lengths(journal: Journal) -> dict[str, int]:
    return {info.id: info.records for info in journal.games()}


def restore(journal: Journal, files: Iterable[Path]) -> list[str]:
    """Take in every game of these files that the journal has not, or has less of; returns their ids.

    A file is a game, a folder of games, or a journal of an older version, whole or damaged. Raises
    StorageError for one with no game in it.
    """
    ids: list[str] = []
    for file in files:
        found = tuple(_games_in(file))
        if not found:
            raise StorageError("file_unreadable", path=file)
        ids += journal.keep(*found)
    return list(dict.fromkeys(ids))


def restorable(folder: Path) -> list[Path]:
    """What games can be brought back from: journals of older versions, and damaged files that were kept."""
    return [*old_journal.files(folder), *sorted((folder / f"{GAMES}-damaged").glob("*.jsonl"))]


def _games_in(file: Path) -> Iterator[Exported]:
    if file.is_dir():
        for one in sorted(file.glob("*.jsonl")):
            yield from _games_in(one)
    elif file.suffix == ".jsonl" and file.name != NAME:
        with suppress(OSError, BadCommand):
            yield exports.parse(line.decode() for line in good_lines(file.read_bytes()))
    else:
        yield from old_journal.read(file).games
