"""Batches for the nets: the crops of all files that are there, kept whole on the training's device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lab.training.nets.loss import loss
from lab.training.nets.store import Store
from lab.training.nets.targets import Targets, TruthTable, joined, truth_of
from lab.training.nets.variation import varied
from lab.training.pictures.crops import load

Loss = tuple[Tensor, dict[str, Tensor]]
"""The loss of a batch, and its parts for the log."""


class Feed(ABC):
    """Batches of what the files of a folder hold: examples of several kinds, sampled by the share of their
    kind. More files may come while training runs."""

    def __init__(
        self,
        folder: Path,
        shares: Iterable[float],
        seed: Sequence[int],
        device: str = "cpu",
        room: int = 2_000,
    ) -> None:
        self._folder, self._shares, self._device = folder, np.array(list(shares)), device
        self._numbers = np.random.default_rng(seed)
        self._random = torch.Generator(device).manual_seed(int(self._numbers.integers(2**40)))
        self._images, self._kinds = Store(device, room), list[int]()
        self.files: tuple[Path, ...] = ()

    def refresh(self) -> None:
        """Take in files that came since; raises FileNotFoundError while there are none at all."""
        fresh = tuple(file for file in self._there() if file not in self.files)
        self.files += fresh
        if not self.files:
            raise FileNotFoundError(f"no crops in {self._folder}: paint some first")
        if fresh:
            self._kinds += self._take_in(fresh)
            self._chance = chances(np.array(self._kinds), self._shares)

    def _drawn(self, count: int) -> Tensor:
        """Numbers (count,) of examples, in the order in which they were taken in."""
        drawn = np.searchsorted(self._chance, self._numbers.random(count))
        return torch.from_numpy(drawn).to(self._device)

    @abstractmethod
    def _there(self) -> Iterable[Path]:
        """The files that can be taken in now."""

    @abstractmethod
    def _take_in(self, files: Sequence[Path]) -> list[int]:
        """Keep what these files hold; returns the kind of each example."""

    @abstractmethod
    def loss(self, net: nn.Module) -> Loss:
        """The loss of the next batch."""


class CropFeed(Feed):
    """Batches of crops for the detector. `mix` maps a pattern of files to the share of its crops."""

    def __init__(
        self,
        folder: Path,
        mix: Mapping[str, float],
        batch: int,
        seed: Sequence[int],
        device: str = "cpu",
        room: int = 2_000,
    ) -> None:
        super().__init__(folder, mix.values(), seed, device, room)
        self._patterns, self._batch, self._truth = tuple(mix), batch, list[TruthTable]()
        self.refresh()

    def _there(self) -> Iterable[Path]:
        return (file for pattern in self._patterns for file in sorted(self._folder.glob(pattern)))

    def _take_in(self, files: Sequence[Path]) -> list[int]:
        kinds = list[int]()
        for file in files:
            crops = load(file)
            self._images.add(crops.images)
            self._truth.append(truth_of(crops, self._device))
            kinds += [self._kind(file)] * len(crops)
        self._truth = [joined(self._truth)]
        return kinds

    def _kind(self, file: Path) -> int:
        return next(k for k, pattern in enumerate(self._patterns) if fnmatch(file.name, pattern))

    def batch(self) -> tuple[Tensor, Targets]:
        """Pictures (n, 3, h, w) from 0 to 1, channels last in memory, and the targets."""
        numbers = self._drawn(self._batch)
        moves = torch.randint(0, 8, (self._batch,), generator=self._random, device=self._device)
        return varied(self._images[numbers], moves, self._random), self._truth[0].batch(numbers, moves)

    def loss(self, net: nn.Module) -> Loss:
        """The loss of the next batch, and its parts."""
        images, targets = self.batch()
        with torch.autocast(self._device, dtype=torch.bfloat16):
            maps, pips, _ = net(images)
        return loss(maps.float(), pips.float(), targets)


def chances(kinds: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The running sum of each crop's chance: each kind that is there has its share."""
    counts = np.bincount(kinds, minlength=len(shares))
    chance = np.cumsum((shares / np.maximum(counts, 1))[kinds])
    return np.asarray(chance / chance[-1])
