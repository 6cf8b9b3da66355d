"""The second code: the Wi-Fi, for phones that may invite others."""

import pytest

from companion.addresses import Wifi
from companion.settings import Web
from tests.web.tables import bidding, deps_for
from web.app import create_app

pytestmark = pytest.mark.usefixtures("over_sockets")

FAR = {"REMOTE_ADDR": "192.168.1.77"}


@pytest.fixture
def home(table):
    bidding(table)
    return create_app(deps_for(table, wifi="Casa <1>", wifi_password="s;cret")).test_client()


def test_the_invitation_has_the_code_of_the_wifi(home):
    page = home.get("/join").get_data(as_text=True)
    assert "Not on the Wi-Fi Casa &lt;1&gt; yet?" in page
    code = home.get("/join/wifi.svg")
    assert code.mimetype == "image/svg+xml"
    assert code.headers["Cache-Control"] == "no-store"
    assert code.data.startswith(b"<svg")


def test_who_was_not_let_in_sees_neither_name_nor_code(home):
    assert "Casa" not in home.get("/join", environ_overrides=FAR).get_data(as_text=True)
    assert home.get("/join/wifi.svg", environ_overrides=FAR).status_code == 404


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
