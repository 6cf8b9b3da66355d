"""The page on real phones: dice and calls corrected by taps, asleep and awake, by keys, read by machines."""

from dataclasses import replace
from typing import Any

import pytest

from companion.table.commands import AddObservation
from companion.table.table import Fault
from tests.web.axe import complaints_of_both_themes
from tests.web.hands import expect, follow, seat, until
from tests.web.tables import (
    DICE,
    WAYS,
    BoxedTable,
    bidding,
    cut,
    doubted,
    extra,
    looking,
    observation,
    over,
    part,
    question,
    start,
    verdict,
)
from web.page_table import PageView

pytestmark = pytest.mark.browser


def test_past_the_end_of_a_game_a_die_is_corrected_and_the_other_wins(phone, table):
    over(table)
    host, guest = phone(color_scheme="dark"), phone(color_scheme="light", locale="es-PE")
    expect(host, ".winner .sentence").to_have_text("Ana wins!")
    expect(guest, ".winner .sentence").to_have_text("¡Gana Ana!")
    host.click(".undo")
    guest.wait_for_selector(".on-reveal")
    host.locator(".chip").first.click()
    host.locator("#sheet .face", has_text="two").click()
    guest.wait_for_selector(".chip.fixed")
    host.click(".big.go")  # a verdict taken back waits for a person
    host.wait_for_selector("text=Bea wins!")
    host.click(".big.go")
    guest.wait_for_selector("#pad")
    assert table.snapshot().data["game"]["round"]["turn"] == "Bea"


def test_who_starts_is_rolled_for(phone, table):
    page = phone()
    seat(page, ("Ana", "Bea", "Carlos"))
    page.select_option("#starter", "!")
    page.click(".big.go")
    page.wait_for_selector("#rolloff")
    again, pressed = '#rolloff:not(:has([aria-label="Ana"]))', '[aria-pressed="true"]'
    for name, face, then in (
        ("Ana", 4, f'.rolls[aria-label="Ana"] {pressed}'),
        ("Bea", 6, f'.rolls[aria-label="Bea"] {pressed}'),
        ("Carlos", 6, again),
        ("Bea", 2, f'{again} .rolls[aria-label="Bea"] {pressed}'),
        ("Carlos", 5, "#pad"),
    ):
        page.locator(f'.rolls[aria-label="{name}"] .face >> nth={face - 1}').click()
        page.wait_for_selector(then)
    assert table.snapshot().data["game"]["round"]["starter"] == "Carlos"


def test_a_question_is_answered_with_one_tap(phone, table):
    """Whatever the die shows: the three likeliest faces stand large, the others beside the picture."""
    page = phone()
    for face in range(1, 7):
        table.renew()
        asked = question(table).data["reveal"]["questions"][0]["die"]
        follow(page, table)
        expect(page, "#question .face.likely").to_have_count(3)
        page.locator("#question .face", has=page.locator(f'[href="#pips{face}"]')).click()
        page.wait_for_selector(".verdict.stands" if face in (1, 3) else ".verdict.fails")
        shown = {die["id"]: die["face"] for die in table.snapshot().data["reveal"]["dice"]}
        assert shown[asked] == face


def gap(page: Any, above: str, below: str) -> float:
    """The space between two parts of a page, in CSS pixels."""
    first, second = (page.locator(part).bounding_box() for part in (above, below))
    return float(second["y"] - first["y"] - first["height"])


def marked(table: BoxedTable) -> PageView:
    """All dice are seen; three of which the verdict hangs are likely what was read, but not certain."""
    doubted(table)
    seen = table.eye(DICE, unsure=(2, 6, 7)).observation
    dice = tuple(die if die.certain else replace(die, confidence=0.95) for die in seen.dice)
    return table.do(AddObservation(replace(seen, dice=dice), "all"))


