"""Whole games by newer presets: two players with phones that roll, and a host's laptop."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.app.companion import Companion
from tests.web.hands import bid, lead_on, open_rules, way_in
from tests.whole.conftest import at_work
from tests.whole.players import NETWORK

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Step = tuple[int, str]
"""Whose phone, and what it does there; or whose phone reads something."""

GAMES: dict[str, tuple[tuple[int, ...], tuple[Step, ...]]] = {
    # the dice of a hand from its first on, and what happens: (player, what)
    "bluff": (
        (2, 6),
        (
            (1, "bid 4 2"),
            (2, "dudo"),
            (
                1,
                "reads 2 twos and 2 sixes make 4; Player 2 loses a die and starts.",
            ),  # exact: all but the bidder
            (2, "next"),
            (2, "bid 3 3"),
            (1, "dudo"),
            (2, "reads Player 2 loses a die and is out"),
            (1, "wins"),
        ),
    ),
    "snyd": (
        (1, 2),
        (
            (1, "bid 4 4"),
            (2, "bid 6 4"),  # 1-2 counts three fours, in each of two hands
            (1, "dudo"),
            (1, "reads Player 1 loses a die and starts"),
            (2, "next"),
            (1, "bid 3 4"),
            (2, "bid 6 4"),  # now two and three: a lone ace is a stair too
            (1, "dudo"),
            (1, "reads Player 2 loses a die and starts"),
            (2, "next"),
            (2, "bid 2 4"),
            (1, "bid 5 4"),
            (2, "dudo"),
            (2, "wins"),
        ),
    ),
    "cachito": (
        (2, 2),
        (
            (1, "goes counter_clockwise"),
            (1, "bid 3 3"),
            (2, "dudo"),
            (1, "reads there are no threes; Player 1 loses a die"),
            (2, "next"),
            (1, "looks usual"),  # palifico
            (1, "bid 3 3"),
            (2, "dudo"),
            (2, "wins"),
        ),
    ),
    "redemption": (
        (1, 1),
        (
            (1, "bid 4 1"),
            (2, "calza"),
            (1, "reads exactly right; Player 1 loses a die"),
            (2, "next"),
            (2, "bid 1 6"),  # aces are no sixes here
            (1, "dudo"),
            (2, "reads there are no sixes; Player 2 loses a die"),
            (1, "next"),
            (1, "bid 2 1"),
            (2, "calza"),
            (2, "wins"),
        ),
    ),
}


def does(page: Any, number: int, what: str) -> None:
    """One tap, or two for a bid."""
    kind, _, rest = what.partition(" ")
    if kind == "bid":
        bid(page, *rest.split())
    elif kind in ("dudo", "calza"):
        page.click(f".big.{kind}")
    elif kind == "goes":
        page.click(f".pick [data-command*='\"{rest}\"']")
    elif kind == "looks":
        page.click(f"#ways [data-command*='\"{rest}\"']")
    elif kind == "next":
        page.click(".bar .big.go")
    elif kind == "reads":
        page.wait_for_selector(f".verdict .sentence:has-text('{rest}')")
    else:
        page.wait_for_selector(f".winner .sentence:has-text('Player {number} wins!')")


@pytest.fixture
def companion(tmp_path, empty_table):
    with at_work(tmp_path / "data", empty_table, host="0.0.0.0") as at:
        yield at


def sit_down(companion: Companion, phone: Callable[..., Any], way: str, number: int) -> Any:
    """A phone that scans the code and rolls for itself."""
    page = phone(companion)
    page.goto(f"http://{NETWORK}:{companion.port}{way}")
    page.check(".come [name=phone_cup]")
    lead_on(page, ".come .big")
    page.wait_for_selector(f"#lobby [role=status]:has-text('Player {number}')")
    return page


@pytest.mark.parametrize("preset", GAMES)
def test_a_whole_game(companion, phone, preset):
    hand, steps = GAMES[preset]
    companion.table._roll = lambda number: hand[:number]
    host = phone(companion, "/setup")
    way = way_in(host)
    phones = {number: sit_down(companion, phone, way, number) for number in (1, 2)}
    host.locator(".drop").nth(2).click()
    if not host.locator(f'.preset:has([value="{preset}"])').is_visible():
        host.click(".tables > summary")
    host.click(f'.preset:has([value="{preset}"])')
    open_rules(host)
    host.select_option('[data-switch="starting_dice"]', "2")
    host.click(".bar .big.go")
    for page in phones.values():
        page.wait_for_selector("#house-rules:has-text('Everybody has 2 dice')")
    for number, what in steps:
        does(phones[number], number, what)
