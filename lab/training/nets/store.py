"""Pictures of crops on the training's device; more may come while it runs."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.training.pictures.crops import SIDE_PX


class Store:
    """Pictures (n, SIDE_PX, SIDE_PX, 3) of 0 to 255. It doubles when it is full; `room` spares that."""

    def __init__(self, device: str, room: int = 2_000) -> None:
        self._rows = torch.empty(room, SIDE_PX, SIDE_PX, 3, dtype=torch.uint8, device=device)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, images: NDArray[np.uint8]) -> None:
        """Take in more pictures."""
        end = self._count + len(images)
        while end > len(self._rows):
            self._rows = torch.cat([self._rows, torch.empty_like(self._rows)])
        self._rows[self._count : end] = torch.from_numpy(images).to(self._rows.device)
        self._count = end

    def __getitem__(self, numbers: Tensor) -> Tensor:
        """The pictures of these numbers (n,)."""
        return self._rows[numbers]
