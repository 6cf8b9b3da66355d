"""Who may know which dice rolled in phones: one way to peek after the other, with real cookies."""

import re
from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.errors import StorageError
from tests.web.knowing import ALL, GAMES, read
from tests.web.party import NAMES, Party, phone_state, reason, send, sit, under_the_cup
from tests.web.test_controls import commands


def call(party: Party) -> None:
    assert send(party.phones["Ana"], type="bid", by="Ana", quantity=3, face=4).status_code == 200
    assert send(party.phones["Bea"], type="dudo", by="Bea").status_code == 200


def test_who_is_handed_dice_back_within_a_round_sees_them(tmp_path):
    party = Party(tmp_path, starting_dice=1)
    party.next_round(1, 3)  # Bea is out
    assert send(party.host, type="hand_back", player="Bea", count=1).status_code == 200
    assert under_the_cup(party.phones["Bea"]) == {"": party.rolled("Bea")}
    party.close()


def test_a_call_that_has_shown_the_cups_is_not_taken_back_by_a_player(party):
    call(party)
    seen = {name: party.rolled(name) for name in NAMES}
    assert reason(send(party.phones["Bea"], type="undo")) == "undo_hides"
    assert "undo" not in [one["type"] for one in commands(party.phones["Bea"].get("/").text)]
    assert party.table.snapshot().data["reveal"]
    assert {name: party.rolled(name) for name in NAMES} == seen


def test_the_host_may_and_then_all_hear_of_it_and_the_round_is_thrown_anew(party):
    call(party)
    seen = {name: party.rolled(name) for name in NAMES}
    assert 'id="undo" data-sheet="retake"' in party.host.get("/").text
    assert [one["type"] for one in commands(party.host.get("/sheet/retake").text)] == ["undo"]
    assert send(party.host, type="undo").status_code == 200
    for name, phone in party.phones.items():
        assert under_the_cup(phone) == {"": party.rolled(name)}
        assert "after dice were seen" in phone.get("/").text
    assert any(party.rolled(name) != seen[name] for name in NAMES)
    state = party.table.snapshot().data
    assert [(note["kind"], note["by"], note["round"]) for note in state["notes"]] == [
        ("taken_back", "host", 1)
    ]
    assert [(bid["by"], bid["quantity"]) for bid in state["game"]["round"]["bids"]] == [("Ana", 3)]


def test_the_note_stays_in_the_history(party):
    call(party)
    send(party.host, type="undo")
    send(party.host, type="dudo", by="Bea")
    send(party.host, type="type_count", count=0)
    for _ in range(2):
        send(party.host, type="next_round")
        party.judged(1, 5)
    assert "after dice were seen" not in party.phones["Ana"].get("/").text
    assert "after dice were seen" in party.phones["Ana"].get("/history").text


def test_a_full_disk_keeps_no_phone_from_its_page(party, monkeypatch):
    """Seats are recorded when the next round begins; until then the phone gets no dice."""
    with monkeypatch.context() as full:
        full.setattr(party.table.table._journal, "append", _full)
        sit(party.phones["Bea"], None)
        second = party.guest("Bea")
        assert second.get("/").status_code == 200
        assert under_the_cup(second) == "no_cup"
    party.next_round(3, 5)
    assert under_the_cup(second) == {"": party.rolled("Bea")}


def _full(*_: Any) -> None:
    raise StorageError("journal_full", path="games")


def test_whoever_sits_where_the_host_has_freed_a_seat_sees_nothing_of_the_round(party):
    party.host.post("/api/v1/phone", json={"free": "Bea"})
    assert sit(party.host, "Bea") == 200
    assert under_the_cup(party.host) == "no_cup"
    shown = party.host.get("/").text
    assert "from the next round on" in shown
    assert 'data-sheet="hand"' not in shown
    for phone in (party.phones["Ana"], party.host, party.phone()):
        assert "The host freed Bea’s seat." in phone.get("/").text
        assert "A new phone is in Bea’s seat" in phone.get("/").text
    party.next_round(3, 5)
    assert under_the_cup(party.host) == {"": party.rolled("Bea")}


@pytest.mark.parametrize(
    ("script", "who", "sees", "why"),
    [
        ("", "Bea", "Bea", "the first phone in its seat, as the game begins"),
        ("Bea up, Ana Bea", "Ana", None, "who has seen one cup sees no other in the round"),
        ("Bea up, Ana Bea, Ana Ana", "Ana", "Ana", "and its own again"),
        ("Bea up, guest Bea", "guest", None, "the seat of a phone that left shows the next one nothing"),
        ("Bea up, guest Bea, guest up, Bea Bea", "Bea", "Bea", "it was its own all the time"),
        ("round, free, host Bea, undo, next_round", "host", None, "nor does it help to go back and on"),
        ("round, free, host Bea, undo, next_round, host up, Bea Bea", "Bea", "Bea", "it held the seat then"),
        ("round, restart", "Ana", "Ana", "after a restart phones know what they knew"),
        ("round, restart, free, guest Bea", "guest", None, "and no more"),
    ],
)
def test_a_seat_shows_its_dice_to_the_phone_that_had_it_as_they_fell(party, script, who, sees, why):
    party.phones |= {"host": party.host, "guest": party.guest()}
    assert phone_state(party.phones["guest"])["let_in"], "and has a cookie that says so"
    steps = {"round": lambda: party.next_round(3, 5), "restart": party.restart}
    steps["free"] = lambda: party.host.post("/api/v1/phone", json={"free": "Bea"})
    steps |= {kind: partial(send, party.host, type=kind) for kind in ("undo", "next_round")}
    for step in filter(None, script.split(", ")):
        if step in steps:
            steps[step]()
        else:
            name, seat = step.split()
            assert sit(party.phones[name], None if seat == "up" else seat) == 200, step
    assert under_the_cup(party.phones[who]) == ({"": party.rolled(sees)} if sees else "no_cup"), why


