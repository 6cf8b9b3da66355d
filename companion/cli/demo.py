"""`dudo demo`: four simulated players play whole games by themselves."""

from __future__ import annotations

import argparse
import tempfile

from companion.cli.run import add_options, serve, with_options
from companion.settings_file import load
from companion.subparsers import Subparsers


def add_parser(commands: Subparsers) -> None:
    """The command and its options."""
    parser = commands.add_parser(
        "demo",
        help="watch four simulated players play",
        description="Four simulated players play whole games through buttons, camera, reader, rules and "
        "page. Their games are forgotten in the end unless --data names a folder.",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until interrupted."""
    args.camera, args.pins = "simulated", "mock"
    with tempfile.TemporaryDirectory(prefix="dudo-demo-") as folder:
        args.data = args.data or folder
        return serve(with_options(load(), args), shows=True, verbose=args.verbose)
