"""Labelled photographs of real dice, where they lie beside the project: a folder for each set, with a
`labels.json` that holds for each photograph what `python -m lab.scenes` writes of a picture."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.vision.scoring import Label
from vision.arrays import Image
from vision.picture.photos import load

PHOTOS = Path(__file__).parents[3] / "shared" / "photos" / "dev"
FROM_ABOVE = ("king", "wik", "damian", "kamil", "fudw")
STRESS = ("byler", "circ", "pxl")


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph of a set, not yet opened, and what is known of it."""

    family: str
    path: Path
    label: Label

    def image(self) -> Image:
        return load(self.path)


def photographs(sets: Sequence[str] = (*FROM_ABOVE, *STRESS), folder: Path = PHOTOS) -> Iterator[Photo]:
    """Every photograph of these sets. Raises FileNotFoundError where a set has no labels."""
    for family in sets:
        labels = json.loads((folder / family / "labels.json").read_text(encoding="utf-8"))
        for name, label in labels.items():
            yield Photo(family, folder / family / name, label)


def ask_which(ask: argparse.ArgumentParser) -> None:
    """The options that say which photographs a program measures."""
    ask.add_argument("--folder", type=Path, default=PHOTOS, help="sets, each with its labels.json")
    ask.add_argument("--set", dest="sets", action="append", help="default: every set of dev")


def asked_for(ask: argparse.ArgumentParser, words: Sequence[str] | None) -> argparse.Namespace:
    """The options given, `sets` filled in and whether they were `named`; ends the program with a sentence
    where a set is not there."""
    asked = ask.parse_args(words)
    asked.named = bool(asked.sets)
    asked.sets = asked.sets or [*FROM_ABOVE, *STRESS]
    missing = [name for name in asked.sets if not (asked.folder / name / "labels.json").is_file()]
    if missing:
        ask.error(f"no labels.json in {asked.folder} for {', '.join(missing)}: see --folder and --set")
    return asked
