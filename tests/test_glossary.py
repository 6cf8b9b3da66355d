"""The language of docs/glossary.md: names that it replaced do not come back; how words are found."""

import ast

import pytest

from tests.glossary import COUNTED, counted_in, kept, measured
from tests.prose import LONGEST, ROOMS, ROOT, docstrings, of_docstrings, paragraphs, sentences, words

FILE = kept()


@pytest.fixture(scope="module")
def counts():
    """Counting reads every file of the house, so it is done once and only where these tests run."""
    return measured()


@pytest.mark.parametrize("room", COUNTED)
def test_replaced_names_do_not_come_back(room, counts):
    more = {
        f"{word} (use {entry['use']})": f"{counts[word][room]}, at most {entry.get(room, 0)}"
        for word, entry in FILE["banned"].items()
        if counts[word][room] > int(entry.get(room, 0))
    }
    assert more == {}


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_of_a_public_docstring_is_too_long(room):
    paths = sorted((ROOT / room).rglob("*.py"))
    found = [sentence for path in paths for sentence in of_docstrings(path)]
    assert [sentence for sentence in found if sentence.words > LONGEST] == []


def test_every_replaced_name_is_in_the_glossary():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    cells = [line.split("|") for line in page.splitlines() if line.count("|") == 4]
    replaces = " ".join(cell[3] for cell in cells)
    assert [word for word in FILE["banned"] if word not in replaces] == []


@pytest.mark.parametrize(
    ("text", "lengths", "why"),
    [
        ("One two. Three four five!", [2, 3], "a stop or a mark of exclamation ends a sentence"),
        ("It is (see below). Next.", [4, 1], "so does a stop in brackets"),
        ("a: b; c.", [3], "a colon or a semicolon ends none"),
        ("Run `dudo read --json` now.", [3], "code is one word"),
        ("See [the long way round](guide/play.md).", [5], "a link counts as its text"),
        ("Of 1.5 mm, e.g. this.", [5], "a stop inside a number or an abbreviation ends none"),
        ("## 2", [1], "a number is a word"),
        ("— …", [], "signs alone are no words"),
    ],
)
def test_sentences_are_split(text, lengths, why):
    assert [words(sentence) for sentence in sentences(text)] == lengths, why


@pytest.mark.parametrize(
    ("page", "found", "why"),
    [
        ("# Head\nOne\ntwo.\n\nThree.", ["Head", "One two.", "Three."], "lines go on until an empty one"),
        ("- one\n- two\n  more", ["one", "two more"], "each item of a list stands alone"),
        ("| a | b |\n|---|---|\n| c | d |", ["a", "b", "---", "---", "c", "d"], "so does each cell"),
        ("```\ncode here\n```\nText.", ["Text."], "code is left out"),
        ("    code\n\nText.", ["Text."], "indented code as well"),
        ("<!-- a\nnote -->\nText.", ["Text."], "and comments"),
    ],
)
def test_paragraphs_are_split(page, found, why):
    assert [text for _, text in paragraphs(page)] == found, why


def test_docstrings_are_those_of_public_names():
    source = "'One.'\nclass A:\n    'Two.'\n    def _b(self):\n        'No.'\ndef c():\n    'Three.'\n"
    assert [text for _, text in docstrings(ast.parse(source))] == ["One.", "Two.", "Three."]


@pytest.mark.parametrize(
    ("source", "count", "why"),
    [
        ("rhythm = 1", 1, "the word itself"),
        ("class LampRhythm: pass", 1, "a part of a name in capitals"),
        ("old_rhythms = RHYTHM", 2, "with an s, and in large letters"),
        ("'rhythm'  # rhythm", 0, "texts and comments are no names"),
        ("rhythmic = arhythm", 0, "parts of words are others"),
    ],
)
def test_replaced_names_are_really_counted(source, count, why):
    assert counted_in(source, {"rhythm"})["rhythm"] == count, why
