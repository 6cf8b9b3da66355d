"""`dudo calibrate`: how high the camera must be; the rest of the calibration is led by the page."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from companion import app


def add_parser(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="where the camera must be, and how to set it up",
        description="With --plan: field of view and pixels per die for every camera and height. "
        "The camera itself is set up on the phone, with a live picture, under Camera on the page.",
    )
    parser.add_argument("--plan", action="store_true", help="print the plan of heights")
    parser.add_argument("--height", type=_length, metavar="MM", help="from the lens to the table")
    parser.add_argument("--die", type=_length, default=16.0, metavar="MM", help="side of the dice (16)")
    parser.add_argument("--camera", action="append", default=[], metavar="NAME", help="only this camera")
    parser.set_defaults(run=run)


def _length(text: str) -> float:
    """A length in millimetres that a table game can have."""
    try:
        length_mm = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number of millimetres") from None
    if not 1 <= length_mm <= 5000:
        raise argparse.ArgumentTypeError(f"{text} mm is not between 1 and 5000")
    return length_mm


def run(args: argparse.Namespace) -> int:
    """Print the plan; 2 for a camera that is not known."""
    if not args.plan:
        print("Start `dudo run`, open the page on a phone and choose Camera there. `dudo calibrate --plan`")
        print("tells how high the camera must be.")
        return 0
    try:
        print(app.camera_plan(args.die, args.height, tuple(args.camera)))
    except ValueError as fault:
        print(f"dudo calibrate: {fault}", file=sys.stderr)
        return 2
    return 0
