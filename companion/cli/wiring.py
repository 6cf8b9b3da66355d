"""`dudo wiring`: which part goes to which pin, as a table."""

from __future__ import annotations

import argparse
import json

from companion.cli.options import add_common
from companion.settings_file import load


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = "Prints which part of the box goes to which pin, as the settings say."
    add_common(parser, "--config")
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table; raises the faults of a wiring that cannot work."""
    from companion.app import machine  # here: it knows every part of the box

    text, data = machine.wiring_plan(load(args.config))
    print(json.dumps(data, indent=2, ensure_ascii=False) if args.json else text)
    return 0
