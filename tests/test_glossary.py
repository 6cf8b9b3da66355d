"""The language of docs/glossary.md: names that it replaced do not come back."""

import pytest

from tests.glossary import COUNTED, kept, measured
from tests.prose import LONGEST, ROOMS, ROOT, of_docstrings

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
