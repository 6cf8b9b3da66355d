"""The table by MQTT, against a real mosquitto, and against brokers that are away, slow, or none at all; what
`dudo doctor` finds of broker and webhook; and the reference of what leaves the box."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.machine import outside_findings
from companion.app.system.box_parts import fitting
from companion.outside import connection
from companion.outside.connection import MqttLink, OutsideFault, open_client
from companion.outside.topics import Message, Topics, topics
from companion.settings import Mqtt, Settings, Webhook
from companion.texts import translate
from tests.companion.outside.brokers import broker, ear, passwords, wait_until
from tests.companion.outside.reference_page import page
from tests.companion.outside.tables import ChanceTable, reporting

REFUSED = SimpleNamespace(is_failure=True)
ROOT = Path(__file__).resolve().parents[3]
TOPICS = Topics("dudo", "table-3-abc123")


@pytest.fixture
def mosquitto(tmp_path):
    with broker(tmp_path / "broker") as running:
        yield running


@pytest.fixture
def quick(monkeypatch):
    """Attempts come one after the other."""
    monkeypatch.setattr("companion.outside.connection.FIRST_S", 0.01)
    monkeypatch.setattr("companion.outside.connection.LONGEST_S", 0.05)


@contextmanager
def linked(port: int, **more: Any) -> Iterator[MqttLink]:
    link = MqttLink(Mqtt("127.0.0.1", port, **more), TOPICS)
    try:
        yield link
    finally:
        link.close()


def test_a_game_is_published_as_it_is_played(tmp_path, mosquitto):
    with (
        ChanceTable(tmp_path / "table") as table,
        ear(mosquitto.port) as heard,
        reporting(table, mosquitto.port, "Table 3"),
    ):
        heard.wait(lambda _: heard.last("/state") is not None, "the empty table is published")
        table.play()
        heard.wait(lambda _: (heard.last("/events") or {}).get("event") == "winner", "the winner is there")
        heard.wait(lambda _: bool((heard.last("/evening") or {}).get("games")), "the evening is published")
        state, events = heard.last("/state"), heard.every("/events")
        (game,) = heard.last("/evening")["games"]
        assert heard.last("/status") == "online"
        assert state["winner"] == table.winners[0] == game["winner"]
        assert [event["number"] for event in events] == list(range(1, len(events) + 1))
        assert all(topic.startswith("dudo/table-3-") for topic, _, _ in heard.heard)
        assert all(event["table"] == "Table 3" for event in events)
    with ear(mosquitto.port) as late:
        late.wait(lambda all_: len(all_) >= 3, "whoever comes late hears what is retained")
        assert late.last("/status") == "offline"
        assert late.last("/state") == state
        assert late.last("/events") is None
        assert all(retained for _, _, retained in late.heard)


def test_a_box_that_is_killed_is_offline(mosquitto):
    """The last will: no box says it, the broker does."""
    code = f"""
