"""A whole box with a real broker: Home Assistant finds it, and hears its game to the goodbye."""

import json
import threading

from companion.app.companion import Companion
from companion.app.machine import ask, service_findings
from companion.app.reading.reader import Reader
from companion.settings import Camera, Mqtt
from tests.companion.outside.brokers import broker, ear
from tests.simulated import simulated
from tests.whole.at_box import in_reveal


def test_a_game_of_a_box_reaches_the_broker(tmp_path, empty_table):
    with broker(tmp_path / "broker") as running, ear(running.port) as heard:
        mqtt = Mqtt(host="127.0.0.1", port=running.port, table="Kitchen table")
        settings = simulated(tmp_path / "data", camera=Camera(use=empty_table), mqtt=mqtt)
        with Companion(settings, reader=Reader()) as companion:
            serving = threading.Thread(target=companion.serve, daemon=True)
            serving.start()
            heard.wait(lambda _: heard.last("/state") is not None, "the table is there")
            in_reveal(companion)
            heard.wait(
                lambda _: (heard.last("/events") or {}).get("event") == "call", "the call is published"
            )
            assert heard.last("/events")["by"] == "Bea"
            assert heard.last("/state")["table"] == "Kitchen table"
            health = ask("127.0.0.1", companion.port)
            found = [one for one in service_findings(health, companion.port) if one[0] == "mqtt"]
            assert found == [("mqtt", "good", "connected", "")]
        serving.join(10)
        heard.wait(lambda _: heard.last("/status") == "offline", "it says goodbye")
        configs = [text for topic, text, _ in heard.heard if topic.startswith("homeassistant/")]
        assert {json.loads(text)["device"]["name"] for text in configs} == {"Kitchen table"}
        assert len(configs) >= 7
