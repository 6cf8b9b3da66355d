"""Statistics and the television in a real browser: nothing overflows, machines find nothing amiss."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.table.commands import AddObservation
from tests.web.axe import complaints_of_both_themes
from tests.web.hands import FITS, expect, faults, follow, resize, until
from tests.web.tables import WAYS, BoxedTable, evening, start, verdict

pytestmark = pytest.mark.browser

TELEVISION: dict[str, Any] = {"is_mobile": False, "has_touch": False, "device_scale_factor": 1}
TELEVISIONS = ((1920, 1080), (1280, 720), (1024, 768))
OTHERS = ((390, 800), (360, 640), (320, 640), (844, 390), (768, 1024))


def on_television(phone: Callable[..., Any], **more: Any) -> Any:
    """The page for everybody on a screen that is no phone."""
    width, height = TELEVISIONS[0]
    return phone("/board", viewport={"width": width, "height": height}, **TELEVISION, **more)


def paths(table: BoxedTable) -> list[str]:
    """Every page of statistics, once a game was played and another one judged."""
    evening(table)
    table.say("put_away")
    verdict(table)
    game = table.snapshot().data["game"]["id"]
    return [
        "",
        "/dice",
        f"/games/{game}",
        "/player?name=Ana",
        f"/evenings/{table.archive.overview().games[0].id}",
    ]


def test_machines_find_nothing_in_statistics_which_fit_a_phone_with_large_text(phone, table):
    wrong: dict[str, list[str]] = {}
    wanted = paths(table)
    page = phone("/statistics", color_scheme="dark")
    for path in wanted:
        page.goto(page.url.split("/statistics")[0] + "/statistics" + path)
        wrong[path] = complaints_of_both_themes(page)
        page.evaluate("document.documentElement.style.fontSize = '225%'")
        until(page, FITS, path)
    assert {path: found for path, found in wrong.items() if found} == {}


def test_one_finds_the_way_from_the_menu_to_a_game(phone, table):
    evening(table)
    page = phone("/")
    page.click("#menu summary")
    page.click('#menu a[href="/statistics"]')
    page.locator(".links-list a").first.click()
    page.locator(".links-list a").first.click()
    page.wait_for_selector("#course-title", state="attached")
    page.click(".stats summary")
    expect(page, ".scrolls tbody tr").to_have_count(4)


TOO_SMALL = """() => {
  const wrong = [];
  if (document.documentElement.scrollHeight > innerHeight + 1) wrong.push("scrolls");
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push("scrolls sideways");
  const least = innerHeight * 0.02;
  for (const one of document.querySelectorAll("#live p, #live .name, #live .left, #live .strip span")) {
    const box = one.getBoundingClientRect();
    if (!box.width) continue;
    if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1) wrong.push("cut off: " + one.textContent);
    if (parseFloat(getComputedStyle(one).fontSize) < least) wrong.push("too small: " + one.textContent);
  }
  return wrong;
}"""


WHOLE = """texts => texts.flatMap(text => {
  document.documentElement.style.fontSize = text;
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push("scrolls sideways");
  let end = 0;
  for (const part of document.querySelectorAll("#live .strip, .board-main > *, .seats > li, .on-phone")) {
    const box = part.getBoundingClientRect();
    if (!box.height) continue;
    if (part.scrollHeight > part.clientHeight + 1) wrong.push("cut off: " + part.textContent.trim());
    if (box.top < end - 1 && !part.closest(".many")) wrong.push("over another: " + part.textContent.trim());
    end = Math.max(end, box.bottom);
  }
  for (const one of document.querySelectorAll("#live p, #live .bid, #live .name, #live .left, #live .die")) {
    const box = one.getBoundingClientRect();
    if (box.left < -1 || box.right > innerWidth + 1) wrong.push("outside: " + one.textContent.trim());
  }
  return wrong.map(one => `${text} ${one}`);
})"""


def test_the_television_s_page_is_large_and_whole_on_every_screen(phone, table):
    """No text below a fiftieth of a television's height: 12 mm on a screen of 60 cm, read from four metres.

    On others all stands one below the other, nothing over another or cut off, with large text too, and a
    phone is shown the way to its own page. In German, which is long.
    """
    wrong = {}
    page = on_television(phone, locale="de-DE")
    for way, bring in WAYS.items():
        table.renew()
        bring(table)
        follow(page, table)
        for find, texts, sizes in ((TOO_SMALL, None, TELEVISIONS), (WHOLE, ["200%", ""], OTHERS)):
            for size in sizes:
                resize(page, *size)
                wrong[way, size] = faults(page, find, texts)
    assert {way: found for way, found in wrong.items() if found} == {}
    for size in OTHERS:
        resize(page, *size)
        expect(page, ".on-phone a").to_be_visible(visible=size[0] < 768)


CUT_OFF = """() => [...document.querySelectorAll(".seats li, .verdict, .board")]
  .filter(one => one.scrollHeight > one.clientHeight + 4)
  .map(one => `${one.textContent.trim()}: ${one.scrollHeight} > ${one.clientHeight}`)"""


def test_the_longest_verdict_leaves_six_players_their_rows_beside_the_picture(phone, table):
    names = ("Maximiliane-Charlotte", "Bea", "Carlos", "Doña Inés", "Emil", "Fritz")
    people = tuple(zip(names, ("red", "blue", "green", "yellow", "white", "black"), strict=True))
    page = on_television(phone, locale="de-DE")
    start(table, people, house={"starting_dice": 3, "lives": 3})
    table.say("bid", by=names[0], quantity=3, face=5)
    table.say("dudo", by="Bea")
    cup = replace(table.eye({"red": (5, 5, 5)}).observation, phone=names[0])
    table.do(AddObservation(cup, names[0]))
    page.wait_for_selector(".verdict:has-text('ungelesenen')")
    for size in TELEVISIONS:
        resize(page, *size)
        assert faults(page, CUT_OFF) == [], size


BEYOND = """() => [...document.querySelectorAll(".board-main > *")].flatMap(card => {
  const [of, parts] = [card.getBoundingClientRect(), [...card.querySelectorAll("p, .bid > *, svg")]];
  const beside = box => box.left < of.left - 1 || box.right > of.right + 1;
  const out = box => box.width && (beside(box) || box.bottom > innerHeight);
  return parts.filter(one => out(one.getBoundingClientRect())).map(one => one.outerHTML.slice(0, 80));
})"""


def wide_bid(table: BoxedTable, people: tuple[tuple[str, str], ...]) -> None:
    start(table, people, house={"zhai": True})
    table.say("bid", by=people[0][0], quantity=12, face=3, zhai=True)


def one_cup_shown(table: BoxedTable, people: tuple[tuple[str, str], ...]) -> None:
    start(table, people, house={"starting_dice": 3})
    table.say("bid", by=people[0][0], quantity=5, face=3)
    table.say("dudo", by=people[1][0])
    cup = replace(table.eye({"red": (3, 5, 5)}).observation, phone=people[0][0])
    table.do(AddObservation(cup, people[0][0]))


def judged(table: BoxedTable, people: tuple[tuple[str, str], ...]) -> None:
    wide_bid(table, people)
    table.say("dudo", by=people[1][0])
    table.say("type_count", count=3)


def won(table: BoxedTable, people: tuple[tuple[str, str], ...]) -> None:
    start(table, people[:2], house={"starting_dice": 1})
    table.say("bid", by=people[0][0], quantity=1, face=3)
    table.say("dudo", by=people[1][0])
    table.say("type_count", count=0)


@pytest.mark.parametrize("bring", [wide_bid, one_cup_shown, judged, won])
def test_nothing_on_the_television_runs_beyond_its_card(phone, table, bring):
    page = on_television(phone, locale="de-DE")
    names = ("Wolfgang Amadeus Mozart", "Maximiliana Fürstenberg", "Bea", "Carlos", "Dora", "Emil")
    bring(table, tuple((name, "red") for name in names))
    follow(page, table)
    for size in TELEVISIONS:
        resize(page, *size)
        assert faults(page, BEYOND) + faults(page, CUT_OFF) == [], size


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_bid_without_wilds_is_no_wider_than_a_phone(phone, table, width):
    wide_bid(table, (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"), ("Dora", "white")))
    page = phone(locale="de-DE")
    resize(page, width, 640)
    page.wait_for_selector(".bid.huge .tag")
    until(page, FITS)


OVER = """() => {
  const box = part => document.querySelector(part).getBoundingClientRect();
  const [begins, ends] = [box(".late-code").left, box(".board-main").right];
  return begins < ends ? [`the code begins at ${begins}, before ${ends}`] : [];
}"""


@pytest.mark.parametrize("seats", [4, 6])
def test_long_names_leave_what_was_lost_in_view_beside_the_code(phone, table, seats):
    people = [(f"Maximiliana Fürstenber {letter}", "red") for letter in "ABCDEF"[:seats]]
    page = on_television(phone, color_scheme="light", locale="de-DE")
    start(table, people)
    table.say("bid", by=people[0][0], quantity=5, face=3)
    table.say("dudo", by=people[1][0])
    table.say("type_count", count=1)
    page.wait_for_selector(".seats .lose")
    for size in TELEVISIONS:
        resize(page, *size)
        assert faults(page, CUT_OFF) + faults(page, OVER) == [], size


def test_machines_find_nothing_on_the_television(phone, table):
    wrong = {}
    page = on_television(phone, color_scheme="dark")
    for way in ("round", "reveal", "verdict", "evening", "crowd"):
        table.renew()
        WAYS[way](table)
        follow(page, table)
        wrong[way] = complaints_of_both_themes(page)
    assert {way: found for way, found in wrong.items() if found} == {}


def test_plots_come_with_their_style_when_a_game_ends(phone, table):
    WAYS["round"](table)
    page = phone("/")
    table.say("abandon")
    table.say("put_away")
    evening(table)
    page.wait_for_selector(".on-over .plot polyline", state="attached")
    until(page, "getComputedStyle(document.querySelector('.plot polyline')).fill === 'none'")