def test_a_seat_that_nobody_has_had_sees_its_dice_in_the_first_round_alone(tmp_path):
    party = Party(tmp_path)
    party.judged(3, 5)
    party.another_game(*({"name": name, "phone_cup": True} for name in ("Dora", "Emil")))
    first = party.guest("Dora")
    assert under_the_cup(first) == {"": party.rolled("Dora")}
    party.next_round(3, 5)
    late = party.guest("Emil")
    assert under_the_cup(late) == "no_cup"
    party.next_round(3, 5)
    assert under_the_cup(late) == {"": party.rolled("Emil")}
    party.close()


OTHER_DICE = (
    {"type": "hand", "player": "Bea", "faces": [3, 3, 3, 3, 3]},
    {"type": "set_face", "die": "hand.Ana.1", "face": 4},
    {"type": "strike", "die": "hand.Ana.1"},
    {"type": "set_owner", "die": "hand.Ana.1", "player": "Bea"},
    {"type": "same_die", "first": "hand.Ana.1", "second": "hand.Ana.2"},
)


@pytest.mark.parametrize("judged", [False, True])
def test_nobody_tells_other_dice_than_the_phone_has_rolled(party, judged):
    call(party)
    if judged:
        send(party.host, type="confirm")
    assert 'data-sheet="die?id=hand' not in party.phones["Bea"].get("/").text
    for command in OTHER_DICE:
        assert reason(send(party.phones["Bea"], **command)) == "rolled_in_phone", command


# ---- closed and open palifico -----------------------------------------------------------------------------


@pytest.fixture
def palifico(tmp_path):
    """Bea has one die left and starts a palifico round; the others have two, Carlos real ones."""
    party = Party(tmp_path, ("Ana", "Bea"), starting_dice=2)
    party.next_round(1, 5)
    assert party.table.snapshot().data["game"]["round"]["kind"] == "palifico"
    yield party
    party.close()


def choose(party: Party, way: str) -> str:
    return reason(send(party.phones["Bea"], type="choose_visibility", by="Bea", visibility=way))


@pytest.mark.parametrize(
    ("way", "seen", "said"),
    [
        (None, {}, "Bea first chooses"),
        ("closed", {"Bea": ["Bea"]}, "only players with one die look"),
        ("open", {"Ana": ["Bea"], "Bea": ["Ana"], "Carlos": ["Ana", "Bea"]}, "the others see your dice"),
        ("usual", {"Ana": ["Ana"], "Bea": ["Bea"]}, "hand"),
    ],
)
def test_whose_dice_are_seen_in_a_special_round_is_for_its_starter_to_choose(palifico, way, seen, said):
    if way:
        choose(palifico, way)
    else:
        bid = send(palifico.phones["Bea"], type="bid", by="Bea", quantity=1, face=4)
        assert reason(bid) == "visibility_first"
    for name, phone in (*palifico.phones.items(), ("host", palifico.host)):
        dice = {"" if cup == name else cup: palifico.rolled(cup) for cup in seen.get(name, ())}
        assert under_the_cup(phone) == (dice or "no_cup"), name
    shown = palifico.phones["Ana"].get("/").text
    assert (said in shown, 'data-sheet="hand"' in shown) == (True, "Ana" in seen)


def test_who_looked_at_the_last_die_does_not_play_on_with_two(palifico):
    choose(palifico, "closed")
    assert send(palifico.host, type="hand_back", player="Ana", count=1).status_code == 200
    assert under_the_cup(palifico.phones["Ana"]) == {"": palifico.rolled("Ana")}
    assert reason(send(palifico.host, type="hand_back", player="Ana", count=2)) == "cups_were_seen"
    assert send(palifico.host, type="undo").status_code == 200
    assert under_the_cup(palifico.phones["Ana"]) == "no_cup"
    assert [note["kind"] for note in palifico.table.snapshot().data["notes"]][-1] == "taken_back"


