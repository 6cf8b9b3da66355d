"""An evening by script: six phones, one of them late and one that leaves, a host and the television.

From the code to the winner nobody types; each state is photographed at four sizes in both themes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.app.companion import Companion
from tests.web.hands import FITS, lead_on, open_rules, until, way_in
from tests.whole.at_box import wait_until
from tests.whole.conftest import at_work
from tests.whole.players import NETWORK, shot

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = {
    "small": {"width": 360, "height": 640},
    "phone": {"width": 390, "height": 844},
    "laptop": {"width": 1366, "height": 768},
    "television": {"width": 1920, "height": 1080},
}
PHONES = (("small", "dark"), ("phone", "light"), ("phone", "dark"), ("small", "light"), ("phone", "light"))


@dataclass
class Evening:
    """The screens of an evening."""

    companion: Companion
    phone: Callable[..., Any]
    screens: dict[str, Any] = field(default_factory=dict)
    taps: int = 0

    def open(self, name: str, path: str, size: str, theme: str, **more: Any) -> Any:
        page = self.phone(
            self.companion,
            path,
            viewport=SIZES[size],
            color_scheme=theme,
            device_scale_factor=1,
            is_mobile=size in ("small", "phone"),
            **more,
        )
        self.screens[f"{name}-{size}-{theme}"] = page
        return page

    def photograph(self, state: str) -> None:
        """Every screen as it is now; nothing of it stands over the edge."""
        for name, page in self.screens.items():
            shot(page, f"{state}-{name}")
            until(page, FITS, f"{state}: {name} scrolls sideways")

    def tap(self, page: Any, at: str) -> None:
        self.taps += 1
        page.click(at)

    def tap_on(self, page: Any, at: str) -> None:
        """As `tap`, at what opens another page."""
        self.taps += 1
        lead_on(page, at)

    @property
    def turn(self) -> str:
        game = self.companion.table.snapshot().state.game
        return game.round.turn if game and game.round else ""

    @property
    def over(self) -> bool:
        game = self.companion.table.snapshot().state.game
        return game is not None and game.winner is not None


def sits_down(evening: Evening, page: Any, way: str, at: str = "/") -> None:
    """A phone that has scanned the code: one tap, and a second one for dice of its own in the phone."""
    page.goto(f"http://{NETWORK}:{evening.companion.port}{way}")
    page.goto(f"http://{NETWORK}:{evening.companion.port}{at}")
    page.check(".come [name=phone_cup]")
    evening.tap_on(page, ".come .big")
    page.wait_for_selector(".come", state="detached")


def fully_visible(page: Any, at: str) -> bool:
    """Whether the whole of a part is seen without scrolling."""
    box, size = page.locator(at).bounding_box(), page.viewport_size
    return bool(box["y"] >= 0 and box["y"] + box["height"] <= size["height"])


def own_name(page: Any) -> str:
    """A phone's own player stands first."""
    page.wait_for_selector(".players .player .name")
    return str(page.locator(".players .player .name").first.inner_text())


def plays_a_round(evening: Evening, phones: dict[str, Any], state: str) -> None:
    """Whoever is on turn bids one three where only twos lie; the next one doubts and is right."""
    on_turn = evening.turn
    bidder = phones[on_turn]
    bidder.wait_for_selector("#pad")
    if state:
        evening.photograph(f"{state}-turn")
    bidder.click('[data-face="3"]:enabled')
    wait_until(evening.companion, lambda _: evening.turn != on_turn)
    doubter = phones[evening.turn]
    doubter.click(".big.dudo")
    doubter.wait_for_selector(".on-verdict, .on-over")
    if state:
        evening.photograph(f"{state}-verdict")


def test_an_evening_from_the_code_to_the_winner(tmp_path, empty_table, phone):
    with at_work(tmp_path / "data", empty_table, host="0.0.0.0") as companion:
        companion.table._roll = lambda number: (2,) * number
        evening = Evening(companion, phone)
        host = evening.open("host", "/", "laptop", "light")
        evening.open("watcher", "/", "laptop", "dark")
        for theme in ("dark", "light"):
            evening.open("board", "/board", "television", theme)
        evening.photograph("first")
        begin(evening, host)
        phones = {own_name(page): page for name, page in evening.screens.items() if name.startswith("phone")}
        assert len(phones) == len(PHONES)
        late = comes_late(evening, host)
        plays_a_round(evening, phones, "round")
        host.click(".bar .big.go")
        host.wait_for_selector(".on-round")
        late.wait_for_selector(".peek")  # it shows the round it plays in; before that others stand first
        phones[own_name(late)] = late
        leaves(evening, host, phones)
        while not evening.over:
            plays_a_round(evening, phones, "")
            if not evening.over:
                host.click(".bar .big.go")
                host.wait_for_selector(".on-round")
        for page in evening.screens.values():
            page.wait_for_selector(".winner")
        evening.photograph("winner")


def begin(evening: Evening, host: Any) -> None:
    """Five phones scan the code on the host's first page and sit down, and the host starts: six taps."""
    assert fully_visible(host, "#invite"), "the code of the first page is below the fold"
    way = way_in(host)
    for number, (size, theme) in enumerate(PHONES, 1):
        page = evening.open(f"phone{number}", "/", size, theme)
        sits_down(evening, page, way)
    host.locator(".person").nth(len(PHONES) - 1).wait_for()
    for theme in ("dark", "light"):
        seated = evening.screens[f"board-television-{theme}"].locator(".here li")
        seated.nth(len(PHONES) - 1).wait_for()
    evening.photograph("lobby")
    open_rules(host)
    host.select_option('[data-switch="palifico"]', '"off"')
    host.select_option('[data-switch="starting_dice"]', "1")
    evening.tap(host, ".big.go[form=setup]")
    host.wait_for_selector(".on-round")
    assert evening.taps == len(PHONES) + 1 == 6


def comes_late(evening: Evening, host: Any) -> Any:
    """A sixth phone scans the code of the running game and sits down from the next round on."""
    way = way_in(host)
    late = evening.open("late", "/", "small", "dark")
    sits_down(evening, late, way, "/me")
    evening.photograph("late")
    return late


def leaves(evening: Evening, host: Any, phones: dict[str, Any]) -> None:
    """The host lets somebody go who is not on turn: their dice leave, the round goes on."""
    gone = next(
        name for name, page in phones.items() if name != evening.turn and page.query_selector(".peek")
    )
    host.click('[data-sheet="people"]')
    row = host.locator(".people-list li", has_text=gone)
    row.locator("summary").click()
    row.locator("[data-command]").last.click()
    host.wait_for_selector(f".player.out:has-text('{gone}')")
    evening.photograph("leaves")
    del phones[gone]