import sys
from companion.settings import Mqtt
from companion.outside.connection import MqttLink
from companion.outside.topics import Topics
link = MqttLink(Mqtt("127.0.0.1", {mosquitto.port}), Topics("dudo", "killed"))
sys.stdin.read()
"""
    with ear(mosquitto.port) as heard:
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE)
        try:
            heard.wait(lambda _: heard.last("killed/status") == "online", "it comes")
        finally:
            process.kill()
            process.communicate()
        heard.wait(lambda _: heard.last("killed/status") == "offline", "it has gone")


def test_a_broker_that_restarts_gets_all_again_and_nothing_is_lost(mosquitto, quick):
    with linked(mosquitto.port) as link:
        link.put(Message("dudo/x/state", "here", retained=True))
        wait_until(lambda: link.connected, "it connects")
        mosquitto.stop()
        wait_until(lambda: not link.connected and link.fault is not None, "it is away")
        assert str(link.fault) == translate("en", "errors.mqtt_away")
        for number in range(5):
            link.put(Message("dudo/x/events", json.dumps(number)))
        mosquitto.start()
        with ear(mosquitto.port) as heard:
            heard.wait(lambda _: heard.last("x/state") == "here", "what it had retained is published again")
            if len(heard.every("x/events")) < 5:  # else they came before we listened
                wait_until(lambda: link.outbox.counts()[0] == 0, "everything has left")
        assert link.fault is None


def test_events_wait_for_a_broker_and_come_in_order(tmp_path, quick):
    with broker(tmp_path / "broker", "persistence false") as running:
        running.stop()
        with linked(running.port) as link:
            for number in range(connection.UNDERWAY * 3):
                link.put(Message("dudo/x/events", json.dumps(number), retained=True))
                link.put(Message(f"dudo/{number}/kept", json.dumps(number), retained=True))
            running.start()
            with ear(running.port) as heard:
                heard.wait(lambda _: len(heard.every("/kept")) >= connection.UNDERWAY * 3, "all arrive")
                assert sorted(heard.every("/kept")) == list(range(connection.UNDERWAY * 3))


@pytest.mark.parametrize(
    ("password", "reason"),
    [("right", None), ("wrong", "mqtt_refused"), (None, "mqtt_password")],
)
def test_a_password_is_asked_for(tmp_path, quick, password, reason):
    kept = passwords(tmp_path / "passwords", "box", "right")
    secret = tmp_path / "secret"
    if password:
        secret.write_text(f"{password}\n")
    with (
        broker(tmp_path / "broker", "allow_anonymous false", f"password_file {kept}") as running,
        linked(running.port, user="box", password_file=str(secret)) as link,
    ):
        wait_until(lambda: link.connected or link.fault is not None, "it is known soon")
        assert (link.fault.reason if link.fault else None) == reason


@contextmanager
def listener(answer: bytes = b"", *, closes: bool = False) -> Iterator[int]:
    """Something that is no broker: it takes every connection, answers so, and may close it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    taken, _ = server.accept()
                    taken.sendall(answer)
                    kept.append(taken)
                    if closes:
                        taken.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)
        for one in kept:
            one.close()


@pytest.mark.parametrize(
    ("answer", "closes", "reasons"),
    [
        (b"", False, {"mqtt_silent"}),
        (b"", True, {"mqtt_away"}),
        (b"HTTP/1.1 200 OK\r\n\r\n", False, {"mqtt_away", "mqtt_silent"}),
        (b"\x20\x02\x00\x05", False, {"mqtt_refused"}),
        (b"\x20\x02\x00\xff", False, {"mqtt_refused"}),
        (b"\x20\xff\xff\xff\xff\xff\xff", False, {"mqtt_silent"}),
        (b"\xff" * 4096, False, {"mqtt_silent"}),
        (b"\x20\x02\x00\x00\x40\x02\xff\xff\x30\x03\x00\x01a", False, {None, "mqtt_away"}),
    ],
)
def test_what_is_no_broker_holds_nobody_up(monkeypatch, quick, answer, closes, reasons):
    if "mqtt_silent" in reasons:  # what answers may take its time
        monkeypatch.setattr(connection, "ANSWER_S", 0.2)
    with listener(answer, closes=closes) as port, linked(port) as link:
        for number in range(1000):
            link.put(Message("dudo/x/events", str(number)))
        wait_until(lambda: link.connected or link.fault is not None, "it is known soon")
        assert (link.fault.reason if link.fault else None) in reasons
        waiting, dropped = link.outbox.counts()
        assert waiting <= 200
        assert dropped >= 700


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda link: link._on_connect(None, None, {}, REFUSED, None), "mqtt_refused"),
        (lambda link: link._on_disconnect(), "mqtt_away"),
        (lambda link: None, "mqtt_silent"),
    ],
)
def test_a_broker_that_answers_late_has_answered(monkeypatch, answer, reason):
    """Whoever reads that it is silent looks for the fault in the network, not in the password."""
    monkeypatch.setattr(connection, "ANSWER_S", -1.0)
    link = connection.Connection(Mqtt("h"), "x")
    link._client = SimpleNamespace(loop=lambda _: answer(link) or 0, disconnect=lambda: None)
    link._asked_s = time.monotonic()
    link.turn()
    assert link.fault.reason == reason


