"""The crop classifier's net: what lies at one place, seen at one size."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.training.nets.model import Residual, conv

CLASSES = 8
"""A cube without pips, 1 to 6, no top face at all."""
WIDTHS = (24, 40, 72)


class ClassifierNet(nn.Module):  # type: ignore[misc]
    """Logits (n, 8) of patches (n, 3, 64, 64), BGR from 0 to 1."""

    def __init__(self) -> None:
        super().__init__()
        fine, middle, deep = WIDTHS
        self.stem = conv(3, fine, 2)
        self.down = nn.Sequential(conv(fine, middle, 2), Residual(middle), Residual(middle))
        self.deep = nn.Sequential(conv(middle, deep, 2), Residual(deep))
        self.last = nn.Conv2d(deep, CLASSES, 1)

    def forward(self, x: Tensor) -> Tensor:
        deep: Tensor = self.deep(self.down(self.stem(x)))
        return self.last(torch.nn.functional.adaptive_avg_pool2d(deep, 1)).flatten(1)
