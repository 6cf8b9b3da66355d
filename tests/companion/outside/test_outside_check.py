"""What `dudo doctor` finds of broker and webhook, and the reference of what leaves the box."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.machine import outside_findings
from companion.outside import connection
from companion.settings import Mqtt, Settings, Webhook
from tests.companion.outside.reference_page import page
from tests.companion.outside.test_mqtt import listener

OFF = Settings()


def levels(settings: Settings) -> list[tuple[str, str]]:
    return [(topic, level) for topic, level, _, _ in outside_findings(settings)]


def test_what_is_off_is_not_looked_for():
    assert levels(OFF) == []


def test_what_is_wrong_with_a_broker_is_one_sentence(monkeypatch, free_port):
    pytest.importorskip("paho.mqtt.client")
    monkeypatch.setattr(connection, "ANSWER_S", 0.2)
    with listener() as port:
        cases = {
            "cannot be reached": Mqtt(host="127.0.0.1", port=free_port),
            "does not speak MQTT": Mqtt(host="127.0.0.1", port=port),
            "password_file": Mqtt(host="127.0.0.1", port=port, user="a", password_file="/nowhere"),
        }
        for words, mqtt in cases.items():
            ((topic, level, finding, _),) = outside_findings(replace(OFF, mqtt=mqtt))
            assert (topic, level) == ("mqtt", "note")
            assert words in finding


@pytest.mark.parametrize(
    ("url", "secret", "level"),
    [
        ("http://club.example/", "s", "good"),
        ("club.example", "s", "note"),
        ("http://club.example/", "", "note"),
    ],
)
def test_a_webhook_needs_an_address_and_a_secret(tmp_path, url, secret, level):
    path = tmp_path / "secret"
    path.write_text(secret)
    assert levels(replace(OFF, webhook=Webhook(url, str(path)))) == [("webhook", level)]


PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "outside.md"


def test_the_page_is_that_of_the_types():
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.companion.outside.reference_page > it"
