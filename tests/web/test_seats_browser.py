"""At several phones: who comes late, goes, sits down before a game, and who sees it."""

import pytest

from tests.web.hands import expect, post, resize, until
from tests.web.tables import bidding, palifico, start

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_everybody_learns_who_took_what_back(phone, table):
    bidding(table)
    page = phone()
    table.say("dudo", by="Bea")
    page.wait_for_selector(".on-reveal")
    table.say("undo")
    page.wait_for_selector("#toast:visible")
    expect(page, "#toast").to_have_text("Someone at the table undid Bea’s dudo.")
    table.say("undo")
    until(page, "document.getElementById('toast').textContent.includes('5 threes')")


UNDER_NEWS = """parts => {
  const toast = document.getElementById("toast").getBoundingClientRect();
  return [...document.querySelectorAll(parts)].filter(part => {
    const box = part.getBoundingClientRect();
    return box.width && box.left < toast.right && toast.left < box.right &&
      box.top < toast.bottom && toast.top < box.bottom;
  }).map(part => part.innerText);
}"""
"""Which of these parts the news cover, which go by themselves after four seconds: so all in one look."""


@pytest.mark.parametrize(
    ("path", "width", "height", "needed"),
    [
        ("/", 360, 640, ".standing, .called, .player, .bar, #pad, #menu summary"),
        ("/", 390, 844, ".standing, .called, .player, .bar, #pad, #menu summary"),
        ("/board", 1366, 768, ".board-main, .seats li, .late-code, .strip .state, #menu summary"),
        ("/board", 1920, 1080, ".board-main, .seats li, .late-code, .strip .state, #menu summary"),
    ],
)
def test_news_cover_nothing_that_is_needed_and_go_by_a_tap(phone, table, path, width, height, needed):
    bidding(table)
    page = phone(path, viewport={"width": width, "height": height})
    table.say("dudo", by="Bea")
    table.say("undo")
    page.wait_for_selector("#toast[role=alert]:visible")
    assert page.evaluate(UNDER_NEWS, needed) == []
    page.click("#toast")
    expect(page, "#toast:visible").to_have_count(0)


def test_news_outlive_the_dialog_over_which_they_came(phone, table):
    start(table)
    page = phone()
    open_people = "document.dispatchEvent(new CustomEvent('sheet', { detail: 'people' }))"
    page.evaluate(open_people)
    page.wait_for_selector(".people-list")
    page.evaluate("toast('News')")
    page.wait_for_selector("#sheet #toast:visible")
    page.evaluate("document.querySelector('.people-list').id = 'former'")
    page.evaluate(open_people)
    page.wait_for_selector(".people-list:not(#former)")
    expect(page, "#sheet #toast").to_have_text("News")
    page.click("[data-close]")
    page.wait_for_selector("body > #toast", state="attached")


def test_a_page_that_is_opened_later_tells_no_old_news(phone, table):
    bidding(table)
    table.say("undo")
    page = phone()
    table.say("bid", by="Ana", quantity=2, face=3)
    page.wait_for_selector(".standing .bid")
    expect(page, "#toast:visible").to_have_count(0)


SIZES = ((390, 844, 100), (360, 640, 100), (844, 390, 100), (390, 844, 200), (360, 640, 200))
"""Of a phone's screen in CSS pixels, and its text in per cent."""


def test_palifico_is_one_question_and_the_bid_waits_for_it(phone, table):
    palifico(table)
    page = phone()
    page.wait_for_selector("#ways")
    expect(page, "#ways .way").to_have_count(3)
    for *size, text in SIZES:
        resize(page, *size)
        page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
        last = page.locator("#ways .way").last.bounding_box()
        bar = page.locator(".bar").bounding_box()
        assert last["y"] + last["height"] <= bar["y"], f"all ways are in view: {size}, {text}"
    expect(page, "#pad").to_have_count(0)
    page.click("#ways .way >> nth=0")
    page.wait_for_selector("#pad")
    expect(page, '#ways .way[aria-pressed="true"]').to_have_count(1)
    expect(page, "#show-dice").to_contain_text("Without looking")


def test_the_host_renames_and_hands_dice_back_and_sends_home(phone, table):
    start(table)
    page = phone()
    page.click('[data-sheet="people"]')
    page.click(".people-list summary >> nth=1")
    page.fill('.people-list [name="to"] >> nth=1', "Beatriz")
    page.click(".people-list form button >> nth=1")
    page.wait_for_selector(".player:has-text('Beatriz')")
    page.click('[data-sheet="people"]')
    page.click(".people-list summary >> nth=1")
    page.click(".people-list .quantity >> nth=7")
    until(page, "document.getElementById('toast').textContent.includes('3 dice')")
    page.click('[data-sheet="people"]')
    page.click(".people-list summary >> nth=1")
    page.click(".people-list li >> nth=1 >> text=Beatriz leaves the game")
    page.wait_for_selector(".player.out:has-text('Beatriz')")


def test_the_set_up_is_loaded_by_a_page_that_began_in_a_game(phone, table):
    start(table)
    page = phone()
    page.wait_for_selector("#pad")
    table.say("abandon")
    table.say("put_away")
    page.wait_for_selector(".person .name")


def test_the_menu_shows_the_code_of_the_moment_once_it_is_opened(phone, table):
    bidding(table)
    page = phone("/me")
    post(page, "/api/v1/phone", {"join": True})
    table.hold_two()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(page.url.removesuffix("me"))
    page.wait_for_selector(".players")
    assert not any("code.svg" in url for url in fetched)
    page.click("#menu summary")
    until(page, "document.getElementById('menu-code').naturalWidth > 0")
