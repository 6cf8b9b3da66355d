"""The pages as the server draws them: every screen in every language, safe, small and without strangers."""

import gzip
import html
import re
from html.parser import HTMLParser
from itertools import product

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from companion.texts import languages
from tests.web.tables import (
    PEOPLE,
    WAYS,
    bidding,
    crowd,
    looking,
    question,
    rolloff,
    start,
    verdict,
)

ROUNDS = ("round", "coloured_dice", "opening", "palifico", "asked", "resumed", "crowd")
OTHERS = {"setup": "setup", "rolloff": "rolloff", "rolled": "rolloff", "verdict": "verdict", "over": "over"}
SCREENS = {**dict.fromkeys(WAYS, "reveal"), **dict.fromkeys(ROUNDS, "round"), **OTHERS, "evening": "over"}
UNKNOWN = re.compile(r"\((?:errors|rules|web)\.[a-z_.]+\)")


def body(client: FlaskClient, path: str = "/", language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    return answer.text


def static(client: FlaskClient, path: str) -> bytes:
    with client.get(path) as answer:
        return answer.data


class Commands(HTMLParser):
    """The commands that a page offers, as the phone would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name == "data-command" and value]


@pytest.mark.parametrize("way", WAYS)
def test_every_screen_is_drawn_in_every_language(client, table, way):
    WAYS[way](table)
    for language in languages():
        page = body(client, "/", language)
        assert f'lang="{language}"' in page
        assert f'data-screen="{SCREENS[way]}"' in page
        assert UNKNOWN.findall(page) == []
        assert "…" not in html.unescape(page)


@pytest.mark.parametrize("way", ["setup", "round", "reveal", "verdict", "over"])
def test_every_other_page_is_drawn_in_every_language(client, table, way):
    WAYS[way](table)
    for path, language in product(("/setup", "/history", "/rules", "/board", "/join", "/me"), languages()):
        page = body(client, path, language)
        assert UNKNOWN.findall(page) == []
        assert "…" not in html.unescape(page)


@pytest.mark.parametrize("way", WAYS)
def test_a_page_is_its_fragment_small_and_without_script_or_style_of_its_own(client, table, way):
    WAYS[way](table)
    page = body(client)
    assert body(client, "/fragment/table").strip() in page
    assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)
    shown = re.sub(r'<link rel="apple-touch-icon"[^>]+>', "", page)  # fetched when the page is kept as an app
    parts = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', shown))
    assert len(parts) >= 4
    whole = len(page.encode()) + sum(len(static(client, part)) for part in parts)
    assert whole < 110_000, f"{whole} bytes, {len(gzip.compress(page.encode()))} of the page compressed"


def test_names_are_shown_as_they_are_and_do_nothing(client, table):
    crowd(table)
    page = body(client)
    assert "<b>Bob</b>" not in page
    assert "&lt;b&gt;Bob&lt;/b&gt;" in page
    assert "O'Neil" in html.unescape(page)
    assert "\u2068يوسف\u2069" in page  # fenced in, so that it does not turn the sentence around


def test_a_name_with_quotes_stays_inside_its_command(client, table):
    start(table, (("O'N\"eil", "red"), ("</div>", "blue")))
    commands = Commands(body(client)).found
    assert '{"type":"undo"}' not in commands
    table.say("bid", by="O'N\"eil", quantity=2, face=3)
    assert any('"by":"\\u003c/div\\u003e"' in one for one in Commands(body(client)).found)


def test_a_name_may_be_a_word_of_the_templates(client, table):
    start(table, (("get", "red"), ("items", "blue")))
    table.say("bid", by="get", quantity=9, face=3)
    table.say("dudo", by="items")
    table.say("type_count", count=3)
    assert "−1" in body(client, "/fragment/table")


def test_only_legal_raises_are_offered(client, table):
    bidding(table)
    page = body(client)
    offered = [int(q) for q in re.findall(r'data-quantity="(\d+)"', page)]
    assert offered == sorted({q for q, _ in table.snapshot().data["game"]["round"]["legal"]["bids"]})
    assert re.search(r'data-quantity="5" aria-pressed="true"', page)
    closed = re.findall(r'data-face="(\d)" disabled', page)
    assert closed == ["2", "3"]  # five threes stand: five fours and more, and five aces


def test_the_pad_of_the_usual_table_has_no_bids_without_wilds_no_pushing_and_no_clock(client, table):
    start(table)
    page = body(client)
    assert 'id="pad"' in page
    assert [part for part in ("data-without", "data-push", 'id="clock"') if part in page] == []


def test_the_set_up_after_a_stopped_game_says_nothing_of_a_game(client, table):
    start(table)
    assert 'id="running"' in body(client, "/setup")
    table.say("abandon")
    page = body(client, "/setup")
    assert ('id="setup"' in page, 'id="running"' in page) == (True, False)


def test_a_phone_that_waits_sees_the_bids_of_the_round(client, table):
    bidding(table)
    table.say("bid", by="Bea", quantity=6, face=3)
    bids = body(client).partition('<ol class="bids"')[2].partition("</ol>")[0]
    assert re.findall(r"Ana|Bea|\d threes", bids) == ["Ana", "5 threes", "Bea", "6 threes"]


@pytest.mark.parametrize("id_", ["missing", "all:0", "<script>"])
def test_a_sheet_for_a_die_that_is_not_there_says_so(client, table, id_):
    looking(table)
    answer = client.get("/sheet/die", query_string={"id": id_})
    assert (answer.status_code, answer.get_json(force=True)["reason"]) == (404, "no_such_die")


def test_a_sheet_offers_the_likeliest_faces_first(client, table):
    dice = question(table).data["reveal"]["dice"]
    doubtful = next(die for die in dice if not die["certain"])
    page = client.get("/sheet/die", query_string={"id": doubtful["id"]}).text
    offered = [int(face) for face in re.findall(r'"face":(\d)', html.unescape(page))]
    assert offered[: len(doubtful["others"]) + 1] == [doubtful["face"], *doubtful["others"]]
    assert sorted(offered) == [1, 2, 3, 4, 5, 6]
    assert '"type":"strike"' in html.unescape(page)


def test_those_who_tie_roll_again(client, table):
    rolloff(table)
    table.say("roll_off", rolls=[{"Ana": 4, "Bea": 6, "Carlos": 4}])
    page = html.unescape(body(client))
    assert set(re.findall(r'"player":"(\w+)"', page)) == {"Ana", "Carlos"}


def test_odds_are_offered_to_the_phone_alone_that_wants_them(client, table):
    bidding(table)
    other = client.application.test_client()
    button, part = 'data-sheet="coach"', "/fragment/table"
    assert button not in body(client, part)
    answer = client.post("/preferences", data={"coach": "on", "back": "/me"})
    assert (answer.status_code, answer.location) == (303, "/me")
    assert (button in body(client, part), button in body(other, part)) == (True, False)
    client.post("/preferences", data={"coach": "off"})
    assert button not in body(client, part)


@pytest.mark.parametrize("name", ["add", "count", "challenge", "abandon", "anew", "coach"])
def test_every_sheet_is_drawn(client, table, name):
    looking(table)
    assert UNKNOWN.findall(body(client, f"/sheet/{name}")) == []


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("reveal", "4 of the 15 dice have not been seen yet: they could still change the verdict."),
        ("by_player", "10 of the 15 dice have not been seen yet: they could still change the verdict."),
        ("by_player", "Put the box over Bea’s dice"),
        ("doubted_pass", "1 of the 5 dice has not been seen yet: it could still change the verdict."),
        ("doubted_pass", "Carlos doubts Bea’s pass"),
    ],
)
def test_an_open_reveal_says_what_it_waits_for(client, table, way, said):
    WAYS[way](table)
    assert said in re.sub(r"[\u2066-\u2069]", "", html.unescape(body(client)))


def test_a_verdict_taken_back_is_asked_about_in_its_own_words(client, table):
    """Nothing is unclear then: a die may be corrected, or the verdict said to be right."""
    verdict(table)
    table.say("undo")
    page = html.unescape(body(client))
    assert page.count("Is that right?") == 2
    assert "Tap a die to correct it." in page.split('data-now="held"')[1].split("</p>")[0]
    assert "unclear" not in page
    assert "Is that right?" in body(client, "/board")
    assert "Tap the answer" not in page


@pytest.mark.parametrize(
    ("why", "cups", "corrected", "advice"),
    [
        ("all dice are in phones", ("Ana", "Bea", "Carlos"), False, "verdict_phone"),
        ("Carlos has a cup", ("Ana", "Bea"), True, "verdict"),
    ],
)
def test_a_verdict_offers_to_correct_what_can_be_corrected(client, table, why, cups, corrected, advice):
    table.table = Table(table.journal, frames=1, roll=lambda n: (2,) * n)  # no phone settles it alone
    people = [{"name": name, "colour": "red", "phone_cup": name in cups} for name, _ in PEOPLE]
    table.say("new_game", players=people, starter="Ana", house={"starting_dice": 1, "palifico": "off"})
    known = sum(face in (1, 3) for name in cups[:2] for face in table.hand(name))
    table.say(
        "bid", by="Ana", quantity=known + 1 if corrected else 1, face=3
    )  # the cup on the table decides it
    table.say("dudo", by="Bea")
    if corrected:
        table.do(table.eye({"red": (3,)}))
    page = body(client)
    assert ("verdict" in page, 'data-sheet="add"' in page) == (True, corrected), why
    assert ("the round is judged again" in page) is corrected, why
    assert f'data-now="{advice}"' in page, why


def test_the_verdict_stands_in_a_sentence_with_its_picture(client, table):
    shown = verdict(table).data["verdict"]
    page = html.unescape(body(client))
    assert shown["sentences"]["en"] in page
    assert f"/pictures/{shown['pictures'][0]}.jpg" in page


def test_the_television_counts_the_dice_that_the_verdict_leaves(client, table):
    looking(table)
    assert '<span class="total">15 dice</span>' in body(client, "/board")
    table.say("type_count", count=4)
    assert '<span class="total">14 dice</span>' in body(client, "/board")


def test_a_choice_of_language_and_theme_is_kept(client):
    answer = client.post("/preferences", data={"lang": "es", "theme": "light", "back": "/rules"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/rules")
    page = body(client, "/", "en")
    assert 'lang="es"' in page
    assert 'data-theme="light"' in page


def test_a_language_that_is_none_is_not_kept(client):
    assert "Set-Cookie" not in client.post("/preferences", data={"lang": "xx"}).headers


@pytest.mark.parametrize("path", ["/", "/join", "/board", "/fragment/table", "/api/v1/state", "/nothing"])
def test_nothing_from_elsewhere_may_run(client, path):
    policy = client.get(path).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_static_files_are_kept_by_phones_for_ever(client):
    part = re.findall(r'href="(/static/app\.css[^"]+)"', body(client))[0]
    with client.get(part) as answer:
        assert "max-age=31536000" in answer.headers["Cache-Control"]


def test_the_page_can_be_kept_as_an_app(client):
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": "es"})
    assert answer.mimetype == "application/manifest+json"
    kept = answer.get_json(force=True)
    assert (kept["display"], kept["lang"]) == ("standalone", "es")
    for icon in kept["icons"]:
        assert static(client, icon["src"])


def test_the_join_page_offers_every_address(client):
    page = body(client, "/join")
    assert "http://192.168.1.20:8000/" in page
    assert "http://10.0.0.7:8000/" in page
    assert "http://localhost/" not in page, "it leads a phone to itself"
    code = client.get("/join/code.svg", query_string={"link": "http://10.0.0.7:8000/"})
    assert (code.status_code, code.mimetype) == (200, "image/svg+xml")


def test_a_chosen_address_is_remembered(client):
    client.get("/join", query_string={"link": "http://10.0.0.7:8000/"})
    page = body(client, "/join")
    assert 'class="link"><a href="http://10.0.0.7:8000/"' in page
    assert 'value="http://192.168.1.20:8000/"' in page
    assert 'value="http://10.0.0.7:8000/"' not in page, "what does not open is not offered again"
