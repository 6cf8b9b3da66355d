"""The journal opened for play, and games from their records.

They are taken up from the journal, checked when they come from elsewhere, and exported while they go on
without the dice that are still under cups.

Such an export is read back, but without the dice that were rolled in phones. The verdicts stand in it whole.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path

from companion.errors import BadCommand, StorageError
from companion.json_types import Body, body
from companion.rules.position import Phase
from companion.rules.ruleset import Ruleset
from companion.storage import exports, old_journal
from companion.storage.exports import Exported
from companion.storage.form import good_lines
from companion.storage.game_list import NAME, Loss
from companion.storage.journal import Journal
from companion.table.kept_game import KeptGame, replay, standing
from companion.table.state import TableState
from companion.table.table_events import from_json

_log = logging.getLogger(__name__)

_WAITING = "waiting"


def resume(journal: Journal, game_id: str, empty: TableState) -> KeptGame | None:
    """The game as it stands. One that this version cannot read to its end is put aside, unwritten, and comes
    back with a version that can: None. Raises StorageError."""
    try:
        found = replay([record.body for record in journal.records(game_id)], empty, game_id)
    except Exception:  # whatever a record of another version brings about
        _log.exception("game %s cannot be read to its end", game_id)
        if game_id == journal.current():
            loss = Loss(unread=True, version=journal.version_of(game_id))
            journal.put_notes({"current": None, _WAITING: game_id}, loss)
        return None
    if game_id == waiting(journal):
        left = (one for one in journal.losses() if not one.unread)
        journal.put_notes({"current": game_id, _WAITING: None, "losses": None}, *left)
    return found if found.history else None


def rules_of(game_id: str, folder: Path) -> Ruleset:
    """The rules that a game in a data folder is played by; raises BadCommand."""
    path = folder / GAMES
    if path.is_dir():
        with closing(Journal(path, reading=True)) as journal:
            if game := replay([record.body for record in journal.records(game_id)]).state.game:
                return game.ruleset
    raise BadCommand("unknown_game", game=game_id)


def waiting(journal: Journal) -> str | None:
    """The game that was put aside, None where there is none or another one is on the table."""
    found = str(journal.note(_WAITING))
    return found if journal.current() is None and any(info.id == found for info in journal.games()) else None


def check(bodies: Sequence[Body]) -> None:
    """Whether a game that comes from elsewhere can be read; raises BadCommand with the line of its export."""
    game, line = KeptGame(), 1
    try:
        for number, record in standing(bodies):
            line = number + 1
            game = game.following(from_json(record))
    except Exception as error:  # whatever a damaged or crafted record brings about
        raise BadCommand("export_unreadable", line=line) from error
    if not bodies:
        raise BadCommand("export_unreadable", line=1)


_SECRETS: Mapping[str, Body] = {
    "sealed": {"seal": ""},
    "thrown": {"faces": []},
    "rolled": {"faces": []},
}


def without_secrets(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of one exported game; those of a game that is over, or cannot be read, as they are."""
    written = tuple(line.rstrip("\n") for line in lines)
    rows = [json.loads(line) for line in written]
    if not _goes_on([row.get("body") for row in rows[1:]]):
        return written
    return (written[0], *(json.dumps(_blanked(row), ensure_ascii=False) for row in rows[1:]))


def _goes_on(bodies: list[Body]) -> bool:
    try:
        state = replay(bodies).state
    except Exception:  # whatever a record brings about that cannot be read: nobody can play on with it
        return False
    return state.game is not None and state.game.phase is not Phase.OVER and bool(state.cups or state.bots)


def _blanked(row: Body) -> Body:
    return {"number": row["number"], "at": row["at"], "body": without_dice(body(row["body"]))}


def without_dice(event: Body) -> Body:
    """An event of the journal without dice that the box rolled, and without the seal they follow from."""
    return {**event, **_SECRETS.get(str(event.get("event")), {})}


GAMES = "games"
"""The folder of games in a data folder; the mirror is beside it."""
LEFT_BY_GAMES = "groups.json"
"""A file beside the journal that only games bring about."""
_TAKEN_OVER = "taken_over"


def open_journal(path: Path, *, more_room: Callable[[], bool] = lambda: False) -> Journal:
    """Open the journal at `path`, and take over what an older version wrote beside it.

    Losses are written down in it. Where nothing can be written it is opened to be read alone.
    """
    journal = Journal(path, more_room=more_room, version=version("dudo-companion"))
    try:
        _take_over(journal)
        played = path.with_name(LEFT_BY_GAMES).exists()
        if played and journal.note("boots") is None and not (journal.games() or journal.losses()):
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
