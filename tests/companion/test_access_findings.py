"""The doctor names settings that could make a stranger the box itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.findings import access_findings
from companion.settings import Settings, Web


@pytest.mark.parametrize(
    ("web", "levels", "why"),
    [
        (Web(), [], "the box has no other name"),
        (Web(hosts="dudo.example"), ["note"], "a server in between may leave no sign"),
        (Web(hosts="dudo.example", local_leads=False), [], "nobody counts as the box"),
        (Web(local_leads=False), [], "nobody counts as the box"),
    ],
)
def test_a_further_name_with_a_leading_browser_is_a_finding(web: Web, levels: list[str], why: str) -> None:
    found = list(access_findings(replace(Settings(), web=web)))
    assert [level for _, level, _, _ in found] == levels, why
    assert all("web.local_leads = false" in hint for *_, hint in found)
