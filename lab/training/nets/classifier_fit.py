"""Training of the crop classifier: batches of places out of the crops, and the loop of `fit`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from lab.training.nets import places
from lab.training.nets.classifier_net import ClassifierNet
from lab.training.nets.feed import Feed, Loss
from lab.training.nets.fit import Plan, steps_done, train
from lab.training.nets.patches import patches
from lab.training.nets.start import started
from lab.training.pictures import crops
from lab.training.recipe import Recipe

MIX = (
    ("good", "painted-*.npz", 0.15),
    ("good", "scened-*.npz", 0.16),
    ("good", "traced-*.npz", 0.1),
    ("good", "backed-*.npz", 0.04),
    ("good", "photos-pxl-*.npz", 0.08),
    ("good", "photos-byler-*.npz", 0.06),
    ("good", "photos-circ-*.npz", 0.03),
    ("good", "photos-oblique-*.npz", 0.04),
    ("good", "photos-catan-*.npz", 0.06),
    ("bad", "painted-*.npz", 0.07),
    ("bad", "scened-*.npz", 0.07),
    ("bad", "traced-*.npz", 0.06),
    ("bad", "backed-*.npz", 0.03),
    ("bad", "bare-*.npz", 0.1),
    ("bad", "photos-*.npz", 0.08),
    ("bad", "mined-[!dt]*.npz", 0.04),
    ("bad", "mined-drawn-*.npz", 0.11),
    ("bad", "mined-traced-*.npz", 0.05),
)
"""Which share of a batch faces ("good") and places of nothing ("bad") of these files have; shares of what is
not there go to the rest."""
BATCH, LEARNING_RATE, WEIGHT_DECAY, SMOOTHING = 768, 3e-3, 1e-3, 0.03
SETTLED = 500
"""Patches for the statistics of the norms where training starts from a model."""


class PlaceFeed(Feed):
    """Batches of places for the crop classifier, of crops whose places were found, by the shares of MIX."""

    def __init__(
        self, folder: Path, seed: Sequence[int], batch: int = BATCH, device: str = "cpu", room: int = 2_000
    ) -> None:
        super().__init__(folder, (share for _, _, share in MIX), seed, device, room)
        self._batch, self._rows = batch, list[Tensor]()
        self.refresh()

    def _there(self) -> Iterable[Path]:
        return (file for file in sorted(self._folder.glob("*.npz")) if places_file(file).exists())

    def _take_in(self, files: Sequence[Path]) -> list[int]:
        kinds = list[int]()
        for file in files:
            start = len(self._images)
            self._images.add(crops.load(file).images)
            for kind, rows in _places_of(file):
                rows[:, 0] += start
                self._rows.append(torch.from_numpy(rows).to(self._device))
                kinds += [kind] * len(rows)
        self._rows = [torch.cat(self._rows)]
        return kinds

    def batch(self, count: int | None = None) -> tuple[Tensor, Tensor]:
        """Patches (n, 3, 64, 64) from 0 to 1 and their classes (n,)."""
        rows = self._rows[0][self._drawn(count or self._batch)]
        return patches(self._images[rows[:, 0].long()], rows, self._random), rows[:, 4].long()

    def loss(self, net: nn.Module) -> Loss:
        """The loss of the next batch; beside it the share that is right."""
        images, wanted = self.batch()
        with torch.autocast(self._device, dtype=torch.bfloat16):
            logits = net(images)
        loss = F.cross_entropy(logits.float(), wanted, label_smoothing=SMOOTHING)
        right = (logits.argmax(1) == wanted).float().mean()
        return loss, {"loss": loss.detach(), "right": right}


def _places_of(crops_file: Path) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The places of a file of crops as rows of `places.Rows`, for each kind of MIX that they are of."""
    with np.load(places_file(crops_file)) as data:
        for kind, (key, pattern, _) in enumerate(MIX):
            if fnmatch(crops_file.name, pattern):
                yield kind, data[key].astype(np.float64)


def places_file(crops_file: Path) -> Path:
    """Where the places of a file of crops lie."""
    return crops_file.with_suffix(".places")


def find_places(folder: Path, model: Path) -> None:
    """Write, beside every file of crops that lacks it, which places of it are faces and which are nothing."""
    from vision.learned import net

    seer = net.load(model)
    for number, file in enumerate(sorted(folder.glob("*.npz"))):
        if places_file(file).exists():
            continue
        good, bad = places.places(crops.load(file), seer, np.random.default_rng([31, number]))
        with places_file(file).open("wb") as out:
            np.savez(out, good=good, bad=bad)
        print(f"{file.stem}: {len(good)} faces, {len(bad)} places of nothing", flush=True)


def plan(recipe: Recipe) -> Plan:
    """The plan of a training of the crop classifier."""
    return Plan(
        recipe.crops,
        recipe.work / "classifier",
        {},
        recipe.classifier_steps,
        BATCH,
        LEARNING_RATE * recipe.rate,
        WEIGHT_DECAY,
        recipe.seed,
        recipe.device,
        recipe.threads,
        save_steps=1_000,
        start=recipe.classifier_start,
    )


def fit_classifier(wanted: Plan) -> Path:
    """Train the crop classifier; returns the checkpoint's path."""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    feed = PlaceFeed(wanted.crops, [wanted.seed, steps_done(wanted)], wanted.batch, wanted.device)
    return train(wanted, lambda: _new(wanted.start, feed), feed.loss, feed.refresh)


def _new(start: Path | None, feed: PlaceFeed) -> ClassifierNet:
    return ClassifierNet() if start is None else started(ClassifierNet(), start, feed.batch(SETTLED)[0].cpu())
