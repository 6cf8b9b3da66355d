"""The reference of what leaves the box is made from its types."""

from pathlib import Path

from tests.companion.outside.reference_page import page

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "outside.md"


def test_the_page_is_that_of_the_types():
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.companion.outside.reference_page > it"
