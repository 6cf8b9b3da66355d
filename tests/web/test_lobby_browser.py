"""An evening from the code: the host types nothing, guests scan, sit down and play, one late, one leaving."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.phones import Lent
from tests.web.hands import until
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app
from web.server import open_server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def at_table(table, playwright, phones):
    """Opens a page on one more phone of the network; no phone runs on the box itself."""
    app = create_app(deps_for(table, poll_s=0.5, local_leads=False))
    server = open_server(app, "127.0.0.1", 0, threads=32)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    lent: list[Lent] = []
    errors: list[str] = []

    def opened(path: str = "/") -> Any:
        options = {**playwright.devices["Pixel 7"], "locale": "en-GB", "reduced_motion": "reduce"}
        address = f"http://127.0.0.1:{server.port}"
        lent.append(phones.lend(address, options))
        lent[-1].page.set_default_timeout(8000)
        lent[-1].listen("pageerror", lambda error: errors.append(str(error)))
        lent[-1].page.goto(address + path)
        return lent[-1].page

    yield opened
    for one in lent:
        phones.give_back(one)
    server.close()
    thread.join(timeout=5)
    assert errors == []


def code(host: Any) -> str:
    """The code of the moment, as the page of the host's phone says it."""
    return str(host.evaluate("fetch('/join').then((a) => a.text()).then((t) => t.match(/<b>(\\w{6})</)[1])"))


def host_of(table: BoxedTable, at_table: Callable[[str], Any]) -> Any:
    """A phone that leads, let in by the gesture at the box."""
    host = at_table("/setup")
    for wish in ("lead", "join"):
        asked = {
            "method": "POST",
            "body": f'{{"{wish}": true}}',
            "headers": {"Content-Type": "application/json"},
        }
        host.evaluate("(asked) => fetch('/api/v1/phone', asked)", asked)
    table.hold_two()
    host.goto(host.url)
    return host


def sit_down(guest: Any, name: str = "") -> None:
    if name:
        guest.fill("#come [name=name]", name)
    guest.click("#come .big")


def test_an_evening_begins_with_the_host_typing_nothing(table, at_table):
    host = host_of(table, at_table)
    host.wait_for_selector("#lobby-code img")
    guests = [at_table(f"/j/{code(host)}") for _ in range(3)]
    for guest, name in zip(guests, ("Bea", "", "Carlos"), strict=True):
        sit_down(guest, name)
        guest.wait_for_selector("#lobby [role=status]")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 3")
    assert host.locator(".person").count() == 3
    host.click(".big.go[form=setup]")
    for guest, name in zip(guests, ("Bea", "Player 2", "Carlos"), strict=True):
        guest.wait_for_selector(".players")
        until(guest, f"document.querySelector('.player .name').textContent === '{name}'")
    assert guests[0].locator("#pad").count() == 1
    assert guests[1].locator("#pad").count() == 0


def test_who_scans_during_a_game_joins_with_the_next_round(table, at_table):
    host = host_of(table, at_table)
    guest = at_table(f"/j/{code(host)}")
    sit_down(guest, "Bea")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 1")
    host.fill(".person .name >> nth=1", "Ana")
    host.click(".big.go[form=setup]")
    host.wait_for_selector(".players")
    late = at_table(f"/j/{code(host)}")
    late.fill("#come [name=name]", "Zoe")
    late.select_option("#come [name=after]", "Bea")
    late.click("#come .big")
    late.wait_for_selector("#waiting-players:has-text('Zoe')")
    until(guest, "document.getElementById('toast').textContent.includes('Zoe')")
    table.say("bid", by="Bea", quantity=5, face=3)
    table.say("dudo", by="Ana")
    table.say("type_count", count=2)
    table.say("next_round")
    late.wait_for_selector(".player .name:has-text('Zoe')")
    assert [name.inner_text() for name in late.locator(".player .name").all()] == ["Zoe", "Ana", "Bea"]
    guest.click('[data-sheet="people"]')
    guest.click(".people-list li .plain >> nth=-1")
    host.wait_for_selector(".player.out:has-text('Bea')")
    until(late, "document.getElementById('toast').textContent.includes('Bea')")


