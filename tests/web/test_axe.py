"""How tests look at a page: what machines complain of is found, and none waits by what the page forbids."""

from pathlib import Path

import pytest

from tests.web.axe import complaints, complaints_of_both_themes
from tests.web.hands import until

PALE = """() => { const words = document.createElement("p"); words.textContent = "Hard to read";
  words.style.cssText = "color: #ddd; background: #fff"; document.querySelector("main").append(words); }"""
BARE = """() => document.querySelector("main").append(document.createElement("button"))"""


@pytest.mark.browser
def test_faults_are_found_in_each_theme(phone):
    page = phone("/nowhere", color_scheme="dark")
    assert complaints_of_both_themes(page) == []
    page.evaluate(PALE)
    found = [complaint.partition(":")[0] for complaint in complaints_of_both_themes(page)]
    assert found == ["color-contrast", "color-contrast"]
    page.evaluate(BARE)
    found = [complaint.partition(":")[0] for complaint in complaints(page)]
    assert found == ["button-name", "color-contrast"]


TESTS = Path(__file__).resolve().parents[1]


def test_no_test_polls_a_string_in_a_page():
    """`wait_for_function` passes when its first look is late enough, and fails otherwise: use `until`."""
    call = ".wait_for_function" + "("
    found = [path for path in TESTS.rglob("*.py") if call in path.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.browser
def test_until_waits_under_the_policy_of_the_page(phone):
    page = phone()
    page.evaluate("setTimeout(() => { document.title = 'late'; }, 300)")
    until(page, "document.title === 'late'")
