"""The doctor names settings of the page that cannot be kept, or could make a stranger the box itself."""

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
        (Web(host="203.0.113.7"), ["bad"], "nobody can listen there"),
    ],
)
def test_what_the_settings_say_of_the_page_is_a_finding(web, levels, why):
    found = list(access_findings(replace(Settings(), web=web)))
    assert [level for _, level, _, _ in found] == levels, why
    assert all("web.local_leads = false" in hint for _, level, _, hint in found if level == "note")
