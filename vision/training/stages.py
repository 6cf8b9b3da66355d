"""The stages from nothing to a model; each leaves files behind, so that it can be gone on with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.learned.maps import Detection
from vision.scenes import render, throw
from vision.training import figures
from vision.training.pictures.augmentation import augmented
from vision.training.pictures.crops import SIDE_PX, Crop, once
from vision.training.pictures.cutting import Image, Label, cut
from vision.training.pictures.painted import CLOSE_PX, paint
from vision.training.pictures.pool import Photo, bare, photos, refined
from vision.training.pictures.scened import crop, crowded, labels_of, scene_crops
from vision.training.pictures.textures import tufts, woven
from vision.training.recipe import FROM_ABOVE, SETS, Recipe
from vision.training.weights import features

SCENE_CROPS = 7
TRACED_CROPS = 12
"""Crops of a traced picture: it has ten dice on the mean, and each crop is turned and scaled anew."""
REFERENCE_SEED = 5
CROPS_PER_PHOTO = {"pxl": 110, "byler": 30, "circ": 14, "oblique": 3, "catan": 6}


FIRST_MIX = {"painted-*.npz": 0.6, "scened-*.npz": 0.4, "traced-*.npz": 0.4}
MIX = {
    "painted-*.npz": 0.22,
    "close-*.npz": 0.03,
    "scened-*.npz": 0.25,
    "traced-*.npz": 0.25,
    "photos-*.npz": 0.31,
    "backed-*.npz": 0.06,
    "mined-[0-9]*.npz": 0.05,
    "mined-drawn-*.npz": 0.08,
    "mined-traced-*.npz": 0.05,
}
"""Which share of a batch comes from where; shares of what is not there go to the rest."""


def make_crops(recipe: Recipe) -> None:
    """Painted and rendered crops."""
    paint_crops(recipe)
    render_crops(recipe)
    trace_crops(recipe)
    back_crops(recipe)
    bare_crops(recipe)


def make_photo_crops(recipe: Recipe) -> None:
    """Crops of photographs, and of the first net's false positives in them, in drawn and traced pictures."""
    mine_scenes(recipe)
    mine_traced(recipe)
    for number, (name, group) in enumerate(refined_photos(recipe).items()):
        rng = np.random.default_rng([13, number])
        once(recipe.crops, "photos", number, _photo_crops(rng, group, CROPS_PER_PHOTO[name]))
        once(
            recipe.crops,
            "mined",
            number,
            (c for photo in group for c in _mistakes(rng, photo, recipe.first_model)),
        )


def mine_scenes(recipe: Recipe) -> None:
    """Crops of the first net's false positives in synthetic images full of other things."""
    for number in range(recipe.mined):
        rng, first = np.random.default_rng([29, number]), 1_000_000 + number * recipe.per_file
        once(recipe.crops, "mined-drawn", number, _drawn_mistakes(rng, first, recipe))


def mine_traced(recipe: Recipe) -> None:
    """Crops of the first net's false positives in traced pictures, where there are some."""
    for number, group in enumerate(_traced(recipe)):
        rng = np.random.default_rng([67, number])
        mistakes = (c for photo in group for c in _mistakes(rng, photo, recipe.first_model))
        once(recipe.crops, "mined-traced", number, mistakes)


def fit_first(recipe: Recipe) -> None:
    """A short training on painted and rendered crops, and its net; or the model to start from."""
    if recipe.start is not None:
        recipe.first_model.parent.mkdir(parents=True, exist_ok=True)
        recipe.first_model.write_bytes(recipe.start.read_bytes())
        return
    _fit(recipe, recipe.first_model.parent, FIRST_MIX, recipe.first_steps)
    from vision.training.nets.export import graph, smoothed, write
    from vision.training.nets.model import Net

    net = smoothed(Net(), recipe.first_model.parent / "checkpoint.pt")
    write(graph(net), recipe.first_model, {})


def fit_all(recipe: Recipe) -> None:
    """The training proper."""
    _fit(recipe, recipe.work / "run", MIX, recipe.steps)


def export_model(recipe: Recipe) -> None:
    """The model with what it was made of, reference answers for the tests, and its features of dice."""
    from vision.training.nets.export import finished, graph, reference, write
    from vision.training.nets.model import Net

    net = finished(Net(), graph, recipe.work / "run" / "checkpoint.pt", recipe.start)
    digest = write(graph(net), recipe.model, _provenance(recipe, recipe.steps, recipe.start))
    print(f"{recipe.model}: sha256 {digest}", flush=True)
    print("[features.weights] of vision/models/fits.toml:", flush=True)
    features.show(recipe.model)
    picture = render(throw(REFERENCE_SEED, difficulty="normal"), 320, 240).image_bgr
    reference(net, recipe.reference, picture)


def make_classifier(recipe: Recipe) -> None:
    """The net that judges single places: what it learns from, its training, its model."""
    from vision.training.nets import classifier_export, classifier_fit
    from vision.training.nets.classifier_net import ClassifierNet
    from vision.training.nets.export import finished, write

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
    from vision.training.nets.export import BLEND

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
    from vision.training.nets.fit import LEARNING_RATE, Plan, fit

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


