"""The crop classifier's pictures: places of crops turned, moved, stretched and recoloured, in batches."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from lab.training.nets.variation import normal, uniform, varied
from lab.training.pictures.crops import SIDE_PX as CROP_PX
from vision.learned.classifier import FACE_PX, SIDE_PX

JITTER, STRETCH, LEAN = 0.07, 0.13, 0.05
"""How far a place is off (in sides), how much its size, and how much one side is longer than the other, as in
a slanting view (standard deviations of the logarithm)."""
FINE = 2
"""Samples a pixel and axis, so that large faces are shrunk without false patterns."""


def patches(images: Tensor, rows: Tensor, random: torch.Generator) -> Tensor:
    """Input of the crop classifier (n, 3, SIDE_PX, SIDE_PX) from 0 to 1: the places of `rows` (n, 5: crop, x,
    y, size, class), turned and recoloured. `images` are their crops (n, h, h, 3) of 0 to 255."""
    crops = images.permute(0, 3, 1, 2).float()
    seen = F.grid_sample(crops, _grid(rows, random), padding_mode="border", align_corners=False)
    cut = F.avg_pool2d(seen, FINE).permute(0, 2, 3, 1)
    moves = torch.randint(0, 8, (len(rows),), generator=random, device=rows.device)
    return varied(cut, moves, random)


def _grid(rows: Tensor, random: torch.Generator) -> Tensor:
    """Where each sample of the patches lies in its crop, as `grid_sample` takes it."""
    count, sizes = len(rows), rows[:, 3]
    stretch = (STRETCH * normal(random, count)).clamp(-0.3, 0.3).exp()
    lean = (LEAN * normal(random, count)).clamp(-0.1, 0.1).exp()
    off = (JITTER * normal(random, count, 2)).clamp(-0.2, 0.2) * sizes[:, None]
    turn = uniform(random, count, high=2 * math.pi)
    step = sizes / FACE_PX / stretch * SIDE_PX / CROP_PX
    cos, sin = turn.cos(), turn.sin()
    across, down = (
        torch.stack([cos, sin], 1) * (step / lean)[:, None],
        torch.stack([-sin, cos], 1) * (step * lean)[:, None],
    )
    middle = (rows[:, 1:3] + off) / CROP_PX * 2 - 1
    theta = torch.stack([across, down, middle], 2).float()
    side = SIDE_PX * FINE
    return F.affine_grid(theta, [count, 3, side, side], align_corners=False)
