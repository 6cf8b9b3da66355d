"""Settling: scripted sequences of small grey pictures with noise, flicker, hands and rolling dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.picture.settle import Settled, Settler, small

pytestmark = pytest.mark.slow

Grey = NDArray[np.uint8]
STEP_S = 0.1
SHAPE = (240, 320)


@dataclass(frozen=True)
class Shot:
    """What one picture shows: dice at (x, y), a hand reaching in so far, an arm across it so far, the light,
    the box's place."""

    dice: tuple[tuple[int, int], ...] = ()
    hand_px: int = 0
    arm_px: int = 0
    light: float = 1.0
    bands: float = 0.0
    box_px: int = 0
    cup: bool = False


@lru_cache(maxsize=1)
def table(seed: int = 1) -> NDArray[np.float32]:
    """A table with a grain, larger than the picture so that the box can be moved over it."""
    rng = np.random.default_rng(seed)
    rough = cv2.resize(rng.normal(0, 14, (60, 100)).astype(np.float32), (500, 240))
    return 90 + rough + np.linspace(-15, 15, 500, dtype=np.float32)


def draw(shot: Shot, rng: np.random.Generator, noise: float = 2.0) -> Grey:
    picture = table()[:, shot.box_px : shot.box_px + SHAPE[1]].copy()
    for x, y in shot.dice:
        cv2.rectangle(picture, (x, y), (x + 14, y + 14), 225.0, -1)
        cv2.circle(picture, (x + 7, y + 7), 2, 30.0, -1)
    if shot.cup:
        cv2.circle(picture, (160, 110), 40, 40.0, -1)
    if shot.hand_px:
        cv2.rectangle(picture, (90, -1), (140, shot.hand_px), 170.0, -1)
    if shot.arm_px:
        cv2.rectangle(picture, (-1, 150), (shot.arm_px, 200), 170.0, -1)
    bands = shot.bands * np.sin(np.arange(SHAPE[0]) / 9 + rng.uniform(0, 6))[:, None]
    lit = picture * shot.light + bands + rng.normal(0, noise, SHAPE)
    return np.clip(lit, 0, 255).astype(np.uint8)


def words(shots: Sequence[Shot], settler: Settler | None = None, noise: float = 2.0) -> list[Settled]:
    rng = np.random.default_rng(7)
    settler, said = settler or Settler(), []
    for n, shot in enumerate(shots):
        settler = settler.feed(draw(shot, rng, noise), n * STEP_S)
        said.append(settler.word)
    return said


DICE = Shot(dice=((60, 60), (120, 150), (220, 90)))
ACROSS = [replace(DICE, arm_px=px) for px in (80, 160, 240, 320)]
REACH = [replace(DICE, hand_px=px) for px in (20, 60, 100, 140, 160)]
ROLL = [replace(DICE, dice=((60 + 12 * k, 60 + 3 * k),)) for k in range(8)]


@pytest.mark.parametrize(
    ("why", "shots", "last"),
    [
        ("still from the start", [DICE] * 8, Settled.STILL),
        ("too short to tell", [DICE] * 3, Settled.MOVING),
        ("a die rolling", [DICE] * 8 + ROLL, Settled.MOVING),
        ("a die has come to rest", [DICE] * 8 + ROLL + ROLL[-1:] * 6, Settled.STILL),
        ("one die nudged", [DICE] * 8 + [replace(DICE, dice=((66, 60), *DICE.dice[1:]))], Settled.MOVING),
        ("a hand reaching in", [DICE] * 8 + REACH, Settled.MOVING),
        ("a hand held still", [DICE] * 8 + REACH + REACH[-1:] * 8, Settled.HAND),
        ("an arm across whole rows", [DICE] * 8 + ACROSS + ACROSS[-1:] * 8, Settled.HAND),
        ("a hand gone again", [DICE] * 8 + REACH + REACH[-1:] * 8 + REACH[::-1] + [DICE] * 8, Settled.STILL),
        ("a hand that lies for good is no hand", [DICE] * 8 + REACH + REACH[-1:] * 50, Settled.STILL),
        ("a cup lifted", [replace(DICE, cup=True)] * 8 + REACH + REACH[::-1] + [DICE] * 8, Settled.STILL),
        ("light switched off", [DICE] * 8 + [replace(DICE, light=0.05)] * 3, Settled.DARK),
        ("all burnt out", [DICE] * 8 + [replace(DICE, light=9.0)] * 3, Settled.BRIGHT),
        ("light on again", [replace(DICE, light=0.05)] * 3 + [DICE] * 8, Settled.STILL),
        ("light dimmed slowly", [replace(DICE, light=1 - 0.02 * k) for k in range(20)], Settled.STILL),
        ("mains flicker", [replace(DICE, light=1 + 0.08 * (-1) ** k) for k in range(12)], Settled.STILL),
        ("bands of a dimmed lamp", [replace(DICE, bands=6.0)] * 12, Settled.STILL),
        ("the box moved", [DICE] * 8 + [replace(DICE, box_px=9 * k) for k in range(8)], Settled.MOVING),
        ("the box set elsewhere", [DICE] * 8 + [Shot(box_px=150)] * 8, Settled.STILL),
    ],
)
def test_sequences(why, shots, last):
    assert words(shots)[-1] is last, why


