"""`dudo doctor`: what is wrong with this box, and a report to send to somebody who helps."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.options import FOLDER, add_common, add_settings, at_start


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Looks at power, disk, groups, libraries, pins and camera, asks a running companion, "
        "and says what to do."
    )
    add_common(parser, "--config")
    add_settings(parser, FOLDER)
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

    used = at_start(args)
    text, healthy = machine.examine_machine(used)
    print(text)
    if args.bundle:
        names = machine.pack_report(args.bundle, text, used)
        print(f"\n{args.bundle} holds {', '.join(names)}.")
        print("It has the players' names and pictures of the table: look into it before you send it.")
    return 0 if healthy else 1
