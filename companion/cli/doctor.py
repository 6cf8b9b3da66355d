"""`dudo doctor`: what is wrong with this box, and a report to send to somebody who helps."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.cli.run import add_data_option, at_start


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Looks at power, disk, groups, libraries, pins and camera, asks a running companion, "
        "and says what to do."
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings to use instead of the usual")
    add_data_option(parser)
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE.zip",
        help="also pack findings, settings, log, games and pictures, without secrets",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 when something is bad or the report cannot be written."""
    from companion.app import machine  # here: it knows every part of the box

    used = at_start(args.config, args.data)
    text, healthy = machine.examine_machine(used)
    print(text)
    if args.bundle is None:
        return 0 if healthy else 1
    try:
        names = machine.pack_report(args.bundle, text, used)
    except OSError as fault:
        print(f"dudo doctor: {args.bundle} cannot be written ({fault.strerror}).", file=sys.stderr)
        return 1
    print(f"\n{args.bundle} holds {', '.join(names)}.")
    print("It has the players' names and pictures of the table: look into it before you send it.")
    return 0 if healthy else 1