def paint_crops(recipe: Recipe) -> None:
    """Painted crops on grounds of their own."""
    for number in range(recipe.painted):
        rng = np.random.default_rng([7, number])
        once(recipe.crops, "painted", number, (paint(rng) for _ in range(recipe.per_file)))
    rng = np.random.default_rng([23, 0])
    once(recipe.crops, "close", 0, (paint(rng, None, CLOSE_PX) for _ in range(recipe.per_file)))


def render_crops(recipe: Recipe) -> None:
    """Crops of rendered scenes."""
    for number in range(recipe.scened):
        rng = np.random.default_rng([11, number])
        seeds = range(number * recipe.per_file, number * recipe.per_file + recipe.per_file // SCENE_CROPS + 1)
        once(recipe.crops, "scened", number, (c for s in seeds for c in scene_crops(rng, s, SCENE_CROPS)))


def trace_crops(recipe: Recipe) -> None:
    """Crops of pictures that `python -m vision.training.traced` made, where there are some."""
    for number, group in enumerate(_traced(recipe)):
        rng = np.random.default_rng([61, number])
        once(recipe.crops, "traced", number, _photo_crops(rng, group, TRACED_CROPS))


def _traced(recipe: Recipe) -> Iterator[list[Photo]]:
    """The traced pictures, so many at a time as fill a file with crops."""
    found = list(photos(recipe.traced)) if recipe.traced else []
    each = max(1, recipe.per_file // TRACED_CROPS)
    return (found[first : first + each] for first in range(0, len(found), each))


def back_crops(recipe: Recipe) -> None:
    """Painted dice on dice-free parts of the photographs."""
    if recipe.photos is None:
        return
    pool = [p for name in SETS for p in photos(recipe.photos / name)]
    for number in range(recipe.backed):
        rng = np.random.default_rng([17, number])
        once(recipe.crops, "backed", number, _backed(rng, pool, recipe.per_file))


def bare_crops(recipe: Recipe) -> None:
    """Lumpy and woven grounds without any die: hard negatives for the crop classifier."""
    for number in range(recipe.bare):
        rng = np.random.default_rng([53, number])
        kind = (tufts, woven)[number % 2]
        grounds = (augmented(rng, kind(rng, SIDE_PX)) for _ in range(recipe.per_file))
        once(recipe.crops, "bare", number, (Crop(ground, (), None) for ground in grounds))


def refined_photos(recipe: Recipe) -> dict[str, list[Photo]]:
    """The photographs by set, labels moved to the top faces."""
    if recipe.photos is None:
        return {}
    folders = {name: recipe.photos / name for name in SETS}
    return {
        name: [refined(p, lambda i: _see(i, recipe.first_model), name in FROM_ABOVE) for p in photos(at)]
        for name, at in folders.items()
    }


def _photo_crops(rng: np.random.Generator, group: Sequence[Photo], each: int) -> Iterator[Crop]:
    for photo in group:
        image = photo.image()
        for _ in range(each):
            yield cut(rng, image, photo.labels, None)


def _backed(rng: np.random.Generator, pool: Sequence[Photo], count: int) -> Iterator[Crop]:
    made = 0
    while made < count:
        photo = pool[int(rng.integers(len(pool)))]
        image = photo.image()
        for patch in (bare(rng, photo, image) for _ in range(4)):
            if patch is not None:
                made += 1
                yield paint(rng, patch)


def _mistakes(rng: np.random.Generator, photo: Photo, model: Path) -> Iterator[Crop]:
    """Crops aimed at false finds; the photo's true labels stay with them."""
    image = photo.image()
    for detection in _wrong(_see(image, model), photo.labels):
        yield cut(rng, image, photo.labels, None, aim=(detection.x_px, detection.y_px, detection.size_px))


def _drawn_mistakes(rng: np.random.Generator, first: int, recipe: Recipe) -> Iterator[Crop]:
    """Of a fifth as many pictures as a file has crops, up to five crops each."""
    for seed in range(first, first + max(1, recipe.per_file // 5)):
        if picture := crowded(seed):
            labels = labels_of(picture)
            for detection in _wrong(_see(picture.image_bgr, recipe.first_model), labels):
                yield crop(rng, picture, (detection.x_px, detection.y_px, detection.size_px))


def _wrong(seen: Sequence[Detection], labels: Sequence[Label]) -> list[Detection]:
    """The best detections that are of none of the labelled dice."""
    return [s for s in seen if s.score > 0.15 and all(_beside(s, lb) for lb in labels)][:5]


def _beside(detection: Detection, label: Label) -> bool:
    off = max(abs(detection.x_px - label.centre_px[0]), abs(detection.y_px - label.centre_px[1]))
    return off > label.reach_px


def _see(image: Image, model: Path) -> Sequence[Detection]:
    from vision.learned import net

    cv2.setNumThreads(1)
    return net.detections(image, net.load(model))
