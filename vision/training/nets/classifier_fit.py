"""Training of the crop classifier: batches of places out of the crops, and the loop of `fit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.training.nets import places
from vision.training.nets.classifier_net import ClassifierNet
from vision.training.nets.fit import Loss, Plan, steps_done, train
from vision.training.nets.start import started
from vision.training.pictures import crops
from vision.training.recipe import Recipe

GOOD = {
    "painted-*.npz": 0.15,
    "scened-*.npz": 0.16,
    "traced-*.npz": 0.1,
    "backed-*.npz": 0.04,
    "photos-000.npz": 0.08,
    "photos-001.npz": 0.06,
    "photos-002.npz": 0.03,
    "photos-003.npz": 0.04,
    "photos-004.npz": 0.06,
}
BAD = {
    "painted-*.npz": 0.07,
    "scened-*.npz": 0.07,
    "traced-*.npz": 0.06,
    "backed-*.npz": 0.03,
    "bare-*.npz": 0.1,
    "photos-*.npz": 0.08,
    "mined-[0-9]*.npz": 0.04,
    "mined-drawn-*.npz": 0.11,
    "mined-traced-*.npz": 0.05,
}
"""Share of a batch that faces, and places of nothing, of these files have; missing files are skipped."""
BATCH, LEARNING_RATE, WEIGHT_DECAY, SMOOTHING = 96, 2e-3, 2e-3, 0.03
SETTLED = 500
"""Patches for the statistics of the norms where training starts from a model."""


class Feed:
    """Batches of places of all files that are there, sampled by their share."""

    def __init__(self, folder: Path, rng: np.random.Generator, device: str = "cpu") -> None:
        files = [f for f in sorted(folder.glob("*.npz")) if _places_file(f).exists()]
        if not files:
            raise FileNotFoundError(f"no places in {folder}: make crops first")
        parts = [crops.load(file).images for file in files]
        starts = dict(zip(files, np.cumsum([0] + [len(p) for p in parts[:-1]]), strict=True))
        self._images = np.concatenate(parts)
        groups = [*_groups(folder, starts, GOOD, "good"), *_groups(folder, starts, BAD, "bad")]
        self._rows, shares = [rows for rows, _ in groups], np.array([share for _, share in groups])
        self._shares, self._rng, self._device = shares / shares.sum(), rng, device

    def batch(self, count: int = BATCH) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Patches (count, 64, 64, 3) and their classes (count,)."""
        kinds = self._rng.choice(len(self._rows), count, p=self._shares)
        rows = np.stack([self._rows[k][self._rng.integers(len(self._rows[k]))] for k in kinds])
        return places.patches(self._images, rows, self._rng), rows[:, 4].astype(np.int64)

    def images(self, count: int = BATCH) -> tuple[Tensor, Tensor]:
        """A batch as the net takes it: (count, 3, 64, 64) from 0 to 1, and the classes."""
        patches, classes = self.batch(count)
        return torch.from_numpy(patches).permute(0, 3, 1, 2).float() / 255, torch.from_numpy(classes)

    def loss(self, net: nn.Module) -> Loss:
        """The loss of the next batch; beside it the share that is right."""
        images, wanted = self.images()
        batch = images.to(self._device, memory_format=torch.channels_last)
        with torch.autocast(self._device, dtype=torch.bfloat16):
            odds = net(batch)
        loss = F.cross_entropy(odds.float().cpu(), wanted, label_smoothing=SMOOTHING)
        right = (odds.cpu().argmax(1) == wanted).float().mean()
        return loss, {"loss": float(loss.detach()), "right": float(right)}


def _groups(
    folder: Path, starts: Mapping[Path, int], mix: Mapping[str, float], kind: str
) -> Iterator[tuple[places.Rows, float]]:
    for pattern, share in mix.items():
        found = [_moved(file, kind, starts[file]) for file in sorted(folder.glob(pattern)) if file in starts]
        rows = np.concatenate(found) if found else np.zeros((0, 5), np.float32)
        if len(rows):
            yield rows, share


def _moved(file: Path, kind: str, start: int) -> places.Rows:
    with np.load(_places_file(file)) as data:
        return np.asarray(data[kind] + np.array([start, 0, 0, 0, 0]), np.float32)


def _places_file(crops_file: Path) -> Path:
    return crops_file.with_suffix(".places")


def find_places(folder: Path, model: Path) -> None:
    """Write, beside every file of crops that lacks it, which places of it are faces and which are nothing."""
    from vision.learned import net

    seer = net.load(model)
    for number, file in enumerate(sorted(folder.glob("*.npz"))):
        if _places_file(file).exists():
            continue
        good, bad = places.places(crops.load(file), seer, np.random.default_rng([31, number]))
        with _places_file(file).open("wb") as out:
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
    feed = Feed(wanted.crops, np.random.default_rng([wanted.seed, steps_done(wanted)]), wanted.device)
    return train(wanted, lambda: _new(wanted.start, feed), feed.loss, lambda: None)


def _new(start: Path | None, feed: Feed) -> ClassifierNet:
    return ClassifierNet() if start is None else started(ClassifierNet(), start, feed.images(SETTLED)[0])
