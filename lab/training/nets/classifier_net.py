"""The crop classifier's net: what lies at one place, seen at one size."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lab.training.nets.model import Residual, conv

CLASSES = 8
"""A cube without pips, 1 to 6, no top face at all."""
WIDTHS = (24, 48, 80, 112)


class ClassifierNet(nn.Module):  # type: ignore[misc]
    """Logits (n, 8) of patches (n, 3, 64, 64), BGR from 0 to 1."""

    def __init__(self) -> None:
        super().__init__()
        fine, middle, deep, last = WIDTHS
        self.stem = conv(3, fine, 2)
        self.down = nn.Sequential(conv(fine, middle, 2), Residual(middle), Residual(middle))
        self.deep = nn.Sequential(conv(middle, deep, 2), Residual(deep))
        self.whole = nn.Sequential(conv(deep, last, 2), Residual(last))
        self.last = nn.Conv2d(last, CLASSES, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.features(x)).flatten(1)

    def features(self, x: Tensor) -> Tensor:
        """What the logits are linear in, (n, 112, 1, 1)."""
        whole: Tensor = self.whole(self.deep(self.down(self.stem(x))))
        return torch.nn.functional.adaptive_avg_pool2d(whole, 1)
