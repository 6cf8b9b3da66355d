"""What machines complain of is really found: by all rules on the dark page, contrast on the light one too."""

from __future__ import annotations

import pytest

from tests.web.axe import complaints, complaints_of_both_themes
from tests.web.conftest import Phone

pytestmark = pytest.mark.browser

PALE = """() => { const words = document.createElement("p"); words.textContent = "Hard to read";
  words.style.cssText = "color: #ddd; background: #fff"; document.querySelector("main").append(words); }"""
BARE = """() => document.querySelector("main").append(document.createElement("button"))"""


def test_faults_are_found_in_each_theme(phone: Phone) -> None:
    page = phone("/nowhere", color_scheme="dark")
    assert complaints_of_both_themes(page) == []
    page.evaluate(PALE)
    found = [complaint.partition(":")[0] for complaint in complaints_of_both_themes(page)]
    assert found == ["color-contrast", "color-contrast"]
    page.evaluate(BARE)
    found = [complaint.partition(":")[0] for complaint in complaints(page)]
    assert found == ["button-name", "color-contrast"]
