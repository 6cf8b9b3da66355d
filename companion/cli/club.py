"""`dudo club`: all tables of a club live, and the standings of the evening, from one MQTT broker."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable

from companion.cli.options import add_common, add_settings, asked_for
from companion.errors import SettingsError
from companion.outside.club import Club, ClubLink, club_json
from companion.settings_file import load
from companion.table.wire.state import ClubTableJson
from companion.terminal import one_line

QUIET_S, LONGEST_S = 1.0, 20.0
"""With --once: so long nothing more may come, and so long it is waited for at most."""

BROKER = {
    "mqtt.host": "--broker",
    "mqtt.port": "--port",
    "mqtt.user": "--user",
    "mqtt.password_file": "--password-file",
    "mqtt.tls": "--tls",
    "mqtt.ca_file": "--ca-file",
    "mqtt.prefix": "--prefix",
}
REDRAW_S = 1.0
_CLEAR = b"\x1b[H\x1b[2J"
_HEAD = ("table", "state", "round", "turn", "bid", "dice", "last verdict")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Shows every table that an MQTT broker knows of, live, and the standings of the evening. "
        "What no option says is taken from the settings."
    )
    parser.epilog = "Example: dudo club --broker 192.168.1.10"
    add_settings(parser, BROKER)
    add_common(parser, "--config")
    parser.add_argument("--once", action="store_true", help="print what the broker retains, and end")
    parser.add_argument("--json", action="store_true", help="print it as one JSON object; implies --once")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the club until interrupted; 1 with --once when the broker cannot be asked."""
    broker = asked_for(load(args.config), args).mqtt
    if not broker.host:
        raise SettingsError(("no broker is named: give --broker HOST, or host under [mqtt]",))
    link = ClubLink(broker)
    try:
        if args.once or args.json or not sys.stdout.isatty():
            return _once(link, as_json=args.json)
        _live(link)
    finally:
        link.close()
    return 0


def _once(link: ClubLink, *, as_json: bool) -> int:
    """Print what is retained, once nothing more comes."""
    until_s = time.monotonic() + LONGEST_S
    version = link.version
    while time.monotonic() < until_s and link.fault is None:
        now = link.wait(version, QUIET_S)
        if now == version and link.connected:
            break
        version = now
    if link.fault is not None or not link.connected:
        print(f"dudo club: {link.fault or 'the broker does not answer.'}", file=sys.stderr)
        return 1
    print(json.dumps(club_json(link.club), ensure_ascii=False) if as_json else "\n".join(lines(link.club)))
    return 0


def _live(link: ClubLink) -> None:
    """Draw the club anew after each change, once a second at most."""
    version = -1
    while True:
        now = link.wait(version, REDRAW_S)
        if now != version:
            version = now
            sys.stdout.flush()
            sys.stdout.buffer.write(_CLEAR)
            sys.stdout.buffer.flush()
            print("\n".join(lines(link.club, str(link.fault or ""))), flush=True)
            time.sleep(REDRAW_S)


def lines(club: Club, fault: str = "") -> list[str]:
    """The club as lines for a terminal."""
    shown = club_json(club)
    tables = shown["tables"]
    head = f"{len(tables)} tables, {shown['online']} online, {len(tables) - shown['online']} not"
    games = f"Standings of this evening, {shown['games']} games:"
    places = [
        f"{place['rank']:3}. {one_line(place['name'])}: won {place['won']} of {place['games']}, "
        f"{place['even']:.1f} would be even"
        for place in shown["standings"]
    ]
    rows = [_HEAD, *map(_row, tables)]
    return [head, *([fault] if fault else []), "", *_aligned(rows), "", games, *places]


def _row(table: ClubTableJson) -> tuple[str, ...]:
    word = {"online": table["state"] or "", "offline": "OFFLINE", "unknown": "unknown"}[table["presence"]]
    bid = table["bid"]
    said = f"{bid['quantity']}x{bid['face']}" if bid else ""
    numbers = (table["round"], table["dice"])
    round_, dice = (str(number) if table["round"] else "" for number in numbers)
    won = f"{' and '.join(table['winners'])} won. " if table["winners"] else ""
    last = f"{won}{table['verdict']}"[:100]
    return tuple(map(one_line, (table["name"], word, round_, table["turn"], said, dice, last)))


def _aligned(rows: Iterable[tuple[str, ...]]) -> list[str]:
    known = list(rows)
    widths = [max(len(row[column]) for row in known) for column in range(len(_HEAD))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in known
    ]
