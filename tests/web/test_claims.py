"""Claims: who asks, who confirms, who must wait."""

import pytest

from companion.budgets import CLAIMS, CLAIMS_PER_S
from tests.web.party import ask, phone_of, phone_state, set_up, way_in
from tests.web.seating import Box
from web.sessions.access import Role
from web.sessions.claims import CLAIM_S, PAUSE_S, REFUSED_S

pytestmark = pytest.mark.usefixtures("over_sockets")


def test_two_buttons_held_give_the_lead_to_the_phone_that_asked(box):
    assert box.lead("late") == "claim_open"
    assert box.lead("late") == "claim_open"  # asking twice is not confirming
    assert 10 <= box.number <= 99
    box.hold_two()
    assert not box.phone("other").leads  # who did not ask gets nothing
    assert not box.phone("one").leads  # and whoever led hears of it at once
    assert (box.phone("late").leads, box.phone("late").let_in) == (True, True)
    box.hold_two()
    assert not box.phone("one").leads  # one gesture, one phone


def test_a_gesture_of_before_redeems_no_claim(box):
    box.hold_two()
    box.lead("late")
    assert not box.phone("late").leads


def test_nobody_queues(box):
    box.lead("stranger")
    number = box.number
    assert box.lead("honest") == "another_asks"
    assert box.ask("stranger") == "another_asks"  # what is confirmed is not changed under the thumb
    box.now_s += CLAIM_S + 1
    box.hold_two()  # meant for whichever: too late for both
    assert not box.phone("stranger").leads
    assert box.lead("honest") == "ask_later"
    box.now_s += PAUSE_S + 1
    assert box.lead("honest") == "claim_open"
    assert box.number != number


def test_a_claim_is_withdrawn_by_its_own_phone_alone(box):
    box.lead("late")
    box.seats.withdraw("two")
    assert box.seats.claim is not None
    box.seats.withdraw("late")
    assert box.seats.claim is None
    assert box.ask("late") == "claim_open"


@pytest.mark.parametrize(
    ("who", "lead", "led", "may"),
    [
        ("one", True, True, True),  # the host
        ("one", False, True, True),
        ("two", True, True, False),  # a player decides about the lead where nobody has it
        ("two", True, False, True),
        ("two", False, True, True),  # and may let others in, as by the code it shows
        ("three", True, True, False),  # let in without a seat: it plays no part
        ("three", False, True, False),
        ("stranger", True, True, False),
        ("stranger", False, False, False),
        ("late", True, True, False),  # nobody confirms a claim of its own
    ],
)
def test_who_decides_about_a_claim(box, who, lead, led, may):
    if not led:
        box.seats.give_up_lead("one")
    (box.lead if lead else box.ask)("late")
    number = box.number
    assert box.seats.decide(box.phone(who), number + 100, grant=False) == "no_such_claim"
    assert box.seats.decide(box.phone(who), number, grant=True) == (None if may else "leader_only")
    assert box.phone("late").let_in is may
    assert box.phone("late").leads is (may and lead)


def test_a_host_that_nobody_let_in_decides_nothing():
    """Whoever is first at a free table leads it: that may be a stranger."""
    box = Box()
    box.playing = False
    box.lead("stranger")
    box.playing = True
    assert box.lead("honest") == "claim_open"
    stranger = box.phone("stranger")
    assert box.seats.decide(stranger, box.number, grant=False) == "leader_only"
    assert box.seats.decide(stranger, box.number, grant=True) == "leader_only"
    assert box.seats.anew(stranger) == box.seats.free(stranger, "Ana") == "let_in"
    box.hold_two()
    assert (box.phone("honest").leads, box.phone("stranger").role) == (True, Role.WATCHER)


def test_a_refused_phone_waits_and_so_does_another_of_its_address(box):
    box.lead("late")
    number = box.number
    assert box.seats.decide(box.phone("one"), number, grant=False) is None
    assert box.seats.decide(box.phone("one"), number, grant=False) == "no_such_claim"
    box.hold_two()
    assert not box.phone("late").let_in
    assert box.lead("late") == "ask_later"
    box.now_s += REFUSED_S + 1
    assert box.lead("late") == "claim_open"


