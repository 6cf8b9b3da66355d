"""The page of a club: what it says of every kind of table, and what it says where there is none."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.table.wire.state import ClubJson, ClubNow, ClubTableJson
from companion.texts import languages, translate
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app

HOSTILE = '"><script>alert(1)</script>'


def a_table(name: str, **more: Any) -> ClubTableJson:
    plain: dict[str, Any] = {
        "key": name.lower().replace(" ", "-"),
        "name": name,
        "presence": "online",
        "state": "bidding",
        "round": 3,
        "turn": "Beto",
        "bid": {"by": "Ana", "quantity": 4, "face": 5},
        "dice": 17,
        "verdict": "Ana loses a die.",
        "winners": [],
    }
    return plain | more  # type: ignore[return-value]


CLUB: ClubJson = {
    "tables": [
        a_table("Table 1"),
        a_table("Table 2", presence="offline"),
        a_table("Table 3", presence="unknown", state=None, round=0, turn="", bid=None, verdict=""),
        a_table("Table 4", state="over", winners=["Ana", "Carla"]),
        a_table(HOSTILE, turn=HOSTILE, verdict=HOSTILE, bid={"by": HOSTILE, "quantity": 1, "face": 1}),
    ],
    "online": 3,
    "games": 7,
    "standings": [
        {"rank": 1, "name": "Ana", "won": 4, "games": 7, "even": 2.5},
        {"rank": 2, "name": HOSTILE, "won": 3, "games": 7, "even": 2.5},
    ],
}
NOTHING: ClubJson = {"tables": [], "online": 0, "games": 0, "standings": []}
NOW = ClubNow("1-7-1-", True, "", CLUB)


def client_of(table: BoxedTable, now: ClubNow | None, **more: Any) -> FlaskClient:
    club = None if now is None else lambda: now
    return create_app(deps_for(table, club=club, **more)).test_client()


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_every_table_and_the_standings_are_shown(table):
    page = plain(client_of(table, NOW).get("/club").text)
    for words in ("Table 1 Bidding", "✕ offline", "? not known", "Ana, Carla", "3 of 5 online", "7 games"):
        assert words in page
    assert "1. Ana 4 7 2.5" in page


@pytest.mark.parametrize(
    ("now", "shown", "why"),
    [
        (NOW, True, "the broker says who is there"),
        (replace(NOW, connected=False, fault="mqtt_away"), False, "nobody does"),
    ],
)
def test_how_many_tables_are_online_is_shown_while_it_is_known(table, now, shown, why):
    """Regression: "0 of 2 online" stood above two tables that went on while the broker was away."""
    assert ("3 of 5 online" in plain(client_of(table, now).get("/club").text)) == shown, why


def test_one_die_is_no_dice(table):
    last = {**CLUB, "tables": [a_table("Table 1", state="over", dice=1, winners=["Ana"])]}
    assert "1 die " in plain(client_of(table, replace(NOW, club=last)).get("/club").text)


def test_names_from_a_broker_are_only_text(table):
    html = client_of(table, NOW).get("/club").text
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;") >= 4


@pytest.mark.parametrize("language", languages())
def test_the_page_speaks_every_language(table, language):
    client = client_of(table, NOW)
    client.set_cookie("lang", language)
    page = plain(client.get("/club").text)
    assert translate(language, "web.club.standings") in page
    assert "web.club" not in page


@pytest.mark.parametrize(
    ("now", "key"),
    [
        (replace(NOW, club=NOTHING), "web.club.empty"),
        (replace(NOW, club=NOTHING, connected=False), "web.club.connecting"),
        (replace(NOW, connected=False, fault="mqtt_away"), "errors.mqtt_away"),
        (replace(NOW, connected=False, fault="mqtt_certificate"), "errors.mqtt_certificate"),
        (None, "web.club.none"),
    ],
)
def test_what_is_missing_is_a_sentence(table, now, key):
    answer = client_of(table, now).get("/club")
    assert answer.status_code == 200
    assert translate("en", key) in answer.text.replace("&#39;", "'")


def test_without_a_broker_it_is_not_in_the_menu(table):
    link = 'href="/club"'
    assert link not in client_of(table, None).get("/").text
    assert link in client_of(table, NOW).get("/").text


def test_what_was_seen_is_not_sent_again(table):
    client = client_of(table, NOW)
    assert client.get(f"/club/now?seen={NOW.mark}").status_code == 204
    fresh = client.get("/club/now?seen=1-6-1-")
    assert fresh.status_code == 200
    assert f'data-mark="{NOW.mark}"' in fresh.text
    assert "<html" not in fresh.text


def test_strangers_do_not_see_it_where_the_scoreboard_is_closed(table):
    client = client_of(table, NOW, open_scoreboard=False, local_leads=False)
    for path in ("/club", "/club/now"):
        assert client.get(path).status_code == 403
