"""Any stands only where a library gives no types: the number of each module may fall, never rise."""

import ast
import re

import pytest

from tests.syntax import parsed
from tests.test_architecture import ROOMS, ROOT, modules

#: Where a library without types, numpy's own element types, arguments by name, a union of records or JSON
#: leave no other word.
ANY_LEFT = {
    "companion/app/system/box_parts.py": 1,
    "companion/cli/options.py": 2,
    "companion/rules/records.py": 1,
    "companion/storage/game_list.py": 1,
    "companion/table/parsing.py": 1,
    "hardware/cameras/pi.py": 1,
    "hardware/gpio/pins.py": 1,
    "vision/arrays.py": 2,
    "web/connections.py": 1,
}
_WRITTEN = re.compile(r"[\w.]+\[[\w\[\], |.]*\bAny\b[\w\[\], |.]*\]")
"""A type written as a text."""


def named_any(source: str) -> int:
    """How often a module says Any, in types written as texts too."""
    if "Any" not in source:
        return 0
    return sum(map(_says_any, ast.walk(parsed(source))))


def _says_any(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="Any") | ast.Attribute(attr="Any"):
            return True
        case ast.Constant(value=str(text)):
            return _WRITTEN.fullmatch(text) is not None
    return False


def test_any_stands_only_where_a_library_gives_no_types():
    found = {path: named_any((ROOT / path).read_text(encoding="utf-8")) for path in modules(*ROOMS)}
    assert {path: number for path, number in found.items() if number} == ANY_LEFT


@pytest.mark.parametrize(
    ("source", "number"),
    [
        ("from typing import Any\n", 0),
        ("x: Any = 1", 1),
        ("x: dict[str, Any]\ny: typing.Any", 2),
        ("x: 'list[Any]' = []", 1),
        ("x = 'Any thread may ask.'", 0),
    ],
)
def test_any_is_really_counted(source, number):
    assert named_any(source) == number
