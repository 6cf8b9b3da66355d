"""An evening from the code: the host types nothing, guests scan, sit down and play, one late, one leaving."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import expect, lead_on, post, until, way_in
from tests.web.serving import served
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def address(table):
    """That of phones of the network; none runs on the box itself."""
    with served(create_app(deps_for(table, poll_s=0.5, local_leads=False))) as address:
        yield address


def host_of(table: BoxedTable, phone: Callable[[str], Any]) -> Any:
    """A phone that leads, let in by the gesture at the box."""
    host = phone("/setup")
    for wish in ("lead", "join"):
        post(host, "/api/v1/phone", {wish: True})
    table.hold_two()
    return host


def sit_down(guest: Any, name: str = "") -> None:
    if name:
        guest.fill("#come [name=name]", name)
    lead_on(guest, "#come .big")


def test_an_evening_begins_with_the_host_typing_nothing_and_takes_in_who_scans_late(table, phone):
    host = host_of(table, phone)
    host.wait_for_selector("#lobby-code img")
    guests = [phone(way_in(host)) for _ in range(3)]
    guests[2].check("#come [name=phone_cup]")
    for guest, name in zip(guests, ("Bea", "", "Carlos"), strict=True):
        sit_down(guest, name)
        guest.wait_for_selector("#lobby [role=status]")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 3")
    expect(host, ".person").to_have_count(3)
    host.click(".big.go[form=setup]")
    for guest, name in zip(guests, ("Bea", "Player 2", "Carlos"), strict=True):
        guest.wait_for_selector(".players")
        until(guest, f"document.querySelector('.player .name').textContent === '{name}'")
    expect(guests[0], "#pad").to_have_count(1)
    expect(guests[1], "#pad").to_have_count(0)
    expect(guests[2], ".peek", "dice of its own in the phone").to_be_visible()
    late = phone(way_in(host))
    late.fill("#come [name=name]", "Zoe")
    late.select_option("#come [name=after]", "Bea")
    late.check("#come [name=phone_cup]")
    late.click("#come .big")
    late.wait_for_selector("#waiting-players:has-text('Zoe')")
    until(guests[0], "document.getElementById('toast').textContent.includes('Zoe')")
    table.say("bid", by="Bea", quantity=5, face=3)
    table.say("dudo", by="Player 2")
    table.say("type_count", count=sum(face in (1, 3) for face in table.hand("Carlos")))
    table.say("next_round")
    late.wait_for_selector(".player .name:has-text('Zoe')")
    expect(late, ".player .name").to_have_text(["Zoe", "Player 2", "Carlos", "Bea"])
    expect(late, ".peek").to_be_visible()
    guests[0].click('[data-sheet="people"]')
    guests[0].click(".people-list li .plain >> nth=-1")
    host.wait_for_selector(".player.out:has-text('Bea')")
    until(late, "document.getElementById('toast').textContent.includes('Bea')")


def test_the_next_game_has_who_is_at_the_table_now(table, phone):
    host = host_of(table, phone)
    guests = [phone(way_in(host)) for _ in range(2)]
    for guest, name in zip(guests, ("Bea", "Carlos"), strict=True):
        sit_down(guest, name)
    until(host, "document.querySelectorAll('.person[data-guest]').length === 2")
    host.click("#add-person")
    host.fill(".person .name >> nth=2", "Ana")
    host.click(".big.go[form=setup]")
    guests[0].wait_for_selector(".players")
    for name, to in (("Bea", "Bee"), ("Ana", "Anne")):
        post(host, "/api/v1/commands", {"command": {"type": "rename", "player": name, "to": to}})
    for kind in ("abandon", "put_away"):
        post(host, "/api/v1/commands", {"command": {"type": kind}})
    guests[0].wait_for_selector("#lobby [role=status]:has-text('Bee')")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 2")
    names = "[...document.querySelectorAll('.person .name')].map(one => one.value).join()"
    until(host, f"{names} === 'Bee,Carlos,Anne'", "who has no phone is remembered, who has one is here")


def test_who_had_sat_down_sits_down_again_at_a_box_that_started_anew(table, phone):
    host = host_of(table, phone)
    guest = phone(way_in(host))
    sit_down(guest, "Bea")
    guest.route("**/fragment/**", lambda route: route.abort())
    table.refresh()
    expect(guest, "#badge").to_be_visible()  # from here on it hears nothing
    post(guest, "/api/v1/phone", {"come": None})  # the box has forgotten who sat there
    guest.evaluate("document.getElementById('frame').dataset.start = 'the one before'")
    with guest.expect_navigation():
        guest.unroute("**/fragment/**")
    guest.wait_for_selector("#lobby [role=status]:has-text('Bea')")
    host.wait_for_selector(".person[data-guest=Bea]")


def test_a_bot_shows_in_the_lobby_joins_late_and_is_sent_home(table, phone):
    host = host_of(table, phone)
    guest = phone(way_in(host))
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
    expect(host, "#come-by-hand .check", "the box rolls for it").to_be_hidden()
    host.click("#come-by-hand .big")
    guest.wait_for_selector("#waiting-players:has-text('Chip')")
    assert table.snapshot().data["game"]["waiting"][0]["bot"] == "strong"
    host.click('[data-sheet="people"]')
    host.click(".people-list summary:has-text('Chip')")
    host.click(".people-list li:has-text('Chip') > details > .plain")
    guest.wait_for_selector("#waiting-players", state="detached")


def test_a_guest_whom_the_host_removes_stays_out_of_the_list(table, phone):
    host = host_of(table, phone)
    guests = [phone(way_in(host)) for _ in range(2)]
    for guest, name in zip(guests, ("Bea", "Carlos"), strict=True):
        sit_down(guest, name)
    until(host, "document.querySelectorAll('.person[data-guest]').length === 2")
    host.click(".person[data-guest=Bea] .drop")
    table.refresh()
    until(host, "document.querySelectorAll('.person[data-guest]').length === 1")
    guests[1].click("[data-phone]")
    until(host, "document.querySelectorAll('.person[data-guest]').length === 0")


def test_a_phone_that_came_by_a_code_before_anybody_hosts_sees_the_lobby_alone(table, phone):
    host = host_of(table, phone)
    guest = phone(way_in(host))
    post(host, "/api/v1/phone", {"lead": False})
    guest.reload()
    guest.wait_for_selector("#come")
    expect(guest, "#setup, .big.go[form=setup]").to_have_count(0)
    sit_down(guest, "Bea")
    guest.wait_for_selector("#lobby [role=status]")
    expect(guest, "#setup, .big.go[form=setup]").to_have_count(0)
    guest.click("#new-game")
    guest.wait_for_selector("#setup .person[data-guest=Bea]")
    expect(guest, ".big.go[form=setup]").to_have_count(1)


def test_an_emoji_is_chosen_worn_everywhere_and_changed(table, phone):
    host = host_of(table, phone)
    page = phone(way_in(host))
    page.fill(".come [name=name]", "Bea")
    page.select_option(".come [data-sign]", "⚡")
    expect(page, ".come [name=name]").to_have_value("⚡ Bea")
    page.select_option(".come [data-sign]", "😎")
    lead_on(page, ".come .big")
    page.wait_for_selector(".come", state="detached")
    expect(page, "#lobby bdi").to_have_text("😎\u00a0Bea")
    host.wait_for_selector(".person[data-guest]")
    host.locator(".person .name").nth(1).fill("Ann")
    host.click(".big.go")
    page.wait_for_selector(".on-round")
    page.click("[data-sheet=people]")
    page.select_option("#sheet [data-sign]", "")
    page.click("#sheet form button")
    until(page, "document.querySelector('.players .name').textContent === 'Bea'")  # the own name stands first
