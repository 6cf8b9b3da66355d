"""Variation of pictures while training: turns, flips, and what light, colour and cameras can do.

Everything runs on the device on which the pictures lie, a whole batch at a time.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

SHADED, COARSE, NOISY = 0.15, 0.16, 0.4
"""Shares of the pictures over which a shadow's edge runs (a hand, a cup, a lamp at the side), that are of a
coarser resolution, and that have the noise of a sensor."""
INVERTED, GREY, SHUFFLED = 0.12, 0.2, 0.4
"""Shares inverted and grey; up to the last one channels are shuffled."""


def varied(images: Tensor, moves: Tensor, random: torch.Generator) -> Tensor:
    """Pictures (n, h, h, 3) of 0 to 255, each turned by its move (see `targets.moved`), seldom shaded or
    coarse, recoloured: (n, 3, h, h) from 0 to 1, channels last in memory."""
    seen = turned(images, moves).permute(0, 3, 1, 2).float() / 255
    return _noisy(_recoloured(_coarse(_shaded(seen, random), random), random), random)


def turned(images: Tensor, moves: Tensor) -> Tensor:
    """Pictures (n, h, h, ...), each after its move, as `targets.moved` does with points."""
    shape = (len(images),) + (1,) * (images.dim() - 1)
    for bit, axis in ((1, 2), (2, 1)):
        images = torch.where((moves & bit > 0).reshape(shape), images.flip(axis), images)
    return torch.where((moves & 4 > 0).reshape(shape), images.transpose(1, 2), images)


def uniform(random: torch.Generator, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
    """Numbers from `low` to `high`, on the device of `random`."""
    return torch.rand(shape, generator=random, device=random.device) * (high - low) + low


def normal(random: torch.Generator, *shape: int) -> Tensor:
    """Normally distributed numbers of mean 0 and variance 1, on the device of `random`."""
    return torch.randn(shape, generator=random, device=random.device)


def _shaded(images: Tensor, random: torch.Generator) -> Tensor:
    """Some pictures with the shadow of something out of view over a part, its edge hard or soft."""
    count, side = len(images), images.shape[-1]
    way = uniform(random, count, 1, 1, high=2 * math.pi)
    ramp = torch.linspace(-1, 1, side, device=images.device)
    past = ramp[:, None] * way.sin() + ramp * way.cos() - uniform(random, count, 1, 1, low=-0.6, high=0.6)
    cover = torch.sigmoid(past * side / 2 / uniform(random, count, 1, 1, low=0.3, high=4.0))
    depth = uniform(random, count, 1, 1, low=0.25, high=0.85) * (uniform(random, count, 1, 1) < SHADED)
    return images * (1 - cover * depth)[:, None]


def _coarse(images: Tensor, random: torch.Generator) -> Tensor:
    """The first pictures shrunk and enlarged again: what a die of twenty pixels looks like."""
    count, side = int(len(images) * COARSE), images.shape[-1]
    if not count:
        return images
    small = max(4, int(side * float(uniform(random, 1, low=0.35, high=0.85))))
    shrunk = F.interpolate(images[:count], size=(small, small), mode="bilinear", antialias=True)
    back = F.interpolate(shrunk, size=(side, side), mode="bilinear")
    return torch.cat([back, images[count:]])


def _recoloured(images: Tensor, random: torch.Generator) -> Tensor:
    """Each picture's channels mixed, then gamma, gain, tint, offset, and now and then an inversion."""
    mixed = torch.einsum("nij,njhw->nihw", _mixing(len(images), random), images).clamp(0, 1)
    count = len(images)
    inverted = uniform(random, count, 1, 1, 1) < INVERTED
    mixed = torch.where(inverted, 1 - mixed, mixed)
    gain = uniform(random, count, 1, 1, 1, low=-0.6, high=0.25) + 0.08 * normal(random, count, 3, 1, 1)
    gamma = uniform(random, count, 1, 1, 1, low=-0.5, high=0.5)
    offset = uniform(random, count, 1, 1, 1, low=-0.1, high=0.12)
    return (mixed ** gamma.exp() * gain.exp() + offset).clamp(0, 1)


def _mixing(count: int, random: torch.Generator) -> Tensor:
    """Matrices (n, 3, 3): grey, shuffled channels, or a slight mix."""
    kind = uniform(random, count, 1, 1)
    grey = torch.tensor([0.114, 0.587, 0.299], device=random.device).expand(count, 3, 3)
    order = uniform(random, count, 3).argsort(1)
    keep = torch.arange(3, device=random.device).expand(count, 3)
    order = torch.where(kind[:, 0] < SHUFFLED, order, keep)
    mix = F.one_hot(order, 3).float() + 0.06 * normal(random, count, 3, 3)
    return torch.where(kind < GREY, grey, mix)


def _noisy(images: Tensor, random: torch.Generator) -> Tensor:
    """Some pictures with the noise of a sensor."""
    count = len(images)
    spread = uniform(random, count, 1, 1, 1, high=0.045) * (uniform(random, count, 1, 1, 1) < NOISY)
    noise = torch.randn(images.shape, generator=random, device=images.device)
    return (images + spread * noise).clamp(0, 1).contiguous(memory_format=torch.channels_last)
