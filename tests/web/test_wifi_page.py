"""The page on which the host has the box join another Wi-Fi, and the code of the one phones are to join."""

import html
import re

import pytest

from companion.addresses import Wifi
from companion.errors import BadCommand
from companion.settings import Web
from companion.texts import languages, translate
from companion.upkeep import Joining
from tests.web.axe import complaints_of_both_themes
from tests.web.hands import FITS, NARROW, until
from tests.web.party import FAR
from tests.web.serving import served
from tests.web.tables import bidding, deps_for
from tests.web.test_workshop_pages import Workshop
from web.app import create_app

pytestmark = pytest.mark.usefixtures("over_sockets")

WORDS = ("joined", "not_found", "refused", "failed")


class Radio:
    """Remembers the network it was asked to join."""

    def __init__(self) -> None:
        self.joined: list[tuple[str, str]] = []
        self.last: Joining | None = None

    def join(self, name: str, password: str) -> None:
        if not name:
            raise BadCommand("wifi_name")
        self.joined.append((name, password))
        self.last = Joining("joining", name)

    def now(self) -> Joining | None:
        return self.last


@pytest.fixture
def radio():
    return Radio()


@pytest.fixture
def home(table, radio):
    return create_app(deps_for(table, wifi_joining=radio)).test_client()


def test_the_host_has_the_box_join(home, radio):
    answer = home.post("/wifi", data={"name": "Casa", "password": "eight or more"})
    assert (answer.status_code, answer.location) == (303, "/wifi")
    assert radio.joined == [("Casa", "eight or more")]
    shown = home.get("/wifi").text
    assert translate("en", "web.wifi.joining") in shown
    assert ".local:8000/" in shown


@pytest.mark.parametrize("word", WORDS)
def test_what_came_of_it_is_a_sentence(home, radio, word):
    radio.last = Joining(word, "Casa <b>")
    for language in languages():
        shown = home.get("/wifi", headers={"Accept-Language": language}).text
        assert translate(language, f"web.wifi.{word}", name="Casa &lt;b&gt;") in shown.replace("&#39;", "'")


def test_after_a_failure_the_name_is_typed_already(home, radio):
    """Only what was wrong is typed again; a password is never sent back."""
    home.post("/wifi", data={"name": 'Casa "2"', "password": "eight or more"})
    radio.last = Joining("refused", 'Casa "2"')
    shown = html.unescape(home.get("/wifi").text)
    assert 'value="Casa "2""' in shown
    assert "eight or more" not in shown
    radio.last = Joining("joined", 'Casa "2"')
    assert "value=" not in home.get("/wifi").text.split('action="/wifi"')[1].split("</form>")[0]


def test_the_page_is_one_of_those_of_the_box(table, radio):
    client = create_app(deps_for(table, wifi_joining=radio, workshop=Workshop())).test_client()
    for page in ("wifi", "calibrate"):
        tabs = re.findall(r'<a href="(/[a-z-]+)"( aria-current="page")?>', client.get(f"/{page}").text)
        assert [path for path, _ in tabs if path != "/"][-5:] == [
            *("/calibrate", "/teach", "/colours", "/hardware-test", "/wifi")
        ]
        assert [path for path, current in tabs if current] == [f"/{page}"]


def test_who_does_not_lead_changes_nothing(home, radio, table):
    bidding(table)
    radio.last = Joining("refused", "Secret Casa")
    shown = home.get("/wifi", environ_overrides=FAR).text
    assert translate("en", "web.workshop.not_yours") in shown
    assert "Secret Casa" not in shown
    assert '<form method="post" action="/wifi"' not in shown
    refused = home.post("/wifi", data={"name": "Casa"}, environ_overrides=FAR)
    assert refused.status_code == 403
    foreign = home.post("/wifi", data={"name": "Casa"}, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert radio.joined == []


def test_faults_of_what_was_typed_are_refused(home, radio):
    assert home.post("/wifi", data={}).status_code == 422
    assert home.post("/wifi", data={"name": "x" * 100_000}).status_code in (400, 413)
    assert radio.joined == []


@pytest.mark.browser
def test_the_form_fits_a_phone(table, radio, phone_at):
    with served(create_app(deps_for(table, wifi_joining=radio))) as address:
        page = phone_at(address, "/wifi", locale="de-DE", **NARROW)
        assert complaints_of_both_themes(page) == []
        page.fill("input[name=name]", "Casa")
        page.fill("input[name=password]", "eight or more")
        page.click("button.big")
        page.wait_for_selector(f"text={translate('de', 'web.wifi.back')}")
        until(page, FITS)
        assert radio.joined == [("Casa", "eight or more")]


@pytest.fixture
def known(table):
    bidding(table)
    return create_app(deps_for(table, wifi="Casa <1>", wifi_password="s;cret")).test_client()


def test_the_invitation_has_the_code_of_the_wifi(known):
    page = known.get("/join").get_data(as_text=True)
    assert "Not on the Wi-Fi Casa &lt;1&gt; yet?" in page
    code = known.get("/join/wifi.svg")
    assert code.mimetype == "image/svg+xml"
    assert code.headers["Cache-Control"] == "no-store"
    assert code.data.startswith(b"<svg")


def test_who_was_not_let_in_sees_neither_name_nor_code(known):
    assert "Casa" not in known.get("/join", environ_overrides=FAR).get_data(as_text=True)
    assert known.get("/join/wifi.svg", environ_overrides=FAR).status_code == 404


def test_without_a_name_in_the_settings_there_is_no_code(client):
    assert client.get("/join/wifi.svg").status_code == 404
    assert "Wi-Fi" not in client.get("/join").get_data(as_text=True)


@pytest.mark.parametrize(
    ("web", "network"),
    [
        (Web(), None),
        (Web(wifi="Casa"), Wifi("Casa")),
        (Web(wifi="Casa", wifi_password="secret"), Wifi("Casa", "secret")),
    ],
)
def test_the_settings_name_the_network(web, network):
    assert web.network == network


def test_an_open_network_has_another_code_than_a_closed_one():
    assert Wifi("Casa").code() != Wifi("Casa", "secret").code()
