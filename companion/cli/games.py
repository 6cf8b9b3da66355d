"""`dudo games`: what the journal holds, games in and out of it as JSON lines, and out as CSV or JSON."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from companion.cli.options import FOLDER, add_common, add_settings

Actions: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be done with games."""
    parser.description = "Lists, exports, imports, restores and deletes games of the journal."
    add_common(parser, "--config")
    add_settings(parser, FOLDER)
    parser.set_defaults(run=run, action="list")
    what = parser.add_subparsers(metavar="ACTION")
    actions = {name: _action(what, name) for name in ACTIONS}
    out, again = actions["export"], actions["restore"]
    out.add_argument("game", nargs="?", help="the game's id; all games without it")
    forms = ("lines", "csv", "json")
    out.add_argument("--as", dest="form", choices=forms, default="lines", help="form (lines)")
    out.epilog = "Example: dudo games export --as csv > games.csv"
    actions["import"].add_argument("file", type=Path, help="a file that export wrote, - for standard input")
    again.add_argument("file", nargs="?", type=Path, help="a copy of a journal, or one that was set aside")
    again.add_argument("--list", action="store_true", help="only list what games can be brought back from")
    actions["delete"].add_argument("game", help="the game's id")


def _action(what: Actions, name: str) -> argparse.ArgumentParser:
    """The parser of an action. `--config` and `--data` after it mean the same as before it."""
    short, long = ACTIONS[name]
    action = what.add_parser(name, help=short, description=long)
    action.set_defaults(action=name)
    for option, dest, kind in (("--config", "config", Path), ("--data", "data.folder", str)):
        action.add_argument(option, dest=dest, type=kind, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return action


def run(args: argparse.Namespace) -> int:
    """Do with the games what is asked for."""
    from companion.cli.games_done import ACTIONS as DONE  # here, because it loads all that a game is

    return DONE[args.action](args)


ACTIONS: Mapping[str, tuple[str, str]] = {
    "list": (
        "list all games",
        "Lists all games. This is also what happens without an action.",
    ),
    "export": (
        "write a game, or all of them, to standard output",
        "Writes a game to standard output, or all games without an id. JSON lines hold everything and can be "
        "imported again. CSV has a line for every judged round, for spreadsheets. JSON has every bid with "
        "its odds, the dice that were shown, and each player's sums.",
    ),
    "import": (
        "take games in from JSON lines",
        "Adds games from JSON lines to the journal.",
    ),
    "restore": (
        "bring back games from files of another journal",
        "Takes in every game of FILE that the journal does not have, or has less of. FILE is a game, a "
        "folder of games, or the journal of an older version, whole or damaged. Without it, the files that "
        "--list names are searched. What the journal has stays as it is.",
    ),
    "delete": (
        "forget a game for good",
        "Deletes a game from the journal, with the pictures behind its verdicts.",
    ),
}
"""Each action with what is said of it in short and at length."""
