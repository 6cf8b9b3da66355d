"""Reveals from pictures: drawn scenes, and photographs where there are some, read by the real reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.reveal.assessing import Assessment, assess
from companion.reveal.claims import Claim, Kind, settled
from companion.reveal.corrections import Add, SetFace, Strike
from companion.reveal.looks import Look
from companion.reveal.questions import Ask
from companion.reveal.state import RevealState, begin, with_correction, with_look
from vision.contract import to_json
from vision.photos import load
from vision.read import read
from vision.scenes import render, table_scene
from vision.scenes.values import Picture, Thing

Image = NDArray[np.uint8]
FACES = (5, 5, 1, 2, 3, 6, 4, 5)
FIVES = Claim(Kind.DUDO, 5, 4, wild=True)
"""Of these, four match with wild aces."""


@lru_cache(maxsize=4)
def drawn(hand: bool = False) -> Picture:
    scene = table_scene([(face, "ivory") for face in FACES], 11, width_px=800, height_px=600)
    if hand:
        turned = ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))
        held = Thing("hand", (180.0, 90.0, 30.0), (70.0, 0.0, 45.0), turned, (0.8, 0.6, 0.5))
        scene = replace(scene, things=(held,))
    return render(scene)


def look_at(image: Image, picture: str = "") -> Look:
    return Look.from_json(to_json(read(image), "", {"decode": 0.0, "read": 0.0}), picture)


def noisy(image: Image, seed: int) -> Image:
    grain = np.random.default_rng(seed).normal(0, 2, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def pushed(image: Image, x_px: int, y_px: int) -> Image:
    """The box pushed a little: the picture's content moves, the border shows the same table."""
    return np.asarray(np.roll(image, (y_px, x_px), (0, 1)))


def after(looks: Sequence[Look], dice: int, claim: Claim = FIVES) -> RevealState:
    state = begin(claim, dice)
    for look in looks:
        state = with_look(state, "all", look)
    return state


def finished(state: RevealState, truth: Sequence[tuple[int, float, float]]) -> tuple[Assessment, int]:
    """The reveal after a truthful person, who knows every (face, x, y), has answered; and how often."""
    found, asked = assess(state), 0
    while not found.settled and found.questions and asked < 40:
        question, asked = found.questions[0], asked + 1
        if question.ask is Ask.MISSING:
            state = with_correction(state, _unseen(found, truth))
        elif question.die is not None:
            at = min(truth, key=lambda t: _apart(t, question.x or 0, question.y or 0))
            known = _apart(at, question.x or 0, question.y or 0) < question.size
            known = known and not _told(found, question.die, at)
            told = SetFace(question.die, at[0]) if known else Strike(question.die)
            state = with_correction(state, told)
        found = assess(state)
    return found, asked


def _told(found: Assessment, asked: str, die: tuple[int, float, float]) -> bool:
    """Whether another one shown counts for this die already."""
    others = (d for d in found.dice if d.certain and d.counted and d.id != asked)
    return any(_apart(die, d.x or 0, d.y or 0) < d.size / 2 for d in others)


def _apart(die: tuple[int, float, float], x: float, y: float) -> float:
    return abs(complex(die[1] - x, die[2] - y))


def _unseen(found: Assessment, truth: Sequence[tuple[int, float, float]]) -> Add:
    shown = [(d.x or 0, d.y or 0, d.size) for d in found.dice if d.counted]
    face, x, y = max(truth, key=lambda t: min((_apart(t, sx, sy) for sx, sy, _ in shown), default=1))
    return Add(face, "all", x, y)


def truth_of(picture: Picture) -> list[tuple[int, float, float]]:
    height, width = picture.image_bgr.shape[:2]
    corners = [np.mean(d.corners_px, axis=0) for d in picture.truth]
    return [(d.face, x / width, y / height) for d, (x, y) in zip(picture.truth, corners, strict=True)]


def test_several_noisy_frames_of_one_scene() -> None:
    image = drawn().image_bgr
    looks = [look_at(frame) for frame in (noisy(image, 1), pushed(noisy(image, 2), 9, -5))]
    found = assess(after(looks, len(FACES)))
    assert found.lo <= 4 <= found.hi
    assert sum(die.counted and die.face > 0 for die in found.dice) <= len(FACES)
    done, _ = finished(after(looks[:1], len(FACES)), truth_of(drawn()))
    assert done.lo <= 4 <= done.hi


def test_a_hand_over_the_dice_never_decides() -> None:
    covered, clear = look_at(drawn(hand=True).image_bgr), look_at(drawn().image_bgr)
    for looks in ([covered], [covered, clear], [covered, clear, clear]):
        found = assess(after(looks, len(FACES)))
        assert found.lo <= 4 <= found.hi
    done, _ = finished(after([covered, clear, clear], len(FACES)), truth_of(drawn()))
    assert done.lo <= 4 <= done.hi


@pytest.mark.parametrize(("why", "more", "true_counts"), [("missing", 1, (4, 5)), ("too many", -1, (3, 4))])
def test_a_number_that_does_not_fit_leaves_every_truth_open(
    why: str, more: int, true_counts: tuple[int, int]
) -> None:
    found = assess(after([look_at(drawn().image_bgr)], len(FACES) + more))
    assert found.lo <= min(true_counts), why
    assert found.hi >= max(true_counts), why


SHARED = Path(__file__).parents[3] / "shared" / "photos" / "dev"
NO_PHOTOS = "the shared photographs do not lie beside the project"


def photographs(folder: str, number: int) -> list[tuple[Look, list[dict[str, Any]]]]:
    labels = json.loads((SHARED / folder / "labels.json").read_text("utf-8"))
    names = sorted(name for name, photo in labels.items() if _whole(photo))[:: max(1, len(labels) // number)]
    return [(look_at(load(SHARED / folder / name), name), labels[name]["dice"]) for name in names[:number]]


def _whole(photo: dict[str, Any]) -> bool:
    """Whether every die of a labelled photograph is one that shows a readable face."""
    return bool(photo["dice"]) and not any(d.get("ignore") or d.get("symbol") for d in photo["dice"])


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason=NO_PHOTOS)
@pytest.mark.parametrize("folder", ["king", "wik"])
def test_reveals_whose_looks_are_photographs(folder: str) -> None:
    """Three photographs at a time are the heaps of one reveal; the photographs do not overlap."""
    shots, rng = photographs(folder, 6), Random(1)
    for _ in range(60):
        heap = rng.sample(shots, 3)
        faces = [d["face"] for _, dice in heap for d in dice]
        claim = Claim(Kind.DUDO, rng.randint(1, 6), 1, wild=True)
        truth = sum(map(claim.matches, faces))
        claim = replace(claim, quantity=max(1, truth + rng.choice((-1, 0, 1, 2))))
        state = begin(claim, len(faces), plan=())
        for number, (look, _) in enumerate(heap):
            state = with_look(state, f"heap {number}", look)
        found = assess(state)
        assert found.lo <= truth <= found.hi
        assert not found.settled or settled(claim)(min(found.lo, truth), max(found.hi, truth))
