"""What axe-core finds on a page that people who see, hear or tap otherwise could not use."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

ALL_RULES: Mapping[str, Any] = {"resultTypes": ["violations"]}
CONTRAST: Mapping[str, Any] = {**ALL_RULES, "runOnly": ["color-contrast"]}

FOUND = "async () => (await axe.run(%s)).violations.map(one => [one.id, one.nodes.map(node => node.html)])"


def complaints(page: Any, rules: Mapping[str, Any] = ALL_RULES) -> list[str]:
    """Each broken rule with the first elements that break it. A document gets axe-core once, which is half a
    megabyte to read."""
    script = pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT
    if not page.evaluate("'axe' in window"):
        page.evaluate(script)
    found = page.evaluate(FOUND % json.dumps(rules))
    return [f"{rule}: {html[:160]}" for rule, elements in found for html in elements[:2]]


def complaints_of_both_themes(page: Any) -> list[str]:
    """By all rules on the dark page, by that of contrast on the light one: themes differ in their colours."""
    found = []
    for theme, rules in (("light", CONTRAST), ("dark", ALL_RULES)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += complaints(page, rules)
    return found