@pytest.mark.parametrize("late", [True, False], ids=["while it is begun", "once it stands"])
def test_a_connection_that_is_ended_leaves_no_client(monkeypatch, late):
    ended: list[str] = []
    client = SimpleNamespace(disconnect=lambda: ended.append("client"), loop=lambda _: 0)
    link = connection.Connection(Mqtt("h"), "x")
    monkeypatch.setattr(connection, "open_client", lambda *_: client)
    monkeypatch.setattr(connection, "connect", lambda *_: link.leave() if late else None)
    link.turn()
    link.leave()
    assert (ended, link._client) == (["client"], None)


def test_a_broker_that_never_confirms_fills_no_memory(quick):
    with listener(b"\x20\x02\x00\x00") as port, linked(port) as link:
        wait_until(lambda: link.connected, "it lets us in")
        for number in range(1000):
            link.put(Message("dudo/x/events", str(number)))
        wait_until(lambda: link.outbox.counts()[0] <= 200, "it is bounded")
        assert sum(link.outbox.counts()) >= 1000 - connection.UNDERWAY


def test_nobody_there_is_one_sentence(quick, caplog, free_port):
    with linked(free_port) as link:
        wait_until(lambda: link.fault is not None and link.back_off.failures > 3, "it tries again")
    assert [record.getMessage() for record in caplog.records] == [translate("en", "errors.mqtt_away")]


@pytest.mark.parametrize(
    ("broker_", "reason"),
    [
        (Mqtt("h", user="a", password_file="/nowhere/at/all"), "mqtt_password"),
        (Mqtt("h", user="a", password_file="/dev/null"), "mqtt_password"),
        (Mqtt("h", tls=True, ca_file="/dev/null"), "mqtt_ca"),
        (Mqtt("h", tls=True, ca_file="/nowhere"), "mqtt_ca"),
    ],
)
def test_faulty_files_are_one_sentence(broker_, reason):
    pytest.importorskip("paho.mqtt.client")
    with pytest.raises(OutsideFault) as caught:
        open_client(broker_, "x")
    assert caught.value.reason == reason


def test_without_paho_it_is_one_sentence(monkeypatch, quick):
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with linked(1) as link:
        wait_until(lambda: link.fault is not None, "it is known")
        assert link.fault.reason == "mqtt_missing"


@pytest.mark.parametrize(
    ("prefix", "table", "key"),
    [
        ("dudo", "Table 3", "table-3"),
        ("club/dudo", "Café São João", "cafe-sao-joao"),
        ("dudo", "卓一", ""),
        ("dudo", "a/+#\0b", "a-b"),
        ("dudo", "x" * 100, "x" * 40),
    ],
)
def test_topics_are_those_that_mqtt_allows(prefix, table, key):
    made = topics(prefix, table, "secret")
    assert made.key.rpartition("-")[0] == key
    assert made.of("state") == f"{prefix}/{made.key}/state"
    assert topics(prefix, table, "other").key != made.key
    assert "secret" not in made.key


@pytest.mark.parametrize("prefix", ["", "/a", "a/", "a/#", "+", "$SYS", "a\0b", "a\nb", "x" * 101])
def test_a_prefix_that_no_topic_may_have_gives_way_to_the_default(prefix):
    found = fitting(Settings(mqtt=Mqtt(prefix=prefix, discovery=prefix)))
    assert (found.mqtt.prefix, found.mqtt.discovery) == ("dudo", "")
    assert len(found.faults) == (2 if prefix else 1)


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


PAGE = ROOT / "docs" / "reference" / "outside.md"


def test_the_page_is_that_of_the_types():
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.companion.outside.reference_page > it"
