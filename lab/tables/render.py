"""`python -m lab.tables.render`: full tables by Blender, with their truth, into a folder outside the project.

Dice fall under cups by rigid bodies, cups are lifted and set beside, and Cycles traces the picture: from the
box, from a phone held over the table, and of one cup, in turn. `python -m lab.measure.tables --folder` reads
the folder. Number k of a split is always the same table. What is there is left alone, so that a run that was
broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from lab.scenes.things import reach_mm
from lab.scenes.values import DieTruth, Lying, Picture, Scene
from lab.tables.drop import dropped
from lab.tables.evening import DICE, SIZES, SPLITS, Evening, beside, evening, lens, things
from lab.tables.vessels import add_cup, add_glass
from lab.training.pictures.scened import WHOLE
from lab.training.traced.finish import Shot, any_finish
from lab.training.traced.labels import FAINT, entry, gather
from lab.training.traced.studio import built, pictured, truths

TRIES = 5
TOUCHING = 1.12
"""Distance in sides up to which two dice touch edge to edge."""


def lying(made: Evening) -> list[tuple[int, Lying]]:
    """All dice with their owners, as they lie when the cups are lifted."""
    dice: list[tuple[int, Lying]] = []
    for owner, (make, place) in enumerate(zip(made.makes, made.places_mm, strict=True)):
        tries = (np.random.default_rng([made.seed, owner, k]) for k in range(50))
        fallen = next(f for rng in tries if (f := dropped(rng, DICE, make.side_mm, made.cup_mm)) is not None)
        for die in fallen:
            x, y, z = die.centre_mm
            dice.append((owner, Lying(die.face, make, (x + place[0], y + place[1], z), die.turn)))
    return dice


def shot(made: Evening, dice: Sequence[Lying], attempt: int) -> Shot:
    """The picture to be traced; each further attempt has another camera and fewer things."""
    places = np.array([die.centre_mm for die in dice])
    solid, flats = things(made, np.array([*places[:, :2], *made.closed_mm]), attempt)
    rng = np.random.default_rng([made.seed, 3])
    finishes = {make: replace(any_finish(rng, make), wear=float(rng.beta(1.2, 8))) for make in made.makes}
    width, height = SIZES[made.view]
    scene = Scene(
        seed=made.seed, width_px=width, height_px=height, style="any", difficulty="normal",
        lens=lens(made, places, attempt), cover=made.cover, lights=made.lights, ambient=made.ambient,
        film=made.film, dice=tuple(dice), things=solid, flats=flats,
    )  # fmt: skip
    return Shot(scene, tuple(finishes[die.make] for die in dice), None, None)


def vessels(made: Evening, shown: Scene, attempt: int) -> None:
    """Cups that still stand over dice, cups set beside, glasses."""
    rng = np.random.default_rng([made.seed, attempt, 4])
    for at in made.closed_mm:
        add_cup(at, made.cup_mm, made.cup_rgb, "over")
    things = [circle[:2] for thing in shown.things for circle in reach_mm(thing)]
    taken = np.array([*(die.centre_mm[:2] for die in shown.dice), *made.closed_mm, *things])
    for _ in range(max(0, len(made.places_mm) - attempt)):
        at, stands = beside(rng, taken, 85.0), str(rng.choice(["open", "over", "beside"]))
        add_cup(at, made.cup_mm, made.cup_rgb, stands, float(rng.uniform(0, 2 * math.pi)))
        taken = np.concatenate([taken, [at]])
    for _ in range(max(0, int(rng.poisson(0.6)) - attempt)):
        at = beside(rng, taken, 85.0)
        drink = [(0.75, 0.4, 0.05), (0.95, 0.95, 0.97), (0.35, 0.02, 0.05)][int(rng.integers(3))]
        add_glass(at, float(rng.uniform(32, 40)), float(rng.uniform(80, 125)), drink)


def traced(made: Evening, samples: int, threads: int) -> tuple[Picture, list[int]] | None:
    """The picture and the owners of its dice; None where no attempt has all dice in full view."""
    owned = lying(made)
    dice = [die for _, die in owned]
    for attempt in range(TRIES):
        wanted = shot(made, dice, attempt)
        truth = truths(wanted, built(wanted, partial(vessels, made, wanted.scene, attempt)))
        if all(die.visible > WHOLE and not die.cut for die in truth):
            return pictured(wanted, truth, samples, threads), [owner for owner, _ in owned]
    return None


def label(made: Evening, picture: Picture, owners: Sequence[int]) -> dict[str, Any]:
    """The picture's entry in labels.json; dice with faint pips count, for they lie there."""
    width, height = SIZES[made.view]
    found = entry(picture.truth, width, height)
    for row, owner, die in zip(found["dice"], owners, picture.truth, strict=True):
        row.pop("ignore", None)
        row |= {"owner": owner, "faint": die.contrast < FAINT, "tilt": round(die.tilt_deg, 1)}
    return found | {"kind": f"rendered, {made.view}", "touching": touching(picture.truth)}


def touching(truth: Sequence[DieTruth]) -> float:
    """Share of the dice that lie edge to edge with another."""
    places = np.array([(die.x_px, die.y_px, die.size_px) for die in truth])
    apart = np.hypot(*(places[:, None, :2] - places[None, :, :2]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return round(float((apart < TOUCHING * places[:, 2]).any(1).mean()), 3)


def make(folder: Path, split: str, number: int, samples: int, threads: int) -> None:
    """One picture and, once it is whole, its truth."""
    path = folder / f"traced-{split}-{number:05d}.json"
    made = evening(split, number)
    found = traced(made, samples, threads)
    if found is None:
        print(f"{number}: no camera has all dice in view", flush=True)
        return
    cv2.imwrite(str(path.with_suffix(".jpg")), found[0].image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
    part = path.with_suffix(".part")
    part.write_text(json.dumps(label(made, *found)))
    part.replace(path)
    gather(folder)


def main(words: Sequence[str] | None = None) -> int:
    """Render what is not there yet."""
    ask = argparse.ArgumentParser(prog="python -m lab.tables.render", description=__doc__)
    ask.add_argument(
        "--folder", type=Path, required=True, help="outside the project; the split's name is added"
    )
    ask.add_argument("--split", choices=SPLITS, default="test", help="fit: tables to fit and train on")
    ask.add_argument("--tables", type=int, default=300)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--samples", type=int, default=4, help="light paths of a pixel, before the denoiser")
    ask.add_argument("--threads", type=int, default=1)
    asked = ask.parse_args(words)
    if find_spec("bpy") is None:
        ask.error("no bpy here: install the extra [render] under Python 3.11, pip install -e '.[render]'")
    folder = asked.folder / asked.split
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(asked.first, asked.first + asked.tables):
        if not (folder / f"traced-{asked.split}-{number:05d}.json").exists():
            started = time.monotonic()
            make(folder, asked.split, number, asked.samples, asked.threads)
            print(f"{number}: {time.monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
