"""`dudo read`: the dice in photographs."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.options import FOLDER, add_common, add_settings, settings_of
from companion.reveal.evidence import FILE as EVIDENCE
from companion.reveal.evidence import Evidence, export_examples
from companion.settings import READERS
from companion.storage.side_files import SideFile
from companion.table.folder import private_files
from companion.terminal import one_line
from companion.texts import DEFAULT, translate

if TYPE_CHECKING:
    from companion.app.reading.photographs import Photograph, Result

MAX_DIGITS = 4
"""Maximum digits of a number of dice: Python refuses to convert thousands of digits."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = "Reads the dice in photographs: every face, how certain it is, and what is doubtful."
    parser.epilog = "Example: dudo read --expect 15 table.jpg"
    parser.add_argument("photos", nargs="*", type=Path, metavar="PHOTO", help="a picture file")
    parser.add_argument("--json", action="store_true", help="one JSON object per line and photo")
    parser.add_argument("--expect", type=_count, metavar="N", help="the number of dice that must be there")
    parser.add_argument(
        "--reader",
        choices=READERS,
        default="both",
        help="the way of reading (default: both)",
    )
    _add_folders(parser)
    add_common(parser, "--config")
    add_settings(parser, FOLDER)
    parser.set_defaults(run=run, parser=parser)


def _add_folders(parser: argparse.ArgumentParser) -> None:
    """Options that write pictures, or delete those of the box."""
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help="write each picture with the dice marked: table.png gives DIR/table-seen.jpg. A name that is "
        "taken gets -2, -3 and so on",
    )
    parser.add_argument(
        "--examples", type=Path, metavar="DIR", help="write the pictures people corrected, with labels.json"
    )
    parser.add_argument(
        "--forget-examples", action="store_true", help="delete the pictures people corrected from this box"
    )


def _count(text: str) -> int:
    """A number of dice; raises argparse.ArgumentTypeError for anything else."""
    if not (text.isdecimal() and len(text) <= MAX_DIGITS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of dice: give 0 to {10**MAX_DIGITS - 1}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Read the photographs one after the other; 1 when one of them could not be read."""
    if not args.photos and args.examples is None and not args.forget_examples:
        args.parser.error("name at least one photo, or a folder for --examples")
    if args.examples is not None:
        _write_examples(args)
    if args.forget_examples:
        _forget_examples(args)
    if not args.photos:
        return 0
    from companion.app.reading.photographs import read_photos  # here, because it loads OpenCV

    failed = False
    for result in read_photos(args.photos, expect=args.expect, reader=args.reader, annotate_to=args.annotate):
        failed |= "error" in result
        _show(result, as_json=args.json)
    return int(failed)


def _write_examples(args: argparse.Namespace) -> None:
    """Write the pictures people corrected as a labelled set, also while a companion runs."""
    with closing(_evidence(args)) as evidence:
        number = export_examples(evidence, args.examples)
    print(f"{number} example{'' if number == 1 else 's'} in {args.examples}", file=sys.stderr)


def _forget_examples(args: argparse.Namespace) -> None:
    """Delete the pictures people corrected; the evidence of games stays."""
    with closing(_evidence(args)) as evidence:
        evidence.forget_examples()
    print("all examples are deleted", file=sys.stderr)


def _evidence(args: argparse.Namespace) -> Evidence:
    """The box's pictures; a database that is made here is its owner's alone."""
    with private_files():
        return Evidence(SideFile(settings_of(args).data_folder / EVIDENCE))


def _show(result: Result, *, as_json: bool) -> None:
    """One photo's result, as JSON or as a table for people."""
    if as_json:
        print(json.dumps(result), flush=True)
    elif "error" in result:
        print(f"dudo read: {one_line(result['error'])}", file=sys.stderr)
    else:
        print(_table(result), flush=True)


def _table(result: Photograph) -> str:
    """The dice of one photo, a line each, and what is doubtful."""
    sure = "certain" if result["certain"] else "not certain"
    name, number = one_line(result["file"]), len(result["dice"])
    lines = [f"{name}: {number} dice, {sure} ({result['ms']['read']:.0f} ms)"]
    for die in result["dice"]:
        mark = "" if die["certain"] else "  ? " + " ".join(_in_words(key) for key in die["why"])
        place = f"{die['x']:.3f} {die['y']:.3f}"
        lines.append(f"  {die['face']}  {die['colour']:<7} at {place}  {die['confidence']:.3f}{mark}")
    if len(result["groups"]) > 1:
        alike = ", ".join(f"{len(group['dice'])} {group['colour']}" for group in result["groups"])
        lines.append(f"  alike: {alike}")
    doubts: dict[str, int] = {}
    for doubt in result["doubts"]:
        doubts[doubt["key"]] = doubts.get(doubt["key"], 0) + 1
    return "\n".join(lines + [_doubted(key, count) for key, count in doubts.items()])


def _doubted(key: str, count: int) -> str:
    """One doubt about the whole picture or about a place or more in it."""
    return f"  ? {_in_words(key)}" + (f" ({count} places)" if count > 1 else "")


def _in_words(key: str) -> str:
    """The sentence of a doubt, as on the phones."""
    return translate(DEFAULT, f"web.doubts.{key}")
