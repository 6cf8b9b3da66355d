"""The training loop: seeded, resumable, with a line of progress and a log in CSV."""

from __future__ import annotations

import copy
import csv
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.training.nets.loss import loss
from vision.training.nets.model import Net
from vision.training.nets.start import started
from vision.training.nets.targets import Maps, Targets, TruthTable, maps_of
from vision.training.pictures.colours import varied
from vision.training.pictures.crops import CropSet, join, load

Loss = tuple[Tensor, dict[str, float]]
"""The loss of a batch, and its parts for the log."""
LEARNING_RATE = 1.6e-3
FRESH_STEPS = 500
"""Steps between two searches for new crops, which may be painted while training runs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train on and for how long. `crops` holds the crops, `mix` maps a pattern of its files to
    their share of each batch, `folder` takes checkpoint and log."""

    crops: Path
    folder: Path
    mix: Mapping[str, float]
    steps: int = 12_000
    batch: int = 32
    rate: float = LEARNING_RATE
    decay: float = 1e-4
    seed: int = 1
    device: str = "cpu"
    threads: int = 1
    save_steps: int = 250
    start: Path | None = None


class Feed:
    """Batches of crops of all files that are there, sampled by their share."""

    def __init__(self, plan: Plan, done: int) -> None:
        self.plan, self._rng = plan, np.random.default_rng([plan.seed, done])
        self.files: tuple[Path, ...] = ()
        self._maps: dict[Path, Maps] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take in files that came since; raises FileNotFoundError while there are none at all."""
        found = {k: tuple(sorted(self.plan.crops.glob(k))) for k in self.plan.mix}
        files = tuple(f for group in found.values() for f in group)
        if files == self.files:
            return
        if not files:
            raise FileNotFoundError(f"no crops in {self.plan.crops}: paint some first")
        sets = {k: [load(f) for f in group] for k, group in found.items() if group}
        parts = [s for group in sets.values() for s in group]
        for file, part in zip(files, parts, strict=True):
            if file not in self._maps:
                self._maps[file] = maps_of(part)
        crops, maps = join(parts), zip(*(self._maps[f] for f in files), strict=True)
        self.files, self._images = files, crops.images
        self._truth = TruthTable(crops, tuple(torch.cat(m) for m in maps))
        self._chance = _chances(sets, self.plan.mix)

    def batch(self) -> tuple[Tensor, Targets]:
        """Pictures (n, 3, h, w) from 0 to 1, channels last in memory, and the targets."""
        numbers = np.searchsorted(self._chance, self._rng.random(self.plan.batch))
        moves = self._rng.integers(0, 8, self.plan.batch)
        images = torch.from_numpy(varied(self._images[numbers], moves, self._rng))
        return images.permute(0, 3, 1, 2).float() / 255, self._truth.batch(numbers, moves)

    def loss(self, net: nn.Module) -> Loss:
        """The loss of the next batch."""
        images, targets = self.batch()
        batch = images.to(self.plan.device, memory_format=torch.channels_last)
        with torch.autocast(self.plan.device, dtype=torch.bfloat16):
            maps, pips, _ = net(batch)
        return loss(maps.float().cpu(), pips.float().cpu(), targets)


def _chances(sets: Mapping[str, list[CropSet]], mix: Mapping[str, float]) -> NDArray[np.float64]:
    shares = [np.full(sum(map(len, group)), mix[k] / sum(map(len, group))) for k, group in sets.items()]
    chance = np.cumsum(np.concatenate(shares))
    return np.asarray(chance / chance[-1])


def fit(plan: Plan) -> Path:
    """Train the net that finds dice; returns the checkpoint's path."""
    feed = Feed(plan, steps_done(plan))
    return train(plan, lambda: _new(plan, feed), feed.loss, feed.refresh)


