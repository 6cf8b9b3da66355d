"""Which files of crops a training is made of, and who makes the crops of each.

A file's crops depend on its seed alone: whichever process makes it, and when, they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from lab.training.observed import Observed, observe, see, wrong
from lab.training.pictures.augmentation import augmented
from lab.training.pictures.crops import SIDE_PX, Crop, once
from lab.training.pictures.cutting import cut
from lab.training.pictures.painted import CLOSE_PX, USUAL_PX, paint
from lab.training.pictures.pool import Photo, bare, photos
from lab.training.pictures.scened import crop, crowded, labels_of, scene_crops
from lab.training.pictures.textures import Image, Rng, tufts, woven
from lab.training.recipe import FROM_ABOVE, SETS, Recipe
from lab.training.workers import shared

SCENE_CROPS = 10
"""Crops of a scene: rendering takes forty times as long as all of them, and a scene has ten dice."""
TRACED_CROPS = 12
"""Crops of a traced picture: it has ten dice on the mean, and each crop is turned and scaled anew."""
CROPS_PER_PHOTO = {"pxl": 110, "byler": 30, "circ": 14, "oblique": 3, "catan": 6}
Some = TypeVar("Some")


@dataclass(frozen=True, slots=True)
class CropFile:
    """A file of crops to be made: its kind and number, its seed, and who makes its crops (to be pickled)."""

    kind: str
    number: int
    seed: tuple[int, ...]
    make: Callable[[Rng], Iterator[Crop]]


def write(folder: Path, files: Iterable[CropFile], jobs: int) -> None:
    """Make those of the files that are not in the folder yet."""
    shared(partial(_write, folder), files, jobs)


def _write(folder: Path, file: CropFile) -> None:
    once(folder, file.kind, file.number, file.make(np.random.default_rng(file.seed)))


def drawn(recipe: Recipe) -> Iterator[CropFile]:
    """All that need no net; those that take longest come first."""
    yield from rendered(recipe)
    yield from painted(recipe)
    yield from traced(recipe)
    yield from backed(recipe)
    yield from grounds(recipe)


def rendered(recipe: Recipe) -> Iterator[CropFile]:
    """Crops of rendered scenes."""
    scenes = recipe.per_file // SCENE_CROPS + 1
    for number in range(recipe.scened):
        first = number * recipe.per_file
        yield CropFile("scened", number, (11, number), partial(_scened, range(first, first + scenes)))


def painted(recipe: Recipe) -> Iterator[CropFile]:
    """Painted crops on grounds of their own."""
    for number in range(recipe.painted):
        yield CropFile("painted", number, (7, number), partial(_painted, recipe.per_file, USUAL_PX))
    yield CropFile("close", 0, (23, 0), partial(_painted, recipe.per_file, CLOSE_PX))


def traced(recipe: Recipe) -> Iterator[CropFile]:
    """Crops of pictures that `python -m lab.training.traced` made, where there are some."""
    for number, group in enumerate(_filling(_traced_pictures(recipe), recipe, TRACED_CROPS)):
        yield CropFile("traced", number, (61, number), partial(_cut, group, TRACED_CROPS))


def backed(recipe: Recipe) -> Iterator[CropFile]:
    """Painted dice on dice-free parts of the photographs."""
    pool = [p for name in SETS for p in photos(recipe.photos / name)] if recipe.photos else []
    for number in range(recipe.backed if pool else 0):
        yield CropFile("backed", number, (17, number), partial(_backed, pool, recipe.per_file))


def grounds(recipe: Recipe) -> Iterator[CropFile]:
    """Lumpy and woven grounds without any die: hard negatives for the crop classifier."""
    for number in range(recipe.bare):
        kind = (tufts, woven)[number % 2]
        yield CropFile("bare", number, (53, number), partial(_bare, kind, recipe.per_file))


def photographed(recipe: Recipe) -> Iterator[CropFile]:
    """Crops of photographs, and of what the first net takes for dice in them."""
    for row, (name, group) in enumerate(all_observed(recipe).items()):
        each = CROPS_PER_PHOTO[name]
        for number, part in enumerate(_filling([one.photo for one in group], recipe, each)):
            yield CropFile(f"photos-{name}", number, (13, row, number), partial(_cut, part, each))
        yield CropFile(f"mined-{name}", 0, (19, row), partial(_mistakes, group))


def mined(recipe: Recipe) -> Iterator[CropFile]:
    """Crops of what the first net wrongly takes for dice in drawn and in traced pictures."""
    for number in range(recipe.mined):
        first = 1_000_000 + number * recipe.per_file
        seeds = range(first, first + max(1, recipe.per_file // 5))
        yield CropFile(
            "mined-drawn", number, (29, number), partial(_drawn_mistakes, seeds, recipe.first_model)
        )
    seen = shared(partial(observe, recipe.first_model, False), _traced_pictures(recipe), recipe.jobs)
    for number, group in enumerate(_filling(seen, recipe, TRACED_CROPS)):
        yield CropFile("mined-traced", number, (67, number), partial(_mistakes, group))


def all_observed(recipe: Recipe) -> dict[str, list[Observed]]:
    """The photographs by set, as the first net sees them."""
    if recipe.photos is None:
        return {}
    folders = {name: recipe.photos / name for name in SETS}
    return {
        name: shared(partial(observe, recipe.first_model, name in FROM_ABOVE), photos(at), recipe.jobs)
        for name, at in folders.items()
    }


def _traced_pictures(recipe: Recipe) -> Iterator[Photo]:
    return photos(recipe.traced) if recipe.traced else iter(())


def _filling(found: Iterable[Some], recipe: Recipe, each: int) -> Iterator[list[Some]]:
    """So many at a time as fill a file, at `each` crops of one."""
    pictures, step = list(found), max(1, recipe.per_file // each)
    return (pictures[first : first + step] for first in range(0, len(pictures), step))


def _painted(count: int, sizes_px: tuple[float, float], rng: Rng) -> Iterator[Crop]:
    return (paint(rng, None, sizes_px) for _ in range(count))


def _scened(seeds: Iterable[int], rng: Rng) -> Iterator[Crop]:
    return (made for seed in seeds for made in scene_crops(rng, seed, SCENE_CROPS))


def _cut(group: Iterable[Photo], each: int, rng: Rng) -> Iterator[Crop]:
    for photo in group:
        image = photo.image()
        for _ in range(each):
            yield cut(rng, image, photo.labels, None)


def _backed(pool: Sequence[Photo], count: int, rng: Rng) -> Iterator[Crop]:
    made = 0
    while made < count:
        photo = pool[int(rng.integers(len(pool)))]
        image = photo.image()
        for patch in (bare(rng, photo, image) for _ in range(4)):
            if patch is not None:
                made += 1
                yield paint(rng, patch)


def _bare(kind: Callable[[Rng, int], Image], count: int, rng: Rng) -> Iterator[Crop]:
    return (Crop(augmented(rng, kind(rng, SIDE_PX)), (), None) for _ in range(count))


def _mistakes(group: Iterable[Observed], rng: Rng) -> Iterator[Crop]:
    """Crops aimed at false finds; the photo's true labels stay with them."""
    for one in group:
        if one.mistakes:
            image = one.photo.image()
            yield from (cut(rng, image, one.photo.labels, None, aim) for aim in one.mistakes)


def _drawn_mistakes(seeds: Iterable[int], model: Path, rng: Rng) -> Iterator[Crop]:
    """Up to MISTAKES crops of each picture."""
    for seed in seeds:
        if picture := crowded(seed):
            for aim in wrong(see(picture.image_bgr, model), labels_of(picture)):
                yield crop(rng, picture, aim)
