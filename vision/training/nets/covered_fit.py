"""Training of the nets that see parts of dice: lessons out of the crops, and the loop of `fit`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import nn

from vision.training.nets.covered_cells import KINDS, PART, UNJUDGED, Lesson, lessons
from vision.training.nets.covered_net import CoveredNet
from vision.training.nets.fit import Cost, Plan, steps_done, train
from vision.training.pictures import crops

MIX = {
    "painted-*.npz": 0.15,
    "scened-*.npz": 0.25,
    "backed-*.npz": 0.08,
    "bare-*.npz": 0.07,
    "photos-*.npz": 0.33,
    "mined-*.npz": 0.12,
}
"""Which share of a batch comes from where; shares of what is not there go to the rest."""
BATCH, RATE, DECAY = 64, 3e-3, 1e-3


class Feed:
    """Lessons of a kind, of all files that are there, drawn by their share."""

    def __init__(self, folder: Path, kind: str, rng: np.random.Generator) -> None:
        groups = [(share, _taught(folder, crops_of, kind)) for crops_of, share in MIX.items()]
        files = [(file, share / len(group)) for share, group in groups for file in group]
        if not files:
            raise FileNotFoundError(f"no lessons in {folder}: make crops first")
        parts = [_load(file) for file, _ in files]
        self._features, self._cells = (np.concatenate(part) for part in zip(*parts, strict=True))
        counts = [len(cells) for _, cells in parts]
        chance = np.repeat([share / n for (_, share), n in zip(files, counts, strict=True)], counts)
        self._chance, self._rng = np.cumsum(chance) / chance.sum(), rng

    def cost(self, net: nn.Module) -> Cost:
        """What the net's answers to the next batch cost; beside it the mean odds where parts are."""
        numbers = np.searchsorted(self._chance, self._rng.random(BATCH))
        cells = self._cells[numbers]  # not turned: the first net's features know up from down
        odds = net(torch.from_numpy(self._features[numbers]).float())[:, 0]
        wanted, judged = torch.from_numpy(cells == PART).float(), torch.from_numpy(cells != UNJUDGED)
        cost = F.binary_cross_entropy_with_logits(odds[judged], wanted[judged])
        seen = odds[wanted > 0].mean() if wanted.any() else torch.zeros(())
        return cost * 10, {"cost": float(cost.detach()), "odds": float(seen.detach())}


def _taught(folder: Path, crops_of: str, kind: str) -> list[Path]:
    """The files of lessons of a kind about the crops of a name."""
    files = (_lessons_file(crops_file, kind) for crops_file in sorted(folder.glob(crops_of)))
    return [file for file in files if file.exists()]


def _lessons_file(crops_file: Path, kind: str) -> Path:
    return crops_file.with_suffix(f".{kind}")


def _load(file: Path) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    """Features and cells of a file of lessons."""
    with np.load(file) as data:
        return data["features"], data["cells"]


def find_lessons(folder: Path, model: Path) -> None:
    """Write, beside every file of crops that lacks it, what the model sees of its half-hidden dice."""
    from vision.learned import net

    seer = net.load(model)
    for (number, crops_file), kind in product(enumerate(sorted(folder.glob("*.npz"))), KINDS):
        file = _lessons_file(crops_file, kind)
        if not file.exists():
            rng = np.random.default_rng([41, number, KINDS.index(kind)])
            _save(file, list(lessons(crops.load(crops_file), seer, rng, kind)))


def _save(file: Path, made: Sequence[Lesson]) -> None:
    features, cells = np.stack([m.features for m in made]), np.stack([m.cells for m in made])
    with file.open("wb") as out:
        np.savez(out, features=features, cells=cells)
    print(f"{file.name}: {int((cells == PART).any((1, 2)).sum())} with a part of a die", flush=True)


def plan(folder: Path, run: Path, steps: int, seed: int, threads: int) -> Plan:
    """The plan of a training of a net that sees parts of dice."""
    return Plan(folder, run, {}, steps, BATCH, RATE, DECAY, seed, "cpu", threads, save_steps=1_000)


def fit_covered(wanted: Plan, kind: str) -> Path:
    """Train it on the lessons of a kind; returns the checkpoint's path."""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    feed = Feed(wanted.crops, kind, np.random.default_rng([wanted.seed, steps_done(wanted)]))
    return train(wanted, CoveredNet, feed.cost, lambda: None)
