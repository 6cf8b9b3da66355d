"""`dudo demo`: four simulated players play whole games by themselves."""

from __future__ import annotations

import argparse
import tempfile

from companion.cli.run import add_serving, serve
from companion.settings_file import load


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Four simulated players play whole games through buttons, camera, reader, rules and "
        "page. Their games are forgotten in the end unless --data names a folder."
    )
    add_serving(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until interrupted."""
    with tempfile.TemporaryDirectory(prefix="dudo-demo-", ignore_cleanup_errors=True) as folder:
        kept = getattr(args, "data.folder") or folder
        nothing_real = {"data.folder": kept, "camera.use": "simulated", "box.pins": "mock"}
        args = argparse.Namespace(**vars(args) | nothing_real)
        return serve(load(), args, shows=True)
