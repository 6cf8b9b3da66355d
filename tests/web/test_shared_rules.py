"""The rules of a table as a link and a code for another table, and on paper."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.web.hands import expect
from tests.web.tables import deps_for, start
from web.app import create_app
from web.pages import join, rules_form

HOUSE = {"penalty": "difference", "turn_seconds": 30}


def test_a_link_names_the_table_and_its_differences(client, table):
    start(table, preset="classic", house=HOUSE)
    link = rules_form.shared("classic", table.snapshot().data["game"]["house"])
    assert json.loads(parse_qs(urlsplit(link).query)["rules"][0]) == {"preset": "classic", "house": HOUSE}
    page = client.get("/rules").text
    assert link in page.replace("&amp;", "&")
    assert client.get("/rules/code.svg").mimetype == "image/svg+xml"


def test_a_link_carries_what_changes_nothing_yet():
    """A die more at the other table, and its palifico would be on."""
    one_die = {"starting_dice": 1, "palifico": "off"}
    link = rules_form.shared("modern", {**rules_form.values_of("modern"), **one_die})
    assert json.loads(parse_qs(urlsplit(link).query)["rules"][0])["house"] == one_die


def test_without_a_network_there_is_no_code(table):
    client = create_app(deps_for(table, addresses=tuple)).test_client()
    assert "/rules/code.svg" not in client.get("/rules").text
    assert client.get("/rules/code.svg").status_code == 404
    assert 'class="paper"' not in client.get("/rules").text


def test_the_code_on_paper_leads_to_the_page_alone(client):
    """The code of the moment would be over before the sheet is on the table."""
    link = "/join/code.svg?link=http%3A//192.168.1.20%3A8000/"
    assert f'src="{link}&amp;paper=1"' in client.get("/rules").text
    assert client.get(f"{link}&paper=1").data == join._svg(join._code_of("http://192.168.1.20:8000/")).data
    assert client.get(link).data != client.get(f"{link}&paper=1").data


@pytest.mark.parametrize(("wifi", "shown"), [("", False), ("Casa", True)])
def test_paper_brings_phones_into_the_wifi_that_is_known(table, wifi, shown):
    client = create_app(deps_for(table, wifi=wifi, wifi_password="eight or more")).test_client()
    page = client.get("/rules").text
    assert ("/join/wifi.svg" in page) == shown
    assert "eight or more" not in page


@pytest.mark.browser
def test_a_host_takes_rules_over_and_sees_the_differences(phone, table):
    link = rules_form.shared("classic", {**rules_form.values_of("classic"), **HOUSE})
    page = phone(f"/{link}")
    page.wait_for_selector("#differences:not([hidden])")
    expect(page, "#differences").to_contain_text("Like Classic, but")
    expect(page, "#differences li").to_have_count(len(HOUSE))
    page.goto(page.url.split("?")[0])
    page.check("[name=preset][value=perudo]", force=True)
    page.click(".house > summary")
    page.fill("#rules-link", f"http://192.168.9.9:8000/{link}")
    page.wait_for_selector("#differences:not([hidden])")
    expect(page, "#differences li").to_have_count(len(HOUSE))
    expect(page, "#no-link").to_be_hidden()
    page.fill("#rules-link", "no link")
    expect(page, "#no-link", "and the page says so").to_be_visible()
    expect(page, "#differences li", "what is no link changes nothing").to_have_count(len(HOUSE))
    page.click(".big.go")
    page.wait_for_selector("#house-rules")
    house = table.snapshot().data["game"]["house"]
    assert {name: house[name] for name in HOUSE} == HOUSE


@pytest.mark.browser
def test_on_paper_the_rules_are_unfolded(phone, table):
    page = phone("/rules")
    page.evaluate("window.print = () => { window.printed = true; }")
    page.click("[data-print]")
    assert page.evaluate("window.printed")
    page.emulate_media(media="print")
    expect(page, ".house dl >> nth=0").to_be_visible()
    expect(page, ".top").to_be_hidden()
    expect(page, ".paper .code", "where to come in").to_be_visible()
