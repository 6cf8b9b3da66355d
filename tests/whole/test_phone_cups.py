"""Dice in phones at the simulated table: for whoever tries it alone, and for all who sit down."""

import pytest

from companion.table.commands import Abandon, PutAway, RealDice
from tests.web.hands import expect
from tests.web.party import under_the_cup
from tests.whole.at_box import PEOPLE, Phone
from tests.whole.conftest import at_work


@pytest.mark.browser
def test_alone_at_a_simulated_table_the_first_taps_give_a_cup_and_two_bots(tmp_path, phone):
    """New game, Start: whoever only tries it sees dice, and nothing is to be chosen."""
    with at_work(tmp_path / "data", "simulated") as companion:
        page = phone(companion)
        page.click(".welcome .go")
        page.click(".bar .go")
        page.wait_for_selector(".your-turn")
        page.click('[data-sheet="hand"]')
        expect(page, ".under .die").to_have_count(5)
        assert [name for name, _ in companion.table.snapshot().state.bots] == ["Pip", "Prue"]


@pytest.mark.browser
def test_at_a_simulated_table_whoever_sits_down_is_a_cup(tmp_path, phone):
    """No bot takes a seat once people come; and each sees dice of their own, until real ones are chosen."""
    with at_work(tmp_path / "data", "simulated", host="0.0.0.0") as companion:
        host = phone(companion, "/setup")
        guests = [Phone(companion) for _ in PEOPLE]
        for guest, person in zip(guests, PEOPLE, strict=True):
            guest.let_in()
            assert guest.post("/api/v1/phone", json={"come": person}).status_code == 200
            host.wait_for_selector(f".person[data-guest={person['name']}]")
        host.click(".bar .go")
        host.wait_for_selector(".on-round")
        for guest in guests:
            dice = under_the_cup(guest)
            assert isinstance(dice, dict)
            assert len(dice[""]) == 5
        assert companion.table.snapshot().state.cups == ("Ana", "Bea")
        for command in (Abandon(), PutAway()):
            companion.table.do(command)
        companion.table.do(RealDice(True))
        host.wait_for_selector("#real-dice:has-text('Real dice lie')")
        host.click(".bar .go")
        host.wait_for_selector(".on-round")
        assert companion.table.snapshot().state.cups == ()
