"""`dudo games`: what the journal holds, games in and out of it as JSON lines, and out as CSV or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.cli.run import with_options
from companion.errors import BadCommand, StorageError
from companion.reveal.evidence import Evidence
from companion.rules.game import Phase
from companion.settings import load
from companion.statistics.archive import SUMS, Archive
from companion.statistics.exporting import csv_pieces, json_pieces
from companion.statistics.record import GameRecord
from companion.statistics.sums import SumsFile
from companion.table.folder import DataFolder
from companion.table.history import replay
from companion.table.journal import HEAD, GameInfo, Journal
from companion.table.history import replay
from companion.table.state import fold
from companion.terminal import one_line


def add_parser(commands: Any) -> None:
    """The command and what can be done with games."""
    parser = commands.add_parser(
        "games",
        help="list, export, import and delete games",
        description="Lists, exports, imports and deletes games of the journal.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings file (TOML)")
    parser.add_argument("--data", metavar="FOLDER", help="folder of the journal and the pictures")
    parser.set_defaults(run=_list, port=None, host=None, camera=None, pins=None)
    what = parser.add_subparsers(metavar="ACTION")
    listed = "Lists all games. This is also what happens without an action."
    what.add_parser("list", help="list all games", description=listed).set_defaults(run=_list)
    _add_export(what)
    back = what.add_parser(
        "import",
        help="take games in from JSON lines",
        description="Adds games from JSON lines to the journal.",
    )
    back.add_argument("file", type=Path, help="a file that export wrote, - for standard input")
    back.set_defaults(run=_import)
    away = what.add_parser(
        "delete",
        help="forget a game for good",
        description="Deletes a game from the journal, with the pictures behind its verdicts.",
    )
    away.add_argument("game", help="the game's id")
    away.set_defaults(run=_delete)


def _add_export(actions: Any) -> None:
    out = actions.add_parser(
        "export",
        help="write a game, or all of them, to standard output",
        description="Writes a game to standard output, or all games without an id. JSON lines hold "
        "everything and can be imported again. CSV has a line for every judged round, for spreadsheets. "
        "JSON has every bid with its odds, the dice that were shown, and each player's sums.",
        epilog="Example: dudo games export --as csv > games.csv",
    )
    out.add_argument("game", nargs="?", help="the game's id; all games without it")
    out.add_argument("--as", dest="form", choices=tuple(_FORMS), default="lines", help="form (lines)")
    out.set_defaults(run=_export)


def _list(args: argparse.Namespace) -> int:
    with _journal(args) as journal:
        for info in journal.games():
            print(one_line(_line(journal, info)))
    return 0


def _line(journal: Journal, info: GameInfo) -> str:
    """One game: its id, when it began, who played, and how it ended."""
    history, _ = replay([record.body for record in journal.records(info.id)])
    game = fold(history).game
    if game is None:
        return f"{info.id}  {info.created}  nothing happened"
    names = ", ".join(player.name for player in game.players)
    ended = f"won by {game.winner}" if game.winner else "stopped" if game.phase is Phase.OVER else "not over"
    rules = game.ruleset.name or "own rules"
    return f"{info.id}  {info.created}  {rules}  {names}  round {game.round.number}, {ended}"


def _export(args: argparse.Namespace) -> int:
    """To a file in UTF-8 and with line ends as they are, whatever the terminal speaks."""
    write = sys.stdout.write if sys.stdout.isatty() else lambda piece: sys.stdout.buffer.write(piece.encode())
    with _journal(args) as journal:
        wanted = [args.game] if args.game else [info.id for info in journal.games()]
        for piece in _FORMS[args.form](journal, wanted):
            write(piece)
        sys.stdout.flush()
    return 0


def _lines(journal: Journal, games: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for game in games for line in journal.export(game))


def _records(journal: Journal, games: Iterable[str]) -> Iterator[GameRecord]:
    archive = Archive(journal)
    with closing(archive):
        for game in games:
            yield archive.record(game)


_FORMS: Mapping[str, Callable[[Journal, Iterable[str]], Iterator[str]]] = {
    "lines": _lines,
    "csv": lambda journal, games: csv_pieces(_records(journal, games)),
    "json": lambda journal, games: json_pieces(_records(journal, games)),
}


def _import(args: argparse.Namespace) -> int:
    """Take in every game of a file, after all its lines were looked at."""
    lines = _read_lines(args.file)
    for number, line in enumerate(lines, 1):
        _check_line(number, line)
    with _journal(args) as journal:
        for game in _each_game(lines):
            print(journal.take_in(game))
    return 0


def _read_lines(file: Path) -> list[str]:
    """The lines of a file, or of standard input for `-`; raises StorageError where it cannot be read.

    Only line feeds end a line: a player's name may hold what else ends one for `str.splitlines`.
    """
    try:
        written = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return written.decode("utf-8").removesuffix("\n").replace("\r\n", "\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError("file_unreadable", path=file) from error


def _check_line(number: int, line: str) -> None:
    """Raises BadCommand unless the line is JSON that the journal can store and write out again."""
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:  # half of a surrogate pair is a ValueError too
        raise BadCommand("export_unreadable", line=number) from error


def _each_game(lines: list[str]) -> list[list[str]]:
    """The lines of each game in an export of several: each begins with a head of its own."""
    heads = [number for number, line in enumerate(lines) if number == 0 or line.startswith(HEAD)]
    return [lines[start:end] for start, end in zip(heads, [*heads[1:], len(lines)], strict=True)]


def _delete(args: argparse.Namespace) -> int:
    with _journal(args) as journal:
        list(journal.export(args.game))  # refuses a game that is not there
        journal.delete(args.game)
        with closing(Evidence(journal.path.with_name("evidence.sqlite"))) as evidence:
            evidence.delete(args.game)
        with closing(SumsFile(journal.path.with_name(SUMS))) as sums:
            sums.forget(args.game)
    return 0


@contextmanager
def _journal(args: argparse.Namespace) -> Iterator[Journal]:
    """The journal, while no companion is using it."""
    folder = with_options(load(args.config), args).data_folder
    with DataFolder(folder), closing(Journal(folder / "games.sqlite")) as journal:
        yield journal