def in_vain(box: Box, name: str) -> None:
    """As many claims from one address come to nothing as may at once."""
    for _ in range(CLAIMS):
        assert box.seats.ask(box.phone(name), "10.9.9.9").reason == "claim_open"
        box.now_s += CLAIM_S + 1
        box.seats.glance()


def test_whoever_asks_again_and_again_waits_until_the_table_grants_a_claim(box):
    """A stranger cannot block the only open claim; who proved to be at the table starts anew."""
    in_vain(box, "late")
    asked = box.seats.ask(box.phone("late"), "10.9.9.9")
    assert (asked.reason, 0 < asked.wait_s <= 1 / CLAIMS_PER_S) == ("ask_later", True)
    box.now_s += asked.wait_s
    assert box.seats.ask(box.phone("late"), "10.9.9.9").reason == "claim_open"
    box.hold_two()
    assert box.phone("late").let_in
    in_vain(box, "next")


# ---- over HTTP -------------------------------------------------------------------------------------------


@pytest.fixture
def leader(host):
    """A phone that set up the game and was let in by the gesture."""
    set_up(host)
    return host


def test_every_phone_is_shown_the_claim_and_the_host_refuses_it_with_one_tap(home, leader):
    host, stranger, watcher = leader, phone_of(home), phone_of(home)
    answer = ask(stranger, lead=True)
    number = answer["values"]["number"]
    assert str(number) in answer["title"]
    for phone in (host, stranger, watcher):
        for path in ("/", "/me", "/board", "/history"):
            assert f"{number}" in phone.get(path).text.split('id="claim"')[1].split("</section>")[0]
    for decision in ("confirm", "refuse"):
        assert f'{{"{decision}":{number}}}' in host.get("/").text
        assert f'"{decision}"' not in watcher.get("/").text
    seen = {"number": number, "lead": True, "seat": None, "mine": False, "decides": False}
    assert phone_state(watcher)["claim"] == seen
    assert ask(watcher, confirm=number)["reason"] == "leader_only"
    assert ask(host, refuse=number)["claim"] is None
    assert 'id="claim"' not in watcher.get("/").text
    assert ask(stranger, lead=True)["reason"] == "ask_later"


def test_a_claim_names_the_player_whose_phone_asks(home, leader):
    host, player = leader, phone_of(home)
    player.get(way_in(host))
    ask(player, seat="Bea")
    number = ask(player, lead=True)["values"]["number"]
    assert "Bea’s phone asks to be the host" in host.get("/").text.split('id="claim"')[1]
    assert ask(host, confirm=number)["leads"] is False
    assert phone_state(player)["role"] == "host"


def test_the_simulated_box_makes_the_gesture_on_its_own_machine_alone(home, table, leader):
    host, player, stranger = leader, phone_of(home), phone_of(home)
    player.get(way_in(host))
    ask(player, seat="Bea")
    ask(stranger, lead=True)
    press = {"json": {"button": "together", "held": True}}
    for phone in (player, stranger, host):
        assert phone.post("/api/v1/box/press", **press).json["reason"] == "box_elsewhere"
        assert 'id="box"' not in phone.get("/").text
    assert table.presses == []
    on_the_box = home.test_client()
    assert 'data-press="together"' in on_the_box.get("/").text
    assert on_the_box.post("/api/v1/box/press", **press).status_code == 200
    assert phone_state(stranger)["role"] == "host"


def test_who_leads_a_free_table_sees_no_code_until_it_is_let_in(home, table):
    host = phone_of(home)
    set_up(host)
    assert way_in(host) == ""
    assert "data-phone='{\"join\": true}'" in host.get("/me").text
    assert ask(host, seat="Ana")["let_in"] is False  # nor does taking a seat let it in
    assert host.post("/api/v1/box/press", json={"button": "together", "held": True}).status_code == 403
    ask(host, join=True)
    table.hold_two()
    assert way_in(host) != ""
