"""The contract of a reading, and that pages and catalogues tell of all its fields and reasons."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.texts import knows, languages, translate
from vision.contract import to_json
from vision.picture.colour import NAMES
from vision.values import Die, Doubt, Group, Pair, Pip, Reading

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
DIE = Die(5, 100, 60, 40, 30, 0.99, False, "red", (Pip(100, 60, 4),), (2,), ("ways_differ",), (170, 20, 30))
READING = Reading(
    400,
    200,
    (DIE,),
    False,
    (Doubt("die_like", 20, 50, 40), Doubt("count")),
    (Group((0,), "red", (170, 20, 30), 40),),
    pairs=(Pair((0, 0), 0.1),),
)


def test_the_contract_gives_fractions_of_width_and_height():
    data = json.loads(json.dumps(to_json(READING, "a.jpg", {"decode": 1.23, "read": 4.56})))
    (die,) = data["dice"]
    assert (data["file"], data["width"], data["height"], data["certain"]) == ("a.jpg", 400, 200, False)
    assert (die["x"], die["y"], die["size"]) == (0.25, 0.3, 0.1)
    assert die["pips"] == [[0.25, 0.3, 0.01]]
    assert (die["face"], die["others"], die["why"]) == (5, [2], ["ways_differ"])
    assert data["counts"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 1, "6": 0}
    assert data["doubts"] == [{"key": "die_like", "x": 0.05, "y": 0.25, "size": 0.1}, {"key": "count"}]
    assert data["ms"] == {"decode": 1.2, "read": 4.6}


def fields(value: Any) -> set[str]:
    """The keys of an object and of all within it, but for the faces that are counted."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    if not isinstance(value, dict):
        return set()
    return {key for key in value if not key.isdigit()}.union(*map(fields, value.values()))


def test_every_field_and_colour_of_the_json_is_described():
    documented = set(re.findall(r"`(\w+)`", PAGE))
    assert fields(to_json(READING, "a.jpg", {"decode": 1.0, "read": 2.0})) - documented == set()
    (row,) = (line for line in PAGE.splitlines() if "`colour` |" in line)
    assert [name for name in NAMES if name not in row] == []


def described() -> set[str]:
    """The reasons for doubt that the page has, of dice and of pictures."""
    page = (ROOT / "docs" / "explanation" / "reading.md").read_text(encoding="utf-8")
    parts = [part for part in re.split(r"(?m)^## ", page) if part.startswith("When a ")]
    rows = [line.split("|")[1] for part in parts for line in part.splitlines() if line.startswith("| `")]
    return set(re.findall(r"`(\w+)`", " ".join(rows)))


GIVEN = re.compile(r'(?:Doubt\(|why=\(|keys=\(|return \()"(\w+)"|key = "(\w+)" if .+ else "(\w+)"')
OF_THE_REVEAL = (
    *("frames_disagree", "not_always_seen", "stranger", "moved", "unread", "uncertain", "look_uncertain"),
)


def test_every_reason_that_is_given_is_described_and_none_that_is_none():
    """Some are given by a name of their own, so that of these the word alone is looked for."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "vision").rglob("*.py"))
    given = {key for found in GIVEN.findall(source) for key in found if key}
    assert {"die_like", "slanting", "one_way", "too_small"} <= given
    assert given - described() == set()
    assert [key for key in described() if f'"{key}"' not in source] == []


@pytest.mark.parametrize("key", sorted({*described(), *OF_THE_REVEAL}))
def test_every_reason_has_its_sentence(key):
    assert knows(f"web.doubts.{key}")
    sentences = {translate(language, f"web.doubts.{key}") for language in languages()}
    assert len(sentences) == len(languages())
