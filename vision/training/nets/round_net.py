"""The nets that look round a die, for dice on dice and for prints: convolutions over what lies along rays."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

from vision.learned.surroundings import RAYS

TRAITS, WIDTHS = 6, (24, 32)
"""Channels that come in; of the first layer, and of the three after it."""
STRIDES = ((1, 1), (2, 2), (1, 2), (2, 2))
"""Of each layer, round the die and outwards."""
LEFT = RAYS // 4, 3
"""What the layers leave: so many places round the die, and outwards."""
FORGOTTEN = 0.2
"""Share of what was found that is left out at random while learning."""


class RoundNet(nn.Module):  # type: ignore[misc]
    """Logits (n, 1) of what is asked of a die; takes (n, 6, LAPS, STEPS) of `surroundings`."""

    def __init__(self) -> None:
        super().__init__()
        first, wide = WIDTHS
        widths = (TRAITS, first, wide, wide, wide)
        self.layers = nn.ModuleList(
            _conv(inputs, outputs, stride)
            for (inputs, outputs), stride in zip(pairwise(widths), STRIDES, strict=True)
        )
        self.most = nn.MaxPool2d((LEFT[0], 1))
        self.mean = nn.AvgPool2d((LEFT[0], 1))
        self.forget = nn.Dropout(FORGOTTEN)
        self.last = nn.Conv2d(2 * wide, 1, (1, LEFT[1]))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        odds: Tensor = self.last(self.forget(torch.cat([self.most(x), self.mean(x)], 1)))
        return odds.flatten(1)


def _conv(inputs: int, outputs: int, stride: tuple[int, int]) -> nn.Sequential:
    """3x3 convolution, nothing added at the ends of a lap, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, (0, 1), bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )
