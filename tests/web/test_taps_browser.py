"""Taps that follow faster than the box answers: none is lost, none does what it did not mean."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from companion.table.commands import AddObservation
from tests.web.hands import expect, follow, sit, until
from tests.web.slow_answers import SlowAnswers
from tests.web.tables import BoxedTable, bidding, doubted, looking, over, start, verdict

pytestmark = pytest.mark.browser


def rolling_off(table: BoxedTable, *more: str) -> None:
    people = [{"name": name} for name in ("Ana", "Bea", "Carlos", *more)]
    table.say("new_game", players=people, preset="perudo", starter=None, roll_off=True)


def face(name: str, number: int) -> str:
    return f'.rolls[aria-label="{name}"] .face >> nth={number - 1}'


def pressed(name: str, number: int) -> str:
    return f'.rolls[aria-label="{name}"] .face:nth-child({number})[aria-pressed="true"]'


def hand(name: str, number: int) -> dict[str, object]:
    return {"type": "hand", "player": name, "faces": [number]}


def tap_two(page: Any, slow: SlowAnswers) -> None:
    """Ana's face, and Bea's while the answer to the first tap is held back."""
    page.click(face("Ana", 3))
    slow.wait_for_first()
    page.click(face("Bea", 5))


BID = {"type": "bid", "by": "Bea", "quantity": 6, "face": 3}
BIDS = ('[data-quantity="6"]', '[data-face="3"]')
STANDS = '.bid.huge[aria-label="6 threes"]'


@pytest.mark.parametrize(
    ("prepare", "first", "second", "sent", "shown"),
    [
        pytest.param(
            *(rolling_off, [face("Ana", 3)], face("Bea", 5), [hand("Ana", 3), hand("Bea", 5)]),
            [pressed("Ana", 3), pressed("Bea", 5)],
            id="another button is pressed next",
        ),
        pytest.param(verdict, ["#undo"], "#undo", [{"type": "undo"}], [], id="the same twice is one command"),
        # the doubt that was meant for the bid on the table does not meet the one that replaced it
        pytest.param(bidding, BIDS, ".big.dudo", [BID], [STANDS], id="what is gone by then is not pressed"),
        # meant for a turn that is over: the phone that leads does not bid for the next player
        pytest.param(bidding, BIDS, '[data-face="5"]', [BID], [STANDS], id="of two faces the first is bid"),
    ],
)
def test_what_is_tapped_before_the_answer(phone, table, prepare, first, second, sent, shown):
    prepare(table)
    page = phone()
    slow = SlowAnswers(page)
    for tap in first:
        page.click(tap)
    slow.wait_for_first()
    page.click(second)
    slow.let_go()
    for part in (*shown, "#frame:not(.busy)"):
        page.wait_for_selector(part)
    assert slow.sent == sent


def test_a_double_tap_takes_one_step_back(phone, table):
    """The second tap finds the next step's button where the answer to the first was quick."""
    verdict(table)
    page = phone()
    slow = SlowAnswers(page)
    click = "new MouseEvent('click', {bubbles: true, detail})"
    tap = f"detail => document.getElementById('undo').dispatchEvent({click})"
    page.evaluate(tap, 2)
    expect(page, "#frame.busy").to_have_count(0)
    page.evaluate(tap, 1)
    slow.wait_for_first()
    slow.let_go()
    assert slow.sent == [{"type": "undo"}]


def test_a_bid_tapped_before_the_answer_to_the_last_tap_is_sent(phone, table):
    """The page shows the next round while the answer to the tap that led there is still on its way."""
    verdict(table)
    page = phone()
    slow = SlowAnswers(page)
    slow.answer_late()
    page.click(".bar .big.go")
    page.wait_for_selector("#pad")
    page.click('[data-quantity="6"]')
    page.click('[data-face="4"]')
    slow.let_answer_go()
    page.wait_for_selector('.bid.huge[aria-label="6 fours"]')
    assert [command["type"] for command in slow.sent] == ["next_round", "bid"]


@contextmanager
def asleep(page: Any, table: BoxedTable) -> Iterator[None]:
    """The phone hears nothing of what happens meanwhile, and then shows the table as it is."""
    held: list[Any] = []
    with page.expect_request("**/fragment/**"):
        page.route("**/fragment/**", lambda route: held.append(route))
    yield
    page.unroute("**/fragment/**")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    follow(page, table)


@pytest.mark.parametrize(
    ("instead", "chosen"),
    [
        pytest.param((5, 3), "6", id="the same bid stands again"),
        pytest.param((7, 4), "7", id="six are offered no more"),
    ],
)
def test_a_half_made_bid_ends_with_the_bid_that_it_was_to_raise(phone, table, instead, chosen):
    bidding(table)
    page = phone()
    page.click('[data-quantity="6"]')
    with asleep(page, table):
        table.say("undo")
        table.say("bid", by="Ana", quantity=instead[0], face=instead[1])
    expect(page, f'[data-quantity="{chosen}"]').to_have_attribute("aria-pressed", "true")


