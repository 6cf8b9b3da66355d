"""Batches for the detector: crops of all files that are there, kept whole on the training's device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.training.nets.loss import loss
from vision.training.nets.store import Store
from vision.training.nets.targets import Targets, TruthTable, joined, truth_of
from vision.training.nets.variation import varied
from vision.training.pictures.crops import CropSet, load

Loss = tuple[Tensor, dict[str, Tensor]]
"""The loss of a batch, and its parts for the log."""


class Feed:
    """Batches of crops, sampled by the share of their kind. `mix` maps a pattern of files to that share."""

    def __init__(
        self,
        folder: Path,
        mix: Mapping[str, float],
        batch: int,
        seed: Sequence[int],
        device: str = "cpu",
        room: int = 2_000,
    ) -> None:
        self._folder, self._mix, self._batch, self._device = folder, mix, batch, device
        self._numbers = np.random.default_rng(seed)
        self._random = torch.Generator(device).manual_seed(int(self._numbers.integers(2**40)))
        self._images, self._kinds = Store(device, room), list[int]()
        self._truth = list[TruthTable]()
        self.files: tuple[Path, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Take in files that came since; raises FileNotFoundError while there are none at all."""
        found = [(f, k) for k, pattern in enumerate(self._mix) for f in sorted(self._folder.glob(pattern))]
        fresh = [(f, k) for f, k in found if f not in self.files]
        for file, kind in fresh:
            self._take_in(load(file), kind)
        self.files += tuple(f for f, _ in fresh)
        if not self.files:
            raise FileNotFoundError(f"no crops in {self._folder}: paint some first")
        if fresh:
            self._truth = [joined(self._truth)]
            self._chance = chances(np.array(self._kinds), np.array(list(self._mix.values())))

    def _take_in(self, part: CropSet, kind: int) -> None:
        self._images.add(part.images)
        self._truth.append(truth_of(part, self._device))
        self._kinds += [kind] * len(part)

    def batch(self) -> tuple[Tensor, Targets]:
        """Pictures (n, 3, h, w) from 0 to 1, channels last in memory, and the targets."""
        drawn = np.searchsorted(self._chance, self._numbers.random(self._batch))
        numbers = torch.from_numpy(drawn).to(self._device)
        moves = torch.randint(0, 8, (self._batch,), generator=self._random, device=self._device)
        return varied(self._images[numbers], moves, self._random), self._truth[0].batch(numbers, moves)

    def loss(self, net: nn.Module) -> Loss:
        """The loss of the next batch."""
        images, targets = self.batch()
        with torch.autocast(self._device, dtype=torch.bfloat16):
            maps, pips, _ = net(images)
        return loss(maps.float(), pips.float(), targets)


def chances(kinds: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The running sum of each crop's chance: each kind that is there has its share."""
    counts = np.bincount(kinds, minlength=len(shares))
    chance = np.cumsum((shares / np.maximum(counts, 1))[kinds])
    return np.asarray(chance / chance[-1])
