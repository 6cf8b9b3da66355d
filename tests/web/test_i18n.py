"""Which language a phone gets, and that no name turns the sentence around it."""

import re

import pytest
from flask import request

from tests.web.tables import BoxedTable, deps_for
from web.app import create_app
from web.i18n import Translator, choices, translator


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page for each language a table may be set to."""
    table = BoxedTable(tmp_path_factory.mktemp("table"))
    yield {language: create_app(deps_for(table, language=language)) for language in ("en", "fr")}
    table.journal.close()


@pytest.mark.parametrize(
    ("asked", "cookie", "table", "spoken"),
    [
        ("pt-BR,en;q=0.8", "", "en", "pt"),
        ("fr-CA", "", "en", "fr"),
        ("de-AT,de;q=0.9,en;q=0.5", "", "en", "de"),
        ("en;q=0.5,es-419;q=0.7", "", "en", "es"),
        ("nl,de;q=0.3,en;q=0.1", "", "en", "de"),
        ("de;q=0,es;q=0.1", "", "en", "es"),
        ("nl", "", "fr", "fr"),
        ("nl", "", "en", "en"),
        ("*", "", "fr", "fr"),
        ("", "", "fr", "fr"),
        ("en", "", "fr", "en"),
        ("es", "de", "en", "de"),
        ("es", "xx", "en", "es"),
        ("es", "../en", "en", "es"),
    ],
)
def test_a_phone_is_spoken_to_in_its_language(pages, asked, cookie, table, spoken):
    headers = {"Accept-Language": asked, "Cookie": f"lang={cookie}"}
    with pages[table].test_request_context(headers=headers):
        assert translator(request).language == spoken


def test_every_language_can_be_chosen_by_its_own_name():
    assert choices() == {
        "en": "English",
        "de": "Deutsch",
        "es": "Español",
        "fr": "Français",
        "pt": "Português",
    }


@pytest.mark.parametrize("name", ["يوسف", "שרה", "a\u202eb", "Zoë יוסף"])
@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "pt"])
def test_a_name_written_from_the_right_is_fenced_in(language, name):
    sentence = Translator(language)("round.opens", name=name)
    assert f"\u2068{name}\u2069" in sentence


def test_a_plain_name_is_left_alone():
    assert Translator("en")("round.opens", name="Ana") == "Ana opens"


@pytest.mark.parametrize(
    ("chosen", "fetched_in", "loaded_anew"),
    [
        ({"lang": "de"}, "en", True),
        ({"theme": "dark"}, "en", False),
        ({"theme": "dark"}, "fr", False),
    ],
    ids=["another language", "another theme", "a browser whose scripts accept another"],
)
def test_a_page_is_loaded_anew_once_another_language_was_chosen_beside_it(
    client, chosen, fetched_in, loaded_anew
):
    """Regression: texts of the language chosen in a second tab stood in the frame of the first one's; and a
    browser that names other languages for what a script fetches would have loaded the page for ever."""
    found = re.search('data-start="([^"]+)"', client.get("/", headers={"Accept-Language": "en"}).text)
    assert found
    client.post("/preferences", data=chosen)
    fragment = client.get("/fragment/table", headers={"Accept-Language": fetched_in})
    assert (fragment.headers["X-Start"] != found[1]) is loaded_anew
