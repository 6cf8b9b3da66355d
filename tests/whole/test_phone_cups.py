"""A game of an honest table whose dice are rolled in two phones: nothing takes more taps than it did."""

from typing import Any

import pytest

from tests.web.hands import bid, expect, lead_on, open_rules
from tests.whole.conftest import at_work
from tests.whole.players import NETWORK, at_the_table, take_seat

pytestmark = pytest.mark.browser


def set_up(page: Any) -> None:
    """Two players with two dice each, both in their phones."""
    for number, name in enumerate(("Ana", "Bea")):
        person = page.locator(".person").nth(number)
        person.locator(".name").fill(name)
        person.locator(".in-phone").click()
    page.check("[name=preset][value=modern]", force=True)  # where a palifico may be played open
    open_rules(page)
    page.select_option('[data-switch="starting_dice"]', "2")
    page.click(".big.go")
    page.wait_for_selector("#pad")


def under(page: Any) -> list[str]:
    """The dice that one tap shows, and one more hides."""
    page.click('[data-sheet="hand"]')
    page.wait_for_selector(".under .die")
    dice = list(page.locator(".under .die").evaluate_all("all => all.map(one => one.ariaLabel)"))
    page.locator(".under").click()
    page.wait_for_selector("#sheet", state="hidden")
    return dice


def doubt(page: Any, bid: str) -> None:
    """Doubt a bid once the page shows it. Before, the phone that leads doubts for whoever is on turn."""
    page.wait_for_selector(f'.bid.huge[aria-label="{bid}"]')
    page.click(".big.dudo")


def test_a_game_with_dice_in_two_phones(tmp_path, covered_camera, phone):
    """No cup is on the table: that the camera is covered holds nothing up."""
    with at_work(tmp_path / "data", covered_camera, host="0.0.0.0") as companion:
        companion.table._roll = lambda number: (2,) * number
        ana = at_the_table(companion, phone, color_scheme="dark")
        ana.goto(f"http://{NETWORK}:{companion.port}/setup")
        set_up(ana)
        bea = at_the_table(companion, phone, color_scheme="light", locale="es-PE")
        for page, name in ((ana, "Ana"), (bea, "Bea")):
            take_seat(page, name)
        assert under(ana) == ["two", "two"]
        assert under(bea) == ["dos", "dos"]
        expect(ana, ".note.told", "an honest table gets no note").to_have_count(0)
        slip_and_undo(ana, bea)
        lose_a_die(ana, bea)
        play_open(ana, bea)


def slip_and_undo(ana: Any, bea: Any) -> None:
    """Bea doubts by a slip of the finger: whoever leads takes it back, and everybody reads that."""
    bid(ana, 1, 2)
    bea.click(".big.dudo")
    for page in (ana, bea):
        page.wait_for_selector(".on-verdict")
    expect(bea, ".undo").to_have_count(0)
    ana.click('.undo[data-sheet="retake"]')
    ana.click("#sheet .big.go")
    for page in (ana, bea):
        page.wait_for_selector(".on-round")
        page.wait_for_selector(".note.told")
    expect(bea, ".note.told").to_contain_text("Ana")
    assert under(bea) == ["dos", "dos"]


def lose_a_die(ana: Any, bea: Any) -> None:
    """Two taps for a bid, one to doubt, none for the verdict, one for the next round."""
    bid(bea, 4, 3)
    doubt(ana, "4 threes")
    for page in (ana, bea):
        page.wait_for_selector(".verdict.fails")
    ana.click(".bar .big.go")
    bea.wait_for_selector(".pick")


def play_open(ana: Any, bea: Any) -> None:
    """Bea has one die left and plays open: each phone shows the dice of the other."""
    expect(ana, "#cup-why").to_contain_text("Nobody looks yet")
    bea.locator("#ways .way").first.click()
    for page in (ana, bea):
        page.wait_for_selector('[data-sheet="hand"]')
    assert under(ana) == ["two"]
    assert under(bea) == ["dos", "dos"]
    bid(bea, 3, 3)
    doubt(ana, "3 threes")
    for page, words in ((ana, "Ana wins!"), (bea, "¡Gana Ana!")):
        page.wait_for_selector(".on-over")
        expect(page, ".winner .sentence").to_have_text(words)


def test_alone_at_a_simulated_table_the_first_taps_give_a_cup_and_two_bots(tmp_path, phone):
    """New game, Start: whoever only tries it sees dice, and nothing is to be chosen."""
    with at_work(tmp_path / "data", "simulated") as companion:
        page = phone(companion)
        page.click(".welcome .go")
        page.click(".bar .go")
        page.wait_for_selector(".your-turn")
        assert len(under(page)) == 5
        assert len(companion.table.snapshot().state.bots) == 2


def test_at_a_simulated_table_whoever_sits_down_is_a_cup(tmp_path, phone):
    """No bot takes a seat once people come; and each sees dice of their own."""
    with at_work(tmp_path / "data", "simulated", host="0.0.0.0") as companion:
        host = phone(companion, "/setup")
        guests = [at_the_table(companion, phone) for _ in range(2)]
        for page, name in zip(guests, ("Ana", "Bea"), strict=True):
            page.goto(f"http://{NETWORK}:{companion.port}/")
            page.fill(".come [name=name]", name)
            lead_on(page, ".come .big")
            host.wait_for_selector(f".person[data-guest={name}]")
        host.click(".bar .go")
        for page in guests:
            assert len(under(page)) == 5
        assert companion.table.snapshot().state.cups == ("Ana", "Bea")
