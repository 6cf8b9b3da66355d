"""How well photographs of real dice are read, where labelled ones lie beside the project."""

import pytest

from tests.vision.conftest import NEED_PHOTOGRAPHS
from tests.vision.photographs import FROM_ABOVE, STRESS, Photo, photographs
from tests.vision.scoring import Label, Score, score
from vision.learned import net
from vision.learned.emblems import Region, examples
from vision.learned.taught import Taught
from vision.read import read
from vision.values import Die

PLAIN = ("king", "wik", "damian", "kamil")
"""Seen from above without an emblem on any die: every photograph of `fudw` shows one."""

LESSON = "IMG_4540.jpg"
"""Of `fudw`: four of its dice show their emblem."""

pytestmark = NEED_PHOTOGRAPHS


@pytest.fixture(scope="session")
def scored(readings):
    """Gives the score of a whole set."""

    def score_all(name: str, reader: str) -> Score:
        pairs = zip(photographs([name]), readings(name), strict=True)
        return sum((score(photo.label, reading[reader]) for photo, reading in pairs), Score())

    return score_all


@pytest.mark.parametrize(
    ("why", "reader", "sets", "right", "exact", "sure"),
    [
        ("seen from above", "both", FROM_ABOVE, 0.995, 0.97, 0),
        ("the same without emblems, which nobody can be certain of", "both", PLAIN, 0.99, 0.96, 0.88),
        ("small dice, aslant, glittering", "both", ("pxl",), 0.85, 0, 0),
        ("pips that hardly show", "both", ("byler",), 0.85, 0, 0),
        ("through a round opening", "both", ("circ",), 0.97, 0, 0),
        ("large dice, pips alone", "pips", PLAIN, 0.99, 0.96, 0),
        ("the same hard ones", "pips", ("byler",), 0.5, 0, 0),
        ("the same hard ones", "pips", ("circ",), 0.9, 0, 0),
    ],
)
def test_so_many_dice_are_read_right(why, reader, sets, right, exact, sure, scored):
    total = sum((scored(name, reader) for name in sets), Score())
    assert total.right >= right * total.dice, why
    assert total.exact >= exact * total.photos, why
    assert total.sure >= sure * total.photos, why


@pytest.mark.parametrize("name", [*FROM_ABOVE, *STRESS])
def test_no_photograph_is_certain_and_wrong(name, scored):
    assert scored(name, "both").false_photos == 0


def test_emblems_are_known_again_after_four_showings():
    photos = {photo.path.name: photo for photo in photographs(["fudw"])}
    taught = lessons(photos.pop(LESSON))
    emblems, faces = list[bool](), list[bool]()
    for photo in photos.values():
        image = photo.image()
        dice = read(image, taught=taught).dice
        for die in (d for d in photo.label["dice"] if not d.get("ignore")):
            known = known_at(die, dice, image.shape[1], image.shape[0])
            (emblems if die.get("symbol") else faces).append(known)
    assert sum(emblems) >= 0.97 * len(emblems)
    assert not any(faces), "a face with pips is no emblem"


def lessons(photo: Photo) -> tuple[Taught, ...]:
    """What the emblems of one photograph teach, each where the net sees it."""
    image = photo.image()
    high, wide = image.shape[:2]
    seen = net.detections(image)
    shown = [d for d in photo.label["dice"] if d.get("symbol")]
    at = [
        min(seen, key=lambda s, d=d: (s.x_px - d["x"] * wide) ** 2 + (s.y_px - d["y"] * high) ** 2)
        for d in shown
    ]
    return tuple(e for s in at for e in examples(image, Region(s.x_px, s.y_px, s.size_px), 6))


def known_at(die: Label, dice: tuple[Die, ...], wide: int, high: int) -> bool:
    """Whether a taught face was known again on a labelled die."""
    place = Region(die["x"] * wide, die["y"] * high, die["size"] * wide)
    return any(place.meets(d.x_px, d.y_px) and "taught" in d.why for d in dice)
