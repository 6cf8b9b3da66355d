"""The set-up form on a phone: seats dragged and moved by keys, groups by a tap, nothing typed is lost."""

from typing import Any

import pytest

from tests.web.hands import expect, open_rules, seat, until
from tests.web.tables import PEOPLE, start

pytestmark = pytest.mark.browser


def names(page: Any) -> list[str]:
    return list(page.locator(".person .name").evaluate_all("all => all.map(one => one.value)"))


def dragged(page: Any, which: int, to: int) -> None:
    """The grip of one row pulled to the middle of another, as a finger would."""
    grip = page.locator(".grip").nth(which).bounding_box()
    goal = page.locator(".person").nth(to).bounding_box()
    down = 6 if to > which else -6
    page.mouse.move(grip["x"] + 10, grip["y"] + 10)
    page.mouse.down()
    page.mouse.move(grip["x"] + 12, (grip["y"] + goal["y"]) / 2, steps=4)
    page.mouse.move(grip["x"] + 12, goal["y"] + goal["height"] / 2 + down, steps=4)
    page.mouse.up()


def test_seats_are_dragged(phone, table):
    page = phone(has_touch=False)
    seat(page, ("Ana", "Bea", "Carlos"))
    for which, to, order in (
        (0, 2, ["Bea", "Carlos", "Ana"]),
        (2, 0, ["Ana", "Bea", "Carlos"]),
        (1, 2, ["Ana", "Carlos", "Bea"]),
    ):
        dragged(page, which, to)
        assert names(page) == order
        expect(page, "#said").to_have_text(f"{order[to]}: seat {to + 1}")
    page.click(".big.go")
    page.wait_for_selector("#pad")
    assert [one["name"] for one in table.snapshot().data["game"]["players"]] == order


def test_a_finger_drags_a_seat_without_scrolling_the_page(phone):
    page = phone("/setup")
    seat(page, ("Ana", "Bea", "Carlos"))
    grip = page.locator(".grip").first.bounding_box()
    goal = page.locator(".person").nth(2).bounding_box()
    touch = page.context.new_cdp_session(page)
    x, y = grip["x"] + 10, grip["y"] + 10
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.3, 0.6, 1.0):
        at = {"x": x, "y": y + part * (goal["y"] + 0.7 * goal["height"] - y)}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(page, "document.querySelector('.person .name').value === 'Bea'")
    assert names(page) == ["Bea", "Carlos", "Ana"]
    assert page.evaluate("scrollY") == 0


def test_seats_are_moved_by_keys_and_by_a_tap(phone):
    page = phone()
    seat(page, ("Ana", "Bea", "Carlos"))
    page.locator(".grip").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # there is no further seat
    assert names(page) == ["Bea", "Carlos", "Ana"]
    page.locator(".grip").nth(1).tap()
    assert names(page) == ["Carlos", "Bea", "Ana"]
    page.locator(".grip").first.tap()  # from the first seat around to the last
    assert names(page) == ["Bea", "Ana", "Carlos"]


def test_one_tap_takes_a_group_with_its_dice_and_rules(phone, table):
    start(table, (("Doña Inés", "pink"), ("Zoë", "white")), preset="classic", house={"starting_dice": 3})
    table.renew()
    start(table, PEOPLE)
    table.renew()
    page = phone()
    assert names(page) == ["Ana", "Bea", "Carlos"]  # the last ones, on a phone that never set up a game
    page.click("[data-group] >> nth=1")
    assert names(page) == ["Doña Inés", "Zoë"]
    page.click(".big.go")
    page.wait_for_selector("#pad")
    game = table.snapshot().data["game"]
    assert (game["preset"], game["house"]["starting_dice"]) == ("classic", 3)
    assert [one["colour"] for one in game["players"]] == ["pink", "white"]


def test_a_group_gets_a_name_and_is_forgotten(phone, table):
    start(table)
    table.renew()
    page = phone()
    seat(page, ("Somebody", "Else"))
    page.click('[data-sheet^="group"]')
    page.fill("[data-group-form] input", "Friday")
    page.click("[data-group-form] .big")
    page.wait_for_selector('[data-group] >> text="Friday"')
    assert names(page) == ["Somebody", "Else"], "what was typed is still there"
    page.click('[data-sheet^="group"]')
    page.click('[data-group-form] [value="forget"]')
    page.wait_for_selector("#groups", state="detached")
    assert table.groups.all() == ()


def test_a_mix_that_cannot_be_played_is_reported_at_the_switch(phone, table):
    page = phone()
    seat(page, tuple(f"p{n}" for n in range(7)))
    page.click('.preset:has([value="perudo"])')
    page.wait_for_selector('[data-remark="preset"].refused')
    expect(page, '[data-remark="preset"]').to_contain_text("allow 6")
    page.click(".big.go")
    assert table.snapshot().data["game"] is None
    page.locator(".drop").last.click()
    page.wait_for_selector('[data-remark="preset"]', state="hidden")
    page.click(".big.go")
    page.wait_for_selector("#pad")


def test_a_changed_switch_is_counted_and_one_that_means_nothing_goes_away(phone):
    page = phone()
    open_rules(page)
    page.select_option('[data-switch="penalty"]', '"difference"')
    expect(page, ".subject .tag:visible").to_have_text(["1"])
    expect(page, "#changed").to_have_text("1")
    page.select_option('[data-switch="calza"]', '"off"')
    page.wait_for_selector('[data-switch="calza_exact"]', state="hidden")
    page.select_option('[data-switch="calza"]', '"current"')
    page.wait_for_selector('[data-switch="calza_exact"]:visible')


