"""The page kept as an app: it shows when the box is gone, awake, back at once, and true in every tab."""

import pytest

from companion.texts import translate
from tests.web.hands import WORKER, expect, follow, lead_on, until
from tests.web.serving import served
from tests.web.tables import DICE, bidding, deps_for, observation, start
from web.app import create_app

pytestmark = pytest.mark.browser

AWAKE = """
  window.locks = [];
  Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    const lock = { released: false, release: async () => { lock.released = true; } };
    window.locks.push(lock);
    return lock;
  } } });
"""
"""A browser that keeps the screen on and can be asked how often it was asked to."""

KEPT = """async () => {
  const stores = await Promise.all((await caches.keys()).map(name => caches.open(name)));
  const requests = await Promise.all(stores.map(store => store.keys()));
  return requests.flat().map(one => new URL(one.url).pathname);
}"""

HIDE = """yes => {
  Object.defineProperty(document, "hidden", { value: yes, configurable: true });
  if (yes) window.locks.forEach(lock => { lock.released = true; });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_box_gone_is_reported_and_its_return_too(phone_at, table, free_port):
    bidding(table)
    app = create_app(deps_for(table, poll_s=0.3))
    with served(app, port=free_port) as address:
        page = phone_at(address, new=True, locale="es-PE", color_scheme="light")
        until(page, WORKER)
    page.wait_for_selector("#badge:visible")
    page.reload()
    expect(page, "h1").to_have_text(translate("es", "web.app.unreachable.title"))
    expect(page, "body", "its style was kept as well").to_have_css("margin", "0px")
    with served(app, port=free_port):
        page.wait_for_selector("#pad")  # without a tap


def test_nothing_of_the_table_is_kept_by_the_worker(phone, table):
    bidding(table)
    page = phone()
    until(page, WORKER)
    page.reload()
    kept = page.evaluate(KEPT)
    scripts = ["/static/ask.js", "/static/icon.svg", "/static/unreachable.js"]
    assert sorted(kept) == ["/static/app.css", *scripts, "/unreachable"]


def test_a_page_comes_in_its_language_however_often_that_is_changed(phone, table):
    """A worker for each language replaced the last one, and every tenth page or so never came."""
    bidding(table)
    page = phone()
    until(page, WORKER)
    for lang in ("de", "es", "fr", "pt", "en") * 4:
        page.click("#menu summary")
        lead_on(page, f"button[name=lang][value={lang}]")
        expect(page, "html").to_have_attribute("lang", lang)


def test_the_screen_is_kept_on_and_asked_for_again_on_waking(phone, table):
    bidding(table)
    page = phone("/join", new=True)
    page.context.add_init_script(AWAKE)
    page.goto(page.url.replace("/join", "/"))
    until(page, "window.locks.length === 1")
    page.evaluate(HIDE, True)
    page.evaluate(HIDE, False)
    until(page, "window.locks.length === 2")
    page.goto(page.url + "me")
    page.wait_for_selector('#awake[aria-pressed="true"]')
    page.click("#awake")
    page.wait_for_selector('#awake[aria-pressed="false"]')
    page.click("text=Back to the table")
    page.wait_for_selector("#pad")
    assert page.evaluate("window.locks.length") == 0, "who wants the screen to go dark is not asked again"


def test_where_the_screen_cannot_be_kept_on_the_page_says_so(phone, table):
    page = phone("/join", new=True)
    page.context.add_init_script("delete Navigator.prototype.wakeLock")
    page.goto(page.url.replace("/join", "/me"))
    page.wait_for_selector("#awake:disabled")
    expect(page, "#awake-no").to_contain_text("https")


def test_a_phone_that_wakes_does_not_wait_for_the_question_it_fell_asleep_over(phone, table):
    """The long poll under way would end after 25 s only."""
    bidding(table)
    page = phone()
    page.evaluate("() => { window.locks = []; }")
    page.route("**/fragment/**", lambda route: route.continue_() if "quick" in route.request.url else None)
    table.say("dudo", by="Bea")
    table.do(observation(DICE))
    page.evaluate(HIDE, True)
    page.evaluate(HIDE, False)
    page.wait_for_selector(".verdict.fails")


def test_two_tabs_of_one_phone_tell_the_same(phone, table):
    bidding(table)
    first = phone()
    second = first.context.new_page()
    second.goto(first.url)
    first.click('[data-quantity="6"]')
    first.click('[data-face="3"]')
    second.wait_for_selector('.bid.huge[aria-label="6 threes"]')
    second.click(".big.dudo")
    first.wait_for_selector(".on-reveal")


CHOSEN = '.challenge [name=face][value="3"]:checked'


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        pytest.param([("refresh", {})], CHOSEN, id="what is half chosen stays"),
        pytest.param(
            [("rename", {"player": "Carlos", "to": "Karl"})], ".challenge [value=Karl]", id="another name"
        ),
        pytest.param(
            [("undo", {}), ("press", {"button": "calza"})],
            ".challenge [value=calza]:checked",
            id="another press",
        ),
    ],
)
def test_a_challenge_is_asked_about_as_it_stands(phone, table, changes, shown):
    """Regression: the old names, and the old call, stayed until the page was loaded anew."""
    start(table)
    table.say("press", button="dudo")
    page = phone()
    page.locator(".challenge .opt", has=page.locator('[name=face][value="3"]')).click()
    page.context.set_offline(True)  # it sleeps meanwhile
    for kind, more in changes:
        table.refresh() if kind == "refresh" else table.say(kind, **more)
    page.context.set_offline(False)
    follow(page, table)
    expect(page, shown).to_have_count(1 if "checked" in shown else 2)
