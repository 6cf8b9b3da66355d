"""The stages from nothing to a model; each leaves files behind, so that it can be gone on with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from lab.scenes import render, throw
from lab.training import crop_files, figures
from lab.training.recipe import Recipe
from lab.training.weights import features

REFERENCE_SEED = 5


FIRST_MIX = {"painted-*.npz": 0.6, "scened-*.npz": 0.4, "traced-*.npz": 0.4}
MIX = {
    "painted-*.npz": 0.22,
    "close-*.npz": 0.03,
    "scened-*.npz": 0.30,
    "traced-*.npz": 0.14,
    "photos-*.npz": 0.31,
    "backed-*.npz": 0.06,
    "mined-[!dt]*.npz": 0.05,
    "mined-drawn-*.npz": 0.08,
    "mined-traced-*.npz": 0.05,
}
"""Which share of a batch comes from where; shares of what is not there go to the rest."""


def make_crops(recipe: Recipe) -> None:
    """Painted and rendered crops."""
    crop_files.write(recipe.crops, crop_files.drawn(recipe), recipe.jobs)


def make_photo_crops(recipe: Recipe) -> None:
    """Crops of photographs, and of the first net's false positives in them, in drawn and traced pictures."""
    files = [*crop_files.mined(recipe), *crop_files.photographed(recipe)]
    crop_files.write(recipe.crops, files, recipe.jobs)


def fit_first(recipe: Recipe) -> None:
    """A short training on painted and rendered crops, and its net; or the model to start from."""
    if recipe.start is not None:
        recipe.first_model.parent.mkdir(parents=True, exist_ok=True)
        recipe.first_model.write_bytes(recipe.start.read_bytes())
        return
    _fit(recipe, recipe.first_model.parent, FIRST_MIX, recipe.first_steps)
    from lab.training.nets.export import graph, smoothed, write
    from lab.training.nets.model import Net

    net = smoothed(Net(), recipe.first_model.parent / "checkpoint.pt")
    write(graph(net), recipe.first_model, {})


def fit_all(recipe: Recipe) -> None:
    """The training proper."""
    _fit(recipe, recipe.work / "run", MIX, recipe.steps)


def export_model(recipe: Recipe) -> None:
    """The model with what it was made of, reference answers for the tests, and its features of dice."""
    from lab.training.nets.export import finished, graph, reference, write
    from lab.training.nets.model import Net

    net = finished(Net(), graph, recipe.work / "run" / "checkpoint.pt", recipe.start)
    digest = write(graph(net), recipe.model, _provenance(recipe, recipe.steps, recipe.start))
    print(f"{recipe.model}: sha256 {digest}", flush=True)
    print("[features.weights] of vision/models/fits.toml:", flush=True)
    features.show(recipe.model)
    picture = render(throw(REFERENCE_SEED, difficulty="normal"), 320, 256).image_bgr
    reference(net, recipe.reference, picture)


def make_classifier(recipe: Recipe) -> None:
    """The net that judges single places: what it learns from, its training, its model."""
    from lab.training.nets import classifier_export, classifier_fit
    from lab.training.nets.classifier_net import ClassifierNet
    from lab.training.nets.export import finished, write

    classifier_fit.find_places(recipe.crops, recipe.first_model)
    checkpoint = classifier_fit.fit_classifier(classifier_fit.plan(recipe))
    start = recipe.classifier_start
    net = finished(ClassifierNet(), classifier_export.graph, checkpoint, start)
    facts = _provenance(recipe, recipe.classifier_steps, start)
    digest = write(classifier_export.graph(net), recipe.classifier_model, facts)
    print(f"{recipe.classifier_model}: sha256 {digest}", flush=True)
    classifier_export.reference(net, recipe.reference.with_name("classifier_reference.npz"))


def _provenance(recipe: Recipe, steps: int, start: Path | None) -> dict[str, str]:
    """The metadata of a model: what it was made of, and the SHA-256 of the model that it went on from."""
    from lab.training.nets.export import BLEND

    made = {"made_of": "; ".join(recipe.made_of), "steps": str(steps), "seed": str(recipe.seed)}
    if start is None:
        return made
    digest = hashlib.sha256(start.read_bytes()).hexdigest()
    return {**made, "went_on_from": digest, "share_of_that": str(round(1 - BLEND, 3))}


def take_figures(recipe: Recipe) -> None:
    """How well the nets read synthetic images of no training set."""
    figures.show("drawn", figures.drawn(recipe.measured), recipe.model)


STAGES: dict[str, Callable[[Recipe], None]] = {
    "crops": make_crops,
    "first": fit_first,
    "photos": make_photo_crops,
    "fit": fit_all,
    "export": export_model,
    "classifier": make_classifier,
    "figures": take_figures,
}

NEED_TRAIN = frozenset({"first", "fit", "export", "classifier"})
"""Those that need what the extra [train] brings."""


def _fit(recipe: Recipe, folder: Path, mix: Mapping[str, float], steps: int) -> None:
    from lab.training.nets.fit import LEARNING_RATE, Plan, fit

    folder.mkdir(parents=True, exist_ok=True)
    fit(
        Plan(
            recipe.crops,
            folder,
            mix,
            steps,
            rate=LEARNING_RATE * recipe.rate,
            seed=recipe.seed,
            device=recipe.device,
            threads=recipe.threads,
            start=recipe.start,
        )
    )
