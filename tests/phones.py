"""Phones that tests borrow one after another.

A new context of the browser and its first page take 0.7 CPU seconds, most of them for processes of their own;
a page in a context that is there takes 0.3. So a phone that comes back forgets everything a page can leave
behind and is lent again to a test that wants the same kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

MAX_IDLE = 4
"""Each saves 0.4 CPU seconds when it is lent again, and holds a process of some 80 MB in every worker."""


@dataclass
class Lent:
    """A page, of which kind its phone is, and what listens to it for the test that borrowed it."""

    page: Any
    kind: str
    settings: Mapping[str, Any]
    listeners: list[tuple[str, Callable[[Any], None]]] = field(default_factory=list)

    def listen(self, event: str, heard: Callable[[Any], None]) -> None:
        self.page.on(event, heard)
        self.listeners.append((event, heard))


class Phones:
    """The phones of one browser: those that nobody has, oldest first."""

    def __init__(self, browser: Any, most_idle: int = MAX_IDLE) -> None:
        self._browser, self._most_idle = browser, most_idle
        self._idle: list[Lent] = []

    def lend(self, address: str, settings: Mapping[str, Any], *, new: bool = False) -> Lent:
        """A phone as fresh from the shop; `new` for a test that changes what nothing can take back.

        Phones stay with one host: another one would cost them a process of its own.
        """
        kind = "" if new else f"{urlsplit(address).hostname} {sorted(settings.items())}"
        for lent in reversed(self._idle):
            if kind and lent.kind == kind:
                self._idle.remove(lent)
                return lent
        return Lent(self._browser.new_context(**settings).new_page(), kind, dict(settings))

    def give_back(self, lent: Lent) -> None:
        if not lent.kind:
            lent.page.context.close()
            return
        forget(lent)
        self._idle.append(lent)
        if len(self._idle) > self._most_idle:
            self._idle.pop(0).page.context.close()

    def close(self) -> None:
        for lent in self._idle:
            lent.page.context.close()
        self._idle.clear()


def forget(lent: Lent) -> None:
    """Bring a phone back to where it was when it was new: pages, network, storage, history, screen."""
    page, context = lent.page, lent.page.context
    for event, heard in lent.listeners:
        page.remove_listener(event, heard)
    lent.listeners.clear()
    for other in context.pages:
        if other is not page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    context.unroute_all(behavior="ignoreErrors")
    context.set_offline(False)
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    page.goto("about:blank")
    browser_itself = context.new_cdp_session(page)
    if origin.startswith("http"):
        browser_itself.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    browser_itself.send("Page.resetNavigationHistory")
    browser_itself.detach()
    context.clear_cookies()
    context.clear_permissions()
    page.set_viewport_size(lent.settings["viewport"])
    page.emulate_media(
        color_scheme=lent.settings.get("color_scheme", "light"),
        reduced_motion=lent.settings.get("reduced_motion", "no-preference"),
        forced_colors=lent.settings.get("forced_colors", "none"),
    )
