"""The pages of statistics and the files to keep, through the real table."""

import csv
import io
import re
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from companion.statistics.archive import Archive
from companion.statistics.evenings import Evening
from companion.storage.journal import Journal
from companion.texts import languages
from tests.web.party import phone_of
from tests.web.tables import DICE, deps_for, evening, over, verdict
from web.app import create_app
from web.i18n import Translator
from web.pages.statistics import LocalFormats

PAGES = ("", "/dice", "/games/{id}", "/evenings/{id}", "/player?name=Ana")


def text_of(answer: Any) -> str:
    """What a reader sees, tags taken out."""
    plain = re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True))
    return " ".join(plain.split())


def test_every_page_opens_in_every_language(client, table):
    verdict(table)
    game = table.snapshot().data["game"]["id"]
    for path, language in product(PAGES, languages()):
        answer = client.get("/statistics" + path.format(id=game), headers={"Accept-Language": language})
        assert answer.status_code == 200, path
        assert f'<html lang="{language}"' in answer.get_data(as_text=True)
        assert "…" not in text_of(answer), f"a value is missing in a sentence of {path}"


def test_nothing_played_is_said_so(client):
    assert "No game has been played yet." in text_of(client.get("/statistics"))
    assert "No real dice have been read yet." in text_of(client.get("/statistics/dice"))


STATISTICS = ("games/nope", "evenings/nope", "player?name=Nobody", "player")
FILES = ("games/nope.csv", "games/nope.json")


@pytest.mark.parametrize(
    "path", [*(f"/statistics/{page}" for page in STATISTICS), *(f"/api/v1/{file}" for file in FILES)]
)
def test_what_is_not_there_is_refused(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.json["reason"]) == (404, "not_found")


def test_a_game_is_shown_with_every_rounds_picture(client, table):
    verdict(table)
    game = table.snapshot().data["game"]["id"]
    page = client.get(f"/statistics/games/{game}")
    shown = text_of(page)
    assert "This game is not over yet." in shown
    assert "The boldest: 5 threes with 15 dice in play (60%)." in shown
    assert page.get_data(as_text=True).count('src="/pictures/shot1.jpg"') == 1
    assert "1 of 1" in shown, "Bea's dudo was right"


def test_the_end_of_a_game_shows_its_statistics(client, table):
    evening(table)
    shown = text_of(client.get("/"))
    for heading in ("Dice left after every round", "Calls won and lost", "All about this game"):
        assert heading in shown


def test_the_statistics_of_a_game_follow_what_is_taken_back(client, table):
    over(table)
    assert "Ana wins!" in text_of(client.get("/statistics/games/" + table.snapshot().data["game"]["id"]))
    table.say("undo")
    shown = text_of(client.get("/statistics/games/" + table.snapshot().data["game"]["id"]))
    assert "No round has been finished yet." in shown


def test_a_game_ends_also_where_its_statistics_cannot_be_had(table, tmp_path):
    over(table)
    client = create_app(deps_for(table, archive=Archive(Journal(tmp_path / "empty.db")))).test_client()
    shown = text_of(client.get("/"))
    assert "Ana wins!" in shown
    assert "Dice left after every round" not in shown


def test_dice_are_counted_and_too_few_said_so(client, table):
    verdict(table)
    shown = text_of(client.get("/statistics/dice"))
    assert "15 dice seen" in shown
    assert "15 dice are too few to say anything; it takes at least 30." in shown


@pytest.mark.parametrize(
    "name", ["<b>Bob</b>", "a/b", "../x", "يوسف", "👩‍👩‍👧 fam", "50%", "a?b#c", ".", "..", "a&b=c"]
)
def test_every_name_leads_to_its_page(client, table, name):
    people = [{"name": name, "colour": "red"}, {"name": "Bea", "colour": "blue"}]
    table.say("new_game", players=people, preset="modern", starter="Bea")
    taken = table.snapshot().data["game"]["players"][0]["name"]
    links = re.findall(
        r'href="(/statistics/player\?[^"]+)"', client.get("/statistics").get_data(as_text=True)
    )
    pages = [client.get(link).get_data(as_text=True) for link in links]
    assert sum(f'<h1 class="strip"><span><bdi>{escape(taken)}</bdi>' in page for page in pages) == 1
    assert "<b>Bob</b>" not in "".join(pages)


