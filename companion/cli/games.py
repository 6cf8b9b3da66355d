"""`dudo games`: what the journal holds, and games in and out of it as JSON lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.cli.run import with_options
from companion.errors import StorageError
from companion.reveal.evidence import Evidence
from companion.rules.game import Phase
from companion.settings import load
from companion.table.folder import DataFolder
from companion.table.journal import GameInfo, Journal
from companion.table.state import fold
from companion.table.table import replay


def add_parser(commands: Any) -> None:
    """The command and what can be done with games."""
    parser = commands.add_parser(
        "games", help="list, export, import and delete games", description="Games kept in the journal."
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings file (TOML)")
    parser.add_argument("--data", metavar="FOLDER", help="folder of the journal and the pictures")
    parser.set_defaults(run=_list, port=None, host=None, camera=None, pins=None)
    what = parser.add_subparsers(metavar="ACTION")
    what.add_parser("list", help="list all games (what is done without an action)").set_defaults(run=_list)
    out = what.add_parser("export", help="write a game as JSON lines to standard output")
    out.add_argument("game", help="the game's id")
    out.set_defaults(run=_export)
    back = what.add_parser("import", help="take a game in from JSON lines")
    back.add_argument("file", type=Path, help="a file that export wrote, - for standard input")
    back.set_defaults(run=_import)
    away = what.add_parser("delete", help="forget a game for good")
    away.add_argument("game", help="the game's id")
    away.set_defaults(run=_delete)


def _list(args: argparse.Namespace) -> int:
    with _journal(args) as journal:
        for info in journal.games():
            print(_line(journal, info))
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
    with _journal(args) as journal:
        for line in journal.export(args.game):
            print(line)
    return 0


def _import(args: argparse.Namespace) -> int:
    try:
        text = sys.stdin.read() if str(args.file) == "-" else args.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError("file_unreadable", path=args.file) from error
    with _journal(args) as journal:
        print(journal.take_in(text.splitlines()))
    return 0


def _delete(args: argparse.Namespace) -> int:
    with _journal(args) as journal:
        list(journal.export(args.game))  # refuses a game that is not there
        journal.delete(args.game)
        with closing(Evidence(journal.path.with_name("evidence.sqlite"))) as evidence:
            evidence.delete(args.game)
    return 0


@contextmanager
def _journal(args: argparse.Namespace) -> Iterator[Journal]:
    """The journal, while no companion is using it."""
    folder = with_options(load(args.config), args).data_folder
    with DataFolder(folder), closing(Journal(folder / "games.sqlite")) as journal:
        yield journal
