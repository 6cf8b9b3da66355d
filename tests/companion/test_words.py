"""The catalogues use the words of docs/reference/words.md, and none of tests/data/banned_words.toml."""

import re
import tomllib
from pathlib import Path

import pytest

from companion.texts import catalogue, languages

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "words.md"
TERMS = re.compile(r"^\| [^|`]+ \|" + r" ([^|`]+) \|" * 5 + "$", re.MULTILINE)
NAMES = {"English": "en", "Spanish": "es", "Portuguese": "pt", "German": "de", "French": "fr"}
QUOTES = {"en": "“”", "es": "“”", "pt": "“”", "de": "„“", "fr": "«»"}
BANNED = [
    (language, phrase)
    for language, instead in tomllib.loads(
        (ROOT / "tests" / "data" / "banned_words.toml").read_text("utf-8")
    ).items()
    for phrases in instead.values()
    for phrase in phrases
]


def with_phrase(texts: dict[str, str], phrase: str) -> list[str]:
    whole = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
    return [f"{key}: {text}" for key, text in texts.items() if whole.search(text)]


def test_every_language_has_phrases_to_keep_out():
    assert {language for language, _ in BANNED} == set(languages())
    texts = {"found": "The player on turn raises.", "not": "A decision turned out well."}
    assert with_phrase(texts, "on turn") == ["found: The player on turn raises."]


@pytest.mark.parametrize(("language", "phrase"), BANNED)
def test_no_text_has_a_banned_phrase(language, phrase):
    assert with_phrase(dict(catalogue(language)), phrase) == []


def the_terms() -> list[tuple[str, str]]:
    """Each word of the table of terms, with its language."""
    head, _, *rows = TERMS.findall(PAGE.read_text(encoding="utf-8"))
    return [
        (NAMES[name], word)
        for row in rows
        for name, cell in zip(head, row, strict=True)
        for word in cell.split(", ")
    ]


@pytest.mark.parametrize(("language", "word"), the_terms())
def test_each_term_is_the_word_of_its_catalogue(language, word):
    assert any(word.lower() in text.lower() for text in catalogue(language).values())


BOX = {"es": "caja", "pt": "caixa", "de": "Box", "fr": "boîtier"}


@pytest.mark.parametrize(("language", "box"), BOX.items())
def test_the_box_is_named_only_where_english_names_it(language, box):
    """Many evenings have no box: what is true of any names none."""
    assert ("en", "box") in the_terms()
    assert (language, box) in the_terms()
    named = {
        key for key, text in catalogue("en").items() if re.search(r"(?i)\bbox", text)
    }  # and a boxed game
    found = {key for key, text in catalogue(language).items() if re.search(rf"(?i)\b{box}\b", text)}
    assert found - named == set()


@pytest.mark.parametrize("language", languages())
def test_each_language_has_its_own_quotation_marks(language):
    strange = set('“”„«»"') - set(QUOTES[language])
    assert {key: text for key, text in catalogue(language).items() if strange & set(text)} == {}