def undone(page: Any) -> None:
    """The last step is taken back, and the page shows it: a dialog of the screen before would close."""
    shown = page.get_attribute("#live", "data-version")
    page.click("#undo")
    page.wait_for_selector(f'#live:not([data-version="{shown}"])')


@pytest.mark.parametrize("answered", [True, False], ids=["it stays", "what is chosen in it is sent"])
def test_a_dialog_opened_before_the_answer_to_the_last_tap(phone, table, answered):
    verdict(table)
    page = phone()
    slow = SlowAnswers(page)
    slow.answer_late()
    undone(page)
    page.click('.more [data-sheet="add"]')
    page.wait_for_selector("#sheet .faces")
    if answered:
        with page.expect_response("**/api/v1/commands"):
            slow.let_answer_go()
        page.wait_for_selector("#frame:not(.busy)")
    page.click("#sheet [data-command*=add_die] >> nth=1")
    if not answered:
        slow.let_answer_go()
    page.wait_for_selector("#sheet", state="hidden")
    assert [command["type"] for command in slow.sent] == ["undo", "add_die"]


def recalled(quantity: int, face: int) -> dict[str, object]:
    """The doubt of Bea was really of another bid."""
    bid = {"quantity": quantity, "face": face}
    return {"kind": "correct_call", "by": "Bea", "call": "dudo", "bid": bid}


def anybody_doubts(table: BoxedTable) -> None:
    start(table, house={"dudo_by": "anybody"})
    table.say("bid", by="Ana", quantity=5, face=3)


def one_cup_in_a_phone(table: BoxedTable) -> None:
    """Ana's dice are shown by the call: who takes it back has all roll again."""
    people = [{"name": "Ana", "phone_cup": True}, {"name": "Bea"}]
    table.say("new_game", players=people, preset="modern", starter="Ana")
    table.say("bid", by="Ana", quantity=5, face=3)
    table.say("dudo", by="Bea")


RAISED = {"kind": "bid", "by": "Bea", "quantity": 6, "face": 3}
GONE = {"kind": "leave", "player": "Carlos"}
ADDED = {"kind": "add_die", "face": 3}


@pytest.mark.parametrize(
    ("prepare", "dialog", "change", "stays"),
    [
        pytest.param(looking, "count", recalled(5, 4), False, id="threes are counted, and fours were called"),
        pytest.param(looking, "call", recalled(4, 3), False, id="would put a corrected number back"),
        pytest.param(anybody_doubts, "dudo", RAISED, False, id="a bid is doubted that was raised"),
        pytest.param(verdict, "call", GONE, False, id="the table would refuse it"),
        pytest.param(anybody_doubts, "dudo", GONE, False, id="who is gone does not doubt"),
        pytest.param(one_cup_in_a_phone, "retake", ADDED, False, id="the last step is another one"),
        pytest.param(bidding, "people", RAISED, True, id="a name is typed while others bid"),
    ],
)
def test_a_dialog_about_a_bid_or_call_ends_with_it(phone, table, prepare, dialog, change, stays):
    prepare(table)
    page = phone()
    page.click(f'[data-sheet="{dialog}"]')
    page.wait_for_selector("#sheet[open]")
    table.say(**change)
    follow(page, table)
    expect(page, "#sheet[open]").to_have_count(int(stays))


def pictured(table: BoxedTable, place: str, shot: str, by: str | None) -> None:
    """A picture with a die in doubt, of which no verdict comes."""
    seen = table.eye({"red": (3, 5)}, unsure=(1,), picture=shot).observation
    table.do(AddObservation(replace(seen, phone=by), place))


@pytest.mark.parametrize(
    ("by", "then", "stays"),
    [
        pytest.param("Ana", [("Ana", "shot2", "Ana")], False, id="her next picture shows other dice"),
        pytest.param("Ana", [("Bea", "shot2", "Bea")], True, id="a picture of another cup"),
        pytest.param("", [("phone", "shot2", "")], False, id="one of all dice in place of those of cups"),
        pytest.param(None, [("all", "shot2", None)], True, id="the next frame of the box's camera"),
        pytest.param(None, ["undo", "dudo", ("all", "shot2", None)], False, id="they were shown anew"),
    ],
)
def test_a_dialog_of_a_die_ends_with_its_picture(phone, table, by, then, stays):
    """Numbers of dice begin anew: the one that is tapped there would be another die."""
    doubted(table)
    pictured(table, "all" if by is None else "Ana", "shot1", by)
    page = phone()
    page.click('.spot[data-sheet^="die?"] >> nth=1')
    page.wait_for_selector("#sheet[open]")
    with asleep(page, table):
        for step in then:
            if isinstance(step, str):
                table.say(step, **({"by": "Bea"} if step == "dudo" else {}))
            else:
                pictured(table, *step)
    expect(page, "#sheet[open]").to_have_count(int(stays))


