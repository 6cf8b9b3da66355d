"""What people do on the page, for tests of several screens."""

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from tests.phones import TIMEOUT_MS
from tests.web.tables import BoxedTable


def seat(page: Any, names: tuple[str, ...]) -> None:
    """Fill in the set-up form by hand."""
    while page.locator(".person").count() < len(names):
        page.click("#add-person")
    while page.locator(".person").count() > len(names):
        page.locator(".drop").last.click()
    for number, name in enumerate(names):
        page.locator(".person .name").nth(number).fill(name)


def way_in(page: Any) -> str:
    """The path of the code by which other phones come in, as this one may show it."""
    shown = page.request.get(urljoin(page.url, "/join")).text()
    found = re.search(r"<b>(\w{6})<", shown)
    assert found, shown
    return f"/j/{found[1]}"


def post(page: Any, path: str, body: dict[str, Any]) -> int:
    """The status of what a phone sends without a tap, whatever its page does meanwhile."""
    return int(page.request.post(urljoin(page.url, path), data=body).status)


def lead_on(page: Any, at: str) -> None:
    """Tap what opens another page, and wait for that: what is done to a page that goes is lost."""
    with page.expect_navigation():
        page.click(at)


def sit(page: Any, seat: str) -> None:
    """Take a seat without a tap, and show the page anew."""
    assert post(page, "/api/v1/phone", {"seat": seat}) == 200
    page.reload()


def bid(page: Any, quantity: int | str, face: int | str) -> None:
    """Two taps on the pad."""
    page.click(f'[data-quantity="{quantity}"]')
    page.click(f'[data-face="{face}"]:enabled')


def open_rules(page: Any) -> None:
    """Unfold every subject of the house rules."""
    page.click(".house > summary")
    page.wait_for_selector(".subject")
    for subject in page.locator(".subject > summary").all():
        subject.click()


def expect(page: Any, at: str = "", why: str | None = None) -> Any:
    """Playwright's assertions of a page's part: they look again until they are true, as long as pages wait.

    An `assert` of what a page shows looks once, while an answer or a long poll may be changing it.
    """
    from playwright.sync_api import expect as looking

    looking.set_options(timeout=TIMEOUT_MS)
    return looking(page.locator(at) if at else page, why)


NARROW = {"viewport": {"width": 360, "height": 640}, "is_mobile": False}
"""Not `is_mobile`: that would zoom out instead of letting anything overflow."""


FITS = "document.documentElement.scrollWidth <= innerWidth + 1"
"""Nothing of a page stands over its edge."""


WORKER = "caches.match('/unreachable').then(kept => kept && navigator.serviceWorker.controller !== null)"
"""Whether the page's worker is at work and has the page that it shows without the box."""


def until(page: Any, true: str, why: str = "") -> None:
    """Wait for a JavaScript expression, as long as pages wait for an element.

    What it reads may not be there yet: then it is not true yet.

    Playwright's own `wait_for_function` evaluates its string anew each time, which the page's policy forbids.
    """
    tried = f"try {{ return (await ({true})) ? [] : ['never'] }} catch (error) {{ return [String(error)] }}"
    never = faults(page, f"async () => {{ {tried} }}", timeout_ms=TIMEOUT_MS)
    assert never == [], f"{why or true}: {never}"


def hand_on(page: Any, came: Callable[[], bool]) -> None:
    """Wait until a request that the test takes has come, as long as pages wait for an element.

    Each turn to the browser and back hands on what it has asked meanwhile; how many there are in a second
    depends on the machine.
    """
    end_s = time.monotonic() + TIMEOUT_MS / 1000
    while not came() and time.monotonic() < end_s:
        page.evaluate("1")
    assert came()


def faults(page: Any, find: str, of: Any = None, *, timeout_ms: int = 5_000) -> list[str]:
    """What a JavaScript function finds wrong in a page that may take its time to come to rest."""
    from playwright.sync_api import Error

    for _ in range(LOADS):
        try:
            return list(page.evaluate(LOOKING % (find, timeout_ms), of))
        except Error as error:
            if "context was destroyed" not in error.message:
                raise
    return ["the page is loaded again and again"]


LOADS = 5
"""So often a page may be loaded anew while it is looked at."""


LOOKING = """async of => {
  const find = %s, end = Date.now() + %d;
  for (;;) {
    const found = await find(of);
    if (!found.length || Date.now() > end) return found;
    await new Promise(next => setTimeout(next, 20));
  }
}"""


def shown_width(page: Any, picture: str) -> float:
    """The width of a picture in its own pixels, once it has come and can be drawn."""
    shown = page.locator(picture).first
    shown.scroll_into_view_if_needed()
    until(page, f"document.querySelector('{picture}')?.naturalWidth > 0")
    return float(shown.evaluate("one => one.decode().then(() => one.naturalWidth)"))


def resize(page: Any, width: int, height: int) -> None:
    """Give the page another screen, in CSS pixels: a tenth of the work of loading it anew."""
    page.set_viewport_size({"width": width, "height": height})
    until(page, f"innerWidth === {width} && innerHeight === {height}")


def follow(page: Any, table: BoxedTable) -> None:
    """Wait until the page shows the table as it is now: a third of the work of loading it anew."""
    page.wait_for_selector(f'#live[data-version="{table.snapshot().version}"]')


def speak(page: Any, language: str) -> None:
    """Choose the language of a page without a service worker: one for each language holds reloads up."""
    page.context.add_cookies([{"name": "lang", "value": language, "url": page.url}])
    page.reload()