def test_several_dice_are_confirmed_with_one_tap(phone, table):
    """A die that is read wrong is tapped and corrected first; then one tap says that the rest are right."""
    marks = marked(table).data["reveal"]["questions"][0]["marked"]
    page = phone()
    assert len(marks) == 3
    expect(page, "#question .marked button").to_have_count(3)
    assert gap(page, "#question .marked", "#question .stack") >= 6, "a thumb taps one of them"
    assert gap(page, "#question .stack", "#question .stack + .hint") >= 6
    page.locator("#question .marked button").first.click()
    page.locator("#sheet .face", has_text="two").click()
    page.wait_for_selector("#question .marked button:nth-child(2):last-child")
    page.click("#question >> text=All are right")
    page.wait_for_selector(".verdict")
    shown = {die["id"]: die for die in table.snapshot().data["reveal"]["dice"]}
    assert [shown[mark["die"]]["face"] for mark in marks] == [2, *(mark["face"] for mark in marks[1:])]
    assert all(shown[mark["die"]]["corrected"] for mark in marks)


@pytest.mark.parametrize("in_part", [False, True])
def test_a_die_cut_off_by_the_border_stays_missing_until_somebody_says_its_face(phone, table, in_part):
    """Where it is seen in part nobody is asked: it is missing at once."""
    dice = (part if in_part else cut)(table).data["reveal"]["dice"]
    page = phone()
    if not in_part:
        page.click("#question >> text=Cut off by the edge")
        expect(page, "#question h2").to_contain_text("missing")
    page.wait_for_selector(".chip.cut")
    assert table.snapshot().data["reveal"]["missing"] == 1
    doubted = [f'[id="spot-{die["id"]}"]' for die in dice if not die["certain"]]
    page.locator(".spot.cut" if in_part else doubted[0]).click()
    page.wait_for_selector("#sheet >> text=until it is seen whole")
    page.locator("#sheet .face", has_text="five").click()
    page.wait_for_selector(".verdict.fails")


def test_a_die_too_many_is_given_to_whom_it_belongs(phone, table):
    extra(table)
    page = phone()
    expect(page, "#question .marked button").to_have_count(3)
    page.locator("#question .marked button").last.click()
    page.wait_for_selector("#sheet[open] .owners")
    expect(page, "#sheet .owners .plain").to_have_text(["Bea", "Carlos"])
    page.locator("#sheet .owners .plain", has_text="Bea").click()
    page.wait_for_selector(".verdict")
    shown = table.snapshot().data["verdict"]
    assert (shown["count_lo"], shown["count_hi"]) == (4, 4)


def test_a_die_is_corrected_after_the_verdict_with_two_taps(phone, table):
    verdict(table)
    page = phone()
    page.locator(".chip >> nth=3").click()
    page.locator("#sheet .face", has_text="ace").click()
    page.wait_for_selector(".verdict.stands")
    assert table.snapshot().data["verdict"]["count_lo"] == 5
    until(page, "document.querySelector('.verdict .sentence').getBoundingClientRect().top > 0")
    page.locator(".chip >> nth=3").click()
    page.locator("#sheet >> text=Not a die").click()
    page.wait_for_selector("#question h2 >> text=missing")


def test_the_button_asks_for_a_bid_that_nobody_entered(phone, table):
    start(table)
    page = phone()
    page.click("#box > summary")
    page.click('[data-press="dudo"]')
    page.wait_for_selector("#asked")
    page.locator("#asked .opt.num", has_text="7").click()
    page.locator('#asked .opt:has(input[name="face"][value="4"])').click()
    page.click("#asked .big.go")
    page.wait_for_selector(".on-reveal")
    reveal = table.snapshot().data["reveal"]
    assert (reveal["bid"], reveal["by"]) == ({"quantity": 7, "face": 4}, "Ana")


def test_who_doubts_doubts_the_neighbour(phone, table):
    start(table)
    page = phone()
    page.click('[data-sheet="challenge"]')
    page.locator('#sheet .opt:has(input[name="by"][value="Carlos"])').click()
    expect(page, '#sheet input[name="bidder"][value="Bea"]').to_be_checked()


@pytest.mark.parametrize("way", [looking, verdict])
def test_the_call_is_corrected_with_one_tap(phone, table, way):
    way(table)
    page = phone()
    page.click('[data-sheet="call"]')
    page.locator("#sheet .plain", has_text="3").first.click()
    page.wait_for_selector(".verdict.stands")
    assert table.snapshot().data["verdict"]["bid"] == {"quantity": 3, "face": 3, "by": "Ana"}