def test_games_are_downloaded(client, table):
    verdict(table)
    game = table.snapshot().data["game"]["id"]
    for path in (f"games/{game}.json", "games.json"):
        assert [one["id"] for one in client.get(f"/api/v1/{path}").json["games"]] == [game]
    for path, name in ((f"games/{game}.csv", f"dudo-{game}.csv"), ("games.csv", "dudo-games.csv")):
        answer = client.get(f"/api/v1/{path}")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert answer.mimetype == "text/csv"
        (row,) = csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"), newline=""))
        assert (row["game"], row["caller"], row["right"]) == (game, "Bea", "1")
        assert sorted(row["shown"].split()) == sorted(str(face) for hand in DICE.values() for face in hand)


def test_sums_are_served_to_programs(client, table):
    over(table)
    found = client.get("/api/v1/statistics").json
    assert {one["name"]: one["won"] for one in found["players"]} == {"Ana": 1, "Bea": 0}
    assert [len(one["games"]) for one in found["evenings"]] == [1]
    assert found["dice"]["faces"] == [0, 0, 1, 0, 1, 0]


def test_dice_in_a_phone_stay_secret_until_the_verdict(client, table):
    people = [{"name": "Ana", "colour": "red", "phone_cup": True}, {"name": "Bea", "colour": "blue"}]
    table.say("new_game", players=people, preset="modern", starter="Ana")
    assert table.hand("Ana")
    game = table.snapshot().data["game"]["id"]
    assert client.get(f"/api/v1/games/{game}.json").json["games"][0]["rounds"] == []
    known = sum(face in (1, 3) for face in table.hand("Ana"))
    table.say("bid", by="Ana", quantity=known + 1, face=3)  # Bea's dice decide it
    table.say("dudo", by="Bea")
    assert client.get(f"/api/v1/games/{game}.json").json["games"][0]["rounds"] == []


@pytest.mark.parametrize(
    ("language", "number", "percent", "rare"),
    [("en", "1.5", "58%", "one in 20"), ("es", "1,5", "58 %", "una de cada 20")],
)
def test_numbers_are_written_as_the_language_does(language, number, percent, rare):
    formats = LocalFormats(Translator(language))
    assert (formats.number(1.5), formats.percent(0.58), formats.one_in(0.05)) == (number, percent, rare)
    assert formats.percent(None) == "–"
    assert formats.p_value(0.0001) == f"< {formats.number(0.001, 3)}"


def test_a_day_nobody_knows_is_said_so():
    assert LocalFormats(Translator("en")).day(Evening("x", None, ())) == "Day unknown"


def test_the_host_makes_one_person_of_two_names(client, table):
    over(table)
    table.say("put_away")
    evening(table)
    stranger = phone_of(client.application)

    def wish(phone: FlaskClient, other: str, name: str) -> int:
        return phone.post("/statistics/persons", data={"other": other, "name": name}).status_code

    assert wish(stranger, "Carlos", "Zoë") == 403
    assert "/statistics/persons" not in stranger.get("/statistics").text
    assert wish(client, "Carlos", "Zoë") == 303
    assert "Separate Carlos from Zoë again" in client.get("/statistics").text
    assert wish(client, "Carlos", "") == 303
    assert "Separate Carlos" not in client.get("/statistics").text
    assert wish(client, "Bea", "Ana") == 422, "they sat in one game"


def test_the_television_shows_the_season_between_games(client, table):
    assert "Season" not in client.get("/board").text, "nobody has finished a game yet"
    evening(table)
    assert "Season" not in client.get("/board").text, "the end of the game has the screen"
    table.say("put_away")
    season = client.get("/board").text.partition('class="season"')[2].partition("</table>")[0]
    assert season.count("<bdi>") == 4
    assert "1/" in season, "a calza was right"
    evening(table)
    assert 'class="season"' in client.get("/board").text, "the second game ends in the season"
