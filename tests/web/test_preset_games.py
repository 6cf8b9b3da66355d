"""Whole games by newer presets: two phones that roll, each of which does only what its page offers."""

import html
import json
import re
from typing import Any

import pytest

from companion.table.table import Table
from tests.web.party import send
from tests.web.tables import deps_for
from tests.web.test_controls import commands, guest
from web.app import create_app

Step = tuple[int, str]
"""Whose phone, and what it does there; or whose phone reads something."""

GAMES: dict[str, tuple[tuple[int, ...], tuple[tuple[Step, ...], ...]]] = {
    # the dice of a hand from its first on, and what happens, round by round: (player, what)
    "bluff": (
        (2, 6),
        (
            ((1, "bid 4 2"), (2, "dudo")),
            # exact: all but the bidder
            ((1, "reads 2 twos and 2 sixes make 4; Player 2 loses a die and starts."), (2, "next")),
            ((2, "bid 3 3"), (1, "dudo"), (2, "reads Player 2 loses a die and is out"), (1, "wins")),
        ),
    ),
    "snyd": (
        (1, 2),
        (
            ((1, "bid 4 4"), (2, "bid 6 4")),  # 1-2 counts three fours, in each of two hands
            ((1, "dudo"), (1, "reads Player 1 loses a die and starts"), (2, "next")),
            ((1, "bid 3 4"), (2, "bid 6 4")),  # now two and three: a lone ace is a stair too
            ((1, "dudo"), (1, "reads Player 2 loses a die and starts"), (2, "next")),
            ((2, "bid 2 4"), (1, "bid 5 4"), (2, "dudo"), (2, "wins")),
        ),
    ),
    "cachito": (
        (2, 2),
        (
            ((1, "chooses counter_clockwise"), (1, "bid 3 3"), (2, "dudo")),
            ((1, "reads there are no threes; Player 1 loses a die"), (2, "next")),
            ((1, "chooses usual"), (1, "bid 3 3"), (2, "dudo"), (2, "wins")),  # palifico
        ),
    ),
    "redemption": (
        (1, 1),
        (
            ((1, "bid 4 1"), (2, "calza"), (1, "reads exactly right; Player 1 loses a die"), (2, "next")),
            # aces are no sixes here
            ((2, "bid 1 6"), (1, "dudo"), (2, "reads there are no sixes; Player 2 loses a die"), (1, "next")),
            ((1, "bid 2 1"), (2, "calza"), (2, "wins")),
        ),
    ),
}


def plain(page: str) -> str:
    """What a page says, its names without the signs that fence them in."""
    return re.sub(r"[\u2066-\u2069]", "", html.unescape(page))


def does(phone: Any, number: int, what: str) -> None:
    """What a tap on the page sends, or the two taps for a bid."""
    kind, _, rest = what.partition(" ")
    page = phone.get("/").text
    if kind in ("reads", "wins"):
        assert (rest or f"Player {number} wins!") in plain(page)
        return
    offered = commands(page)
    if kind == "bid":
        offered = [{"type": "bid", "by": f"Player {number}", **bid} for bid in bids(page)]
        wanted = dict(zip(("quantity", "face"), map(int, rest.split()), strict=True))
    elif kind == "chooses":
        wanted = {"direction": rest} if "wise" in rest else {"visibility": rest}
    else:
        wanted = {"type": {"next": "next_round"}.get(kind, kind)}
    (command,) = [one for one in offered if one.items() >= wanted.items()]
    assert send(phone, **command).status_code == 200, what


def bids(page: str) -> list[dict[str, int]]:
    """Those that the pad has."""
    legal = re.search(r"id=\"pad\"[^>]* data-legal='([^']*)'", page)
    assert legal
    return [{"quantity": quantity, "face": face} for quantity, face in json.loads(legal[1])]


@pytest.mark.parametrize("preset", GAMES)
def test_a_whole_game(table, preset):
    hand, rounds = GAMES[preset]
    table.table = Table(table.journal, frames=1, roll=lambda number: hand[:number])
    host = create_app(deps_for(table)).test_client()
    phones = {number: guest(host, None) for number in (1, 2)}
    for number, phone in phones.items():
        assert phone.post("/api/v1/phone", json={"come": {"phone_cup": True}}).status_code == 200
        assert f"You are at the table as Player {number}." in plain(phone.get("/").text)
    people = json.loads(html.unescape(re.search(r"data-people='([^']*)'", host.get("/").text)[1]))
    new = {"players": people, "preset": preset, "starter": "Player 1", "house": {"starting_dice": 2}}
    assert send(host, type="new_game", **new).status_code == 200
    for phone in phones.values():
        assert "Everybody has 2 dice" in phone.get("/").text.partition('id="house-rules"')[2]
    for number, what in (step for steps in rounds for step in steps):
        does(phones[number], number, what)
