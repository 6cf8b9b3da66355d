"""From the truth of crops to the maps the net shall give, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.training.nets.model import PIP_STRIDE
from lab.training.nets.variation import turned
from lab.training.pictures.crops import IGNORED, SIDE_PX, CropSet
from vision.learned.maps import STRIDE, UNIT_PX

TAUGHT_PX = (19.0, 58.0)
"""Faces of these sides are found; a fifth beyond either end counts neither way; farther they are background,
because another level of the pyramid finds them."""
SPARED = 1.22
MOST, ABSENT = 64, -9.0
"""Marks of one crop at most, and the face of a row that is none."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Maps (n, h, w) for a batch; `heatmap_weight` is zero where nothing is asked.

    `at` (k,) are the flat indices of cells with a face; `face`, `offset` (k, 2) in cells, `size` (log of side
    over UNIT_PX), `turn` (k, 2; NaN where unknown) and `share` (weight) belong to them.
    """

    heatmap: Tensor
    heatmap_weight: Tensor
    pips: Tensor
    pips_weight: Tensor
    at: Tensor
    face: Tensor
    offset: Tensor
    size: Tensor
    turn: Tensor
    share: Tensor


Maps = tuple[Tensor, ...]
"""Heatmap, its weight, pips, their weight for many crops, as uint8 with 255 for one."""


def maps_of(crops: CropSet, device: str = "cpu") -> Maps:
    """The maps of a whole set, made once and kept on `device`: they are a tenth of the pictures' size."""
    parts = [_maps(crops, first, min(first + 500, len(crops)), device) for first in range(0, len(crops), 500)]
    return tuple(torch.cat(column) for column in zip(*parts, strict=True))


def marks_of(crops: CropSet) -> Tensor:
    """The marks of each crop, (crops, MOST, 5): x, y, size, angle and face, which is ABSENT in empty rows."""
    rows = crops.marks
    nth = np.arange(len(rows)) - np.searchsorted(rows[:, 0], rows[:, 0])
    kept = nth < MOST
    table = np.full((len(crops), MOST, 5), ABSENT, np.float32)
    table[rows[kept, 0].astype(np.int64), nth[kept]] = rows[kept, 1:]
    return torch.from_numpy(table)


@dataclass(frozen=True, slots=True)
class TruthTable:
    """The truth of a set as maps and marks, ready to be handed out for any batch of crop numbers."""

    marks: Tensor
    maps: Maps

    def batch(self, numbers: Tensor, moves: Tensor) -> Targets:
        """Maps for crops `numbers`, each turned and flipped by its `moves` (0 to 7, as `moved` says)."""
        maps = [turned(m[numbers], moves).float() / 255 for m in self.maps]
        marks = self.marks[numbers]
        owner, _ = there = torch.nonzero(marks[:, :, 4] != ABSENT, as_tuple=True)
        rows = _move_marks(torch.cat([owner[:, None].float(), marks[there]], 1), moves[owner])
        good = _judged(rows)[0]
        return Targets(maps[0], maps[1], maps[2], maps[3], *_cells(rows[good], owner[good], len(numbers)))


def truth_of(crops: CropSet, device: str = "cpu") -> TruthTable:
    """The truth of a set, on a device."""
    return TruthTable(marks_of(crops).to(device), maps_of(crops, device))


def joined(tables: Sequence[TruthTable]) -> TruthTable:
    """Several tables as one, in this order."""
    maps = zip(*(table.maps for table in tables), strict=True)
    return TruthTable(torch.cat([t.marks for t in tables]), tuple(torch.cat(column) for column in maps))


def moved(points: Tensor, move: Tensor) -> Tensor:
    """Points (n, 2) after move 0 to 7: bit 0 flips x, bit 1 flips y, bit 2 swaps x and y afterwards."""
    x = torch.where(move & 1 > 0, SIDE_PX - points[:, 0], points[:, 0])
    y = torch.where(move & 2 > 0, SIDE_PX - points[:, 1], points[:, 1])
    swap = move & 4 > 0
    return torch.stack([torch.where(swap, y, x), torch.where(swap, x, y)], 1)


def _move_marks(rows: Tensor, move: Tensor) -> Tensor:
    mirrors = (move & 1) + (move >> 1 & 1) + (move >> 2 & 1)
    angle = torch.where(mirrors % 2 > 0, 90 - rows[:, 4], rows[:, 4])
    return torch.cat([rows[:, :1], moved(rows[:, 1:3], move), rows[:, 3:4], angle[:, None], rows[:, 5:]], 1)


