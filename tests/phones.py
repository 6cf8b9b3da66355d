"""Phones that tests borrow one after another.

A new context of the browser and its first page take 0.7 CPU seconds, most of them for processes of their own;
a page in a context that is there takes 0.3. So a phone that comes back forgets everything a page can leave
behind and is lent again to a test that wants the same kind. Until then it shows an empty page of its host:
`about:blank` would cost it two new processes.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_MS = 60_000
"""How long a test waits for what a page shall show: others may keep the machine busy."""

MAX_IDLE = 4
"""Each saves 0.4 CPU seconds when it is lent again, and holds a process of some 80 MB in every worker."""


MEDIA = {
    "media": "null",
    "color_scheme": "light",
    "reduced_motion": "no-preference",
    "forced_colors": "none",
}
CHANGEABLE = {"viewport", *MEDIA}
"""What a phone that is lent again may be given anew."""


class Empty(BaseHTTPRequestHandler):
    """Answers with an empty page, by the policy of the product's: only so Chromium keeps its process."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Lent:
    """A page, of which kind its phone is, and what listens to it for the test that borrowed it."""

    page: Any
    kind: str
    host: str
    listeners: list[tuple[str, Callable[[Any], None]]] = field(default_factory=list)

    def listen(self, event: str, heard: Callable[[Any], None]) -> None:
        self.page.on(event, heard)
        self.listeners.append((event, heard))


class Phones:
    """The phones of one browser: those that nobody has, oldest first."""

    def __init__(self, browser: Any, most_idle: int = MAX_IDLE) -> None:
        self._browser, self._most_idle = browser, most_idle
        self._idle: list[Lent] = []
        self._empty: dict[str, ThreadingHTTPServer] = {}

    def lend(self, address: str, settings: Mapping[str, Any], *, new: bool = False) -> Lent:
        """A phone as fresh from the shop; `new` for a test that changes what nothing can take back.

        Phones stay with one host: another one would cost them a process of its own.
        """
        host = urlsplit(address).hostname or ""
        made = {name: value for name, value in settings.items() if name not in CHANGEABLE}
        kind = "" if new else f"{host} {sorted(made.items())}"
        lent = next((one for one in reversed(self._idle) if kind and one.kind == kind), None)
        if lent is None:
            return Lent(self._browser.new_context(**settings).new_page(), kind, host)
        self._idle.remove(lent)
        lent.page.set_viewport_size(settings["viewport"])
        lent.page.emulate_media(**{name: settings.get(name, usual) for name, usual in MEDIA.items()})
        return lent

    def give_back(self, lent: Lent) -> None:
        if not lent.kind:
            lent.page.context.close()
            return
        forget(lent, self._empty_page(lent.host))
        self._idle.append(lent)
        if len(self._idle) > self._most_idle:
            self._idle.pop(0).page.context.close()

    def close(self) -> None:
        for lent in self._idle:
            lent.page.context.close()
        self._idle.clear()
        for server in self._empty.values():
            server.shutdown()
            server.server_close()

    def _empty_page(self, host: str) -> str:
        if host not in self._empty:
            self._empty[host] = ThreadingHTTPServer((host, 0), Empty)
            threading.Thread(target=self._empty[host].serve_forever, daemon=True).start()
        return f"http://{host}:{self._empty[host].server_port}/"


def _blocked(strange: list[str], said: Any) -> None:
    """Notes what the page's policy of contents has kept out."""
    if "Content Security" in said.text:
        strange.append(said.text)


@contextmanager
def borrowed(phones: Phones, phone: Mapping[str, Any]) -> Iterator[Callable[..., Any]]:
    """Opens pages on phones like this one; fails at the end if one reported an error or broke its policy."""
    lent: list[Lent] = []
    strange: list[str] = []

    def opened(address: str, path: str = "/", *, new: bool = False, **more: Any) -> Any:
        usual = {**phone, "locale": "en-GB", "reduced_motion": "reduce"}
        one = phones.lend(address, {**usual, **more}, new=new)
        lent.append(one)
        one.page.set_default_timeout(TIMEOUT_MS)
        one.listen("pageerror", lambda error: strange.append(str(error)))
        one.listen("console", partial(_blocked, strange))
        one.page.goto(address + path)
        return one.page

    yield opened
    for one in lent:
        phones.give_back(one)
    assert strange == []


def leave(page: Any, address: str) -> None:
    """Open another page, whatever this one opens by itself meanwhile: the later of two wins, and the other is
    reported as an error."""
    from playwright.sync_api import Error

    for last in (False, False, True):
        try:
            page.goto(address)
            return
        except Error as error:
            if last or not any(words in error.message for words in ("is interrupted by", "net::ERR_ABORTED")):
                raise


def forget(lent: Lent, empty_page: str) -> None:
    """Bring a phone back to where it was when it was new: pages, network, storage, history."""
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
    leave(page, empty_page)
    browser_itself = context.new_cdp_session(page)
    if origin.startswith("http"):
        browser_itself.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    browser_itself.send("Page.resetNavigationHistory")
    browser_itself.detach()
    context.clear_cookies()
    context.clear_permissions()
