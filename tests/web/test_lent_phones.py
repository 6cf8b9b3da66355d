"""A phone that one test gives back is new to the next: nothing is stored, offline or of another size."""

import pytest

from tests.phones import Phones
from tests.web.hands import WORKER, until
from tests.web.tables import bidding

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEFT = """async () => ({
  cookie: document.cookie, stored: localStorage.length, session: sessionStorage.length, past: history.length,
  workers: (await navigator.serviceWorker.getRegistrations()).length, caches: (await caches.keys()).length,
  size: [innerWidth, innerHeight], dark: matchMedia("(prefers-color-scheme: dark)").matches,
  online: navigator.onLine,
})"""
STORE = """() => { document.cookie = "kind=player"; localStorage.kept = "yes"; sessionStorage.kept = "yes";
  history.pushState({}, "", "#new"); }"""


def test_a_phone_forgets_what_a_test_did_to_it(playwright, browser, table, address):
    bidding(table)
    phones = Phones(browser, most_idle=4)
    settings = {**playwright.devices["Pixel 7"], "locale": "en-GB", "reduced_motion": "reduce"}
    lent = phones.lend(address, settings)
    lent.page.goto(address)
    until(lent.page, WORKER)
    lent.page.evaluate(STORE)
    lent.page.route("**/fragment/**", lambda route: route.abort())
    lent.page.set_viewport_size({"width": 320, "height": 480})
    lent.page.emulate_media(color_scheme="dark")
    second = lent.page.context.new_page()
    lent.page.context.set_offline(True)
    phones.give_back(lent)
    assert second.is_closed()

    again, fresh = phones.lend(address, settings), phones.lend(address, settings)
    assert again is lent
    assert fresh is not lent
    left = []
    for page in (again.page, fresh.page):
        page.goto(f"{address}/api/v1/health")  # without the scripts of a page, which would store anew
        left.append(page.evaluate(LEFT))
    phones.close()
    assert left[0] == left[1]
    assert (left[0]["cookie"], left[0]["stored"], left[0]["workers"]) == ("", 0, 0)


def test_only_a_phone_of_the_same_kind_is_lent_again(playwright, browser, address):
    phones = Phones(browser, most_idle=4)
    settings = {**playwright.devices["Pixel 7"], "locale": "en-GB"}
    first = phones.lend(address, settings)
    phones.give_back(first)
    others = [
        phones.lend(address, {**settings, "locale": "de-DE"}),
        phones.lend(address.replace("127.0.0.1", "127.0.0.2"), settings),
        phones.lend(address, settings, new=True),
    ]
    assert first not in others
    assert phones.lend(address, settings) is first
    phones.close()
    for lent in (first, *others):
        lent.page.context.close()