def train(
    plan: Plan,
    new: Callable[[], nn.Module],
    batch_loss: Callable[[nn.Module], Loss],
    refresh: Callable[[], None],
) -> Path:
    """Train from the newest checkpoint in the folder, or a `new` net; returns the checkpoint's path.

    `batch_loss` draws a batch and gives the net's loss on it; `refresh` reads new crops.
    """
    torch.set_num_threads(plan.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(plan.seed)
    path = checkpoint(plan)
    net = new().to(plan.device, memory_format=torch.channels_last)
    smooth = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=plan.decay)
    done = _resume(path, net, smooth, optimiser)
    log, began, sums = plan.folder / "log.csv", time.monotonic(), dict[str, float]()
    for step in range(done, plan.steps):
        _set_rate(optimiser, plan, step)
        parts = _step(net, optimiser, batch_loss)
        _follow(smooth, net, min(0.998, (1 + step) / (20 + step)))
        sums = {k: sums.get(k, 0) + v for k, v in parts.items()}
        if (step + 1) % 100 == 0:
            _report(log, step + 1, plan, {k: v / 100 for k, v in sums.items()}, time.monotonic() - began)
            sums, began = {}, time.monotonic()
        if (step + 1) % plan.save_steps == 0 or step + 1 == plan.steps:
            _keep(path, step + 1, net, smooth, optimiser)
        if (step + 1) % FRESH_STEPS == 0:
            refresh()
    return path


def _new(plan: Plan, feed: Feed) -> Net:
    if plan.start is None:
        return Net()
    return started(Net(), plan.start, torch.cat([feed.batch()[0] for _ in range(8)]))


def _step(
    net: nn.Module, optimiser: torch.optim.Optimizer, batch_loss: Callable[[nn.Module], Loss]
) -> dict[str, float]:
    whole, parts = batch_loss(net)
    optimiser.zero_grad(set_to_none=True)
    whole.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    optimiser.step()
    return parts


def _set_rate(optimiser: torch.optim.Optimizer, plan: Plan, step: int) -> None:
    """Up over the first 300 steps, level, and down to nothing over the last quarter.

    Level for long, so that a training may be ended early or gone on with by another number of steps.
    """
    up = min(1.0, (step + 1) / 300)
    down = min(1.0, (plan.steps - step) / (0.25 * plan.steps))
    for group in optimiser.param_groups:
        group["lr"] = plan.rate * min(up, down)


@torch.no_grad()  # type: ignore[untyped-decorator]
def _follow(smooth: nn.Module, net: nn.Module, keep: float) -> None:
    """The running mean of the weights, which reads better than the last ones."""
    for mean, value in zip(smooth.state_dict().values(), net.state_dict().values(), strict=True):
        if mean.dtype.is_floating_point:
            mean.lerp_(value, 1 - keep)
        else:
            mean.copy_(value)


def checkpoint(plan: Plan) -> Path:
    """Where the net is kept while it is trained."""
    return plan.folder / "checkpoint.pt"


def steps_done(plan: Plan) -> int:
    """How many steps were trained already."""
    path = checkpoint(plan)
    return int(torch.load(path, map_location="cpu", weights_only=True)["step"]) if path.exists() else 0


def _resume(path: Path, net: nn.Module, smooth: nn.Module, optimiser: torch.optim.Optimizer) -> int:
    if not path.exists():
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    net.load_state_dict(state["net"])
    smooth.load_state_dict(state["smooth"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def _keep(path: Path, step: int, net: nn.Module, smooth: nn.Module, optimiser: torch.optim.Optimizer) -> None:
    part = path.with_suffix(".part")
    state = {"step": step, "net": net.state_dict(), "smooth": smooth.state_dict()}
    torch.save({**state, "optimiser": optimiser.state_dict()}, part)
    part.replace(path)


def _report(log: Path, step: int, plan: Plan, parts: Mapping[str, float], seconds: float) -> None:
    left_s = seconds / 100 * (plan.steps - step)
    words = "  ".join(f"{k} {v:.3f}" for k, v in parts.items())
    print(
        f"step {step}/{plan.steps}  {words}  {seconds * 10:.0f} ms a step, {left_s / 60:.0f} min left",
        flush=True,
    )
    _append(log, ["step", *parts, "ms"], [step, *(f"{v:.4f}" for v in parts.values()), round(seconds * 10)])


def _append(log: Path, head: Iterable[str], row: Iterable[object]) -> None:
    fresh = not log.exists()
    with log.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(head)
        writer.writerow(row)
