"""Training of the net that sees dice on dice: what lies about the dice of crops, and the loop of `fit`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import nn

from vision.learned.perched import LAPS, RAYS, surroundings
from vision.training.nets.fit import Cost, Plan, steps_done, train
from vision.training.nets.perched_net import PerchedNet
from vision.training.pictures import crops
from vision.training.pictures.crops import SIDE_PX, CropSet
from vision.training.pictures.perched import ALONE, PERCHED

MIX = {
    PERCHED: {"painted-*.npz": 0.16, "laid-*.npz": 0.11, "scened-*.npz": 0.23},
    ALONE: {"painted-*.npz": 0.14, "laid-*.npz": 0.22, "scened-*.npz": 0.14},
}
"""Which share of a batch comes from where; shares of what is not there go to the rest."""
SIZES_PX, WITHIN = (18.0, 60.0), 0.6
"""Sides of the dice that are learned from, and how many of these they stay away from the crop's border."""
BATCH, RATE, DECAY = 96, 2e-3, 2e-2
BELIEVED = 0.985
"""Labels are taken to be right so often: no die need be certain beyond that."""


class Feed:
    """Dice of all files that are there, drawn by their share."""

    def __init__(self, folder: Path, rng: np.random.Generator) -> None:
        files = {file: _load(file) for file in sorted(folder.glob("*.round"))}
        if not files:
            raise FileNotFoundError(f"no dice in {folder}: make crops first")
        self._seen = np.concatenate([seen for seen, _ in files.values()])
        self._classes = np.concatenate([classes for _, classes in files.values()])
        self._rng, self._chance = rng, np.cumsum(_chances(files))

    def cost(self, net: nn.Module) -> Cost:
        """What the net's answers to the next batch cost; beside it the share that is right."""
        rows = np.searchsorted(self._chance, self._rng.random(BATCH))
        seen = np.stack([self._turned(row) for row in self._seen[rows]])
        odds = net(torch.from_numpy(seen).float())[:, 0]
        wanted = torch.from_numpy(self._classes[rows] == PERCHED).float()
        believed = wanted * BELIEVED + (1 - wanted) * (1 - BELIEVED)
        cost = F.binary_cross_entropy_with_logits(odds, believed)
        right = ((odds > 0) == (wanted > 0)).float().mean()
        return cost, {"cost": float(cost.detach()), "right": float(right)}

    def _turned(self, seen: NDArray[np.float16]) -> NDArray[np.float16]:
        """A die turned anyhow, every second one in a mirror."""
        seen = np.roll(seen, self._rng.integers(RAYS), axis=1)
        return (seen[:, ::-1] if self._rng.random() < 0.5 else seen)[:, LAPS]


def _chances(files: dict[Path, tuple[NDArray[np.float16], NDArray[np.int8]]]) -> NDArray[np.float64]:
    """How often each die is drawn, all files' in one row; they sum to one."""
    chances = [np.zeros(len(classes)) for _, classes in files.values()]
    for wanted, mix in MIX.items():
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
    """Write, beside every file of crops that lacks it, what lies about its dice and which lie on others."""
    for crops_file in sorted(folder.glob("*.npz")):
        file = crops_file.with_suffix(".round")
        if not file.exists():
            seen, classes = _dice(crops.load(crops_file))
            with file.open("wb") as out:
                np.savez(out, seen=seen, classes=classes)
            print(f"{file.name}: {int((classes == PERCHED).sum())} of {len(classes)} on others", flush=True)


def _dice(made: CropSet) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    rows = [row for row in made.marks if _judged(row)]
    seen = [surroundings(made.images[int(row[0])], [tuple(row[1:4].tolist())])[0] for row in rows]
    return np.array(seen, np.float16), np.array([row[5] for row in rows], np.int8)


def _judged(row: NDArray[np.float32]) -> bool:
    x, y, size, _, face = row[1:].tolist()
    inside = all(WITHIN * size < v < SIDE_PX - WITHIN * size for v in (x, y))
    return inside and face in MIX and SIZES_PX[0] < size < SIZES_PX[1]


def plan(folder: Path, run: Path, steps: int, seed: int, threads: int) -> Plan:
    """The plan of such a training."""
    return Plan(folder, run, {}, steps, BATCH, RATE, DECAY, seed, "cpu", threads, save_steps=1_000)


def fit_perched(wanted: Plan) -> Path:
    """Train it; returns the checkpoint's path."""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    feed = Feed(wanted.crops, np.random.default_rng([wanted.seed, steps_done(wanted)]))
    return train(wanted, PerchedNet, feed.cost, lambda: None)
