"""Whole games with bots that the box plays for: two people with two of them, and one with real dice."""

from functools import partial
from typing import Any

import pytest

from companion.app.bot_players import BotPlayers, Thinking
from companion.app.companion import Companion
from companion.bots.seat import Level
from companion.demo.players import rolled
from companion.rules.dice import matching
from companion.rules.position import Game, Phase
from companion.table.snapshot import Snapshot
from tests.effort import draws
from tests.web.hands import expect, open_rules
from tests.web.party import send, sit
from tests.web.test_controls import commands
from tests.web.test_preset_games import bids
from tests.whole.at_box import Phone, see_bid, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

PEOPLE = ("Ana", "Bea")


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch):
    quick = partial(BotPlayers, thinking=Thinking(0.02, 0.02, 0.5))
    monkeypatch.setattr("companion.app.table_parts.BotPlayers", quick)
    monkeypatch.setattr("companion.app.bot_players.TURN_S", 0.02)


def game_of(companion: Companion) -> Game:
    return game_in(companion.table.snapshot())


def game_in(now: Snapshot) -> Game:
    assert now.state.game is not None
    return now.state.game


def moved_on(companion: Companion, since: int) -> None:
    """Wait until something has happened at the table."""
    wait_until(companion, lambda now: now.version > since)


def offered(phone: Phone, kind: str) -> list[dict[str, Any]]:
    """The commands of this kind that the phone's page has a control for."""
    return [one for one in commands(phone.get("/").text) if one["type"] == kind]


def act(phone: Phone, game: Game) -> None:
    """What the person on turn does: the lowest bid while a third of the dice bear it, else a doubt."""
    ways = offered(phone, "choose_visibility") if game.round.visibility is None else []
    if said := ways[-1:] or offered(phone, "dudo_pass"):
        sent(phone, **said[0])
    elif game.round.standing and 3 * game.round.standing.bid.quantity >= game.round.dice:
        (said,) = offered(phone, "dudo")
        sent(phone, **said)
    else:
        sent(phone, type="bid", by=game.round.turn, **bids(phone.get("/").text)[0])


def sent(phone: Phone, **command: Any) -> None:
    assert send(phone, **command).status_code == 200, command


@pytest.mark.thorough
@pytest.mark.parametrize("preset", draws(("modern", "bluff"), ("modern", "bluff", "snyd", "redemption")))
def test_two_people_and_two_bots_play_to_a_winner(preset, tmp_path, empty_table):
    """Each phone does what its page has a control for."""
    people = [{"name": name, "phone_cup": True} for name in PEOPLE]
    bots = [{"name": "Pip", "bot": "medium"}, {"name": "Prue", "bot": "strong"}]
    with at_work(tmp_path / "data", empty_table, host="0.0.0.0") as companion:
        phones = {name: Phone(companion) for name in PEOPLE}
        for phone in phones.values():
            phone.let_in()
        new = {"players": people + bots, "preset": preset, "house": {"starting_dice": 2}}
        sent(phones["Ana"], type="new_game", starter="Ana", **new)
        seats = phones["Bea"].get("/me").text
        assert seats.count('class="plain seat"') == len(PEOPLE), "nobody sits down in the seat of a bot"
        for name, phone in phones.items():
            assert sit(phone, name) == 200
        rows = phones["Ana"].get("/").text.split('<li class="player')[1:]
        assert ['<span class="tag">bot</span>' in row for row in rows] == [False, False, True, True]
        play(companion, phones)
        for phone in phones.values():
            assert 'data-screen="over"' in phone.get("/").text
        assert game_of(companion).winner in {*PEOPLE, "Pip", "Prue"}


def play(companion: Companion, phones: dict[str, Phone]) -> None:
    while (game := game_in(now := companion.table.snapshot())).phase is not Phase.OVER:
        if game.phase is Phase.VERDICT:
            sent(phones["Ana"], **offered(phones["Ana"], "next_round")[0])
        elif game.phase is Phase.BIDDING and game.round.turn in phones:
            see_bid(companion)
            act(phones[game.round.turn], game)
        moved_on(companion, now.version)


@pytest.mark.browser
def test_the_box_has_looked_at_the_real_dice_of_a_bot_and_counts_them_once(tmp_path, phone):
    """At the simulated table Ana has two dice in her phone, the bot two under the simulated camera."""
    with at_work(tmp_path / "data", "simulated") as companion:
        page = phone(companion, "/setup", color_scheme="dark", locale="de-DE")
        while page.locator(".person").count() > 2:
            page.locator(".drop").last.click()
        page.locator(".person .name").first.fill("Ana")
        page.click("#add-bot")
        page.locator(".person .drop").nth(1).click()
        bot = page.locator(".person").last
        expect(bot.locator(".in-phone")).to_be_hidden()
        bot.locator(".level").select_option("strong")
        bot.locator(".real").click()
        open_rules(page)
        page.select_option('[data-switch="starting_dice"]', "2")
        page.click(".big.go")
        page.wait_for_selector("[data-look]")
        page.locator("[data-face]:not([disabled])").first.click()
        page.wait_for_selector(".standing .huge, .standing:not(.none)")
        before = companion.table.snapshot()  # a verdict may come as soon as the box has looked
        game, own = game_in(before), dict(before.state.rolled)
        dice, wild = rolled(before.game_id or "", game), game.wild
        page.click("[data-look]")
        page.wait_for_selector("[data-look]", state="detached")
        looked = companion.table.snapshot().ledger.thrown[-1]
        assert looked.faces == tuple(sorted(dice[looked.player]))
        assert [level for _, level in before.state.bots] == [Level.STRONG]
        assert own.keys() == {"Ana"}, "nothing of the bot counts before the camera has seen it"
        moved_on(companion, before.version)
        while (game := game_in(now := companion.table.snapshot())).phase is Phase.BIDDING:
            if game.round.turn == "Ana":
                see_bid(companion)
                page.click(".big.dudo")
            moved_on(companion, now.version)
        page.wait_for_selector(".on-verdict, .on-over")
        verdict = game_of(companion).verdict
        seen, under = (matching(faces, verdict.bid.face, wild) for faces in (own["Ana"], dice[looked.player]))
        exact, settled_by_phones = (seen + under,) * 2, (seen, seen + len(dice[looked.player]))
        assert (verdict.count_lo, verdict.count_hi) in (exact, settled_by_phones)
