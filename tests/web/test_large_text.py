"""Text at twice its size on a narrow phone: nothing runs out of the screen or is squeezed to letters."""

import pytest

from companion.texts import languages
from tests.web.hands import FITS, NARROW, faults, follow, speak, until
from tests.web.tables import WAYS

pytestmark = pytest.mark.browser

FAULTS = """() => {
  document.documentElement.style.fontSize = "225%";
  const wide = document.documentElement.clientWidth;
  const told = (one, what) => `${what}: ${one.outerHTML.slice(0, 120)}`;
  const seen = [...document.body.querySelectorAll("*")].filter(one =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest("svg, .sr, .skip, .quantities, table"));
  const beyond = ({ left, right }) => right > wide + 1 || left < -1;
  const out = seen.filter(one => beyond(one.getBoundingClientRect()));
  const leaves = seen.filter(one => !one.children.length && one.textContent.trim().length > 6);
  const squeezed = leaves.filter(one => {
    const box = one.getBoundingClientRect(), letter = parseFloat(getComputedStyle(one).fontSize);
    return box.width < 2.5 * letter && box.height > 4 * letter;
  });
  if (document.documentElement.scrollWidth > wide) out.push(document.body);
  return [...out.map(one => told(one, "out")), ...squeezed.map(one => told(one, "squeezed"))];
}"""


def test_every_screen_bears_large_text(phone, table):
    page, wrong = phone(**NARROW, locale="es-ES"), {}
    for way, bring in WAYS.items():
        table.renew()
        bring(table)
        follow(page, table)
        wrong[way] = faults(page, FAULTS)
    assert {way: found for way, found in wrong.items() if found} == {}


def test_a_lost_connection_bears_large_text(phone, table):
    """On a busy machine it is lost for a moment on any screen, and then the top of the page is fuller."""
    WAYS["round"](table)
    page, wrong = phone(**NARROW, service_workers="block"), {}
    page.route("**/fragment/**", lambda route: route.abort())
    for language in languages():
        speak(page, language)
        page.wait_for_selector("#badge:visible")
        wrong[language] = faults(page, FAULTS)
    assert {language: found for language, found in wrong.items() if found} == {}


def test_every_page_bears_large_text(phone, table, address):
    WAYS["verdict"](table)
    page, wrong = phone(**NARROW, locale="es-ES"), {}
    for path in ("/history", "/rules", "/join", "/me", "/setup"):
        page.goto(address + path)
        wrong[path] = faults(page, FAULTS)
    assert {path: found for path, found in wrong.items() if found} == {}


PANELS = (
    ("round", "[data-sheet=coach]"),
    ("opening", "[data-sheet=challenge]"),
    ("reveal", ".chip"),
    ("reveal", "[data-sheet=call]"),
    ("reveal", "[data-sheet=count]"),
    ("reveal", "[data-sheet=add]"),
    ("round", "#menu summary"),
)


def test_every_panel_bears_large_text(phone, table):
    page, wrong = phone(**NARROW, locale="es-ES"), {}
    page.context.add_cookies([{"name": "coach", "value": "on", "url": page.url}])
    for way, button in PANELS:
        table.renew()
        WAYS[way](table)
        page.goto(page.url)
        page.locator(button).first.click()
        page.wait_for_selector("#sheet[open], #menu[open]")
        wrong[way, button] = faults(page, FAULTS)
    assert {panel: found for panel, found in wrong.items() if found} == {}


def test_the_longest_names_stay_inside(phone, table):
    WAYS["crowd"](table)
    page = phone(**NARROW)
    for path in ("/", "/statistics", "/history", "/me", "/setup"):
        page.goto(page.evaluate("location.origin") + path)
        until(page, FITS, path)
