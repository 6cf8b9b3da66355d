"""A whole game in the browser: two people with dice in their phones, two bots that the box plays for."""

from functools import partial
from typing import Any

import pytest

from companion.app.bot_players import BotPlayers, Thinking
from companion.app.companion import Companion
from companion.demo.simulated import rolled
from companion.rules.dice import matching
from companion.rules.position import Game, Phase
from companion.table.snapshot import Snapshot
from tests.effort import draws
from tests.web.hands import expect, open_rules, until
from tests.whole.at_box import wait_until
from tests.whole.conftest import at_work
from tests.whole.players import NETWORK, at_the_table, shot, take_seat

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PEOPLE = ("Ana", "Bea")
QUICK = Thinking(0.1, 0.1, 0.5)


def set_up(page: Any, preset: str) -> None:
    while page.locator(".person").count() > len(PEOPLE):
        page.locator(".drop").last.click()
    for number, name in enumerate(PEOPLE):
        person = page.locator(".person").nth(number)
        person.locator(".name").fill(name)
        person.locator(".in-phone").click()
    page.click("#add-bot")
    page.click("#add-bot")
    page.locator(".person").last.locator(".level").select_option("strong")
    names = page.locator(".person .name").evaluate_all("all => all.map(one => one.value)")
    assert names == [*PEOPLE, "Pip", "Prue"]
    expect(page.locator(".person").last.locator(".in-phone")).to_be_hidden()
    shot(page, "setup")
    open_rules(page)
    page.locator(f'[name="preset"][value="{preset}"]').evaluate("one => one.click()")
    page.select_option('[data-switch="starting_dice"]', "2")
    page.click(".big.go")
    page.wait_for_selector("#pad")


def game_of(companion: Companion) -> Game:
    return game_in(companion.table.snapshot())


def game_in(now: Snapshot) -> Game:
    assert now.state.game is not None
    return now.state.game


def moved_on(companion: Companion, since: int) -> None:
    """Wait until something has happened at the table."""
    wait_until(companion, lambda now: now.version > since)


def shows(page: Any, now: Snapshot) -> None:
    """Wait until the page shows what has happened at the table."""
    until(page, f"Number(document.getElementById('live').dataset.version) >= {now.version}")


def act(page: Any, now: Snapshot, game: Game) -> None:
    """What the person on turn does: the lowest bid while a third of the dice bear it, else a doubt.

    The page must show the turn: until then the phone that leads has the buttons of the player before.
    """
    shows(page, now)
    page.wait_for_selector("#pad, .big.dudo, .way, [data-command*=dudo_pass]")
    if game.round.visibility is None and page.locator("#ways .way").count():
        page.locator("#ways .way").last.click()
    elif page.locator("[data-command*=dudo_pass]").count():
        page.locator("[data-command*=dudo_pass]").click()
    elif game.round.standing and 3 * game.round.standing.bid.quantity >= game.round.dice:
        page.click(".big.dudo")
    else:
        page.locator("[data-face]:not([disabled])").first.click()


@pytest.mark.thorough
@pytest.mark.parametrize("preset", draws(("modern", "bluff"), ("modern", "bluff", "snyd", "redemption")))
def test_two_people_and_two_bots_play_to_a_winner(preset, tmp_path, empty_table, phone, monkeypatch):
    quick = partial(BotPlayers, thinking=QUICK)
    monkeypatch.setattr("companion.app.table_parts.BotPlayers", quick)
    with at_work(tmp_path / "data", empty_table, host="0.0.0.0") as companion:
        ana = at_the_table(companion, phone, color_scheme="dark")
        ana.goto(f"http://{NETWORK}:{companion.port}/setup")
        set_up(ana, preset)
        bea = at_the_table(companion, phone, color_scheme="light", locale="es-PE")
        expect(bea, ".seat", "nobody sits down in the seat of a bot").to_have_count(len(PEOPLE))
        pages = {"Ana": ana, "Bea": bea}
        for name, page in pages.items():
            take_seat(page, name)
        expect(ana.locator(".player .tag", has_text="bot")).to_have_count(2)
        play(companion, pages)
        for name, page in pages.items():
            page.wait_for_selector(".on-over")
            shot(page, f"over-{name}")
        assert game_of(companion).winner in {*PEOPLE, "Pip", "Prue"}


def play(companion: Companion, pages: dict[str, Any]) -> None:
    ana = pages["Ana"]
    while (game := game_in(now := companion.table.snapshot())).phase is not Phase.OVER:
        if game.phase is Phase.VERDICT:
            shows(ana, now)
            shot(ana, f"verdict-{game.round.number}")
            ana.click(".bar .big.go")
        elif game.phase is Phase.BIDDING and game.round.turn in pages:
            act(pages[game.round.turn], now, game)
        elif game.phase is Phase.BIDDING:
            shot(pages["Bea"], f"thinks-{game.round.number}")
        moved_on(companion, now.version)


def test_the_box_has_looked_at_the_real_dice_of_a_bot_and_counts_them_once(tmp_path, phone, monkeypatch):
    """At the simulated table Ana has two dice in her phone, the bot two under the simulated camera."""
    monkeypatch.setattr("companion.app.table_parts.BotPlayers", partial(BotPlayers, thinking=QUICK))
    with at_work(tmp_path / "data", "simulated") as companion:
        page = phone(companion, "/setup", color_scheme="dark", locale="de-DE")
        while page.locator(".person").count() > 2:
            page.locator(".drop").last.click()
        page.locator(".person .name").first.fill("Ana")
        page.click("#add-bot")
        page.locator(".person .drop").nth(1).click()
        page.locator(".person").last.locator(".real").click()
        shot(page, "setup-real-dice")
        open_rules(page)
        page.select_option('[data-switch="starting_dice"]', "2")
        page.click(".big.go")
        page.wait_for_selector("[data-look]")
        shot(page, "look")
        page.locator("[data-face]:not([disabled])").first.click()
        page.wait_for_selector(".standing .huge, .standing:not(.none)")
        version = companion.table.snapshot().version
        page.click("[data-look]")
        page.wait_for_selector("[data-look]", state="detached")
        now, game = companion.table.snapshot(), game_of(companion)
        dice, wild = rolled(now.game_id or "", game), game.wild
        looked = now.ledger.thrown[-1]
        assert looked.faces == tuple(sorted(dice[looked.player]))
        own = dict(now.state.rolled)
        assert own.keys() == {"Ana"}, "nothing of the bot counts before the camera has seen it"
        moved_on(companion, version)
        while (game := game_in(now := companion.table.snapshot())).phase is Phase.BIDDING:
            if game.round.turn == "Ana":
                page.click(".big.dudo")
            moved_on(companion, now.version)
        page.wait_for_selector(".on-verdict, .on-over")
        shot(page, "verdict-real-dice")
        verdict = game_of(companion).verdict
        seen, under = (matching(faces, verdict.bid.face, wild) for faces in (own["Ana"], dice[looked.player]))
        exact, settled_by_phones = (seen + under,) * 2, (seen, seen + len(dice[looked.player]))
        assert (verdict.count_lo, verdict.count_hi) in (exact, settled_by_phones)