def test_a_half_made_choice_survives_news(phone, table):
    start(table)
    page = phone()
    page.click('[data-quantity="5"]')
    news = table.table.report("button", Fault("no_bid"))
    page.wait_for_selector(f'#live[data-version="{news.version}"] #fault-button')
    expect(page, '[data-quantity="5"]').to_have_attribute("aria-pressed", "true")


def test_before_the_camera_has_a_picture_none_is_shown_broken(phone, table):
    bidding(table)
    page = phone()
    page.route("**/preview.jpg*", lambda route: route.fulfill(status=404))
    table.say("dudo", by="Bea")
    page.wait_for_selector("#preview.none-yet", state="hidden")
    page.unroute("**/preview.jpg*")
    page.wait_for_selector("#preview:not(.none-yet)")


@pytest.mark.parametrize(
    ("names", "said"),
    [(("Ana", ""), "at least two"), (("Ana", "ana"), "same name")],
)
def test_a_form_that_cannot_start_says_why(phone, table, names, said):
    page = phone()
    seat(page, names)
    page.click(".big.go")
    page.wait_for_selector("#setup-fault:visible")
    expect(page, "#setup-fault").to_contain_text(said)
    assert abs(gap(page, "#setup-fault", ".big.go[form=setup]")) < 60, "beside the button"
    assert table.snapshot().data["game"] is None


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the wanted element has the focus, which is to be seen."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"Tab never comes to {selector}")


def test_the_keyboard_alone_suffices(phone, table):
    """From names to the next round, a question and a correction on the way, without a tap."""
    page = phone()
    press, write = page.keyboard.press, page.keyboard.type
    tab_to(page, ".person .name")
    for name in ("Ana", "Bea"):
        write(name)
        press("Enter")  # to the next name
    tab_to(page, ".big.go")
    press("Enter")
    page.wait_for_selector("#pad")
    tab_to(page, '[data-quantity="3"]')
    press("Enter")
    tab_to(page, '.face[data-face="3"]')
    press("Space")
    page.wait_for_selector('.bid.huge[aria-label="3 threes"]')
    tab_to(page, ".big.dudo")
    press("Enter")
    page.wait_for_selector(".on-reveal")
    table.do(observation({"red": (3, 1, 6, 2, 4), "blue": (3, 5, 5, 6, 2)}, unsure=(0, 5)))
    page.wait_for_selector("#question")
    tab_to(page, "#question .likely")
    press("Enter")
    page.wait_for_selector(".chip.fixed")
    tab_to(page, ".spot.unsure, .spot.fixed")
    press("Enter")
    page.wait_for_selector("#sheet[open]")
    until(page, "document.activeElement.closest('#sheet') !== null")
    press("Escape")
    expect(page, "#sheet[open]").to_have_count(0)
    until(page, "document.activeElement.matches('.spot')", "the focus is back where it was")
    tab_to(page, '[data-sheet="count"]')
    press("Enter")
    tab_to(page, "#sheet .quantity")
    press("Enter")
    page.wait_for_selector(".verdict")
    tab_to(page, ".big.go")
    press("Enter")
    page.wait_for_selector("#pad")


def test_machines_find_nothing_to_complain_of(phone, table):
    """axe-core on every screen, the sheet of a die included; themes differ in their colours alone."""
    page = phone(color_scheme="dark")
    found: dict[str, list[str]] = {}
    for way, bring in WAYS.items():
        table.renew()
        bring(table)
        follow(page, table)
        found[way] = complaints_of_both_themes(page)
        if way == "reveal":
            page.locator(".chip").first.click()
            page.wait_for_selector("#sheet[open] .face")
            found["sheet"] = complaints_of_both_themes(page)
            page.keyboard.press("Escape")
    for path in ("history", "rules", "join", "board", "setup", "me"):
        page.goto(page.url.rsplit("/", 1)[0] + "/" + path)
        found[path] = complaints_of_both_themes(page)
    assert {way: wrong for way, wrong in found.items() if wrong} == {}
