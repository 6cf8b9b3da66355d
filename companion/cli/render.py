"""`dudo render`: labelled pictures of dice on tables, drawn by the companion itself."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

DIFFICULTIES = ("easy", "normal", "hard")
STYLES = ("any", "box", "phone", "tray", "grey")
MAX_DICE = 60
SIZES_PX = (32, 6000)
"""Limits of the renderer, known before OpenCV is loaded. A test compares them with `vision.scenes`."""

MAX_PICTURES = 1_000_000
MAX_SEED = 10**18 - 1


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `render` to the commands of `dudo`."""
    parser = commands.add_parser(
        "render",
        help="draw labelled pictures of dice on tables",
        description="Draws pictures of dice on tables, and labels.json with the truth of each die.",
        epilog="Example: dudo render --out scenes --count 50 --difficulty hard --dice 5-20",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--count", type=_count, default=10, metavar="N", help="how many (default: 10)")
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="the first seed (default: 0)")
    parser.add_argument(
        "--difficulty", choices=DIFFICULTIES, default="normal", help="how hard to read (default: normal)"
    )
    parser.add_argument("--style", choices=STYLES, default="any", help="what kind of picture (default: any)")
    parser.add_argument("--dice", type=_span, metavar="LO-HI", help="how many dice, as in 5-10")
    parser.add_argument("--width", type=_side, default=1280, metavar="PX", help="pixels (default: 1280)")
    parser.add_argument("--height", type=_side, default=960, metavar="PX", help="pixels (default: 960)")
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    """A number of pictures; raises argparse.ArgumentTypeError."""
    return _whole(text, "a number of pictures", 1, MAX_PICTURES)


def _seed(text: str) -> int:
    """A seed; raises argparse.ArgumentTypeError."""
    return _whole(text, "a seed", 0, MAX_SEED)


def _side(text: str) -> int:
    """A picture's width or height; raises argparse.ArgumentTypeError."""
    return _whole(text, "a number of pixels that can be drawn", *SIZES_PX)


def _whole(text: str, what: str, lowest: int, highest: int) -> int:
    """A whole number within bounds; raises argparse.ArgumentTypeError with a sentence for anything else."""
    short = len(text) <= len(str(MAX_SEED))  # Python refuses to make a number of thousands of digits
    if not (text.isdecimal() and short and lowest <= int(text) <= highest):
        hint = f"give a whole number from {lowest} to {highest}"
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}: {hint}")
    return int(text)


def _span(text: str) -> tuple[int, int]:
    """A range such as "5-10", or one number; raises argparse.ArgumentTypeError for anything else."""
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text)
    span = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if not span[0] <= span[1] <= MAX_DICE:
        hint = f"write it as 5-10, lowest first, within 0 to {MAX_DICE}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of dice: {hint}")
    return span


def run(args: argparse.Namespace) -> int:
    """Draw the pictures one after the other, with progress on the terminal; 1 when it cannot be done."""
    from companion.app.photographs import render_scenes  # here, because it loads OpenCV

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
