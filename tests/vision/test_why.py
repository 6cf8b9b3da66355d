"""Every reason for doubt is listed, and can be said to a person in every language."""

import re
from pathlib import Path

import numpy as np
import pytest

from companion.texts import knows, languages, translate
from vision.read import read
from vision.values import WHY_A_DIE, WHY_A_PICTURE

ROOT = Path(__file__).parents[2]
GIVEN = re.compile(r'(?:Doubt\(|why=\(|keys=\(|return \()"(\w+)"|key = "(\w+)" if .+ else "(\w+)"')
READING = ("agreement", "checks", "learned", "read.py")
"""Parts of `vision` that give reasons."""
OF_THE_REVEAL = (
    "frames_disagree",
    "not_always_seen",
    "stranger",
    "moved",
    "unread",
    "uncertain",
    "look_uncertain",
)


def test_every_reason_that_is_given_is_listed():
    files = [path for path in (ROOT / "vision").rglob("*.py") if set(READING) & {*path.parts}]
    sources = [path.read_text(encoding="utf-8") for path in files]
    given = {key for source in sources for found in GIVEN.findall(source) for key in found if key}
    assert {"die_like", "slanting", "one_way", "too_small"} <= given
    assert given - {*WHY_A_DIE, *WHY_A_PICTURE} == set()


@pytest.mark.parametrize("key", sorted({*WHY_A_DIE, *WHY_A_PICTURE, *OF_THE_REVEAL}))
def test_every_reason_has_its_sentence(key):
    assert knows(f"web.doubts.{key}")
    sentences = {translate(language, f"web.doubts.{key}") for language in languages()}
    assert len(sentences) == len(languages())


@pytest.mark.parametrize("shape", [(1, 640), (8, 640), (47, 640), (60, 5000), (50, 65000), (4000, 64)])
def test_a_picture_too_small_for_dice_is_never_certain(shape):
    reading = read(np.full((*shape, 3), 120, np.uint8))
    assert not reading.certain
    assert "too_small" in [doubt.key for doubt in reading.doubts]
