"""Synthetic pictures of each class: most dice are read right, none of the pictures is wrong for certain.

`python -m lab.measure.classes` reads hundreds at full width; `lab/docs/measured.md` has its table.
These are 720 pixels wide: six of each class in `make test`, twenty in `make thorough`.
"""

import pytest

from lab.measure.classes import APART, FIRST_SEED
from lab.measure.corpus import CLASSES, scene_of
from lab.scenes import render
from lab.scenes.folder import label
from tests.effort import draws
from tests.vision.scoring import Score, score
from vision.read import read

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

WIDTH_PX, EACH = 720, draws(6, 20)

MIN_RIGHT = {
    "easy": (0.95, "nothing is in the way"),
    "normal": (0.95, "a table as people have it"),
    "hard": (0.85, "every make, cover and lens at once, and dice of 20 pixels"),
    "clutter": (0.9, "things lie on dice"),
    "35 degrees": (0.85, "side faces are as large as top faces"),
    "touching": (0.95, "one outline for several dice"),
    "packed": (0.9, "rows of pips go on from die to die, and one window lies on all of them"),
    "glare": (0.9, "a flash hides pips, and so do windows mirrored in the faces"),
    "dim": (0.9, "a third of the light, red pips on green among them"),
    "coloured trays": (0.95, "the white is hard to tell"),
    "640 px, coarse": (0.9, "pips of three pixels"),
    "grey camera": (0.85, "pips of another colour may be as light as the body"),
    "polyhedra beside": (0.9, "other dice must not take a die's place"),
    "dominoes beside": (0.95, "pips that are on no die"),
    "numeral dice": (0.9, "faces without pips beside those with"),
    "emblem faces": (0.9, "as long as the others are read"),
    "no dice": (1.0, "there are none"),
    "up to 35 degrees": (0.9, "as a hand holds a phone"),
}

EASY_EXACT = 0.75
CERTAIN_WRONG = 0.01
"""Of all certain dice; a picture is certain only where more than each die is."""


@pytest.fixture(scope="session")
def total(once):
    """Gives the score of a class's pictures."""

    def read_all(name: str) -> Score:
        first = FIRST_SEED + APART * list(CLASSES).index(name) + 1
        return sum((one(name, seed) for seed in range(first, first + EACH)), Score())

    return lambda name: once(f"corpus {name}", lambda: read_all(name))


def one(name: str, seed: int) -> Score:
    scene = scene_of(name, seed)
    picture = render(scene, min(WIDTH_PX, scene.width_px))
    # The number of dice is not told, as to `dudo read`.
    return score(label(scene, picture), read(picture.image_bgr, thorough=True))


@pytest.mark.parametrize("name", CLASSES)
def test_most_dice_are_read_right_and_no_picture_is_wrong_for_certain(name, total):
    found, (least, reason) = total(name), MIN_RIGHT[name]
    assert found.false_photos == 0
    assert found.right >= least * found.dice, f"{reason}: {found}"


def test_easy_pictures_are_read_exactly(total):
    assert total("easy").exact >= EASY_EXACT * EACH


def test_hardly_any_die_is_wrong_for_certain(total):
    every = sum((total(name) for name in CLASSES), Score())
    assert every.photos == EACH * len(CLASSES)
    assert every.sure_dice >= 0.6 * every.dice
    assert every.false_dice <= CERTAIN_WRONG * every.sure_dice, every
