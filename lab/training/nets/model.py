"""The net: a small fully convolutional centre-point detector of top faces."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.learned.maps import STRIDE

PIP_STRIDE = STRIDE // 2
HEATMAP, FACES, OFFSET, SIZE, TURN = slice(0, 1), slice(1, 8), slice(8, 10), slice(10, 11), slice(11, 13)
"""Channels of the map of faces: heatmap of top-face centres; OTHER and 1 to 6; offset in cells; log of side
over 32 px; cosine and sine of four times the turn. Heatmap and faces are logits."""
CHANNELS = 13
FEATURES, WIDE, DEEP = 48, 80, 112
"""Channels at an eighth, a sixteenth and a thirty-second of the picture: most weights lie where they cost
least."""


def conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """3x3 convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a short cut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Net(nn.Module):  # type: ignore[misc]
    """Maps of faces at stride 8, of pips at stride 4, and the features between (for taught faces).

    Takes (n, 3, h, w), BGR from 0 to 1, h and w multiples of 32; gives (n, 13, h/8, w/8), (n, 1, h/4, w/4),
    (n, 48, h/8, w/8). What lies round a die is seen at strides 16 and 32 and added to the finer maps, as in
    feature pyramids (Lin and others 2017).
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 24, 2), conv(24, 24))
        self.body = nn.Sequential(conv(24, FEATURES, 2), Residual(FEATURES), Residual(FEATURES))
        self.wide = nn.Sequential(conv(FEATURES, WIDE, 2), Residual(WIDE))
        self.deep = nn.Sequential(conv(WIDE, DEEP, 2), Residual(DEEP), Residual(DEEP))
        self.rise = nn.ConvTranspose2d(DEEP, WIDE, 2, 2)
        self.meet = conv(WIDE, WIDE)
        self.climb = nn.ConvTranspose2d(WIDE, FEATURES, 2, 2)
        self.join = conv(FEATURES, FEATURES)
        self.head = nn.Sequential(conv(FEATURES, FEATURES), nn.Conv2d(FEATURES, CHANNELS, 1))
        self.lift = nn.ConvTranspose2d(FEATURES, 16, 2, 2)
        self.side = nn.Conv2d(24, 16, 1)
        self.dots = nn.Sequential(conv(16, 16), nn.Conv2d(16, 1, 1))
        nn.init.constant_(self.head[-1].bias, 0.0)
        nn.init.constant_(self.head[-1].bias[HEATMAP], -4.0)
        nn.init.constant_(self.dots[-1].bias, -4.0)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        fine = self.stem(x)
        body = self.body(fine)
        wide = self.wide(body)
        wide = self.meet(torch.relu(wide + self.rise(self.deep(wide))))
        features = self.join(torch.relu(body + self.climb(wide)))
        pips = self.dots(torch.relu(self.lift(features) + self.side(fine)))
        return self.head(features), pips, features
