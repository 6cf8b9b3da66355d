"""An evening of phones with real dice, each its player's cup and camera, and the television.

In every state each control that the hint names lies within the screen, whatever the phone's size, and no
screen scrolls sideways: from the code to the winner.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from companion.app.companion import Companion
from companion.table import commands as cmd
from hardware.cameras.simulated_dice import laid
from tests.effort import THOROUGH
from tests.web.hands import FITS, expect, faults, lead_on, post, shown_width, until, way_in
from tests.whole.at_box import NETWORK, say, see_bid, wait_until
from tests.whole.conftest import at_work
from tests.whole.test_phone_camera_browser import take

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay")
COLOURS = ("red", "blue", "yellow", "green", "white", "black")


class Size(NamedTuple):
    """A phone's screen in CSS pixels, and its text as a share of the usual."""

    width: int
    height: int
    text: int = 100


UPRIGHT, SMALL, ACROSS = Size(390, 844), Size(360, 640), Size(844, 390)
LARGE, LARGEST = Size(390, 844, 200), Size(360, 640, 200)
MIXED = (UPRIGHT, SMALL, ACROSS, LARGE, LARGEST)

HIDDEN = """names => names.filter(name => {
  const part = [...document.querySelectorAll(name)].find(one => one.getClientRects().length);
  if (!part) return true;
  const box = part.getBoundingClientRect(), middle = box.x + box.width / 2;
  const covered = [5, box.height / 2, box.height - 5].some(down => {
    const hit = document.elementFromPoint(middle, box.y + down);
    return !(part.contains(hit) || hit?.contains(part));
  });
  return box.top < 0 || box.bottom > innerHeight + 1 || covered;
})"""
"""Those of these parts that are not wholly on the screen, or lie under something else."""

HINTS = {
    "open": (".your-turn", "#pad .quantity", "#pad .face", "#pad .face:last-child"),
    "turn": (".your-turn", "#pad .quantity", "#pad .face", "#pad .face:last-child", ".bar .dudo"),
    "picture": (".bar [data-picture]",),
    "taken": (".bar .waiting",),
    "verdict": (".verdict .sentence", ".bar .go"),
}
"""The controls and texts that must be in view on a player's phone, by the state of the game."""


@dataclass
class Table:
    """Phones in their seats, the host's laptop, the television, and the picture of each player's die."""

    companion: Companion
    phones: dict[str, Any]
    host: Any
    board: Any
    pictures: dict[str, Path]

    def shows(self, name: str, state: str) -> None:
        page = self.phones[name]
        for hint in HINTS[state]:
            page.wait_for_selector(hint)
        page.wait_for_selector("#toast", state="hidden")  # words that go by themselves may lie over it
        assert faults(page, HIDDEN, list(HINTS[state])) == [], f"{name}: {state}"

    def fits(self, state: str) -> None:
        """No screen of the evening scrolls sideways."""
        for page in (self.host, self.board, *self.phones.values()):
            until(page, FITS, f"{state}: {page.url} at {page.viewport_size}")

    @property
    def turn(self) -> str:
        game = self.companion.table.snapshot().state.game
        assert game
        return game.round.turn

    @property
    def left(self) -> list[str]:
        game = self.companion.table.snapshot().state.game
        return [player.name for player in game.players if not player.out] if game else []


def seated(companion: Companion, phone: Callable[..., Any], sizes: tuple[Size, ...]) -> Table:
    """The host lets the television in with one tap; phones of these sizes scan the code and sit down."""
    network, laptop = f"http://{NETWORK}:{companion.port}", {"width": 1366, "height": 768}
    host = phone(companion, viewport=laptop, is_mobile=False)
    assert faults(host, HIDDEN, ["#invite"]) == [], "the code of the first page is below the fold"
    board = phone(companion, viewport={"width": 1280, "height": 720}, is_mobile=False)
    board.goto(f"{network}/board")
    board.wait_for_selector(".claim")
    expect(board, "#invite", "until it is let in it promises nothing").to_have_count(0)
    host.click(".claim [data-phone*=confirm]")
    board.wait_for_selector("#invite")
    way = way_in(host)
    phones: dict[str, Any] = {}
    people = tuple(zip(NAMES, COLOURS, strict=True))[: len(sizes)]
    for (name, colour), size in zip(people, sizes, strict=True):
        page = phones[name] = phone(companion, viewport={"width": size.width, "height": size.height})
        page.goto(f"{network}{way}")
        assert faults(page, HIDDEN, [".come [name=name]", ".come .big"]) == [], f"{name} sits down"
        page.fill(".come [name=name]", name)
        page.check(f".come [value={colour}]", force=True)
        lead_on(page, ".come .big")
        page.wait_for_selector(".come", state="detached")
    table = Table(companion, phones, host, board, {})
    for page, seated in ((host, ".person[data-guest]"), (board, ".here li")):
        page.locator(seated).nth(len(people) - 1).wait_for()
    table.fits("lobby")
    players = [{"name": name, "colour": colour} for name, colour in people]
    new = {"type": "new_game", "players": players, "starter": "Ana", "house": {"starting_dice": 1}}
    assert post(host, "/api/v1/commands", {"command": new}) == 200
    for page, size in zip(phones.values(), sizes, strict=True):
        page.wait_for_selector(".on-round")
        page.evaluate("text => { document.documentElement.style.fontSize = text; }", f"{size.text * 1.125}%")
    return table


