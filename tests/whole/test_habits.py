"""The table's habits, as the settings name them, reach the page."""

import threading
import urllib.request

import pytest

from companion.app.companion import Companion
from companion.settings import Box, Camera, Data, Settings, Table, Web
from companion.texts import translate

pytestmark = pytest.mark.slow


def test_rules_and_language_of_the_settings_are_those_offered(tmp_path):
    settings = Settings(
        web=Web(host="127.0.0.1", port=0),
        data=Data(folder=str(tmp_path / "data")),
        camera=Camera(use="simulated"),
        box=Box(pins="mock"),
        table=Table(preset="perudo", language="es"),
    )
    with Companion(settings) as companion:
        threading.Thread(target=companion.serve).start()
        address = f"http://127.0.0.1:{companion.port}/setup"
        asked = urllib.request.Request(address, headers={"Accept-Language": "ja"})
        page = urllib.request.urlopen(asked).read().decode()
    assert 'value="perudo" checked' in page
    assert translate("es", "web.setup.title") in page
