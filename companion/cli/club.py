"""`dudo club`: all tables of a club live, and the standings of the evening, from one MQTT broker."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from companion import settings_file
from companion.errors import SettingsError
from companion.outside.club import Club, ClubLink, club_json
from companion.outside.connection import Broker
from companion.outside.topics import prefix_fault
from companion.table.wire.state import ClubTableJson
from companion.terminal import one_line

QUIET_S, LONGEST_S = 1.0, 20.0
"""With --once: so long nothing more may come, and so long it is waited for at most."""

REDRAW_S = 1.0
_CLEAR = b"\x1b[H\x1b[2J"
_HEAD = ("table", "state", "round", "turn", "bid", "dice", "last verdict")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Shows every table that an MQTT broker knows of, live, and the standings of the evening. "
        "What no option says is taken from the section [mqtt] of the settings."
    )
    parser.epilog = "Example: dudo club --broker 192.168.1.10"
    parser.add_argument("--broker", metavar="HOST[:PORT]", help="the broker of the club")
    parser.add_argument("--user", help="user at the broker")
    parser.add_argument("--password-file", metavar="FILE", help="file whose first line is the password")
    parser.add_argument("--tls", action="store_true", default=None, help="encrypt the connection")
    parser.add_argument("--ca-file", metavar="FILE", help="certificates that are trusted with --tls")
    parser.add_argument("--prefix", help="first part of every topic (dudo)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings to use instead of the usual")
    parser.add_argument("--once", action="store_true", help="print what the broker retains, and end")
    parser.add_argument("--json", action="store_true", help="print it as one JSON object; implies --once")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the club until interrupted; 1 with --once when the broker cannot be asked."""
    broker, prefix = chosen(args)
    link = ClubLink(broker, prefix)
    try:
        if args.once or args.json or not sys.stdout.isatty():
            return _once(link, as_json=args.json)
        _live(link)
    finally:
        link.close()
    return 0


def chosen(args: argparse.Namespace) -> tuple[Broker, str]:
    """The broker and prefix of options and settings; raises SettingsError where they name none."""
    used = settings_file.load(args.config).mqtt
    host, port = _address(args.broker) if args.broker else (used.host, used.port)
    if not host:
        raise SettingsError(("no broker is named: give --broker HOST, or host under [mqtt]",))
    prefix = args.prefix or used.prefix
    if fault := prefix_fault(prefix):
        raise SettingsError((f"prefix: {fault}",))
    broker = Broker(host, port or used.port, used.user, used.password_file, used.tls, used.ca_file)
    given = {"user": args.user, "password_file": args.password_file, "tls": args.tls, "ca_file": args.ca_file}
    return replace(broker, **{key: value for key, value in given.items() if value is not None}), prefix


def _address(text: str) -> tuple[str, int]:
    """Host and port, 0 where none is given; raises SettingsError."""
    host, colon, port = text.rpartition(":")
    if not colon or "]" in port or (host.count(":") and not host.endswith("]")):
        return text.strip("[]"), 0
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) < 65536):
        raise SettingsError((f"--broker: {port!r} is no port",))
    return host.strip("[]"), int(port)


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
    print(json.dumps(data(link.club), ensure_ascii=False) if as_json else "\n".join(lines(link.club)))
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


def data(club: Club) -> dict[str, object]:
    """The club as plain data."""
    return {
        "tables": [asdict(table) | {"name": table.name} for table in club.in_order],
        "games": club.games,
        "standings": club.standings,
        "ignored": club.ignored,
    }


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
