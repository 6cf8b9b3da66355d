"""`dudo demo`: four simulated players play whole games by themselves."""

from __future__ import annotations

import argparse
import tempfile

from companion.cli.run import add_box_options, asked_for, serve
from companion.settings_file import load


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Four simulated players play whole games through buttons, camera, reader, rules and "
        "page. Their games are forgotten in the end unless --data names a folder."
    )
    add_box_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until interrupted."""
    args.camera, args.pins = "simulated", "mock"
    with tempfile.TemporaryDirectory(prefix="dudo-demo-", ignore_cleanup_errors=True) as folder:
        args.data = args.data or folder
        return serve(asked_for(load(), args), shows=True, opens=not args.no_browser, verbose=args.verbose)
