"""A whole game on two players' phones, with a watcher and the television: asleep and awake, both themes, in
Spanish and English, from names to playing again."""

from typing import Any

import pytest

from companion.app.companion import Companion
from tests.whole.conftest import at_work
from tests.whole.players import go_on, open_the_bidding, settle, sit_down
from tests.whole.test_rendered_game import drawn

pytestmark = pytest.mark.browser

ROUNDS = (
    # dice shown, Ana's bid, the bid as her phone and Bea's say it, matching dice
    ((2, 2, 3, 4), (4, 6), "4 sixes", "4 seises", 0),
    ((3, 5, 5), (3, 4), "3 fours", "3 cuatros", 0),
)
"""Ana has two dice and bids too high each time; Bea doubts her on her own phone."""


def bid(page: Any, quantity: int, face: int) -> None:
    """Two taps."""
    page.click(f'[data-quantity="{quantity}"]')
    page.click(f'[data-face="{face}"]')


def shown_picture(page: Any) -> None:
    """The evidence is really there, not only its frame."""
    picture = page.locator(".evidence img, .shots img").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 300


def sleeps(page: Any) -> None:
    page.context.set_offline(True)
    page.wait_for_selector("#badge:visible")


def wakes(page: Any) -> None:
    page.context.set_offline(False)
    page.wait_for_selector("#badge", state="hidden")


def test_a_game_on_two_phones_a_watcher_and_the_television(tmp_path, phone):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    lying = [drawn(faces, n, pictures / f"{n}.png") for n, (faces, *_) in enumerate(ROUNDS, 1)]
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
        for number, (_, said, english, spanish, count) in enumerate(ROUNDS, 1):
            sleeps(bea)
            open_the_bidding(ana)
            bid(ana, *said)
            board.wait_for_selector(f'.bid.huge[aria-label="{english}"]')
            watcher.wait_for_selector(f'.bid.huge[aria-label="{spanish}"]')
            wakes(bea)
            bea.wait_for_selector(f'.bid.huge[aria-label="{spanish}"]')
            sleeps(watcher)
            bea.click(".big.dudo")
            board.wait_for_selector(".called, .verdict, .winner")
            settle(ana, companion, lying[number - 1])
            wakes(watcher)
            verdict_is_everywhere(companion, count, ana, bea, watcher, board)
            if number < len(ROUNDS):
                go_on(ana, companion)
        for page, words in ((ana, "Bea wins!"), (bea, "¡Gana Bea!"), (watcher, "¡Gana Bea!")):
            page.wait_for_selector(".on-over")
            assert page.inner_text(".winner .sentence") == words
        board.wait_for_selector(".winner")
        history_is_whole(watcher, companion)
        bea.click(".big.go")  # again with the same people: one tap
        for page in (ana, bea):
            page.wait_for_selector("#pad")
        assert ana.locator(".player .name").all_inner_texts() == ["Ana", "Bea"]


def take_seat(page: Any, name: str) -> None:
    page.goto(page.url.rstrip("/") + "/me")
    page.locator(".seat", has_text=name).click()
    page.wait_for_selector(".on-round")


def verdict_is_everywhere(
    companion: Companion, count: int, ana: Any, bea: Any, watcher: Any, board: Any
) -> None:
    """Every screen says the same verdict in its own words, with the picture behind it."""
    verdict = companion.table.snapshot().state.game.verdict
    assert verdict.count_lo <= count <= verdict.count_hi
    assert verdict.loser == "Ana"
    for page in (ana, bea, watcher, board):
        page.wait_for_selector(".verdict.fails, .winner")
    assert "Ana loses a die" in ana.inner_text(".verdict .sentence")
    assert "Ana pierde un dado" in bea.inner_text(".verdict .sentence")
    assert "Ana pierde un dado" in bea.inner_text("#said"), "a screen reader hears it too"
    if verdict.winner is None:
        for page in (ana, watcher, board):
            shown_picture(page)


def history_is_whole(page: Any, companion: Companion) -> None:
    page.goto(f"http://127.0.0.1:{companion.port}/history")
    page.wait_for_selector(".past")
    assert page.locator(".past").count() == len(ROUNDS)
    assert page.locator(".past img").count() >= len(ROUNDS)
