"""What `dudo games` does with the games of the journal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from companion.cli.options import settings_of
from companion.errors import FolderBusy, StorageError
from companion.reveal.evidence import FILE as EVIDENCE
from companion.reveal.evidence import Evidence
from companion.statistics.archive import SUMS, Archive, Forgetting, Unreadable
from companion.statistics.evenings import Summary
from companion.statistics.exporting import FORMS, whole
from companion.storage.exports import checked_lines
from companion.storage.journal import HEAD, Journal
from companion.storage.side_files import SideFile, SideFiles
from companion.table.folder import DataFolder
from companion.table.groups import Groups
from companion.table.resuming import GAMES, check, open_journal, restorable, restore
from companion.terminal import one_line
from companion.texts import translate


def _list(args: argparse.Namespace) -> int:
    with _archive(args) as archive:
        for game in archive.listed():
            print(one_line(_line(game)))
    return 0


def _line(game: Summary | Unreadable) -> str:
    """One game: its id, when it began, who played, and how it ended; or why it cannot be read."""
    begun = f"{game.id}  {game.began}"
    if isinstance(game, Unreadable):
        why = translate("en", f"errors.{game.reason}", **dict(game.values))
        return f"{begun}  {'nothing happened' if game.reason == 'not_started' else f'cannot be read: {why}'}"
    ended = f"won by {', '.join(game.winners)}" if game.winner else "stopped" if game.over else "not over"
    return f"{begun}  {game.preset or 'own rules'}  {', '.join(game.names)}  round {game.round}, {ended}"


def _export(args: argparse.Namespace) -> int:
    """To a file in UTF-8 and with line ends as they are, whatever the terminal speaks."""
    write = sys.stdout.write if sys.stdout.isatty() else lambda piece: sys.stdout.buffer.write(piece.encode())
    with _archive(args) as archive:
        for piece in _pieces(archive, args.game, args.form):
            write(piece)
        sys.stdout.flush()
    return 0


def _pieces(archive: Archive, game: str | None, form: str) -> Iterator[str]:
    if form != "lines":
        return whole(form, [FORMS[form](archive.record(game))]) if game else archive.exported(form)
    wanted = [game] if game else archive.ids()
    return (line for one in wanted for line in archive.raw(one))


def _restore(args: argparse.Namespace) -> int:
    """Bring back what other files have more of; with --list only say which there are."""
    with _journal(args) as journal:
        files = [args.file] if args.file else restorable(journal.path.parent)
        if args.list:
            print("".join(f"{file.name}  {_dated(file)}\n" for file in files), end="")
            return 0
        found = restore(journal, files)
        records = sum(info.records for info in journal.games() if info.id in found)
        print(f"{len(found)} {'game' if len(found) == 1 else 'games'} with {records} records")
    return 0


def _dated(file: Path) -> str:
    return datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat(timespec="seconds")


def _import(args: argparse.Namespace) -> int:
    """Take in every game of a file, after all its lines were looked at."""
    lines = checked_lines(_read(args.file))
    with _journal(args) as journal:
        for game in _each_game(lines):
            print(journal.take_in(game, check))
    return 0


def _read(file: Path) -> str:
    """The text of a file, or of standard input for `-`; raises StorageError where it cannot be read."""
    try:
        return (sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError("file_unreadable", path=file) from error


def _each_game(lines: list[str]) -> list[list[str]]:
    """The lines of each game in an export of several: each begins with a head of its own."""
    heads = [number for number, line in enumerate(lines) if number == 0 or line.startswith(HEAD)]
    return [lines[start:end] for start, end in zip(heads, [*heads[1:], len(lines)], strict=True)]


def _delete(args: argparse.Namespace) -> int:
    """Forget a game with all that is kept of it."""
    with _journal(args) as journal:
        folder = journal.path.parent
        files = SideFiles(folder)
        groups = Groups(files.file("groups.json"))
        archive, evidence = Archive(journal, files.file(SUMS)), Evidence(files.file(EVIDENCE))
        with closing(archive), closing(evidence):
            Forgetting(journal.delete, archive, evidence, groups).forget(args.game)
    return 0


@contextmanager
def _journal(args: argparse.Namespace) -> Iterator[Journal]:
    """The journal, while no companion is using it."""
    folder = settings_of(args).data_folder
    with DataFolder(folder), closing(open_journal(folder / GAMES)) as journal:
        yield journal


@contextmanager
def _archive(args: argparse.Namespace) -> Iterator[Archive]:
    """All games, with the sums that the companion remembers; read beside a companion at work, too."""
    path = settings_of(args).data_folder / GAMES
    with ExitStack() as opening:
        try:
            journal = opening.enter_context(_journal(args))
            sums = SideFile(path.with_name(SUMS))
        except FolderBusy:
            if not path.exists():  # it is just being made
                raise
            journal = opening.enter_context(closing(Journal(path, reading=True)))
            sums = None
        yield opening.enter_context(closing(Archive(journal, sums)))


ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "export": _export,
    "import": _import,
    "restore": _restore,
    "delete": _delete,
}