def test_an_answer_about_a_picture_that_another_has_replaced_is_refused_with_a_word(phone, table):
    doubted(table)
    pictured(table, "Ana", "shot1", "Ana")
    page = phone()
    page.wait_for_selector("#question [data-command]")
    with asleep(page, table):
        pictured(table, "Ana", "shot2", "Ana")
        now = table.snapshot()
        page.click("#question [data-command] >> nth=0")
        expect(page, "#toast").to_contain_text("The table has moved on")
        assert table.snapshot() is now
    page.wait_for_selector("#question [data-command]")


def test_a_dialog_that_comes_once_the_call_is_made_does_not_open(phone, table):
    anybody_doubts(table)
    page = phone()

    def after_the_call(route: Any) -> None:
        table.say("dudo", by="Bea")
        route.continue_()

    page.route("**/sheet/dudo", after_the_call)
    page.click('[data-sheet="dudo"]')
    until(page, "document.querySelector('#sheet .sheet-body')")
    expect(page, "#sheet[open]").to_have_count(0)


def test_where_others_did_something_too_the_second_tap_is_refused_with_a_word(phone, table):
    rolling_off(table)
    page = phone()
    slow = SlowAnswers(page)
    fragments: list[Any] = []
    page.route("**/fragment/**", lambda route: fragments.append(route))
    tap_two(page, slow)
    with page.expect_response("**/api/v1/commands"):
        slow.let_go()
    table.say("hand", player="Bea", faces=[6])
    page.unroute("**/fragment/**")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # asks at once
    page.wait_for_selector("#toast:visible")
    expect(page, "#toast").to_contain_text("moved on")
    page.wait_for_selector(pressed("Bea", 6))


def test_what_others_did_before_the_second_tap_does_not_refuse_it(phone, table):
    """The page shows what both led to while the answer to the first is still on its way."""
    rolling_off(table, "Dora")
    page = phone()
    slow = SlowAnswers(page)
    slow.answer_late()
    page.click(face("Ana", 3))
    page.wait_for_selector(pressed("Ana", 3))
    table.say("hand", player="Carlos", faces=[2])
    page.wait_for_selector(pressed("Carlos", 2))
    page.click(face("Bea", 5))
    slow.let_answer_go()
    page.wait_for_selector(pressed("Bea", 5))
    assert slow.sent == [hand("Ana", 3), hand("Bea", 5)]


def test_a_refused_command_takes_no_tap_with_it(phone, table):
    """After a refusal the page waits for a look at what was refused."""
    rolling_off(table)
    page = phone()
    slow = SlowAnswers(page)
    tap_two(page, slow)
    table.say("hand", player="Bea", faces=[6])
    slow.let_go()
    page.wait_for_selector("#toast:visible")
    page.wait_for_selector(pressed("Bea", 6))
    page.click(face("Ana", 3))
    page.wait_for_selector(pressed("Ana", 3))
    assert slow.sent == [hand("Ana", 3), hand("Ana", 3)]


def test_the_list_of_rules_comes_when_its_buttons_work(phone):
    page = phone("/join")
    scripts: list[Any] = []
    page.route("**/house.js*", lambda route: scripts.append(route), times=1)
    with page.expect_response("**/sheet/house"):
        page.goto(page.url.replace("/join", "/setup"), wait_until="commit")
    page.click(".house > summary")
    expect(page, "[data-all]").to_have_count(0)
    scripts.pop().continue_()
    page.click("[data-all]")
    until(page, "document.querySelector('[data-all]').getAttribute('aria-pressed') === 'true'")


def test_the_own_turn_comes_into_view_with_the_focus(phone, table):
    start(table)
    page = phone(viewport={"width": 360, "height": 400}, is_mobile=False)
    sit(page, "Bea")
    page.wait_for_selector(".awaited")
    page.evaluate("scrollTo(0, 300)")
    table.say("bid", by="Ana", quantity=3, face=3)
    page.wait_for_selector(".your-turn")
    until(page, "scrollY === 0 && document.activeElement.id === 'pad'")
    page.locator("[data-face]:enabled").first.press("Enter")
    page.wait_for_selector(".your-turn", state="detached")
    until(page, "document.activeElement.closest('#main') !== null", "not twenty tabs back")


def test_the_result_is_a_picture_to_keep(phone, table):
    """Shared by the phone's own sheet; where the browser has none for files, it saves them."""
    over(table)
    page = phone()
    page.wait_for_selector("#card-script[data-ready]", state="attached")
    with page.expect_download() as kept:
        page.click("button[data-card]")
    assert kept.value.suggested_filename == "dudo.png"
    page.evaluate(
        """() => { navigator.canShare = () => true;
        navigator.share = async (what) => { window.shared = what.files[0].type; }; }"""
    )
    page.click("button[data-card]")
    until(page, "window.shared === 'image/png'")
