"""Taps in the workshop that follow faster than the box answers: none is lost, none twice."""

import pytest

from companion.errors import BadCommand
from tests.web.hands import expect, hand_on
from tests.web.serving import served
from tests.web.slow_answers import SlowAnswers
from tests.web.tables import deps_for
from tests.web.test_workshop_pages import KEYS_LEARNT, Workshop
from web.app import create_app

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RED, BEEP = "text=Status light, red", "text=Sound the buzzer"
LIGHT, BEEPS = {"do": "light", "part": "status red"}, {"do": "beep"}
FORGET = '#key-dudo [data-do*="key-forget"]'
FORGETS = {"do": "key-forget", "part": "dudo"}
UNDO = "[data-do*=key-undo]"
PICTURE, TAKES = "[data-do*=picture]", {"do": "picture"}


class Bench(Workshop):
    """A box whose keys can be undone until one is forgotten, and whose camera is at work."""

    def do(self, page: str, step: str, part: str | None = None) -> None:
        if step == "picture":
            raise BadCommand("camera_at_work")
        super().do(page, step, part)
        if step.startswith("key"):
            self.keys = {**KEYS_LEARNT, "can_undo": step != "key-forget"}


@pytest.fixture
def box():
    return Bench()


@pytest.fixture
def address(table, box):
    with served(create_app(deps_for(table, workshop=box))) as address:
        yield address


def test_the_page_of_the_buttons_says_that_it_is_left(phone, box):
    """Regression: presses did not count for the game for six seconds more."""
    page = phone("/hardware-test")
    page.goto(page.url.replace("hardware-test", ""))
    hand_on(page, lambda: box.asked == [("leave", None)])


@pytest.mark.parametrize(
    ("first", "second", "sent", "refused"),
    [
        pytest.param(RED, BEEP, [LIGHT, BEEPS], False, id="another button is pressed next"),
        pytest.param(RED, RED, [LIGHT], False, id="the same again is one tap that bounced"),
        pytest.param(FORGET, UNDO, [FORGETS], False, id="a button that is gone by then is not pressed"),
        pytest.param(PICTURE, BEEP, [TAKES], True, id="after a refusal people look first"),
    ],
)
def test_a_tap_while_a_step_is_under_way(phone, first, second, sent, refused):
    page = phone("/hardware-test")
    slow = SlowAnswers(page, "/api/v1/workshop")
    page.click(first)
    slow.wait_for_first()
    page.click(second)
    slow.let_go()
    page.wait_for_selector("#frame:not(.busy)")
    assert slow.sent == sent
    expect(page, "#toast").to_be_visible(visible=refused)


def test_a_press_tapped_while_a_step_is_under_way_is_heard(phone, table):
    page = phone("/hardware-test")
    slow = SlowAnswers(page, "/api/v1/workshop")
    page.click(BEEP)
    slow.wait_for_first()
    page.click("#button-dudo [data-press]")
    assert table.presses == []
    with page.expect_response("**/api/v1/box/press"):
        slow.let_go()
    assert table.presses == [("dudo", False)]
