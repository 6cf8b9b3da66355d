"""The catalogues: the same in every language, and complete for everything that can be said."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from companion.errors import CompanionError
from companion.rules import bidding, order
from companion.rules import legality as rules_module
from companion.rules.calls import Call
from companion.table import history
from companion.texts import catalogue, knows, languages, translate
from tests.syntax import parsed

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [language for language in languages() if language != "en"]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys(language):
    assert set(catalogue(language)) == set(catalogue("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_placeholders(language):
    english, other = catalogue("en"), catalogue(language)
    differing = {key for key in english if placeholders(english[key]) != placeholders(other.get(key, ""))}
    # "one" may leave the number out: "a die"
    assert {key for key in differing if not key.endswith(".one")} == set()


@pytest.mark.parametrize("language", languages())
def test_no_sentence_is_empty_and_plurals_are_whole(language):
    texts = catalogue(language)
    assert [key for key, sentence in texts.items() if not sentence.strip()] == []
    counting = {key.removesuffix(".other") for key in texts if key.endswith(".other") and "{n}" in texts[key]}
    assert {key for key in counting if f"{key}.one" not in texts} == set()


def test_plurals_follow_the_number():
    assert translate("en", "rules.starting_dice", n=1) != translate("en", "rules.starting_dice", n=2)
    assert "2" in translate("en", "rules.starting_dice", n=2)


def test_an_unknown_language_gets_english_and_an_unknown_key_an_error():
    assert translate("xx", "errors.no_bid") == translate("en", "errors.no_bid")
    with pytest.raises(KeyError):
        translate("en", "errors.nothing_of_the_kind")


def test_a_value_nobody_gave_leaves_a_gap():
    assert translate("en", "errors.exceeds_dice") == "There are only … dice in play."


def _error_names() -> set[str]:
    found, more = set(), [CompanionError]
    while more:
        kind = more.pop()
        found.add(kind.__name__)
        more.extend(kind.__subclasses__())
    return found


def _raised_keys() -> Iterator[str]:
    """The first argument of every error that the rooms raise by name, where it is a plain word."""
    names = _error_names()
    for path in [*(ROOT / "companion").rglob("*.py"), *(ROOT / "web").rglob("*.py")]:
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value


def test_every_error_has_its_sentence():
    raised = set(_raised_keys())
    assert "rolloff_tied" in raised
    assert {key for key in raised if not knows(f"errors.{key}")} == set()


def test_every_reason_of_the_rules_has_its_sentence():
    modules = (rules_module, bidding, order)
    source = "".join(Path(module.__file__).read_text(encoding="utf-8") for module in modules)
    given = r'(?:(?:return|else) |never\(|(?:at_least|Limit)\([^"\n]*, )"([a-z_]+)"'
    reasons = set(re.findall(given, source))
    assert len(reasons) > 20
    assert {reason for reason in reasons if not knows(f"errors.{reason}")} == set()


@pytest.mark.parametrize("language", languages())
def test_every_step_that_can_be_taken_back_has_its_words(language):
    kinds = {*map(history._word, get_args(Call)), *history._KINDS.values(), "other"}
    assert {kind for kind in kinds if f"web.steps.{kind}" not in catalogue(language)} == set()
