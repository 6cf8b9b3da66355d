"""Crops for the net that looks round single dice: of dice on dice, and of prints that look like dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

import numpy as np

from vision.training.pictures import flat, heaps, perched
from vision.training.pictures.crops import Crop, load, once, one
from vision.training.recipe import FROM_ABOVE, SETS, Recipe

SCENE_CROPS = 7
"""Crops of one drawn scene."""
STEEP_DEG = {True: 14.0, False: 38.0}
"""How far off the vertical dice are seen laid onto those of photographs from above, and of others."""
PILE_SEEDS, PRINT_SEEDS = 5_000_000, 6_000_000
"""From which on scenes of dice on dice are thrown, and those with prints."""


def pile_crops(recipe: Recipe) -> None:
    """Painted and rendered dice that lie on others, and painted ones laid onto those of photographs."""
    for number in range(recipe.piled):
        painted, laid_on, drawn = (np.random.default_rng([71, kind, number]) for kind in range(3))
        seeds = count(PILE_SEEDS + number * recipe.per_file)
        piles = (c for s in seeds for c in heaps.scene_piles(drawn, s, SCENE_CROPS))
        once(recipe.piles, "painted", number, (perched.pile(painted) for _ in range(recipe.per_file)))
        once(recipe.piles, "laid", number, _laid(laid_on, recipe, number))
        once(recipe.piles, "scened", number, islice(piles, recipe.per_file))


def print_crops(recipe: Recipe) -> None:
    """Painted and rendered prints that look like dice, and faces of photographs laid flat into others."""
    for number in range(recipe.piled):
        pressed = np.random.default_rng([73, 1, number])
        once(recipe.piles, "pressed", number, _pressed(pressed, recipe, number))
    for number in range(recipe.sheets):
        painted, drawn = (np.random.default_rng([73, kind, number]) for kind in (0, 2))
        seeds = count(PRINT_SEEDS + number * recipe.per_file)
        sheets = (c for s in seeds for c in flat.flat_scenes(drawn, s, SCENE_CROPS))
        once(recipe.piles, "printed", number, (flat.printed(painted) for _ in range(recipe.per_file)))
        once(recipe.piles, "sheets", number, islice(sheets, recipe.per_file))


def _laid(rng: np.random.Generator, recipe: Recipe, number: int) -> Iterator[Crop]:
    """A file's worth of crops of photographs, painted dice laid onto theirs or beside them."""
    files = sorted(recipe.crops.glob("photos-*.npz"))
    if files:
        pool = load(files[number % len(files)])
        steep_deg = STEEP_DEG[SETS[number % len(files)] in FROM_ABOVE]
        for _ in range(recipe.per_file):
            yield perched.laid(rng, one(pool, int(rng.integers(len(pool)))), steep_deg)


def _pressed(rng: np.random.Generator, recipe: Recipe, number: int) -> Iterator[Crop]:
    """A file's worth of crops of one set of photographs, faces of the same or another set's dice in them."""
    files = sorted(recipe.crops.glob("photos-*.npz"))
    if files:
        grounds, sources = (load(files[k % len(files)]) for k in (number, number // len(files) + number))
        for _ in range(recipe.per_file):
            ground, source = (one(pool, int(rng.integers(len(pool)))) for pool in (grounds, sources))
            yield flat.pressed(rng, ground, source)
