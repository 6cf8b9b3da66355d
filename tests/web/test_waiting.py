"""How tests wait for a page: never by what the page's Content-Security-Policy forbids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.hands import until

TESTS = Path(__file__).resolve().parents[1]


def test_no_test_polls_a_string_in_a_page() -> None:
    """`wait_for_function` passes when its first look is late enough, and fails otherwise: use `until`."""
    call = ".wait_for_function" + "("
    found = [path for path in TESTS.rglob("*.py") if call in path.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.browser
def test_until_waits_under_the_policy_of_the_page(phone: Any) -> None:
    page = phone()
    page.evaluate("setTimeout(() => { document.title = 'late'; }, 300)")
    until(page, "document.title === 'late'")
