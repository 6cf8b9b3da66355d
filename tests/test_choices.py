"""Lists of what may be chosen: each is made from what there is, or compared with it."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from companion.bots.seat import Level
from companion.rules.presets import PRESETS
from companion.settings import PINS, READERS, SECTIONS
from companion.settings_file import load
from companion.texts import languages
from hardware.gpio import pins
from tests.syntax import parsed
from vision.agreement.ways import WAYS

ROOT = Path(__file__).resolve().parent.parent

THERE_IS = {
    "presets": set(PRESETS),
    "languages": set(languages()),
    "readers": set(WAYS),
    "pins": set(pins.CHOICES),
    "levels of bots": {level.value for level in Level},
}

DEFINED = {
    ("companion/settings.py", "readers"): "rooms above vision know its ways by name; compared below",
    ("companion/settings.py", "pins"): "the same of hardware",
    ("companion/texts.py", "languages"): "what is set apart in print",
    ("hardware/gpio/pins.py", "pins"): "they are defined here",
    ("web/pages/rules_form.py", "presets"): "those shown first, of all that there are",
}
"""Where a list is typed by hand, and why."""


@pytest.mark.parametrize(
    ("offered", "there_is"),
    [
        (READERS, tuple(WAYS)),
        (PINS, pins.CHOICES),
    ],
)
def test_what_is_offered_is_what_there_is(offered, there_is):
    assert offered == there_is


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        *(("table", "preset", name) for name in PRESETS),
        *(("table", "language", name) for name in languages()),
        *(("camera", "reader", name) for name in WAYS),
        *(("box", "pins", name) for name in pins.CHOICES),
    ],
)
def test_whatever_there_is_may_be_set(section, key, value, tmp_path):
    path = tmp_path / "companion.toml"
    path.write_text(f'[{section}]\n{key} = "{value}"\n')
    assert getattr(getattr(load(path, {}), section), key) == value


def test_every_default_is_a_choice():
    for kind in SECTIONS.values():
        for item in fields(kind):
            choices = item.metadata.get("choices", tuple)
            assert not choices() or item.default in choices(), item.name


def typed_lists(source: str) -> Iterator[set[str]]:
    """Every list, tuple or set of two strings and more."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) > 1:
            found = [one.value for one in node.elts if isinstance(one, ast.Constant)]
            if len(found) == len(node.elts) and all(isinstance(one, str) for one in found):
                yield {str(one) for one in found}


def test_no_list_of_what_there_is_is_typed_by_hand():
    found = {
        (str(path.relative_to(ROOT)), kind)
        for room in ("companion", "hardware", "vision", "web")
        for path in sorted((ROOT / room).rglob("*.py"))
        for words in typed_lists(path.read_text(encoding="utf-8"))
        for kind, there_is in THERE_IS.items()
        if words <= there_is
    }
    assert found == set(DEFINED)
