"""Training of the nets that look round dice: what lies about the dice of crops, and the loop of `fit`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import nn

from vision.learned.surroundings import LAPS, RAYS, about
from vision.learned.turns import Place
from vision.training.nets.fit import Cost, Plan, steps_done, train
from vision.training.nets.round_net import RoundNet
from vision.training.pictures import crops
from vision.training.pictures.crops import SIDE_PX, CropSet
from vision.training.pictures.flat import FLAT
from vision.training.pictures.perched import ALONE, PERCHED

KINDS = {"perched": PERCHED, "flat": FLAT}
"""What each net tells from dice that lie alone: such as lie on others, and prints."""
MIX = {
    "perched": {
        PERCHED: {"painted-*.npz": 0.16, "laid-*.npz": 0.11, "scened-*.npz": 0.23},
        ALONE: {"painted-*.npz": 0.14, "laid-*.npz": 0.22, "scened-*.npz": 0.14},
    },
    "flat": {
        FLAT: {"printed-*.npz": 0.12, "pressed-*.npz": 0.20, "sheets-*.npz": 0.18},
        ALONE: {
            "printed-*.npz": 0.06,
            "pressed-*.npz": 0.16,
            "sheets-*.npz": 0.06,
            "painted-*.npz": 0.04,
            "laid-*.npz": 0.12,
            "scened-*.npz": 0.06,
        },
    },
}
"""Which share of a batch comes from where; shares of what is not there go to the rest."""
SIZES_PX, WITHIN = (18.0, 60.0), 0.6
"""Sides of the dice that are learned from, and how many of these they stay away from the crop's border."""
BATCH, RATE, DECAY = 96, 2e-3, 2e-2
OFF = (0.02, 0.03)
"""By how much readings are off, in sides: the middle along either axis, and the side itself."""
BELIEVED = 0.985
"""Labels are taken to be right so often: no die need be certain beyond that."""


class Feed:
    """Dice of all files that are there, drawn by their share."""

    def __init__(self, folder: Path, rng: np.random.Generator, kind: str) -> None:
        files = {file: _load(file) for file in sorted(folder.glob("*.round"))}
        if not files:
            raise FileNotFoundError(f"no dice in {folder}: make crops first")
        self._seen = np.concatenate([seen for seen, _ in files.values()])
        self._classes = np.concatenate([classes for _, classes in files.values()])
        self._rng, self._kind, self._chance = rng, kind, np.cumsum(_chances(files, MIX[kind]))

    def cost(self, net: nn.Module) -> Cost:
        """What the net's answers to the next batch cost; beside it the share that is right."""
        rows = np.searchsorted(self._chance, self._rng.random(BATCH))
        seen = np.stack([self._turned(row) for row in self._seen[rows]])
        odds = net(torch.from_numpy(seen).float())[:, 0]
        wanted = torch.from_numpy(self._classes[rows] == KINDS[self._kind]).float()
        believed = wanted * BELIEVED + (1 - wanted) * (1 - BELIEVED)
        cost = F.binary_cross_entropy_with_logits(odds, believed)
        right = ((odds > 0) == (wanted > 0)).float().mean()
        return cost, {"cost": float(cost.detach()), "right": float(right)}

    def _turned(self, seen: NDArray[np.float16]) -> NDArray[np.float16]:
        """A die turned anyhow, every second one in a mirror."""
        seen = np.roll(seen, self._rng.integers(RAYS), axis=1)
        return (seen[:, ::-1] if self._rng.random() < 0.5 else seen)[:, LAPS]


def _chances(
    files: dict[Path, tuple[NDArray[np.float16], NDArray[np.int8]]], mixes: dict[int, dict[str, float]]
) -> NDArray[np.float64]:
    """How often each die is drawn, all files' in one row; they sum to one."""
    chances = [np.zeros(len(classes)) for _, classes in files.values()]
    for wanted, mix in mixes.items():
        for pattern, share in mix.items():
            there = [
                (chance, classes == wanted)
                for chance, (file, (_, classes)) in zip(chances, files.items(), strict=True)
                if file.with_suffix(".npz").match(pattern)
            ]
            count = sum(int(of.sum()) for _, of in there)
            for chance, of in there:
                chance[of] = share / max(1, count)
    together = np.concatenate(chances)
    return np.asarray(together / together.sum())


def _load(file: Path) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    with np.load(file) as data:
        return data["seen"], data["classes"]


def find_dice(folder: Path) -> None:
    """Write, beside every file of crops that lacks it, what lies about its dice and what they are."""
    for crops_file in sorted(folder.glob("*.npz")):
        file = crops_file.with_suffix(".round")
        if not file.exists():
            seen, classes = _dice(crops.load(crops_file))
            with file.open("wb") as out:
                np.savez(out, seen=seen, classes=classes)
            on, flat = (int((classes == kind).sum()) for kind in (PERCHED, FLAT))
            print(f"{file.name}: of {len(classes)} {on} on others, {flat} flat", flush=True)


def _dice(made: CropSet) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    rng, rows = np.random.default_rng(len(made)), [row for row in made.marks if _judged(row)]
    seen = [about(made.images[int(row[0])], [_read(rng, row)])[0] for row in rows]
    return np.array(seen, np.float16), np.array([row[5] for row in rows], np.int8)


def _read(rng: np.random.Generator, row: NDArray[np.float32]) -> Place:
    """A die's place as a reading might tell it."""
    x, y, size = row[1:4].tolist()
    off_x, off_y = rng.normal(0, OFF[0], 2) * size
    return x + off_x, y + off_y, size * float(np.exp(rng.normal(0, OFF[1])))


def _judged(row: NDArray[np.float32]) -> bool:
    x, y, size, _, face = row[1:].tolist()
    inside = all(WITHIN * size < v < SIDE_PX - WITHIN * size for v in (x, y))
    return inside and face in (ALONE, PERCHED, FLAT) and SIZES_PX[0] < size < SIZES_PX[1]


def plan(folder: Path, run: Path, steps: int, seed: int, threads: int) -> Plan:
    """The plan of such a training."""
    return Plan(folder, run, {}, steps, BATCH, RATE, DECAY, seed, "cpu", threads, save_steps=1_000)


def fit_round(wanted: Plan, kind: str) -> Path:
    """Train the net of one of KINDS; returns the checkpoint's path."""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    feed = Feed(wanted.crops, np.random.default_rng([wanted.seed, steps_done(wanted)]), kind)
    return train(wanted, RoundNet, feed.cost, lambda: None)