def test_a_bot_shows_in_the_lobby_joins_late_and_is_sent_home(table, at_table):
    host = host_of(table, at_table)
    guest = at_table(f"/j/{code(host)}")
    host.click("#add-bot")
    guest.wait_for_selector("#lobby li:has-text('Pip') .tag")
    host.click(".person:has(.level:not([hidden])) .drop")
    until(guest, "document.querySelectorAll('#lobby li').length === 0")
    sit_down(guest, "Bea")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 1")
    host.fill(".person .name >> nth=1", "Ana")
    host.click(".big.go[form=setup]")
    host.click('[data-sheet="people"]')
    host.click(".late summary")
    host.fill("#come-by-hand [name=player]", "Chip")
    host.select_option("#come-by-hand [name=bot]", "strong")
    assert host.locator("#come-by-hand .check").is_hidden(), "the box rolls for it"
    host.click("#come-by-hand .big")
    guest.wait_for_selector("#waiting-players:has-text('Chip')")
    assert table.snapshot().data["game"]["waiting"][0]["bot"] == "strong"
    host.click('[data-sheet="people"]')
    host.click(".people-list summary:has-text('Chip')")
    host.click(".people-list li:has-text('Chip') > details > .plain")
    guest.wait_for_selector("#waiting-players", state="detached")


def test_a_guest_whom_the_host_removes_stays_out_of_the_list(table, at_table):
    host = host_of(table, at_table)
    guests = [at_table(f"/j/{code(host)}") for _ in range(2)]
    for guest, name in zip(guests, ("Bea", "Carlos"), strict=True):
        sit_down(guest, name)
    until(host, "document.querySelectorAll('.person[data-guest]').length === 2")
    host.click(".person[data-guest=Bea] .drop")
    table.refresh()
    until(host, "document.querySelectorAll('.person[data-guest]').length === 1")
    guests[1].click("[data-phone]")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 0")


def test_a_phone_that_came_by_a_code_before_anybody_hosts_sees_the_lobby_alone(table, at_table):
    host = host_of(table, at_table)
    guest = at_table(f"/j/{code(host)}")
    host.evaluate(LEADS_NO_MORE)
    guest.reload()
    guest.wait_for_selector("#come")
    assert guest.locator("#setup, .big.go[form=setup]").count() == 0
    sit_down(guest, "Bea")
    guest.wait_for_selector("#lobby [role=status]")
    assert guest.locator("#setup, .big.go[form=setup]").count() == 0
    guest.click("#new-game")
    guest.wait_for_selector("#setup .person[data-guest=Bea]")
    assert guest.locator(".big.go[form=setup]").count() == 1


LEADS_NO_MORE = """fetch('/api/v1/phone', {
    method: 'POST', body: '{"lead": false}', headers: {'Content-Type': 'application/json'}
}).then(() => null)"""


def test_an_emoji_is_chosen_worn_everywhere_and_changed(table, at_table):
    host = host_of(table, at_table)
    page = at_table(f"/j/{code(host)}")
    page.fill(".come [name=name]", "Bea")
    page.select_option(".come [data-sign]", "⚡")
    assert page.input_value(".come [name=name]") == "⚡ Bea"
    page.select_option(".come [data-sign]", "😎")
    page.click(".come .big")
    page.wait_for_selector(".come", state="detached")
    assert page.inner_text("#lobby bdi") == "😎\u00a0Bea"
    host.wait_for_selector(".person[data-guest]")
    host.locator(".person .name").nth(1).fill("Ann")
    host.click(".big.go")
    page.wait_for_selector(".on-round")
    page.click("[data-sheet=people]")
    page.select_option("#sheet [data-sign]", "")
    page.click("#sheet form button")
    until(page, "document.querySelector('.players .name').textContent === 'Bea'")  # the own name stands first
