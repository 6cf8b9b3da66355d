"""The net that sees parts of dice: a few convolutions over the first net's features."""

from __future__ import annotations

from torch import Tensor, nn

from vision.training.nets.model import conv

FEATURES, WIDTHS = 48, (24, 16)


class CoveredNet(nn.Module):  # type: ignore[misc]
    """Logits (n, 1, h, w) that a cell shows a part of a die whose rest is hidden; takes (n, 48, h, w)."""

    def __init__(self) -> None:
        super().__init__()
        wide, narrow = WIDTHS
        self.layers = nn.Sequential(conv(FEATURES, wide), conv(wide, narrow), nn.Conv2d(narrow, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        odds: Tensor = self.layers(x)
        return odds
