"""`python -m lab.scenes`: labelled pictures of dice on tables, rendered into a folder."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from lab.scenes.folder import write
from lab.scenes.render import LARGEST_PX, SMALLEST_PX
from lab.scenes.throw import DIFFICULTIES, MAX_DICE, STYLES

MAX_PICTURES = 1_000_000
MAX_SEED = 10**18 - 1


def options(words: Sequence[str] | None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(
        prog="python -m lab.scenes",
        description="Renders pictures of dice on tables, and labels.json with the truth of each die.",
        epilog="Example: python -m lab.scenes --out scenes --count 50 --difficulty hard --dice 5-20",
    )
    ask.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    ask.add_argument("--count", type=_count, default=10, metavar="N", help="how many (default: 10)")
    ask.add_argument("--seed", type=_seed, default=0, metavar="S", help="the first seed (default: 0)")
    ask.add_argument(
        "--difficulty", choices=DIFFICULTIES, default="normal", help="how hard to read (default: normal)"
    )
    ask.add_argument("--style", choices=STYLES, default="any", help="what kind of picture (default: any)")
    ask.add_argument("--dice", type=_span, metavar="LO-HI", help="how many dice, as in 5-10")
    ask.add_argument("--width", type=_side, default=1280, metavar="PX", help="pixels (default: 1280)")
    ask.add_argument("--height", type=_side, default=960, metavar="PX", help="pixels (default: 960)")
    return ask.parse_args(words)


def _count(text: str) -> int:
    """A number of pictures; raises argparse.ArgumentTypeError."""
    return _whole(text, "a number of pictures", 1, MAX_PICTURES)


def _seed(text: str) -> int:
    """A seed; raises argparse.ArgumentTypeError."""
    return _whole(text, "a seed", 0, MAX_SEED)


def _side(text: str) -> int:
    """A picture's width or height; raises argparse.ArgumentTypeError."""
    return _whole(text, "a number of pixels that can be drawn", SMALLEST_PX, LARGEST_PX)


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


def main(words: Sequence[str] | None = None) -> int:
    """Render the pictures one after the other, with progress on the terminal; 1 when it cannot be done."""
    asked = options(words)
    cv2.setNumThreads(1)
    try:
        names = write(
            asked.out,
            asked.count,
            seed=asked.seed,
            difficulty=asked.difficulty,
            style=asked.style,
            dice=asked.dice,
            width_px=asked.width,
            height_px=asked.height,
        )
        for done, name in enumerate(names, start=1):
            print(f"{done}/{asked.count} {asked.out / name}", flush=True)
    except (ValueError, OSError) as error:
        print(f"lab.scenes: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