@pytest.mark.parametrize(
    ("why", "shots", "last"),
    [
        ("nothing there", [Shot()] * 8, Settled.EMPTY),
        ("what stays empty is read all the same: one die changes little", [Shot()] * 50, Settled.STILL),
        ("nothing there in other light", [Shot(light=0.8)] * 8, Settled.EMPTY),
        ("one die", [Shot(dice=((60, 60),))] * 8, Settled.STILL),
        ("a hand from the first picture on", [replace(DICE, hand_px=160)] * 8, Settled.HAND),
    ],
)
def test_with_the_empty_table_known(why, shots, last):
    empty = draw(Shot(), np.random.default_rng(3))
    assert words(shots, Settler(empty=small(empty)))[-1] is last, why


@pytest.mark.parametrize("noise", [0.0, 2.0, 6.0, 12.0])
def test_noise_alone_never_moves_a_still_table(noise):
    said = words([DICE] * 60, noise=noise)
    assert said[4:] == [Settled.STILL] * 56


@pytest.mark.parametrize("noise", [0.0, 2.0, 6.0])
def test_every_step_of_a_rolling_die_is_seen(noise):
    said = words([ROLL[0]] * 6 + ROLL[1:], noise=noise)
    assert said[6:] == [Settled.MOVING] * 7


def test_a_silent_camera_starts_settling_over():
    rng = np.random.default_rng(1)
    settler = Settler()
    for n in range(8):
        settler = settler.feed(draw(DICE, rng), n * STEP_S)
    assert settler.word is Settled.STILL
    assert settler.feed(draw(DICE, rng), 30.0).word is Settled.MOVING


def test_a_settler_is_a_value():
    rng = np.random.default_rng(1)
    first = Settler().feed(draw(DICE, rng), 0.0)
    one, two = (first.feed(draw(DICE, rng), 0.1) for _ in range(2))
    assert (one.word, one.quiet) == (two.word, two.quiet)
    assert first.quiet == 0


@pytest.mark.parametrize("shape", [(240, 320), (480, 640), (768, 1024), (60, 80), (1, 1)])
def test_any_size_of_picture_will_do(shape):
    grey = np.full(shape, 120, np.uint8)
    assert small(grey).shape[1] <= 120
    settler = Settler()
    for n in range(8):
        settler = settler.feed(grey, n * STEP_S)
    assert settler.word is Settled.STILL


def test_a_change_of_size_counts_as_movement():
    settler = Settler()
    for n in range(8):
        settler = settler.feed(np.full((240, 320), 120, np.uint8), n * STEP_S)
    assert settler.feed(np.full((320, 240), 120, np.uint8), 0.9).word is Settled.MOVING


@pytest.mark.parametrize(
    "bad", [np.zeros((4, 4, 3), np.uint8), np.zeros((4, 4), float), np.zeros((0, 4), np.uint8)]
)
def test_what_is_no_grey_picture_is_refused(bad):
    with pytest.raises(ValueError, match="grey picture"):
        Settler().feed(bad, 0.0)
