"""A page shows no control that its phone may not use: each is held against the table of authority."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from companion.errors import BadCommand, NotAllowed
from companion.rules.position import Phase
from companion.table.authority import refuse
from companion.table.commands import AddObservation, Author, By
from companion.table.parsing import parse
from companion.table.table import Table
from tests.web.party import phone_of, reason, send, sit, way_in
from tests.web.tables import DICE, PEOPLE, WAYS, BoxedTable, deps_for, doubted, start
from web.app import create_app
from web.pages.screens import on_turn, recalled

pytestmark = pytest.mark.usefixtures("over_sockets")

CONTROLS = re.compile(r"<[^>]*data-command='([^']*)'[^>]*>")


def commands(page: str) -> list[dict[str, Any]]:
    """What the taps on a page would send; a control that is disabled only shows."""
    found = (control for control in CONTROLS.finditer(page) if " disabled" not in control[0])
    return [json.loads(unescape(control[1])) for control in found]


def guest(client: FlaskClient, seat: str | None) -> FlaskClient:
    """A phone of the network that was let in, in that seat."""
    phone = phone_of(client.application)
    assert phone.get(way_in(client)).status_code == 303
    if seat:
        assert sit(phone, seat) == 200
    return phone


def refused(table: BoxedTable, command: dict[str, Any], author: Author) -> str:
    """Why the table refuses it to this author, "" where it does not."""
    try:
        refuse(parse(command), author, table.table.snapshot())
    except NotAllowed as error:
        return error.reason
    except BadCommand:
        return ""  # the moment has passed: no question of who asks
    return ""


@pytest.mark.parametrize("scene", WAYS)
def test_no_page_offers_what_the_table_refuses(table, scene):
    client = create_app(deps_for(table)).test_client()
    WAYS[scene](table)
    game = table.table.snapshot().state.game
    if game is None:
        return
    seats = [player.name for player in game.players if not player.out][:3]
    phones = {seat: guest(client, seat) for seat in (None, *seats)}
    for undo, (seat, phone) in product(("everybody", "host", "caller"), phones.items()):
        object.__setattr__(game.ruleset, "undo", undo)
        table.refresh()
        author = Author(By.PLAYER, seat or "", phone.get("/api/v1/phone").json.get("id", ""))
        found = commands(phone.get("/").text)
        if game.phase is Phase.OVER:  # nobody leads: whoever comes first may begin another game
            author = structs.replace(author, by=By.HOST)
        elif not seat:
            assert not found, "who watches gives no command"
        reasons = {(one["type"], refused(table, one, author)) for one in found}
        assert {pair for pair in reasons if pair[1]} == set(), (undo, seat)


OFFERS = {
    "bid": r'id="pad"',
    "undo": r'id="undo"',
    "correct": r'data-sheet="(die\?|count|add)',
    "recall": r'data-sheet="call"',
}


class Taken(BadCommand):
    """What a table says here that would carry a command out."""


def takes(table: BoxedTable, phone: FlaskClient) -> set[str]:
    """What the table would carry out for that phone, of a bid, undo and corrections that change nothing."""
    data = table.snapshot().data
    called, dice = data["verdict"] or data["reveal"], data["reveal"]["dice"] if data["reveal"] else []
    dice = [die for die in dice if die["place"]]
    wishes: dict[str, Any] = {"undo": {"type": "undo"}, "correct": {"type": "type_count", "count": 4}}
    if dice:
        wishes["correct"] = {"type": "set_face", "die": dice[0]["id"], "face": dice[0]["face"] or 1}
    if turn := on_turn(data):
        wishes["bid"] = {"type": "bid", "by": turn, "quantity": 9, "face": 6}
    if called and called["bid"]:
        wishes["recall"] = recalled(called)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "_write", lambda *_: (_ for _ in ()).throw(Taken("taken")))
        return {kind for kind, wish in wishes.items() if reason(send(phone, **wish)) == "taken"}


def gone_since(table: BoxedTable) -> None:
    """Carlos goes home once the verdict is there."""
    WAYS["verdict"](table)
    table.say("leave", player="Carlos")


def with_bots(*bots: str, cups: bool = False, seen: bool = True) -> Callable[[BoxedTable], object]:
    """Bea doubts the five threes that Ana bid; the box plays for some, and rolls for them with `cups`."""

    def way(table: BoxedTable) -> None:
        of = {name: {"bot": "easy", "real_dice": not cups} if name in bots else {} for name, _ in PEOPLE}
        players = [{"name": name, "colour": colour, **of[name]} for name, colour in PEOPLE]
        table.say("new_game", players=players, preset="modern", starter="Ana")
        table.say("bid", by="Ana", quantity=5, face=3)
        table.say("dudo", by="Bea")
        if seen:
            table.do(table.eye(DICE))

    return way


SCENES: dict[str, Callable[[BoxedTable], object]] = {
    **{scene: WAYS[scene] for scene in ("opening", "round", "reveal", "question", "verdict", "over")},
    "a player has gone since the verdict": gone_since,
    "a bot bid": with_bots("Ana"),
    "a bot called": with_bots("Bea"),
    "a bot called, nothing is seen": with_bots("Bea", seen=False),
    "a bot rolled": with_bots("Ana", cups=True, seen=False),
    "a bot rolled and called": with_bots("Bea", cups=True, seen=False),
}


@pytest.mark.parametrize("scene", SCENES)
def test_bids_undo_and_corrections_are_offered_to_whom_the_table_takes_them_from(table, scene):
    client = create_app(deps_for(table)).test_client()
    SCENES[scene](table)
    game = table.table.snapshot().state.game
    assert game is not None
    bots = dict(table.table.snapshot().state.bots)
    seats = [one.name for one in game.players if one.name not in bots and not one.left]
    phones = {"the box": client, **{str(seat): guest(client, seat) for seat in (None, *seats)}}
    found = {}
    for undo, (seat, phone) in product(("everybody", "host", "caller"), phones.items()):
        object.__setattr__(game.ruleset, "undo", undo)
        table.refresh()
        page = phone.get("/").text
        offered = {kind for kind, sign in OFFERS.items() if re.search(sign, page)}
        elsewhere = {"correct"} if game.phase is Phase.OVER else set()  # after the verdict is taken back
        found[undo, seat] = offered - elsewhere, takes(table, phone) - elsewhere
    assert {who: both for who, both in found.items() if both[0] != both[1]} == {}


@pytest.mark.parametrize(
    ("scene", "seat", "where", "why"),
    [
        ("opening", "Bea", "", "nobody has done anything yet"),
        ("round", "Ana", "bar", "her own bid"),
        ("round", "Carlos", "below", "the bid of another: in words, away from the thumb"),
        ("reveal", "Bea", "bar", "her own dudo"),
        ("reveal", "Ana", "below", "the dudo of another"),
        ("verdict", "Carlos", "bar", "the verdict is nobody's"),
    ],
)
def test_undo_lies_at_hand_for_who_acted(table, scene, seat, where, why):
    client = create_app(deps_for(table)).test_client()
    WAYS[scene](table)
    page = guest(client, seat).get("/").text
    bar, _, rest = page.partition('<div class="bar">')[2].partition("</div>")
    assert ("bar" if 'id="undo"' in bar else "below" if 'id="undo"' in rest else "") == where, why


def test_a_waiting_phone_is_not_left_bare(table):
    client = create_app(deps_for(table)).test_client()
    WAYS["round"](table)
    phone = guest(client, "Carlos")
    bars = [phone.get("/").text.partition('<div class="bar">')[2].partition("</div>")[0]]
    table.say("dudo", by="Bea")
    table.say("type_count", count=4)
    table.say("next_round")
    bars.append(phone.get("/").text.partition('<div class="bar">')[2].partition("</div>")[0])
    phone.set_cookie("coach", "on")
    bars.append(phone.get("/").text.partition('<div class="bar">')[2].partition("</div>")[0])
    offered = [[part for part in ("waiting", "/history", "coach") if part in bar] for bar in bars]
    assert offered == [["waiting"], ["/history"], ["/history", "coach"]]
    assert "Bea was right: Ana bid 5 threes" in phone.get("/").text, "what came of the last round"


def test_the_host_corrects_a_round_of_the_history_and_of_the_game_before(table):
    client = create_app(deps_for(table)).test_client()
    WAYS["evening"](table)
    earlier = table.snapshot().data["game"]["id"]
    table.say("play_again")
    turn = table.snapshot().data["game"]["round"]["turn"]
    table.say("bid", by=turn, quantity=3, face=3)
    table.say("dudo", by=table.snapshot().data["game"]["round"]["turn"])
    table.say("type_count", count=2)
    assert 'data-sheet="count">Correct<' in client.get("/history").text, "judged anew, whatever then follows"
    table.say("leave", player=turn)
    assert 'data-sheet="count"' not in client.get("/history").text, "as any earlier one, since somebody went"
    table.say("undo")
    table.say("next_round")
    links = re.findall(r'data-sheet="(amend\?[^"]*)"', client.get("/history").text)
    assert [earlier in link for link in links] == [False] + [True] * (len(links) - 1)
    asked = [commands(client.get(f"/sheet/{unescape(link)}").text) for link in (*links[:2], links[-1])]
    assert [{one.get("keep_dice", False) for one in offered} for offered in asked] == [{False, True}] * 3
    assert [max(one["count"] for one in offered) for offered in asked] == [12, 4, 12], (
        "the dice of that round"
    )
    assert client.get("/sheet/amend?round=x&most=3").status_code == 400
    assert "amend?" not in guest(client, turn).get("/history").text


def test_a_game_that_the_others_left_is_corrected_and_played_again_by_others(table):
    """Regression: the button of its last round did nothing, for no verdict stands any more; one player was
    offered to play again, and refused."""
    client = create_app(deps_for(table)).test_client()
    WAYS["verdict"](table)
    for name in ("Bea", "Carlos"):
        table.say("leave", player=name)
    page = client.get("/").text
    assert 'data-screen="over"' in page
    (asks,) = re.findall(r'data-sheet="((?:amend|count)[^"]*)"', page)
    assert client.get(f"/sheet/{unescape(asks)}").status_code == 200
    assert [one["type"] for one in commands(page) if one["type"] != "undo"] == ["put_away"], "alone"


@pytest.mark.parametrize("later", [False, True])
def test_all_read_correctly_is_said_of_the_picture_that_was_shown(table, later):
    """A phone's next picture, which the page does not show yet, has other dice: nobody confirmed those."""
    client = create_app(deps_for(table)).test_client()
    doubted(table)
    seen = replace(table.eye(DICE, unsure=(0, 2, 6, 7)).observation, phone="")
    table.do(AddObservation(seen, "all"))
    button = re.search(r"<button[^>]*>All read correctly<", client.get("/").text)
    (said,) = commands(button[0])
    if later:
        table.do(AddObservation(replace(seen, picture="shot2"), "all"))
    answer = send(client, **said)
    assert reason(answer) == ("unknown_die" if later else "200")
    assert table.snapshot().data["state"] == ("question" if later else "fails")


@pytest.mark.parametrize(("call", "said"), [("dudo", {"by": "Ana"}), ("calza", {"bidder": "Bea"})])
def test_who_called_and_who_bid_change_places(table, call, said):
    """Regression: of two players neither could be corrected before the other: nobody doubts himself."""
    start(table, PEOPLE[:2], house={"dudo_by": "anybody"})
    bid = {"quantity": 2, "face": 3}
    table.say("challenge", by="Bea", call=call, bidder="Ana", bid=bid)
    offered = commands(create_app(deps_for(table)).test_client().get("/sheet/call").text)
    wrong = [one for one in offered if one["by"] == one.get("bidder")]
    assert wrong == []
    other = next(one for one in offered if one["call"] == call and said.items() <= one.items())
    table.say(other.pop("type"), **other)
    called = table.snapshot().data["reveal"]
    assert (called["call"], called["by"], called["bidder"]) == (call, "Ana", "Bea")