def _judged(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Which marks are asked for, and which count neither way: cut by the edge, odd in size, unreadable."""
    x, y, size, face = rows[:, 1], rows[:, 2], rows[:, 3], rows[:, 5]
    edge = torch.minimum(torch.minimum(x, SIDE_PX - x), torch.minimum(y, SIDE_PX - y))
    wanted = (size >= TAUGHT_PX[0]) & (size <= TAUGHT_PX[1])
    near = (size >= TAUGHT_PX[0] / SPARED) & (size <= TAUGHT_PX[1] * SPARED)
    good = wanted & (edge > 0.3 * size) & (face != IGNORED)
    return good, (edge > -0.7 * size) & (near & ~good | (face == IGNORED))


def _maps(crops: CropSet, first: int, last: int, device: str) -> Maps:
    """The maps of crops `first` to `last`."""
    rows, dots = (_part(table, first, last).to(device) for table in (crops.marks, crops.pips))
    (good, spared), count = _judged(rows), last - first
    owner, x, y, size = rows[:, 0].long(), rows[:, 1], rows[:, 2], rows[:, 3]
    heatmap = _blobs(x[good], y[good], size[good] * 0.13, owner[good], count, STRIDE)
    mask = _blobs(x[spared], y[spared], size[spared] * 0.5, owner[spared], count, STRIDE)
    of, px, py, radius = dots[:, 0].long(), dots[:, 1], dots[:, 2], dots[:, 3]
    pips = _blobs(px, py, (radius * 0.55).clamp(min=1.6), of, count, PIP_STRIDE)
    odd = (radius < 1.2) | (radius > 9)
    unclear = _blobs(px[odd], py[odd], radius[odd], of[odd], count, PIP_STRIDE)
    known = torch.from_numpy(crops.pips_known[first:last]).to(device)[:, None, None]
    maps = (heatmap, (mask < 0.35).float(), pips, ((unclear < 0.3) & known).float())
    return tuple((m * 255).to(torch.uint8) for m in maps)


def _part(rows: NDArray[np.float32], first: int, last: int) -> Tensor:
    low, high = np.searchsorted(rows[:, 0], (first, last))
    return torch.from_numpy(rows[low:high] - np.array([first] + [0] * (rows.shape[1] - 1), np.float32))


def _blobs(x: Tensor, y: Tensor, sigma: Tensor, owner: Tensor, count: int, stride: int) -> Tensor:
    """Gaussian bumps (count, h, w), the largest wins; each bump's nearest cell is exactly 1."""
    cells = SIDE_PX // stride
    grid = torch.arange(cells, dtype=torch.float32, device=x.device) * stride + stride / 2
    sigma = sigma.clamp(min=stride * 0.45)[:, None, None]
    far = (grid[None, None, :] - x[:, None, None]) ** 2 + (grid[None, :, None] - y[:, None, None]) ** 2
    bumps = torch.exp(-far / (2 * sigma**2)).reshape(len(x), cells * cells)
    inside = (x >= 0) & (y >= 0) & (x < SIDE_PX) & (y < SIDE_PX)
    if len(x):
        best = bumps.argmax(1)
        each = torch.arange(len(x), device=x.device)
        bumps[each, best] = torch.where(inside, 1.0, bumps[each, best])
    out = torch.zeros(count, cells * cells, device=x.device)
    out.scatter_reduce_(0, owner[:, None].expand_as(bumps), bumps, "amax")
    return out.reshape(count, cells, cells)


def _cells(rows: Tensor, owner: Tensor, count: int) -> tuple[Tensor, ...]:
    """Cells asked for face and place: those within a fifth of the face round each centre, and the nearest."""
    cells = SIDE_PX // STRIDE
    x, y, size = rows[:, 1], rows[:, 2], rows[:, 3]
    step = torch.tensor([(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1)], device=x.device).float()
    col, row = torch.floor(x / STRIDE)[:, None] + step[:, 0], torch.floor(y / STRIDE)[:, None] + step[:, 1]
    dx, dy = x[:, None] / STRIDE - (col + 0.5), y[:, None] / STRIDE - (row + 0.5)
    keep = (torch.hypot(dx, dy) * STRIDE < size[:, None] * 0.22) | (step == 0).all(1)[None]
    keep &= (col >= 0) & (row >= 0) & (col < cells) & (row < cells)
    flat = owner[:, None] * cells * cells + row * cells + col
    of = torch.arange(len(x), device=x.device)[:, None].expand_as(keep)[keep]
    share = (1 / keep.sum(1).clamp(min=1)).sqrt()[of]
    turn = torch.deg2rad(4 * rows[of, 4])
    offset, turns = torch.stack([dx[keep], dy[keep]], 1), torch.stack([turn.cos(), turn.sin()], 1)
    return flat[keep].long(), rows[of, 5].long(), offset, torch.log(size[of] / UNIT_PX), turns, share