def test_who_looked_at_the_last_die_is_not_taken_out_again_with_that_throw(palifico):
    choose(palifico, "usual")
    for _ in range(2):
        palifico.next_round(1, 0)  # Bea is out, and Carlos has one die left
    assert send(palifico.host, type="choose_visibility", by="Carlos", visibility="closed").status_code == 200
    assert send(palifico.host, type="hand_back", player="Bea", count=1).status_code == 200
    assert under_the_cup(palifico.phones["Bea"]) == {"": palifico.rolled("Bea")}
    assert send(palifico.host, type="undo").status_code == 200
    assert [note["kind"] for note in palifico.table.snapshot().data["notes"]][-1] == "taken_back"


def test_the_last_but_one_goes_home_whatever_was_seen(tmp_path):
    """Nobody plays on with the dice of the verdict."""
    party = Party(tmp_path, ("Bea",))
    party.judged(1, 5)
    for name in ("Carlos", "Ana"):
        assert send(party.host, type="leave", player=name).status_code == 200
    assert party.table.snapshot().data["game"]["phase"] == "over"
    party.close()


def test_the_odds_know_the_dice_that_the_phone_may_know(palifico):
    choose(palifico, "open")
    for phone, own in ((palifico.phones["Ana"], palifico.rolled("Bea")), (palifico.host, ())):
        shown = phone.get("/sheet/coach").text.partition('class="row own"')[2].partition("</p>")[0]
        assert tuple(int(found[0]) for found in shown.split("#pips")[1:]) == own


def test_nobody_reads_the_real_dice_of_a_bot(party):
    """Every page and export is the same whatever the box saw under the cup of the bot."""
    party.another_game(*NAMES, {"name": "Pip", "bot": "easy", "real_dice": True})
    game = party.table.snapshot().data["game"]
    paths = (
        *(path for path in ALL if path != "/join"),
        *(path.format(game["id"]) for path in GAMES if "jsonl" not in path),
    )
    phones = (party.host, party.phones["Ana"], party.phone())
    assert "Pip has not seen its dice" in party.host.get("/").text

    def everything(face: int) -> list[str]:
        party.table.table.keep_dice("Pip", (face,) * 5)
        texts = (read(phone, path)[1] for phone in phones for path in paths)
        return [re.sub(r"T\d\d:\d\d:\d\d|\"seconds\": \d+", "", text) for text in texts]

    assert everything(2) == everything(5)


@pytest.mark.parametrize(("who", "status"), [("host", 422), ("Ana", 422), ("guest", 403)])
def test_who_sits_at_the_table_may_have_the_box_read_a_cup(party, who, status):
    """This page has no camera: who is allowed to ask gets that answer."""
    phone = {"host": party.host, "guest": party.guest()}.get(who) or party.phones[who]
    assert phone.post("/api/v1/bots/look", json={"player": "Pip"}).status_code == status


def test_pages_show_the_hash_before_the_call_and_the_seed_after_it(party):
    def shown() -> tuple[str, str | None]:
        found = party.table.snapshot().data["game"]["dice_seed"]
        page = party.phones["Ana"].get("/").text
        assert f"<code>{found['hash']}</code>" in page
        assert page.count('class="seed"') == 1
        assert (f"<code>{found['seed']}</code>" in page) == bool(found["seed"])
        return found["hash"], found["seed"]

    promised, seed = shown()
    assert seed is None
    party.judged(3, 5)
    assert shown()[0] == promised
    assert shown()[1] is not None
    send(party.host, type="abandon")
    assert shown()[1] is not None, "the game is over"


# ---- lost dice that are hidden ----------------------------------------------------------------------------


FILES = {f"/api/v1/games{one}.{form}" for one in ("", "/{id}") for form in ("csv", "json")}


def files_with(phone: FlaskClient, game: str) -> set[str]:
    return {file for file in FILES if f"{game}," in phone.get(file.format(id=game)).text.replace('"', "")}


@pytest.mark.parametrize(("dice_left", "known"), [("shown", True), ("hidden", False)])
def test_no_phone_and_no_television_tells_how_many_dice_are_left(tmp_path, dice_left, known):
    party = Party(tmp_path, (), dice_left=dice_left)
    party.next_round(1, 5)
    game = party.table.snapshot().data["game"]
    assert [p["dice"] for p in game["players"]] == ([5, 4, 5] if known else [5, 5, 5])
    assert game["round"]["total"] == (14 if known else 15)
    for phone in (*party.phones.values(), party.host):
        assert ('class="left"' in phone.get("/").text) == known
        assert ("14 dice" in phone.get("/board").text) == known
        assert (phone.get("/sheet/coach").status_code == 200) == known
        phone.set_cookie("coach", "on")
        assert ('data-sheet="coach"' in phone.get("/").text) == known, "offered where it is answered"
        for page in ("/history", f"/statistics/games/{game['id']}"):
            assert ("Dice left after every round" in phone.get(page).text) == known, page
        assert files_with(phone, game["id"]) == (FILES if known else set())
    party.judged(1, 5)
    assert [p["dice"] for p in party.table.snapshot().data["game"]["players"]] == [5, 4, 4]
    assert "Dice left after every round" in party.host.get("/history").text, "until the dice are shown"
    assert files_with(party.host, game["id"]) == FILES
    party.close()
