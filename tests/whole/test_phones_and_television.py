"""A whole game on two players' phones, with a watcher and the television: asleep and awake, both themes, in
Spanish and English, from names to playing again."""

from typing import Any

import pytest

from companion.app.companion import Companion
from companion.table.view import view
from tests.web.hands import bid, expect, shown_width
from tests.whole.at_box import see_bid
from tests.whole.conftest import at_work
from tests.whole.pictures import ROUNDS, drawn_to
from tests.whole.players import go_on, open_the_bidding, press, settle, sit_down, take_seat

pytestmark = pytest.mark.browser

SAID = (("4 sixes", "4 seises"), ("3 fours", "3 cuatros"))
"""The bid of each round as Ana's phone says it, and as Bea's."""


def sleeps(page: Any) -> None:
    page.context.set_offline(True)
    page.wait_for_selector("#badge:visible")


def wakes(page: Any) -> None:
    page.context.set_offline(False)
    page.wait_for_selector("#badge", state="hidden")


def test_a_game_on_two_phones_a_watcher_and_the_television(tmp_path, phone):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    lying = [drawn_to(pictures / f"{n}.png", faces, n) for n, (faces, *_) in enumerate(ROUNDS, 1)]
    with at_work(tmp_path / "data", f"folder:{pictures}") as companion:
        ana = phone(companion, color_scheme="dark")
        bea = phone(companion, color_scheme="light", locale="es-PE")
        watcher = phone(
            companion, color_scheme="dark", locale="es-ES", viewport={"width": 360, "height": 640}
        )
        board = phone(companion, "/board", viewport={"width": 1280, "height": 720}, is_mobile=False)
        sit_down(ana, ("Ana", "Bea"), starting_dice="2")
        for page, name in ((ana, "Ana"), (bea, "Bea")):
            take_seat(page, name)
        expect(board, ".open").to_have_text("Ana opens")
        for number, ((_, said, count), (english, spanish)) in enumerate(zip(ROUNDS, SAID, strict=True), 1):
            sleeps(bea)
            open_the_bidding(ana)
            bid(ana, *said)
            board.wait_for_selector(f'.bid.huge[aria-label="{english}"]')
            watcher.wait_for_selector(f'.bid.huge[aria-label="{spanish}"]')
            wakes(bea)
            bea.wait_for_selector(f'.bid.huge[aria-label="{spanish}"]')
            sleeps(watcher)
            see_bid(companion)
            bea.click(".big.dudo") if number == 1 else press(ana, "dudo")  # her phone, and the box
            board.wait_for_selector(".called, .verdict, .winner")
            settle(ana, companion, lying[number - 1])
            wakes(watcher)
            verdict_is_everywhere(companion, count, ana, bea, watcher, board)
            if number < len(ROUNDS):
                go_on(ana, companion)
        for page, words in ((ana, "Bea wins!"), (bea, "¡Gana Bea!"), (watcher, "¡Gana Bea!")):
            page.wait_for_selector(".on-over")
            expect(page, ".winner .sentence").to_have_text(words)
        board.wait_for_selector(".winner")
        assert view(companion.table.snapshot())["state"] == "over"
        history_is_whole(watcher, companion)
        bea.click(".big.go")  # again with the same people: one tap
        for page in (ana, bea):
            page.wait_for_selector("#pad")
        expect(ana, ".player .name").to_have_text(["Ana", "Bea"])


def verdict_is_everywhere(
    companion: Companion, count: int, ana: Any, bea: Any, watcher: Any, board: Any
) -> None:
    """Every screen says the same verdict in its own words, with the picture behind it."""
    verdict = companion.table.snapshot().state.game.verdict
    assert verdict.count_lo <= count <= verdict.count_hi
    assert verdict.loser == "Ana"
    for page in (ana, bea, watcher, board):
        page.wait_for_selector(".verdict.fails, .winner")
    expect(ana, ".verdict .sentence").to_contain_text("Ana loses a die")
    expect(bea, ".verdict .sentence").to_contain_text("Ana pierde un dado")
    expect(bea, "#said", "a screen reader hears it too").to_contain_text("Ana pierde un dado")
    if verdict.winner is None:
        for page in (ana, watcher, board):
            assert shown_width(page, ".evidence img, .shots img") > 300


def history_is_whole(page: Any, companion: Companion) -> None:
    page.goto(f"http://127.0.0.1:{companion.port}/history")
    page.wait_for_selector(".past")
    expect(page, ".past").to_have_count(len(ROUNDS))
    page.locator(".past img").nth(len(ROUNDS) - 1).wait_for(state="attached")
