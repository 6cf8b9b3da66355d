"""`dudo render`: labelled pictures of dice on tables, drawn by the companion itself."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `render` to the commands of `dudo`."""
    parser = commands.add_parser("render", help="draw labelled pictures of dice on tables")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--count", type=int, default=10, metavar="N", help="how many (default: 10)")
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="the first seed (default: 0)")
    parser.add_argument("--difficulty", default="normal", help="easy, normal or hard (default: normal)")
    parser.add_argument("--style", default="any", help="any, box, phone, tray or grey (default: any)")
    parser.add_argument("--dice", type=_span, metavar="LO-HI", help="how many dice, as in 5-10")
    parser.add_argument("--width", type=int, default=1280, metavar="PX", help="pixels (default: 1280)")
    parser.add_argument("--height", type=int, default=960, metavar="PX", help="pixels (default: 960)")
    parser.set_defaults(run=run)


def _seed(text: str) -> int:
    """A seed; raises argparse.ArgumentTypeError below zero."""
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed: give a whole number from 0 up")
    return int(text)


def _span(text: str) -> tuple[int, int]:
    """A range such as "5-10", or one number; raises argparse.ArgumentTypeError for anything else."""
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of dice: write it as 5-10")
    return int(found[1]), int(found[2] or found[1])


def run(args: argparse.Namespace) -> int:
    """Draw the pictures one after the other, with progress on the terminal; 1 when it cannot be done."""
    from companion.app import render_scenes  # here, because it loads OpenCV

    try:
        for done, name in enumerate(
            render_scenes(
                args.out,
                args.count,
                seed=args.seed,
                difficulty=args.difficulty,
                style=args.style,
                dice=args.dice,
                size_px=(args.width, args.height),
            ),
            start=1,
        ):
            print(f"{done}/{args.count} {args.out / name}", flush=True)
    except (ValueError, OSError) as error:
        print(f"dudo render: {error}", file=sys.stderr)
        return 1
    return 0
