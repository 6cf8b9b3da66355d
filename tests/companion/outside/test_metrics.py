"""/metrics in Prometheus' text format, with no player's name in it, off unless asked for."""

import re
import threading
import urllib.request

import pytest

from companion.app.companion import Companion
from companion.app.reading.reader import Reader
from companion.outside.outline import label, outline, text
from companion.settings import Mqtt, Web, Webhook
from companion.table.view import view
from companion.table.wire.state import HealthJson
from tests.companion.outside.tables import ChanceTable
from tests.simulated import simulated

SAMPLE = re.compile(r'^[a-z_]+(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"\})? [-+0-9.e]+$')
"""A line of the format, as far as we use it."""

WELL: HealthJson = {
    "ok": True,
    "running_s": 12.0,
    "disk": {"free_mb": 1000, "room": True},
    "threads": {"looking": 0.1, 'odd "one"\n': 2.0},
    "faults": ["camera_missing"],
    "temperature_c": 51.5,
    "under_voltage": False,
    "outside": {"mqtt": {"connected": True, "waiting": 0, "dropped": 3, "fault": None}},
}


def samples(metrics: str) -> dict[str, float]:
    """The values by name and label; fails for what is no line of the format."""
    lines = [line for line in metrics.splitlines() if not line.startswith("# ")]
    assert [line for line in lines if not SAMPLE.match(line)] == []
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_a_game_in_numbers(tmp_path):
    with ChanceTable(tmp_path / "table", people=("Ana María", "Beto")) as table:
        for _ in range(3):
            now = table.act()
    metrics = text(WELL, outline(view(now), "Table 3", "en"), "0.2.0")
    found = samples(metrics)
    assert found["dudo_ok"] == 1
    assert found['dudo_info{version="0.2.0"}'] == 1
    assert found["dudo_disk_free_bytes"] == 1e9
    assert found['dudo_fault{reason="camera_missing"}'] == 1
    assert found['dudo_outlet_dropped_total{outlet="mqtt"}'] == 3
    assert found["dudo_players"] == 2
    assert sum(value for name, value in found.items() if name.startswith("dudo_state{")) == 1
    assert not {"Ana", "Beto"} & set(re.findall(r"\w+", metrics))
    named = re.findall(r"^# TYPE (\w+) (gauge|counter)$", metrics, re.MULTILINE)
    assert len(named) == len(set(named)) == metrics.count("# HELP")


def test_what_the_box_does_not_know_is_left_out(tmp_path):
    with ChanceTable(tmp_path / "table") as table:
        empty = outline(view(table.table.snapshot()), "t", "en")
    found = samples(text({"ok": False}, empty, "1"))
    assert found["dudo_ok"] == 0
    assert not [name for name in found if name.startswith(("dudo_running", "dudo_disk", "dudo_processor"))]


def test_labels_are_escaped():
    assert label("a", 'x"\\\ny') == '{a="x\\"\\\\\\ny"}'


def fetched(port: int, path: str) -> tuple[int, str, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()


@pytest.mark.parametrize(
    ("more", "status"),
    [({}, 404), ({"metrics": True}, 200), ({"metrics": True, "open_scoreboard": False}, 200)],
)
def test_a_box_whose_broker_and_webhook_are_away(tmp_path, free_port, more, status):
    """It plays, and its health says of each what is wrong."""
    secret = tmp_path / "secret"
    secret.write_text("s")
    settings = simulated(
        tmp_path / "data",
        web=Web(host="127.0.0.1", port=0, **more),
        mqtt=Mqtt(host="127.0.0.1", port=free_port, table="Table 3"),
        webhook=Webhook(url=f"http://127.0.0.1:{free_port}/", secret_file=str(secret)),
    )
    with Companion(settings, reader=Reader()) as companion:
        serving = threading.Thread(target=companion.serve, daemon=True)
        serving.start()
        found, media, metrics = fetched(companion.port, "/metrics")
        assert found == status
        if status == 200:
            assert media.startswith("text/plain; version=0.0.4")
            assert samples(metrics)['dudo_outlet_connected{outlet="mqtt"}'] == 0
        assert set(companion.outside.health()) == {"mqtt", "webhook"}
    serving.join(10)
