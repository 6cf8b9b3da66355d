"""`dudo calibrate`: calibrates focus, dice size and light, and prints the plan of heights."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.cli.run import add_data_option, with_data


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Focuses the camera on the dice in its middle, measures their size and the light, and "
        "keeps what it found. With --plan: field of view and pixels per die for every camera and height."
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings to use instead of the usual")
    add_data_option(parser)
    parser.add_argument("--empty", action="store_true", help="remember the table without dice instead")
    parser.add_argument("--plan", action="store_true", help="print the plan of heights")
    parser.add_argument("--height", type=_length, metavar="MM", help="from the lens to the table")
    parser.add_argument("--die", type=_length, default=16.0, metavar="MM", help="side of the dice (16)")
    parser.add_argument("--camera", action="append", default=[], metavar="NAME", help="only this camera")
    parser.set_defaults(run=run)


def _length(text: str) -> float:
    """A length in millimetres; raises argparse.ArgumentTypeError for what no table has."""
    try:
        length_mm = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number of millimetres") from None
    if not 1 <= length_mm <= 5000:
        raise argparse.ArgumentTypeError(f"{text} mm is not between 1 and 5000")
    return length_mm


def run(args: argparse.Namespace) -> int:
    """Print the plan, or calibrate; 1 without a picture, 2 for an unknown camera."""
    from companion.app import machine  # here: it knows every part of the box

    try:
        if args.plan:
            print(machine.camera_plan(args.die, args.height, tuple(args.camera)))
        else:
            print("\n".join(machine.calibrate_camera(with_data(args), empty=args.empty)))
    except (ValueError, OSError, ImportError) as fault:
        print(f"dudo calibrate: {fault}", file=sys.stderr)
        return 2 if args.plan else 1
    return 0
