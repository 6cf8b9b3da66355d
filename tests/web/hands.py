"""What people do on the page, for tests of several screens."""

from typing import Any

from tests.web.tables import BoxedTable


def seat(page: Any, names: tuple[str, ...]) -> None:
    """Fill in the set-up form by hand."""
    while page.locator(".person").count() < len(names):
        page.click("#add-person")
    while page.locator(".person").count() > len(names):
        page.locator(".drop").last.click()
    for number, name in enumerate(names):
        page.locator(".person .name").nth(number).fill(name)


def open_rules(page: Any) -> None:
    """Unfold every subject of the house rules."""
    page.click(".house > summary")
    page.wait_for_selector(".subject")
    for subject in page.locator(".subject > summary").all():
        subject.click()


def until(page: Any, true: str) -> None:
    """Wait for a JavaScript expression, as long as pages wait for an element.

    Playwright's own `wait_for_function` evaluates its string anew each time, which the page's policy forbids.
    """
    check = f"() => {true} ? yes() : Date.now() > end ? no('never came true') : setTimeout(ask, 20)"
    page.evaluate(
        f"() => new Promise((yes, no) => {{ const end = Date.now() + 20000; const ask = {check}; ask(); }})"
    )


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