def plays_a_round(table: Table) -> None:
    """Whoever is on turn bids one three where only twos lie; the next one doubts, and all show their die."""
    bidder = table.turn
    table.shows(bidder, "open")
    table.phones[bidder].click('[data-face="3"]:enabled')
    wait_until(table.companion, lambda _: table.turn != bidder)
    doubter = table.turn
    table.shows(doubter, "turn")
    table.fits("turn")
    for name in {*table.left} - {bidder, doubter}:
        expect(table.phones[name], ".bar .undo", f"{name} takes back the bid of another").to_have_count(0)
    see_bid(table.companion)
    table.phones[doubter].click(".bar .dudo")
    cups = table.left
    for name in cups:
        table.shows(name, "picture")
    table.phones[doubter].click(".reactions button >> nth=0")
    for page in (table.board, *table.phones.values()):
        page.wait_for_selector(f".reactions li:has-text('{doubter}')")
    for at, name in enumerate(cups, 1):
        take(table.phones[name], table.pictures[name], ".bar [data-picture]")
        if at < len(cups):
            table.shows(name, "taken")
            table.board.wait_for_selector(f".cups li:has-text('{name}') .chips > .die")
            expect(table.board, ".called > .missing").to_contain_text(cups[-1])
            assert faults(table.board, HIDDEN, [".called > .missing", ".cups li:last-child", "#late"]) == []
    assert table.companion.table.snapshot().state.played[-1].verdict.loser == bidder


def test_each_phone_is_its_players_cup_and_camera(tmp_path, phone):
    with at_work(tmp_path / "data", "phones", host="0.0.0.0") as companion:
        table = evening(companion, phone, tmp_path, MIXED, rounds=1)
        table.phones[table.left[0]].click(".bar .go")
        for page in table.phones.values():
            page.wait_for_selector(".on-round")
        comes_late(table, phone)
        table.fits("late")
        come_to_an_end(table)


def read_off(board: Any) -> str:
    """The link of the code on the television, read from several distances as a phone's camera does."""
    shown_width(board, "#late")
    png = board.locator("#late").screenshot()
    code = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    for scale in (4, 3, 5, 2):
        link, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(code, None, fx=scale, fy=scale))
        if link:
            return link
    raise AssertionError("the code on the television cannot be read")


def comes_late(table: Table, phone: Callable[..., Any]) -> None:
    """Whoever scans the code that the television shows during a game is in with one tap."""
    link = read_off(table.board)
    late = phone(table.companion)
    late.goto(f"http://{NETWORK}:{table.companion.port}{urlsplit(link).path}")
    late.fill(".come [name=name]", "Gil")  # a name is optional
    lead_on(late, ".come .big")
    late.wait_for_selector("#waiting-players:has-text('Gil')")
    table.phones["Gil"] = late


def come_to_an_end(table: Table) -> None:
    """The next round has whoever came late, a phone's own player stands first, and all others go home."""
    say(table.companion, "bid", by=table.turn, quantity=1, face=3)
    say(table.companion, "dudo", by=table.turn)
    say(table.companion, "type_count", count=1)
    say(table.companion, "next_round")
    expect(table.phones["Gil"], ".players .name >> nth=0").to_have_text("Gil")
    for name in table.left[1:]:
        say(table.companion, "leave", player=name)
        if name == "Gil":
            table.fits("leaves")
    for page in (table.host, table.board, *table.phones.values()):
        page.wait_for_selector(".winner")
    table.fits("winner")


@pytest.mark.thorough
@pytest.mark.skipif(not THOROUGH, reason="one round at mixed sizes is in the usual suite")
@pytest.mark.parametrize(
    "size", [UPRIGHT, SMALL, ACROSS, LARGE, LARGEST], ids=lambda size: "-".join(map(str, size))
)
def test_two_games_at_every_size(tmp_path, phone, size):
    with at_work(tmp_path / "data", "phones", host="0.0.0.0") as companion:
        table = evening(companion, phone, tmp_path, (size,) * 6, rounds=5)
        companion.table.do(cmd.PlayAgain())
        plays_a_round(table)


def evening(
    companion: Companion,
    phone: Callable[..., Any],
    folder: Path,
    sizes: tuple[Size, ...],
    *,
    rounds: int,
) -> Table:
    table = seated(companion, phone, sizes)
    for seed, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True)):
        table.pictures[name] = folder / f"{name}.png"
        cv2.imwrite(str(table.pictures[name]), laid([(2, colour)], seed, width_px=960).image_bgr)
    for number in range(rounds):
        if number:
            companion.table.do(cmd.NextRound())
        plays_a_round(table)
        for name in table.left if len(table.left) > 1 else ():
            table.shows(name, "verdict")
        table.fits("verdict")
    return table
