"""`python -m lab.measure.frames`: how much further frames of one still place say about a die.

Each labelled photograph with an uncertain die becomes a burst of four frames. They are moved by part of a
pixel, a little lighter or darker, with fresh noise, as JPEG. The calibrated probabilities are pooled as in
`companion.reveal.revealed`. Printed is the mean logarithmic loss of the truth, for weights of further
frames and for log odds against a die where a frame misses it. Calibration leaves each source out.
"""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from lab.measure.calibrate import SETS as EVERY_SET
from lab.measure.calibrate import Read, fitted, read_sets, source
from lab.measure.reveals import SETS
from tests.vision.photographs import PHOTOS, Photo
from tests.vision.scoring import matched
from vision.agreement.calibration import calibrated
from vision.arrays import Image
from vision.fits import Weights
from vision.read import read
from vision.values import Die, Reading

FRAMES, MAX_DICE = 4, 15
SHIFT_PX, GAIN, NOISE, QUALITY = 0.6, 0.015, 3.0, 90
"""Standard deviations of the shift (at 1600 px) and of the gain, of the noise in grey levels; of the JPEG."""
NEAR = 0.4
"""Sides within which two frames show one die."""
WEIGHTS, MISSED = (0.0, 0.1, 0.25, 0.5, 1.0), (0.0, 0.5, 1.0, 1.5, 2.3)
MIN_P = 1e-6


@dataclass(frozen=True, slots=True)
class Burst:
    """One uncertain die: its true face (0: no die), its probabilities in each frame, frames that miss it."""

    face: int
    frames: tuple[tuple[float, ...], ...]
    missed: int


def frame(image_bgr: Image, rng: np.random.Generator) -> Image:
    """The picture (height, width, 3) as the next frame of a still camera shows it."""
    height, width = image_bgr.shape[:2]
    across, down = rng.normal(0, SHIFT_PX * max(height, width) / 1600, 2)
    move = np.array([[1, 0, across], [0, 1, down]])
    moved = cv2.warpAffine(image_bgr, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    noisy = moved * rng.normal(1, GAIN) + rng.normal(0, NOISE, moved.shape)
    written = cv2.imencode(
        ".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
    )
    return np.asarray(cv2.imdecode(written[1], cv2.IMREAD_COLOR), np.uint8)


def burst_of(photo: Photo) -> list[Reading]:
    """The uncalibrated readings of the frames."""
    rng = np.random.default_rng(zlib.crc32(photo.path.name.encode()))
    image = photo.image()
    return [read(frame(image, rng), raw=True) for _ in range(FRAMES)]


def bursts(photo: Photo, read: Sequence[Reading], weights: Weights) -> Iterator[Burst]:
    """The uncertain dice of the first frame through all frames."""
    first, *later = (calibrated(one, weights) for one in read)
    true = {id(die): photo.label["dice"][k] for k, die in matched(photo.label, first).items()}
    for die in (die for die in first.dice if not die.certain):
        there = true.get(id(die), {})
        if there.get("ignore") or there.get("symbol"):
            continue
        mates = [mate for one in later if (mate := _mate(die, one)) is not None]
        frames = tuple(one.chances for one in (die, *mates))
        yield Burst(there.get("face", 0), frames, len(later) - len(mates))


def _mate(die: Die, reading: Reading) -> Die | None:
    near = min(reading.dice, key=lambda other: _far(die, other), default=None)
    return near if near and _far(die, near) < NEAR else None


def _far(die: Die, other: Die) -> float:
    return math.hypot(die.x_px - other.x_px, die.y_px - other.y_px) / die.size_px


def loss(dice: Sequence[Burst], weight: float, missed: float) -> float:
    """Mean of minus the logarithm of the pooled probability of the truth."""
    return sum(-math.log(max(MIN_P, pooled(die, weight, missed)[die.face])) for die in dice) / len(dice)


def pooled(die: Burst, weight: float, missed: float) -> tuple[float, ...]:
    """Probabilities of no die and of the faces 1 to 6."""
    share = (1 + weight * (len(die.frames) - 1)) / len(die.frames)
    whole = [(max(MIN_P, 1 - sum(chances)), *chances) for chances in die.frames]
    odds = [
        math.exp(share * sum(math.log(max(MIN_P, p)) for p in column)) for column in zip(*whole, strict=True)
    ]
    odds = [value / sum(odds) for value in odds]
    odds[0] *= math.exp(missed * die.missed)
    return tuple(value / sum(odds) for value in odds)


def chosen(read: Sequence[Read]) -> list[Photo]:
    """The photographs with an uncertain die, of those that figures are quoted of."""
    quoted = (one for one in read if one[0].family in SETS and one[0].label.get("angle") != "side")
    return [p for p, r in quoted if len(r.dice) <= MAX_DICE and any(not die.certain for die in r.dice)]


def main(words: Sequence[str] | None = None) -> int:
    """Print the table."""
    ask = argparse.ArgumentParser(prog="python -m lab.measure.frames", description=__doc__)
    ask.add_argument("--jobs", type=int, default=2, help="processes that read (default 2)")
    jobs = ask.parse_args(words).jobs
    read = read_sets(EVERY_SET, PHOTOS.parent, jobs)
    photos = chosen(read)
    weights = {name: fitted([one for one in read if source(one[0]) != name]) for name in map(source, photos)}
    with ProcessPoolExecutor(jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        found = zip(photos, pool.map(burst_of, photos), strict=True)
        dice = [die for photo, frames in found for die in bursts(photo, frames, weights[source(photo)])]
    print(f"{len(dice)} uncertain dice of {len(photos)} photographs, {FRAMES} frames each")
    print(f"| weight of a further frame | {' | '.join(f'missed {m}' for m in MISSED)} |")
    print("|---|" + "---|" * len(MISSED))
    for weight in WEIGHTS:
        print(f"| {weight} | {' | '.join(f'{loss(dice, weight, m):.3f}' for m in MISSED)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
