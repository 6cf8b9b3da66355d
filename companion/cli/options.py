"""Options that several commands have, and settings that an option goes before."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.addresses import is_here
from companion.errors import RulesError, SettingsError
from companion.rules.bids import Bid
from companion.rules.dice import FACES
from companion.settings import Settings, table
from companion.settings_file import load, load_usable, with_values
from companion.texts import languages

COMMON: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "--config": lambda: {"type": Path, "metavar": "FILE", "help": "settings file (TOML)"},
    "--house": lambda: {
        "action": "append",
        "default": [],
        "metavar": "SWITCH=VALUE",
        "help": "a house rule; may be repeated",
    },
    "--language": lambda: {"choices": languages(), "default": "en", "help": "language (default: en)"},
}

FOLDER = {"data.folder": "--data"}
BOX = {"web.host": "--host", "web.port": "--port", **FOLDER, "camera.use": "--camera", "box.pins": "--pins"}
"""Settings by name, with the option that goes before them."""


def add_common(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add options of COMMON."""
    for name in names:
        parser.add_argument(name, **COMMON[name]())


def add_settings(parser: argparse.ArgumentParser, options: Mapping[str, str]) -> None:
    """Add an option for each of these settings."""
    for row in (row for row in table() if row.name in options):
        option: dict[str, Any] = {"dest": row.name, "default": None, "help": row.sentence()}
        if row.default is False:
            option["action"] = "store_true"
        else:
            option |= {"type": type(row.default), "choices": row.choices or None}
            option["metavar"] = None if row.choices else row.key.upper()
            option["help"] += f" ({row.default})" if row.default != "" else ""
        parser.add_argument(options[row.name], **option)


def with_options(settings: Settings, args: argparse.Namespace) -> Settings:
    """The settings, overridden by the options of the command line; raises SettingsError."""
    given: dict[str, dict[str, object]] = {}
    for row in table():
        if (value := getattr(args, row.name, None)) is not None:
            given.setdefault(row.section, {})[row.key] = value
    return with_values(settings, given)


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of the file and the options; raises SettingsError."""
    return with_options(load(args.config), args)


def at_start(args: argparse.Namespace) -> Settings:
    """The settings, whatever is in their files. A file that somebody names must be there: raises
    SettingsError."""
    path: Path | None = args.config
    named = path is not None and not path.exists()
    return load(path) if named else load_usable(path, data=getattr(args, "data.folder"))


def asked_for(settings: Settings, args: argparse.Namespace) -> Settings:
    """The settings with the options of the command line. A word that fits no machine raises SettingsError:
    whoever typed it is there to mend it, other than with a file that is read at a start."""
    from companion.app.system.box_parts import fitting

    typed = with_options(Settings(), args)
    faults = fitting(typed).faults
    if not is_here(typed.web.host):
        faults += (f"[web] host: {typed.web.host} is no address of this machine, choose another address",)
    if faults:
        raise SettingsError(faults)
    return with_options(settings, args)


MAX_DICE = 200  # twenty players with ten dice


def bid_on(text: str, dice: int) -> Bid:
    """A typed bid of a face that dice have, with that many dice on the table; raises BadCommand or
    RulesError."""
    bid = Bid.parse(text)
    if not 1 <= dice <= MAX_DICE:
        raise RulesError("ruleset_bad_value", field="--dice", value=dice, allowed=f"1 … {MAX_DICE}")
    if bid.face not in FACES:
        raise RulesError("bad_face", face=bid.face)
    if not bid.quantity:
        raise RulesError("bad_quantity", dice=dice)
    return bid
