"""A person is one: by name or by phone the same comes back, with as many dice; and a silent phone holds
nobody up."""

from typing import Any

import pytest

from companion.budgets import COMINGS, COMINGS_PER_S
from companion.rules.presets import PRESETS
from companion.table.commands import NewGame, Rename
from tests.web.party import NAMES, Party, ask, come, phone_state, reason, send, sit
from tests.web.seating import Box
from web.sessions.seats import SILENT_S


def seat_of(phone: Any) -> Any:
    return phone_state(phone)["seat"]


def next_round(party: Party, quantity: int = 5) -> dict[str, tuple[int, bool]]:
    """A round later, in which a doubt was wrong: the dice of everybody, and who is out."""
    party.next_round(quantity, quantity)
    players = party.table.snapshot().data["game"]["players"]
    return {player["name"]: (player["dice"], player["out"]) for player in players}


def test_a_phone_loses_the_seat_that_a_bot_plays_in_the_next_game(party):
    party.another_game({"name": "Ana", "bot": "easy"}, "Bea", "Carlos")
    ana, bea = party.phones["Ana"], party.phones["Bea"]
    assert (seat_of(ana), seat_of(bea)) == (None, "Bea")
    commands: list[dict[str, Any]] = [
        {"type": "bid", "by": "Ana", "quantity": 2, "face": 3},
        {"type": "rename", "player": "Ana", "to": "Anna"},
        {"type": "leave", "player": "Ana"},
    ]
    for command in commands:
        assert send(ana, **command).status_code == 403, command
    assert come(ana, name="Anna").status_code == 200
    assert seat_of(ana) == "Anna"


def test_a_name_spelt_otherwise_in_the_next_game_is_the_same_seat(party):
    party.clear()
    guest = party.guest()
    assert come(guest, name="Dora").status_code == 200
    party.another_game("ANA", "bea", "dora")
    seats = [seat_of(phone) for phone in (party.phones["Ana"], party.phones["Bea"], guest)]
    assert seats == ["ANA", "bea", "dora"]


def test_who_comes_back_under_another_name_is_the_same_person(party):
    bea = party.phones["Bea"]
    assert next_round(party)["Bea"] == (4, False)
    send(bea, type="leave", player="Bea")
    assert seat_of(bea) is None
    assert come(bea, name="Zoe", colour="pink").status_code == 200
    assert seat_of(bea) == "Zoe"
    assert next_round(party)["Zoe"] == (3, False), "it was her turn as she went"
    assert "Bea" not in party.table.snapshot().data["game"]["players"][1]["name"]


def test_a_seat_of_an_earlier_game_makes_nobody_a_person_of_this_one(party):
    party.another_game("Bea", "Carlos")
    ana = party.phones["Ana"]
    assert come(ana, name="Zoe").status_code == 200
    announcement = party.table.snapshot().data["announcement"]
    assert (announcement["kind"], announcement["player"], seat_of(ana)) == ("joined", "Zoe", "Zoe")


def test_who_leaves_the_roll_for_seats_comes_back_as_the_same_person(party):
    people = [{"name": name, "handicap": 2 * (name == "Ana")} for name in NAMES]
    house = {"handicap": True, "order": "starter_only"}
    party.another_game(*people, roll_off=True, house=house, starter=None)
    ana = party.phones["Ana"]
    assert send(ana, type="leave", player="Ana").status_code == 200
    assert come(ana, name="Zoe").status_code == 200
    send(party.host, type="roll_off", rolls=[{"Bea": 6, "Carlos": 2}])
    players = party.table.snapshot().data["game"]["players"]
    assert {player["name"]: player["dice"] for player in players} == {"Bea": 5, "Carlos": 5, "Zoe": 3}


def test_another_phone_brings_the_same_person_back(party):
    send(party.phones["Carlos"], type="leave", player="Carlos")
    other = party.guest()
    assert come(other, name="carlos", phone_cup=True).status_code == 200
    assert (seat_of(other), seat_of(party.phones["Carlos"])) == ("Carlos", None)
    party.next_round()
    assert other.get("/sheet/hand").status_code == 200
    assert party.phones["Carlos"].get("/sheet/hand").status_code == 404


@pytest.mark.parametrize("left", [True, False])
def test_who_is_out_comes_back_under_no_name(tmp_path, left):
    party = Party(tmp_path, starting_dice=1, palifico="off")
    try:
        assert next_round(party, 3)["Bea"] == (0, True)
        bea = party.phones["Bea"]
        if left:
            send(bea, type="leave", player="Bea")
        else:
            assert sit(bea, None) == 200
        for name in ("Zoe", "Bea", ""):
            answer = come(bea, name=name)
            assert (answer.status_code, reason(answer)) == (422, "out_of_game"), name
        send(party.host, type="abandon")
        assert come(bea, name="Zoe").status_code == 200, "in the next game"
    finally:
        party.close()


def test_a_phone_whose_player_is_in_the_game_comes_as_nobody_else(party):
    ana = party.phones["Ana"]
    assert sit(ana, None) == 200
    answer = come(ana, name="Zoe")
    assert (answer.status_code, reason(answer)) == (409, "own_seat")
    assert sit(ana, "Ana") == 200


