"""The detector's loss: CenterNet's focal loss of the heatmap (Zhou 2019), the rest only where a face is."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from lab.training.nets.model import FACES, HEATMAP, OFFSET, SIZE, TURN
from lab.training.nets.targets import Targets


def loss(maps: Tensor, pips: Tensor, wanted: Targets) -> tuple[Tensor, dict[str, Tensor]]:
    """The weighted sum, and its parts for the log, on the device of `maps`."""
    cells = maps.permute(0, 2, 3, 1).reshape(-1, maps.shape[1])[wanted.at]
    share = wanted.share
    heatmap = _focal(maps[:, HEATMAP].squeeze(1), wanted.heatmap, wanted.heatmap_weight)
    face = (
        F.cross_entropy(cells[:, FACES], wanted.face, reduction="none", label_smoothing=0.02) * share
    ).sum()
    place = ((cells[:, OFFSET] - wanted.offset).abs().sum(1) * share).sum()
    size = ((cells[:, SIZE].squeeze(1) - wanted.size).abs() * share).sum()
    known = ~wanted.turn[:, 0].isnan()
    turn = ((cells[known, TURN] - wanted.turn[known]).abs().sum(1) * share[known]).sum()
    dots = _focal(pips.squeeze(1), wanted.pips, wanted.pips_weight)
    count = share.sum().clamp(min=1)
    parts = {
        "heatmap": heatmap,
        "face": face / count,
        "place": place / count,
        "size": size / count,
        "turn": turn / count,
    }
    total = heatmap + parts["face"] + 0.5 * parts["place"] + parts["size"] + 0.1 * parts["turn"] + 0.3 * dots
    return total, {k: v.detach() for k, v in {**parts, "pips": dots}.items()}


def _focal(logits: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    sure, unsure = F.logsigmoid(logits), F.logsigmoid(-logits)
    p = torch.sigmoid(logits)
    peak = (wanted > 0.999).float()
    hit = (1 - p) ** 2 * sure * peak
    miss = p**2 * unsure * (1 - wanted) ** 4 * (1 - peak)
    return -((hit + miss) * weight).sum() / (peak * weight).sum().clamp(min=1)