def test_a_refusal_of_the_table_loses_nothing(phone, table):
    page, other = phone(), phone()
    for one in (page, other):
        seat(one, ("Ana", "Bea"))
    open_rules(page)
    page.select_option('[data-switch="starting_dice"]', "3")
    page.route("**/fragment/**", lambda route: route.abort())  # this phone does not hear that a game begins
    page.wait_for_selector("#badge:visible")
    other.click(".big.go")
    other.wait_for_selector("#pad")
    page.click(".big.go")
    page.wait_for_selector("#toast:visible")
    assert names(page) == ["Ana", "Bea"]
    expect(page, '[data-switch="starting_dice"]').to_have_value("3")


def test_what_was_chosen_is_there_after_a_reload(phone):
    page = phone()
    seat(page, ("O'Neil", "يوسف", "<b>Bob</b>"))
    page.click('.preset:has([value="classic"])')
    open_rules(page)
    page.select_option('[data-switch="starting_dice"]', "4")
    page.select_option("#starter", "=يوسف")
    page.reload()
    assert names(page) == ["O'Neil", "يوسف", "<b>Bob</b>"]
    expect(page, '[name="preset"][value="classic"]').to_be_checked()
    expect(page, '[data-switch="starting_dice"]').to_have_value("4")
    expect(page, "#starter").to_have_value("=يوسف")
    expect(page, '[name="preset"][value="redemption"]').to_be_hidden()
    page.click(".tables > summary")
    page.click('.preset:has([value="redemption"])')
    page.reload()
    page.wait_for_selector('.preset:has([value="redemption"]:checked):visible')


NONSENSE = (
    "{",
    "null",
    "5",
    '{"players": 5}',
    '{"players": [null, {"name": "Ana"}]}',
    '{"players": [{"name": 7}]}',
    '{"players": [{"name": "Ana", "colour": 3}], "preset": {}, "house": "no", "starter": []}',
)


def test_a_phone_that_remembers_nonsense_can_still_begin(phone, table):
    page = phone()
    for kept in NONSENSE:
        table.renew()
        page.evaluate("kept => localStorage.setItem('setup', kept)", kept)
        page.reload()
        page.wait_for_selector(".setup[data-filled]")
        seat(page, ("Ana", "Bea"))
        page.click(".big.go")
        page.wait_for_selector(".on-round")


def test_a_form_that_cannot_be_filled_in_does_not_hang_the_phone(browser, address):
    """Whatever goes wrong while it is filled in, it is tried once and not at every change of the page."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("self.tries = 0; CSS.escape = () => { self.tries += 1; throw new Error('no'); };")
    page.goto(f"{address}/setup")
    until(page, "self.tries > 0")
    page.click("#menu summary")
    assert page.evaluate("self.tries") == 1
    context.close()


def test_a_rule_is_found_by_a_word_in_it_and_in_the_full_list(phone, table):
    page = phone("/setup")
    page.click(".house > summary")
    page.fill("[data-search]", "CALZA spéciál")
    until(page, "document.querySelectorAll('.subject .switch:not(.unfound)').length === 1")
    assert page.locator(".subject .switch:visible").evaluate_all(
        "all => all.map(one => one.querySelector('select').dataset.switch)"
    ) == ["calza_palifico"]
    page.press("[data-search]", "Enter")
    assert table.snapshot().data["game"] is None, "Enter searches and starts nothing"
    page.fill("[data-search]", "chess")
    page.wait_for_selector("#none-found:visible")
    page.fill("[data-search]", "")
    expect(page, ".subject .switch:visible").to_have_count(0)
    expect(page, ".subject:visible").to_have_count(page.locator(".subject").count())
    page.click("[data-all]")
    hidden = "all => all.filter(one => !one.hidden && !one.offsetParent).length"
    until(page, "document.querySelector('[data-all]').getAttribute('aria-pressed') === 'true'")
    assert page.locator(".subject .switch").evaluate_all(hidden) == 0
    page.click("[data-all]")
    expect(page, ".subject .switch:visible").to_have_count(0)


def test_differences_are_shown_in_words_and_taken_back(phone, table):
    page = phone("/setup")
    seat(page, ("Ana", "Bea"))
    open_rules(page)
    page.click('.preset:has([value="classic"])')
    page.select_option('[data-switch="penalty"]', '"difference"')
    page.select_option('[data-switch="starting_dice"]', "3")
    differences = page.locator("#differences li")
    until(page, "document.querySelectorAll('#differences li').length === 2")
    expect(page, "#differences h2").to_have_text("Like Classic, but:")
    expect(differences.first).to_contain_text("3 dice")
    differences.first.locator("button").click()
    until(page, "document.querySelectorAll('#differences li').length === 1")
    expect(page, '[data-switch="starting_dice"]').to_have_value("5")
    page.select_option('[data-switch="calza"]', '"off"')
    page.select_option('[data-switch="calza_exact"]', '"nobody"', force=True)
    until(
        page, "document.querySelectorAll('#differences li').length === 2"
    )  # what means nothing is not shown
    page.click(".big.go")
    page.wait_for_selector("#house-rules")
    expect(page, "#house-rules li").to_have_count(2)


def test_a_value_that_the_form_does_not_list_is_shown_and_kept(phone, table):
    start(table, house={"penalty": "tally", "tally_to": 2})
    table.renew()
    page = phone("/setup")
    open_rules(page)
    expect(page, '[data-switch="tally_to"]').to_have_value("2")
    expect(page, "#differences").to_contain_text(": 2")
    page.click(".big.go")
    page.wait_for_selector("#pad")
    assert table.snapshot().data["game"]["house"]["tally_to"] == 2
