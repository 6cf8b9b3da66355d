"""Reveals from pictures: drawn scenes, and photographs where there are some, read by the real reader."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Kind
from companion.reveal.observations import Observation
from companion.reveal.state import ALL, ONE_PLACE, RevealState
from hardware.cameras.simulated_dice import LaidTable, laid
from tests.companion.begun_reveals import begin
from tests.companion.reveal_player import USUAL, Scenario, brought_to_verdict
from tests.companion.reveal_table import Table, TrueDie, View
from tests.companion.reveal_table import after as shown_after
from vision.contract import to_json
from vision.read import read

pytestmark = pytest.mark.slow

Image = NDArray[np.uint8]
FACES = (5, 5, 1, 2, 3, 6, 4, 5)
FIVES = Claim(Kind.DUDO, 5, 4, wild=True)
"""Of these, four match with wild aces."""


SKIN, LEATHER = (120, 150, 200), (25, 45, 80)


@lru_cache(maxsize=4)
def drawn(over: str = "") -> LaidTable:
    """The dice, one of the fives under a cup, or under a finger beside which a corner shows."""
    table = laid([(face, "ivory") for face in FACES], 11, width_px=800, height_px=600)
    five, image = table.dice[-1], table.image_bgr
    x, y, side = five.x_px, five.y_px, five.size_px
    if over == "cup":
        cv2.circle(image, (round(x), round(y)), round(0.95 * side), LEATHER, -1, cv2.LINE_AA)
    if over == "hand":
        tip = round(x + 0.2 * side), round(y - 0.1 * side)
        knuckle = round(x + 2 * side), round(y - 4 * side)
        cv2.line(image, tip, knuckle, SKIN, round(0.8 * side), cv2.LINE_AA)
    return table


def observed(image: Image, picture: str = "") -> Observation:
    return Observation.from_json(to_json(read(image), "", {"decode": 0.0, "read": 0.0}), picture)


def noisy(image: Image, seed: int) -> Image:
    grain = np.random.default_rng(seed).normal(0, 2, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def pushed(image: Image, x_px: int, y_px: int) -> Image:
    """The box pushed a little: the picture's content moves, the border shows the same table."""
    return np.asarray(np.roll(image, (y_px, x_px), (0, 1)))


def after(observations: Sequence[Observation], dice: int) -> RevealState:
    return shown_after(begin(FIVES, dice), *observations)


def truth_of(picture: LaidTable) -> Scenario:
    """The dice as they lie, for a person who sees them."""
    width = picture.image_bgr.shape[1]
    dice = tuple(TrueDie(one.face, complex(one.x_px, one.y_px) / width) for one in picture.dice)
    return Scenario("all", FIVES, Table(dice), (), (), {}, ONE_PLACE, {}, {}, 1, USUAL)


def torn(image: Image) -> Image:
    """Half a picture: the lower half never came."""
    half = image.copy()
    half[half.shape[0] // 2 :] = 128
    return half


def pictured(kind: str) -> Image:
    """The scene as one frame of that kind: as drawn, noisy, pushed, behind a hand, too dark, torn."""
    image = drawn().image_bgr
    kinds = {
        "clear": lambda: image,
        "noisy": lambda: noisy(image, 1),
        "pushed": lambda: pushed(noisy(image, 2), 9, -5),
        "hand": lambda: drawn("hand").image_bgr,
        "cup": lambda: drawn("cup").image_bgr,
        "dark": lambda: np.asarray(image * 0.08, np.uint8),
        "half": lambda: torn(image),
        "kicked": lambda: np.ascontiguousarray(np.rot90(image)),
    }
    return np.asarray(kinds[kind](), np.uint8)


@lru_cache(maxsize=8)
def seen_as(kind: str) -> Observation:
    return observed(pictured(kind))


UNCERTAIN = "look_uncertain"


@pytest.mark.parametrize(
    ("why", "kinds", "dice", "found", "asked", "problems"),
    [
        ("one clear picture", ["clear"], 8, (4, 4, True), [], []),
        ("two noisy ones, the box pushed", ["noisy", "pushed"], 8, (4, 4, True), [], []),
        ("a hand over one die, of which a corner shows", ["hand"], 8, (3, 4, False), ["face"], []),
        ("a cup over one die", ["cup"], 8, (3, 4, False), ["missing"], ["too_few"]),
        ("the hand has gone: seen once", ["hand", "clear"], 8, (3, 4, False), ["face"], []),
        ("the hand has gone: seen twice", ["hand", "clear", "clear"], 8, (4, 4, True), [], []),
        ("one is missing: it changes nothing", ["clear"], 9, (4, 5, True), [], ["too_few"]),
        ("one die too many", ["clear"], 7, (3, 4, False), ["extra"] * 2, ["too_many"]),
        ("dark, yet all dice are read", ["dark"], 8, (0, 8, True), [], [UNCERTAIN]),
        ("the light goes off and on again", ["clear", "dark", "clear"], 8, (4, 4, True), [], []),
        ("half a picture, then whole ones", ["half", "clear", "clear"], 8, (4, 4, True), [], []),
        ("the box is kicked", ["clear", "kicked"], 8, (0, 8, False), ["marked", *["face"] * 4], []),
        ("and stands again", ["clear", "kicked", "kicked"], 8, (4, 4, True), [], []),
    ],
)
def test_what_comes_of_drawn_pictures(why, kinds, dice, found, asked, problems):
    """Of the eight dice four match, and four are bid."""
    out = assess(after([seen_as(kind) for kind in kinds], dice))
    assert (out.lo, out.hi, out.settled) == found, why
    assert [question.ask.value for question in out.questions] == asked, why
    assert [problem.key for problem in out.problems] == problems, why


@pytest.mark.parametrize(("kind", "most"), [("clear", 0), ("hand", 1), ("cup", 1), ("dark", 8), ("half", 8)])
def test_whatever_the_picture_a_person_brings_it_to_the_true_verdict(kind, most):
    state = after([seen_as(kind)], len(FACES))
    done, asked = brought_to_verdict(state, truth_of(drawn()), {ALL: View()})
    assert (done.settled, done.lo <= 4 <= done.hi) == (True, True)
    assert len(asked) <= most
