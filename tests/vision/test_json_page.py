"""The pages tell of every field of the contract and of every reason for doubt."""

import re
from pathlib import Path
from typing import Any

import pytest

from vision.contract import to_json
from vision.picture.colour import NAMES
from vision.values import WHY_A_DIE, WHY_A_PICTURE, Die, Doubt, Group, Pair, Pip, Reading

DOCS = Path(__file__).parents[2] / "docs"
DIE = Die(5, 50, 60, 40, 30, 0.99, False, "red", (Pip(50, 60, 4),), (2,), ("ways_differ",), (170, 20, 30))
READING = Reading(
    400,
    200,
    (DIE,),
    False,
    (Doubt("die_like", 20, 50, 40),),
    (Group((0,), "red", (170, 20, 30), 40),),
    pairs=(Pair((0, 0), 0.1),),
)


def fields(value: Any) -> set[str]:
    """The keys of an object and of all within it, but for the faces that are counted."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    if not isinstance(value, dict):
        return set()
    return {key for key in value if not key.isdigit()}.union(*map(fields, value.values()))


def test_every_field_of_the_json_is_described():
    documented = set(re.findall(r"`(\w+)`", (DOCS / "reference" / "json.md").read_text(encoding="utf-8")))
    assert fields(to_json(READING, "a.jpg", {"decode": 1.0, "read": 2.0})) - documented == set()


def test_every_colour_of_the_json_is_described():
    (row,) = (
        line
        for line in (DOCS / "reference" / "json.md").read_text(encoding="utf-8").splitlines()
        if "`colour` |" in line
    )
    assert [name for name in NAMES if name not in row] == []


@pytest.mark.parametrize(
    ("heading", "keys"),
    [("## When a die is certain", WHY_A_DIE), ("## When a picture is certain", WHY_A_PICTURE)],
)
def test_every_reason_for_doubt_is_described_and_none_that_is_none(heading, keys):
    page = (DOCS / "explanation" / "reading.md").read_text(encoding="utf-8")
    (part,) = (part for part in re.split(r"(?m)^(?=## )", page) if part.startswith(heading))
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == set(keys)
