"""Roles on real phones: one leads, others come in by its code, watch, take over at the box, come back."""

from typing import Any

import pytest

from tests.web.axe import complaints
from tests.web.hands import expect, post, way_in
from tests.web.serving import served
from tests.web.tables import deps_for
from web.app import create_app

pytestmark = pytest.mark.browser


PEOPLE = [{"name": "Ana", "colour": "red", "phone_cup": True}, {"name": "Bea", "colour": "blue"}]
GAME = {"type": "new_game", "players": PEOPLE, "preset": "modern", "starter": "Ana"}


@pytest.fixture
def address(table):
    """The page as phones in the network reach it: by an address that is not the box's own name for itself."""
    with served(create_app(deps_for(table, poll_s=0.5)), "127.0.0.2") as address:
        yield address


def tell(page: Any, command: dict[str, Any]) -> int:
    """The status of a command sent by that phone."""
    return post(page, "/api/v1/commands", {"command": command})


@pytest.fixture
def lead(table):
    """Begins a game on a phone, which then leads and is let in by the box."""

    def begin(page: Any) -> None:
        assert tell(page, GAME) == 200
        post(page, "/api/v1/phone", {"join": True})
        table.hold_two()
        page.wait_for_selector("#pad")

    return begin


def test_a_watcher_takes_over_with_two_buttons_of_the_box(phone, lead, table):
    host, watcher = phone(), phone()
    lead(host)
    watcher.wait_for_selector(".waiting")
    watcher.click("text=Join with this phone")
    watcher.click("[data-phone='{\"lead\": true}']")
    watcher.wait_for_selector("#toast:visible")
    host.wait_for_selector("#claim >> text=asks to be the host")
    table.press("dudo", False)
    expect(watcher, "[data-phone='{\"lead\": false}']").to_have_count(0)
    table.hold_two()
    watcher.wait_for_selector("[data-phone='{\"lead\": false}']")  # without another tap
    host.wait_for_selector(".waiting")
    assert tell(host, {"type": "abandon"}) == 403


def test_a_code_is_typed_and_an_old_one_is_reported(phone, lead, address):
    host, guest = phone(), phone("/me")
    lead(host)
    code = way_in(host).removeprefix("/j/")
    guest.reload()
    guest.fill("#code", "AAAAAA")
    guest.press("#code", "Enter")
    guest.wait_for_selector("#toast:visible")
    expect(guest, "#toast").to_contain_text("not valid")
    guest.fill("#code", f"{code[:3]} {code[3:]}".lower())
    guest.press("#code", "Enter")
    guest.wait_for_selector(".seat")
    late = phone("/j/AAAAAA")
    late.wait_for_selector("text=This code has expired")


def test_every_phone_sees_at_once_who_sits_where_and_when_all_join_anew(phone, lead, address):
    """Nothing happens at the table meanwhile: only roles and seats change."""
    host, player, guest = phone(), phone(), phone("/me")
    lead(host)
    way = way_in(host)
    for page in (player, guest):
        page.goto(address + way)
        page.wait_for_selector(".seat")
    host.goto(f"{address}/me")
    player.locator(".seat", has_text="Bea").click()
    player.wait_for_selector(".on-round")
    guest.wait_for_selector(".seat:disabled >> text=Bea")
    host.click("text=Free Bea’s seat")
    guest.wait_for_selector(".seat:enabled >> text=Bea")
    player.wait_for_selector(".waiting >> text=Take a seat")
    host.click("[data-sheet=anew]")
    host.click("text=Leave it as it is")
    expect(guest, ".seat").to_have_count(2)
    host.click("[data-sheet=anew]")
    host.click("#sheet .big")
    host.wait_for_url("**/join")
    player.wait_for_selector(".waiting >> text=signed out")
    guest.wait_for_selector("#enter")
    expect(guest, ".seat").to_have_count(0)
    guest.goto(address + way)
    expect(guest, "h1").to_have_text("This code has expired")


def test_the_pages_of_a_watcher_are_read_well_by_machines(phone, lead, address):
    host, watcher = phone(), phone("/me", color_scheme="light")
    lead(host)
    found = {}
    for path in ("/me", "/join", "/j/AAAAAA", "/"):
        watcher.goto(address + path)
        found[path] = complaints(watcher)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
