"""What people do on the page during a whole game."""

from collections.abc import Iterable
from typing import Any

from companion.app.companion import Companion
from companion.demo.players import Lying, answer
from companion.rules.position import Phase
from companion.table.state import assessment
from tests.web import hands

MAX_QUESTIONS = 40
MAX_PRESSES, LONGEST_WAIT_S = 60, 1.0


def sit_down(page: Any, names: Iterable[str], **house: str) -> None:
    """Fill in the set-up form and start."""
    names = tuple(names)
    bots = page.locator(".person:has(.level:visible)")
    while bots.count():  # where no dice are real, whoever is alone is offered some
        page.click("#add-person")
        bots.last.locator(".drop").click()
    hands.seat(page, names)
    hands.open_rules(page)
    for switch, value in house.items():
        page.select_option(f'[data-switch="{switch}"]', value)
    page.click(".big.go")
    page.wait_for_selector("#pad")


def take_seat(page: Any, name: str) -> None:
    page.goto(page.url.partition("/me")[0].rstrip("/") + "/me")
    page.locator(".seat", has_text=name).click()
    page.wait_for_selector(".on-round")


def bid(page: Any, quantity: int, face: int) -> None:
    """Two taps, and the table has heard them."""
    hands.bid(page, quantity, face)
    page.wait_for_selector(".standing:not(.none)")


def open_the_bidding(page: Any) -> None:
    """Wait for the pad; whoever opens a palifico first chooses that everybody looks as always."""
    page.wait_for_selector("#pad, .way")
    if page.locator(".way").count():
        page.locator(".way").last.click()
    page.wait_for_selector("#pad")


def press(page: Any, button: str) -> None:
    """A press on the simulated box, which drives its mock pin; where phones are the cameras there is no box,
    and the page's own button does it."""
    if not page.locator("#box").count():
        page.click(f".bar .big.{'go' if button == 'ok' else button}")
        if button == "dudo":
            page.wait_for_selector("#sheet[open], .on-reveal")
            for choice in page.locator("#sheet[open] [data-command]").all()[:1]:  # in whose name
                choice.click()
        return
    if page.locator("#box:not([open])").count():
        page.click("#box > summary")
    page.click(f'[data-press="{button}"]')


def go_on(page: Any, companion: Companion) -> None:
    """Press OK until the verdict is left: one that has only just appeared waits for another press."""
    for _ in range(MAX_PRESSES):
        now = companion.table.snapshot()
        if now.state.game is None or now.state.game.phase is not Phase.VERDICT:
            return
        press(page, "ok")
        companion.table.wait(now.version, LONGEST_WAIT_S)
    raise AssertionError("the verdict stays")


def settle(page: Any, companion: Companion, lying: tuple[Lying, ...]) -> int:
    """Answer what the box asks by looking at the dice, until the verdict; returns the number of questions."""
    page.wait_for_selector(".on-verdict, .on-over, #question")
    for asked in range(MAX_QUESTIONS):
        now = companion.table.snapshot()
        if now.state.game is None or now.state.game.phase is not Phase.REVEAL:
            return asked
        questions = assessment(now.state).questions
        correction = answer(questions[0], now, lying) if questions else None
        if correction is None:
            page.wait_for_selector(".on-verdict, .on-over")
        else:
            companion.table.do(correction)
    raise AssertionError(f"no verdict after {MAX_QUESTIONS} answers")
