"""The card dies, and the phone that leads brings its games back."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.app.system.box_parts import fitting
from companion.errors import BadCommand
from companion.settings import Settings
from companion.statistics.archive import Archive
from companion.storage.journal import Journal
from companion.table.table import Table
from companion.texts import translate
from companion.upkeep import PageSettings
from tests.unkept import Unkept
from tests.web.hands import expect, until
from tests.web.party import FAR, NAMES, Party, phone_state, send
from tests.web.serving import served
from tests.web.tables import DICE, BoxedTable, bidding, deps_for, evening
from web.app import create_app
from web.game_copies import Copies

PIECE = 4000


def copies_of(journal: Journal) -> Copies:
    return Copies(journal, Archive(journal, None))


@pytest.fixture
def fresh(tmp_path):
    """The journal of a new card."""
    journal = Journal(tmp_path / "fresh" / "games")
    yield journal
    journal.close()


def app_of(table: BoxedTable, **more: Any) -> Flask:
    """The page of a box whose games the phone that leads keeps."""
    archive = Archive(table.journal, None)
    return create_app(deps_for(table, copies=Copies(table.journal, archive), archive=archive, **more))


def doubted(table: BoxedTable) -> None:
    table.say("dudo", by="Bea")
    table.do(table.eye(DICE))


def counted(table: BoxedTable) -> None:
    table.say("type_count", count=5)


def kept(table: BoxedTable) -> str:
    """The copy of the game on the table."""
    game = table.journal.current() or ""
    return "".join(copies_of(table.journal).text(game))


def pieces(text: str) -> list[str]:
    """As the phone cuts a copy."""
    head, *rows = text.splitlines()
    found: list[list[str]] = [[head]]
    for row in rows:
        if sum(map(len, found[-1])) + len(row) > PIECE and len(found[-1]) > 1:
            found.append([head])
        found[-1].append(row)
    return ["\n".join(one) for one in found]


def bodies(journal: Journal, game: str) -> list[Any]:
    return [record.body for record in journal.records(game)]


@pytest.mark.parametrize(
    ("play", "goes_on", "why"),
    [(bidding, True, "nobody had won when the card died"), (evening, False, "it was over")],
)
def test_what_the_phone_kept_comes_back_record_by_record(table, fresh, play, goes_on, why):
    play(table)
    game, text = table.journal.current() or "", kept(table)
    back, sent = copies_of(fresh), pieces(text)
    assert len(sent) > (play is evening)
    results = [back.take(piece, last=number == len(sent)) for number, piece in enumerate(sent, 1)]
    assert results == [False] * (len(sent) - 1) + [goes_on], why
    assert bodies(fresh, game) == bodies(table.journal, game)
    assert fresh.current() == (game if goes_on else None), why
    assert back.known() == {game: len(text.splitlines()) - 1}
    if goes_on:
        assert Table(fresh).snapshot().state.game == table.table.snapshot().state.game


def another_card(party: Party, fresh: Journal) -> None:
    """The card dies, and the box starts with a new one and the copy of its game."""
    assert copies_of(fresh).take(kept(party.table), last=True)
    party.table.journal.close()
    party.table.journal = fresh
    party.restart()


@pytest.mark.parametrize(
    ("before", "said", "phase", "number", "why"),
    [
        (True, (), "verdict", 1, "dice in phones of a round that is on are in no copy"),
        (True, ("next_round",), "bidding", 2, "all roll again"),
        (True, ("next_round", "bid"), "bidding", 2, "and play on"),
        (False, (), "bidding", 1, "the first round has none before it"),
        (False, ("bid",), "bidding", 1, "it goes on"),
    ],
)
def test_a_round_whose_dice_were_in_phones_begins_anew(tmp_path, fresh, before, said, phase, number, why):
    party = Party(tmp_path)
    bid = {"by": "Ana", "quantity": 2, "face": 3}
    if before:
        party.judged(3, 0)
        assert send(party.host, type="next_round").status_code == 200
    assert send(party.host, type="bid", **bid).status_code == 200
    another_card(party, fresh)
    assert [phone_state(phone)["seat"] for phone in party.phones.values()] == list(NAMES)
    for step in said:
        assert send(party.host, type=step, **(bid if step == "bid" else {})).status_code == 200, why
    game = party.table.snapshot().data["game"]
    assert (game["phase"], game["round"]["number"]) == (phase, number), why
    shown = [phone.get("/sheet/hand").status_code for phone in party.phones.values()]
    assert shown == [200 if phase == "bidding" else 404] * 3, why
    assert phase == "verdict" or len(game["round"]["bids"]) == said.count("bid"), why


def test_a_doubt_goes_back_with_its_round_where_dice_in_phones_are_lost(tmp_path, fresh):
    """Carlos has real dice, and no picture of them had come when the card died."""
    party = Party(tmp_path, cups=NAMES[:2])
    known = [face for _, faces in party.table.table.snapshot().state.rolled for face in faces]
    bid = {"by": "Ana", "quantity": known.count(1) + known.count(3) + 2, "face": 3}
    assert send(party.host, type="bid", **bid).status_code == 200
    assert send(party.host, type="dudo", by="Bea").status_code == 200
    assert party.table.snapshot().data["game"]["phase"] == "reveal"
    another_card(party, fresh)
    game = party.table.snapshot().data["game"]
    assert (game["phase"], game["round"]["bids"]) == ("bidding", [])
    assert party.phones["Ana"].get("/sheet/hand").status_code == 200


def test_the_same_copy_twice_and_one_cut_off_are_one_game(table, fresh):
    evening(table)
    game, sent = table.journal.current() or "", pieces(kept(table))
    back = copies_of(fresh)
    for piece in (*sent[:2], *sent, *sent):
        back.take(piece, last=False)
    assert list(back.known()) == [game]
    assert bodies(fresh, game) == bodies(table.journal, game)


def test_the_game_on_the_table_is_not_written_from_outside(table):
    bidding(table)
    with pytest.raises(BadCommand) as caught:
        copies_of(table.journal).take(kept(table), last=True)
    assert caught.value.reason == "game_on_table"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3\n4", "{}", '{"format":"dudo-journal","schema":99,"game":"x"}', "x" * 100, '"\\ud800"'],
)
def test_what_is_no_copy_is_refused(fresh, text):
    with pytest.raises(BadCommand):
        copies_of(fresh).take(text, last=True)
    assert not fresh.games()


def test_only_who_leads_keeps_and_brings_back(table):
    bidding(table)
    client: FlaskClient = app_of(table).test_client()
    game = table.journal.current()
    assert json.loads(client.get("/copies").text) == {game: len(kept(table).splitlines()) - 1}
    assert client.get(f"/copies/{game}").text == kept(table)
    assert 'id="copies"' in client.get("/fragment/table").text
    for path in ("/copies", f"/copies/{game}"):
        assert client.get(path, environ_overrides=FAR).status_code == 403
    assert client.post("/copies", data=kept(table), environ_overrides=FAR).status_code == 403
    assert 'id="copies"' not in client.get("/fragment/table", environ_overrides=FAR).text


@pytest.mark.browser
def test_the_card_dies_at_a_verdict_and_the_round_comes_back(table, tmp_path, phone_at, free_port):
    bidding(table)
    with served(app_of(table), port=free_port) as address:
        page = phone_at(address)
        for change, why in ((doubted, "the round is over"), (counted, "its dice are put right afterwards")):
            change(table)
            game, records = table.journal.current() or "", json.dumps(kept(table))
            until(page, f"JSON.parse(localStorage.getItem('copies'))[{game!r}] === {records}", why)
    other, restarts = BoxedTable(tmp_path / "new"), list[str]()
    kept_by_page = PageSettings(Unkept(), Settings(), lambda: restarts.append("asked"), fitting, {})
    with served(app_of(other, page_settings=kept_by_page), port=free_port):
        page.click("#bring-back")  # the page has loaded itself anew: another box answers
        expect(page, "#toast").to_contain_text(translate("en", "web.copies.back"))
        until(page, "performance.getEntriesByName(new URL('/settings/restart', location).href).length === 1")
    assert restarts == ["asked"]
    assert bodies(other.journal, game) == bodies(table.journal, game)
    assert Table(other.journal).snapshot().state.game == table.table.snapshot().state.game
    other.journal.close()


@pytest.mark.browser
def test_one_tap_brings_a_game_back(table, tmp_path, phone_at):
    evening(table)
    lost = kept(table)
    game = json.loads(lost.splitlines()[0])["game"]
    other = BoxedTable(tmp_path / "new")
    archive = Archive(other.journal, None)
    copies = Copies(other.journal, archive)
    with served(create_app(deps_for(other, copies=copies, archive=archive))) as address:
        page = phone_at(address, locale="es-MX")
        expect(page, "#copies").to_be_hidden()
        page.evaluate("text => localStorage.setItem('copies', text)", json.dumps({game: lost}))
        page.reload()
        page.wait_for_selector("#copies:not([hidden])")
        expect(page, "#copies").to_contain_text(translate("es", "web.copies.offer"))
        page.click("#bring-back")
        page.wait_for_url("**/history")
        assert copies.known() == {game: len(lost.splitlines()) - 1}
        bidding(other)  # its own game is kept from now on, too
        page.goto(address)
        until(page, "Object.keys(JSON.parse(localStorage.getItem('copies'))).length === 2")
        expect(page, "#copies").to_be_hidden()
        page.evaluate("text => localStorage.setItem('copies', text)", json.dumps({"gone": lost}))
        page.reload()
        page.click("#forget-copies")
        expect(page, "#copies").to_be_hidden()
        until(page, "!localStorage.getItem('copies').includes('gone')", "it is not offered again")
    other.journal.close()
