"""The table's habits, as the settings name them, reach the page."""

import threading
import urllib.request

import pytest

from companion.app.companion import Companion
from companion.settings import Table
from companion.texts import translate
from tests.simulated import simulated

pytestmark = pytest.mark.slow


def test_rules_and_language_of_the_settings_are_those_offered(tmp_path):
    settings = simulated(tmp_path / "data", table=Table(preset="perudo", language="es"))
    with Companion(settings) as companion:
        threading.Thread(target=companion.serve).start()
        address = f"http://127.0.0.1:{companion.port}/setup"
        asked = urllib.request.Request(address, headers={"Accept-Language": "ja"})
        page = urllib.request.urlopen(asked).read().decode()
    assert 'value="perudo" checked' in page
    assert translate("es", "web.setup.title") in page
