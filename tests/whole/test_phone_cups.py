"""A game of an honest table whose dice are rolled in two phones: nothing is asked and nothing held up."""

import re
from typing import Any

import pytest

from companion.table.commands import Abandon, PutAway, RealDice
from tests.web.hands import expect
from tests.web.party import send, sit, under_the_cup
from tests.web.test_controls import commands
from tests.whole.at_box import PEOPLE, Phone, see_bid
from tests.whole.conftest import at_work


def test_a_game_with_dice_in_two_phones(tmp_path, covered_camera):
    """No cup is on the table: that the camera is covered holds nothing up."""
    with at_work(tmp_path / "data", covered_camera, host="0.0.0.0") as companion:
        companion.table._roll = lambda number: (2,) * number
        ana, bea = Phone(companion), Phone(companion, language="es-PE")
        for phone in (ana, bea):
            phone.let_in()
        people, house = [{**one, "phone_cup": True} for one in PEOPLE], {"starting_dice": 2}
        sent(ana, "new_game", players=people, preset="modern", starter="Ana", house=house)
        for phone, name in ((ana, "Ana"), (bea, "Bea")):
            assert sit(phone, name) == 200
            assert under_the_cup(phone) == {"": (2, 2)}
        assert NOTE not in ana.get("/").text, "an honest table gets no note"
        slip_and_undo(ana, bea)
        lose_a_die(ana, bea)
        play_open(ana, bea)


NOTE = 'class="note told"'


def sent(phone: Phone, kind: str, **more: Any) -> None:
    see_bid(phone.companion)
    assert send(phone, type=kind, **more).status_code == 200, kind


def shown(phone: Phone, part: str) -> None:
    assert part in re.sub("[\u2066-\u2069]", "", phone.get("/").text)


def slip_and_undo(ana: Phone, bea: Phone) -> None:
    """Bea doubts by a slip of the finger: whoever leads takes it back, and everybody reads that."""
    sent(ana, "bid", by="Ana", quantity=1, face=2)
    sent(bea, "dudo", by="Bea")
    for phone in (ana, bea):
        shown(phone, 'data-screen="verdict"')
    assert 'id="undo"' not in bea.get("/").text
    shown(ana, 'id="undo" data-sheet="retake"')
    assert [one["type"] for one in commands(ana.get("/sheet/retake").text)] == ["undo"]
    sent(ana, "undo")
    for phone in (ana, bea):
        shown(phone, 'data-screen="round"')
        assert "Ana" in phone.get("/").text.partition(NOTE)[2].partition("</")[0]
    assert under_the_cup(bea) == {"": (2, 2)}


def lose_a_die(ana: Phone, bea: Phone) -> None:
    """Nobody says what lay there: the verdict comes with the call."""
    sent(bea, "bid", by="Bea", quantity=4, face=3)
    sent(ana, "dudo", by="Ana")
    for phone in (ana, bea):
        assert re.search('class="verdict [^"]*fails', phone.get("/").text)
    sent(ana, "next_round")


def play_open(ana: Phone, bea: Phone) -> None:
    """Bea has one die left and plays open: each phone shows the dice of the other."""
    shown(ana, "Nobody looks yet")
    sent(bea, "choose_visibility", by="Bea", visibility="open")
    assert (under_the_cup(ana), under_the_cup(bea)) == ({"Bea": (2,)}, {"Ana": (2, 2)})
    sent(bea, "bid", by="Bea", quantity=3, face=3)
    sent(ana, "dudo", by="Ana")
    shown(ana, "Ana wins!")
    shown(bea, "¡Gana Ana!")


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
