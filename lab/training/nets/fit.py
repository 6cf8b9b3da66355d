"""The training loop: seeded, resumable, with a line of progress and a log in CSV."""

from __future__ import annotations

import copy
import csv
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from lab.training.nets.feed import CropFeed, Loss
from lab.training.nets.model import Net
from lab.training.nets.start import started

LEARNING_RATE = 2e-3
WARM_UP, LEVEL = 400, 0.45
"""Steps in which the rate rises, and the share of the steps after which it falls."""
LASTS = 0.9993
"""Share of the running mean of the weights that a step leaves."""
REPORT_STEPS = 100
"""Steps between two lines of progress."""
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
    batch: int = 256
    rate: float = LEARNING_RATE
    decay: float = 1e-3
    seed: int = 1
    device: str = "cpu"
    threads: int = 1
    save_steps: int = 250
    start: Path | None = None


def fit(plan: Plan) -> Path:
    """Train the net that finds dice; returns the checkpoint's path."""
    feed = CropFeed(plan.crops, plan.mix, plan.batch, [plan.seed, steps_done(plan)], plan.device)
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
    torch.manual_seed(plan.seed)
    path = checkpoint(plan)
    net = new().to(plan.device, memory_format=torch.channels_last)
    smooth = copy.deepcopy(net)
    optimiser = _optimiser(net, plan)
    done = _resume(path, net, smooth, optimiser)
    progress = _Progress(plan)
    for step in range(done, plan.steps):
        _set_rate(optimiser, plan, step)
        progress.add(step + 1, _step(net, optimiser, batch_loss))
        _follow(smooth, net, min(LASTS, (1 + step) / (20 + step)))
        if (step + 1) % plan.save_steps == 0 or step + 1 == plan.steps:
            _keep(path, step + 1, net, smooth, optimiser)
        if (step + 1) % FRESH_STEPS == 0:
            refresh()
    return path


def _new(plan: Plan, feed: CropFeed) -> Net:
    if plan.start is None:
        return Net()
    return started(Net(), plan.start, feed.batch()[0].cpu())


def _step(
    net: nn.Module, optimiser: torch.optim.Optimizer, batch_loss: Callable[[nn.Module], Loss]
) -> dict[str, Tensor]:
    whole, parts = batch_loss(net)
    optimiser.zero_grad(set_to_none=True)
    whole.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    optimiser.step()
    return parts


def _set_rate(optimiser: torch.optim.Optimizer, plan: Plan, step: int) -> None:
    """Up, level for long, then down to nothing by half a cosine (Loshchilov and Hutter 2017)."""
    falling = max(0.0, (step / plan.steps - LEVEL) / (1 - LEVEL))
    rate = plan.rate * min(1.0, (step + 1) / WARM_UP) * (1 + math.cos(math.pi * falling)) / 2
    for group in optimiser.param_groups:
        group["lr"] = rate


def _optimiser(net: nn.Module, plan: Plan) -> torch.optim.Optimizer:
    """AdamW, which draws the weights of convolutions towards nothing, but no norms and no biases."""
    drawn = {"params": [p for p in net.parameters() if p.dim() > 1], "weight_decay": plan.decay}
    free = {"params": [p for p in net.parameters() if p.dim() <= 1], "weight_decay": 0.0}
    return torch.optim.AdamW([drawn, free], lr=plan.rate)


@torch.no_grad()  # type: ignore[untyped-decorator]
def _follow(smooth: nn.Module, net: nn.Module, keep: float) -> None:
    """The running mean of the weights, which reads better than the last ones."""
    pairs = list(zip(smooth.state_dict().values(), net.state_dict().values(), strict=True))
    real = [(mean, value) for mean, value in pairs if mean.dtype.is_floating_point]
    torch._foreach_lerp_([mean for mean, _ in real], [value for _, value in real], 1 - keep)


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


class _Progress:
    """A line, and a row of the log, for every REPORT_STEPS steps: the mean of each part of the loss."""

    def __init__(self, plan: Plan) -> None:
        self._log, self._steps = plan.folder / "log.csv", plan.steps
        self._began, self._sums = time.monotonic(), dict[str, Tensor]()

    def add(self, step: int, parts: Mapping[str, Tensor]) -> None:
        """One step more, the loss' parts of which stay on their device until they are written."""
        self._sums = {name: self._sums.get(name, 0) + value for name, value in parts.items()}
        if step % REPORT_STEPS == 0:
            self._report(step, {name: float(total) / REPORT_STEPS for name, total in self._sums.items()})
            self._began, self._sums = time.monotonic(), {}

    def _report(self, step: int, means: Mapping[str, float]) -> None:
        step_s = (time.monotonic() - self._began) / REPORT_STEPS
        words = "  ".join(f"{name} {mean:.3f}" for name, mean in means.items())
        left_min = step_s * (self._steps - step) / 60
        took = f"{1000 * step_s:.0f} ms a step, {left_min:.0f} min left"
        print(f"step {step}/{self._steps}  {words}  {took}", flush=True)
        row = [step, *(f"{mean:.4f}" for mean in means.values()), round(1000 * step_s)]
        _append(self._log, ["step", *means, "ms"], row)


def _append(log: Path, head: Iterable[str], row: Iterable[object]) -> None:
    fresh = not log.exists()
    with log.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(head)
        writer.writerow(row)