def test_what_changes_at_the_table_without_a_page_the_phones_know_at_once(party):
    """No page has a copy of who sits where that could lag behind."""
    bea = party.phones["Bea"]
    assert ask(bea, lead=True)["reason"] == "claim_open"
    party.table.table.do(Rename("Bea", "Bee"))
    assert (seat_of(bea), phone_state(bea)["claim"]["seat"]) == ("Bee", "Bee")
    assert send(bea, type="rename", player="Bee", to="Bea").status_code == 200
    assert (seat_of(bea), phone_state(bea)["claim"]["seat"]) == ("Bea", "Bea")


@pytest.mark.parametrize(("name", "local"), [("Dora", False), ("dora", False), ("Dora", True)])
def test_who_sat_down_before_a_game_sits_in_it_however_it_begins(party, name, local):
    party.clear()
    guest = party.page.test_client() if local else party.guest()
    assert come(guest, name=name).status_code == 200
    party.table.table.do(NewGame(PRESETS["modern"], (("Ana", ""), ("Dora", "")), "Ana"))
    assert (seat_of(party.phones["Ana"]), seat_of(guest)) == ("Ana", "Dora")


def test_who_got_up_before_a_game_has_no_seat_in_it_and_another_may_take_the_name(party):
    party.clear()
    ana, guest = party.phones["Ana"], party.guest()
    assert ana.post("/api/v1/phone", json={"come": None}).status_code == 200
    assert come(guest, name="Ana").status_code == 200
    party.new_game()
    assert (seat_of(ana), seat_of(guest)) == (None, "Ana")


def test_cookies_bring_everybody_back_to_a_box_that_was_started_anew(party):
    bea, carlos = party.phones["Bea"], party.phones["Carlos"]
    send(bea, type="rename", player="Bea", to="Bee")
    seat_of(bea)
    assert sit(carlos, None) == 200
    party.restart()
    assert [seat_of(phone) for phone in party.phones.values()] == ["Ana", "Bee", None]


def test_a_phone_does_not_come_and_go_without_end(party):
    dora = party.guest()
    for number in range(COMINGS):
        assert come(dora, name=f"Dora {number}").status_code == 200
        assert send(dora, type="leave", player=seat_of(dora)).status_code == 200
    answer = come(dora, name="Dora")
    assert (answer.status_code, reason(answer)) == (429, "ask_later")
    party.now_s += 1 / COMINGS_PER_S
    assert come(dora, name="Dora").status_code == 200


def pass_by(box: Box, seconds: float, *awake: str) -> None:
    """Time in which only these phones ask for anything."""
    for _ in range(int(seconds // 20)):
        box.now_s += 20.0
        for name in awake:
            box.phone(name)


def test_a_player_confirms_a_claim_to_a_lead_whose_phone_is_silent(box):
    pass_by(box, SILENT_S, "one", "two", "three")
    assert not box.phone("two").lead_silent
    pass_by(box, SILENT_S + 20, "two", "three")
    assert box.phone("two").lead_silent
    box.lead("late")
    assert box.seats.decide(box.phone("three"), box.number, grant=True) == "leader_only"
    assert box.seats.decide(box.phone("two"), box.number, grant=True) is None
    assert box.phone("late").leads


def test_a_player_plays_for_the_player_on_turn_whose_phone_is_silent(box):
    before = box.views
    pass_by(box, SILENT_S + 20, "two", "three")
    assert box.views > before, "every phone is shown it"
    assert (box.phone("two").plays, box.phone("two").author.silent) == (True, "Ana")
    assert not box.phone("three").plays, "who has no seat plays no part"
    box.turn = "Bea"
    assert box.phone("two").author.silent == "", "another is on turn"
    box.turn = "Ana"
    assert box.phone("one").silent == ""
    assert box.phone("two").author.silent == "", "the phone is back"


def test_the_page_lets_a_player_go_on_for_a_silent_phone_and_confirm_a_lead(party):
    """Ana's phone and the host's are dead, and it is Ana's turn."""
    bea, carlos = party.phones["Bea"], party.phones["Carlos"]
    bid = {"type": "bid", "by": "Ana", "quantity": 2, "face": 3}
    assert reason(send(bea, **bid)) == "not_your_seat"
    assert "silent" not in bea.get("/").text
    for _ in range(4):
        party.now_s += 20.0
        for phone in (bea, carlos):
            phone.get("/fragment/table")
    page = bea.get("/").text
    assert "Ana’s phone has been silent" in page
    assert 'id="pad"' in page
    assert send(bea, **bid).status_code == 200
    assert reason(send(carlos, type="leave", player="Ana")) == "not_your_seat"
    assert carlos.post("/api/v1/phone", json={"lead": True}).status_code == 403
    assert "The host’s phone has been silent" in bea.get("/").text
    number = bea.get("/api/v1/phone").json["claim"]["number"]
    assert bea.post("/api/v1/phone", json={"confirm": number}).status_code == 200
    assert carlos.get("/api/v1/phone").json["role"] == "host"


def test_dice_put_right_by_a_correction_stay_so_when_a_bid_is_undone(party):
    send(party.host, type="bid", by="Ana", quantity=3, face=3)
    send(party.host, type="calza", by="Bea")
    send(party.host, type="type_count", count=5)
    send(party.host, type="next_round")
    send(party.host, type="bid", by="Bea", quantity=1, face=4)
    assert len(party.rolled("Bea")) == 4
    assert send(party.host, type="correct_round", round=1, count=3).status_code == 200
    fell = party.rolled("Bea")
    assert send(party.host, type="undo").status_code == 200
    assert (party.rolled("Bea"), len(fell)) == (fell, 5)
