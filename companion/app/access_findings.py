"""What `dudo doctor` finds of who counts as the box itself."""

from __future__ import annotations

from collections.abc import Iterator

from companion.app.service_findings import Found
from companion.settings import Settings


def access_findings(settings: Settings) -> Iterator[Found]:
    """A further name is mostly that of a server in between, on this very box. One that leaves no sign makes
    everybody who comes through it a browser on the box."""
    web = settings.web
    if web.hosts and web.local_leads:
        words = f"the page is also called {web.hosts}, and a browser on the box may do everything"
        hint = "If a server on this box sends requests on: set web.local_leads = false."
        yield "access", "note", words, hint
