"""The table's habits, as the settings name them, reach the page."""

import threading

import pytest

from companion.app.companion import Companion
from companion.settings import Table
from companion.texts import translate
from tests.simulated import simulated
from tests.whole.at_box import Phone

pytestmark = pytest.mark.slow


def test_rules_and_language_of_the_settings_are_those_offered(tmp_path):
    settings = simulated(tmp_path / "data", table=Table(preset="perudo", language="es"))
    with Companion(settings) as companion:
        threading.Thread(target=companion.serve).start()
        page = Phone(companion, "127.0.0.1", language="ja").get("/setup").text
    assert 'value="perudo" checked' in page
    assert translate("es", "web.setup.title") in page
