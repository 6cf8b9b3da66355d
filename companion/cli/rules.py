"""`dudo rules`: the rules in words."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from companion.cli.options import FOLDER, add_common, add_settings, with_options
from companion.errors import BadRuleset
from companion.rules.presets import PRESETS, preset
from companion.rules.rulebook import heading, presets_table, rules_in_words
from companion.rules.ruleset import Ruleset, bounds, switches
from companion.settings_file import load


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = "Prints the rules of a preset, with house rules over it if you like, in words."
    parser.epilog = "Example: dudo rules modern --house calza=off --house penalty=difference"
    parser.add_argument(
        "rules", nargs="?", default="modern", help=f"{', '.join(PRESETS)}, or a file that --json wrote"
    )
    parser.add_argument(
        "--game", metavar="ID", help="the rules of a game in the journal instead (dudo games)"
    )
    add_settings(parser, FOLDER)
    add_common(parser, "--house", "--language")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the ruleset as JSON instead")
    form.add_argument("--table", action="store_true", help="print all presets side by side instead")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rules; raises BadRuleset or BadCommand."""
    base = _of_game(args) if args.game else _load(args.rules)
    print(_printed(_with_house(base, args.house), args))
    return 0


def chosen(rules: str, house: Sequence[str]) -> Ruleset:
    """A preset or the ruleset of a file, with house rules as typed over it; raises BadRuleset."""
    return _with_house(_load(rules), house)


def _with_house(base: Ruleset, house: Sequence[str]) -> Ruleset:
    return base.with_house(dict(_switch(text) for text in house))


def _printed(ruleset: Ruleset, args: argparse.Namespace) -> str:
    if args.json:
        return json.dumps(ruleset.to_json(), indent=2)
    if args.table:
        return presets_table(args.language)
    lines = (f"- {line}" for line in rules_in_words(ruleset, args.language))
    return "\n".join((heading(ruleset, args.language), "", *lines))


def _load(name: str) -> Ruleset:
    """A preset by its name, or the ruleset in a file; raises BadRuleset."""
    path = Path(name)
    if name in PRESETS or not path.is_file():
        return preset(name)
    try:
        return Ruleset.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeError, ValueError) as error:
        if isinstance(error, BadRuleset):
            raise
        raise BadRuleset("ruleset_unreadable", path=path, cause=error) from error


def _of_game(args: argparse.Namespace) -> Ruleset:
    """The rules a game in the journal is played by; raises BadCommand."""
    from companion.table.resuming import rules_of  # here, because it loads all that a game is

    return rules_of(args.game, with_options(load(), args).data_folder)


def _switch(text: str) -> tuple[str, object]:
    """A house rule as typed; numbers, true, false and none are read as such."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadRuleset("house_unreadable", text=text)
    known: dict[str, object] = {"true": True, "false": False}
    if name in switches() and bounds(name):
        known["none"] = None
    if value in known:
        return name, known[value]
    return name, int(value) if value.isdecimal() and value.isascii() else value
