"""The stages from nothing to a model; each leaves files behind, so that it can be gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.net_maps import Sight
from vision.training.crops import Crop, pack, save
from vision.training.cutting import Image, Label, cut
from vision.training.painted import paint
from vision.training.pool import Photo, bare, photos, straightened
from vision.training.scened import scene_crops

PER_FILE = 1000
SCENE_CROPS = 7
SETS = ("pxl", "byler", "circ", "oblique", "catan")
"""Photographs that may be trained on (CC BY 4.0, named in docs/notice.md)."""
CROPS_PER_PHOTO = {"pxl": 28, "byler": 8, "circ": 6, "oblique": 3, "catan": 5}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How much of what is made. `photos` is the folder of the sets above, or None to do without them."""

    work: Path
    photos: Path | None
    painted: int = 16
    scened: int = 10
    backed: int = 4
    mined: int = 3

    @property
    def crops(self) -> Path:
        """Where the crops lie."""
        return self.work / "crops"


def paint_crops(recipe: Recipe) -> None:
    """Painted crops on grounds of their own."""
    for number in range(recipe.painted):
        rng = np.random.default_rng([7, number])
        _once(recipe, "painted", number, (paint(rng) for _ in range(PER_FILE)))


def render_crops(recipe: Recipe) -> None:
    """Crops of rendered scenes."""
    for number in range(recipe.scened):
        rng = np.random.default_rng([11, number])
        seeds = range(number * PER_FILE, number * PER_FILE + PER_FILE // SCENE_CROPS)
        _once(recipe, "scened", number, (c for s in seeds for c in scene_crops(rng, s, SCENE_CROPS)))


def cut_photos(recipe: Recipe, model: Path) -> None:
    """Crops of the photographs, their labels moved to the top faces by the first net."""
    for number, (name, group) in enumerate(straight_photos(recipe, model).items()):
        rng = np.random.default_rng([13, number])
        _once(recipe, "photos", number, _photo_crops(rng, group, CROPS_PER_PHOTO[name]))


def back_crops(recipe: Recipe) -> None:
    """Painted dice on dice-free parts of the photographs."""
    if recipe.photos is None:
        return
    pool = [p for name in SETS for p in photos(recipe.photos / name)]
    for number in range(recipe.backed):
        rng = np.random.default_rng([17, number])
        _once(recipe, "backed", number, (c for c in _backed(rng, pool, PER_FILE)))


def mine_crops(recipe: Recipe, model: Path) -> None:
    """Hard negatives: crops about what a net takes for dice in photographs, and is wrong."""
    for number, (_, group) in enumerate(straight_photos(recipe, model).items()):
        rng = np.random.default_rng([19, number])
        crops = [c for photo in group for c in _mistakes(rng, photo, model)]
        if crops:
            _once(recipe, "mined", number, iter(crops))


def straight_photos(recipe: Recipe, model: Path) -> dict[str, list[Photo]]:
    """The photographs by set, labels moved to the top faces."""
    if recipe.photos is None:
        return {}
    folders = {name: recipe.photos / name for name in SETS}
    return {
        name: [straightened(p, lambda i: _see(i, model)) for p in photos(at)] for name, at in folders.items()
    }


def _once(recipe: Recipe, kind: str, number: int, crops: Iterator[Crop]) -> None:
    recipe.crops.mkdir(parents=True, exist_ok=True)
    path = recipe.crops / f"{kind}-{number:03d}.npz"
    if not path.exists():
        save(path, pack(crops))
        print(f"{path.name} made", flush=True)


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
    wrong = [s for s in _see(image, model) if s.score > 0.15 and all(_beside(s, lb) for lb in photo.labels)]
    for sight in wrong[:5]:
        yield cut(rng, image, photo.labels, None, aim=(sight.x_px, sight.y_px, sight.size_px))


def _beside(sight: Sight, label: Label) -> bool:
    off = max(abs(sight.x_px - label.centre_px[0]), abs(sight.y_px - label.centre_px[1]))
    return off > label.reach_px


def _see(image: Image, model: Path) -> Sequence[Sight]:
    from vision import net

    cv2.setNumThreads(1)
    return net.sights(image, None, net.load(model))
