"""The catalogues keep the words of the page: docs/reference/words.md says which phrases no text may have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.texts import catalogue, languages

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "words.md"
ROW = re.compile(r"^\| (\w\w) \| (.+?) \| .+ \|$", re.MULTILINE)
BANNED = [
    (language, phrase)
    for language, phrases in ROW.findall(PAGE.read_text(encoding="utf-8"))
    for phrase in re.findall(r"`([^`]+)`", phrases)
]


def with_phrase(texts: dict[str, str], phrase: str) -> list[str]:
    whole = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
    return [f"{key}: {text}" for key, text in texts.items() if whole.search(text)]


def test_every_language_has_phrases_to_keep_out() -> None:
    assert {language for language, _ in BANNED} == set(languages())


@pytest.mark.parametrize(("language", "phrase"), BANNED)
def test_no_text_has_a_banned_phrase(language: str, phrase: str) -> None:
    assert with_phrase(dict(catalogue(language)), phrase) == []


@pytest.mark.parametrize(
    ("text", "found", "why"),
    [
        ("The player on turn raises.", True, "the phrase itself"),
        ("A decision turned out well.", False, "a part of other words is no phrase"),
    ],
)
def test_phrases_are_really_found(text: str, found: bool, why: str) -> None:
    assert bool(with_phrase({"key": text}, "on turn")) is found, why
