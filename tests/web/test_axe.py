"""How tests look at a page: what machines complain of is found, and none waits by what the page forbids."""

import ast
from pathlib import Path

import pytest

from tests.syntax import statements
from tests.web.axe import complaints, complaints_of_both_themes

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


READS = {"all_inner_texts", "count", "get_attribute", "inner_text", "input_value", "text_content"}
READS |= {f"is_{state}" for state in ("checked", "disabled", "editable", "enabled", "hidden", "visible")}
"""What Playwright answers by a page at one moment."""


def read_once(source: str) -> list[str]:
    """Asserts of what a page shows at one moment, while an answer or a long poll may be changing it."""
    asserts = [node.test for node in statements(source) if isinstance(node, ast.Assert)]
    calls = [(test, node) for test in asserts for node in ast.walk(test) if isinstance(node, ast.Call)]
    return [
        ast.unparse(test)
        for test, call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in READS
        if call.func.attr != "count" or not call.args  # a list counts what it is given
    ]


def test_no_test_asserts_what_a_page_shows_at_one_moment():
    """Use `expect`, which looks again."""
    assert len(read_once("assert 'a' in page.inner_text('p') or not page.is_visible('q')")) == 2
    sources = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")}
    of_pages = {path: source for path, source in sources.items() if "mark.browser" in source}
    found = {path.name: once for path, source in of_pages.items() if (once := read_once(source))}
    assert found == {}
