"""What `dudo doctor` says of the settings of the page and of a companion at work, which tells its health."""

import threading
from dataclasses import replace

import pytest

from companion.addresses import own_addresses
from companion.app.companion import Companion
from companion.app.machine import RESTART, access_findings, ask, service_findings
from companion.app.reading.reader import Reader
from companion.settings import Settings, Web
from hardware.diagnostics.power import processor_celsius
from tests.simulated import simulated
from tests.web.test_openapi import validator

WELL = {
    "ok": True,
    "running_s": 7200,
    "journal": {"writable": True},
    "camera": {"name": "Pi camera", "frame_age_s": 3.2, "fault": None},
    "silent": [],
    "faults": [],
    "temperature_c": 51.0,
}


AWAY = {"connected": False, "waiting": 3, "dropped": 0, "fault": "mqtt_away"}


@pytest.mark.parametrize(
    ("outlet", "level", "words"),
    [
        (AWAY, "note", "cannot be reached"),
        ({**AWAY, "fault": "new_kind"}, "note", "new_kind"),
        ({**AWAY, "fault": None}, "good", "nothing sent yet"),
        (
            {**AWAY, "fault": None, "connected": True, "dropped": 7},
            "good",
            "connected, 7 events were dropped",
        ),
    ],
)
def test_each_way_out_of_the_box_has_its_sentence(outlet, level, words):
    (found,) = [
        one for one in service_findings({**WELL, "outside": {"mqtt": outlet}}, 8000) if one[0] == "mqtt"
    ]
    assert found[1] == level
    assert words in found[2]


@pytest.mark.parametrize(
    ("why", "answer", "bad"),
    [
        ("all is well", WELL, []),
        ("the page is at another port", None, []),
        ("nothing answers", {}, ["the companion is running, but its page does not answer at port 8000"]),
        ("a thread hangs", {**WELL, "ok": False, "silent": ["looking"]}, ["its thread “looking” hangs"]),
        ("nothing can be kept", {**WELL, "ok": False, "journal": {"writable": False}}, ["cannot be written"]),
        ("the camera is gone", {**WELL, "faults": ["camera_missing"]}, ["There is no camera."]),
        ("a fault of another version", {**WELL, "faults": ["new_kind"]}, ["new_kind"]),
        ("a version that says less", {"ok": True}, []),
        ("a broker that is away is no fault of the box", {**WELL, "outside": {"mqtt": AWAY}}, []),
    ],
)
def test_what_is_bad_is_found(why, answer, bad):
    found = [words for _, level, words, _ in service_findings(answer, 8000) if level == "bad"]
    assert all(any(one in words for words in found) for one in bad), why
    assert bool(found) is bool(bad), why


@pytest.mark.parametrize(("celsius", "level"), [(79.0, "good"), (81.0, "note")])
def test_a_hot_processor_is_noted(celsius, level):
    found = [one for one in service_findings({**WELL, "temperature_c": celsius}, 8000) if "°C" in one[2]]
    assert [one[1] for one in found] == [level]


@pytest.mark.parametrize(("text", "celsius"), [("48312\n", 48.312), ("", None), ("warm", None), (None, None)])
def test_how_warm_the_processor_is(tmp_path, text, celsius):
    if text is not None:
        (tmp_path / "temp").write_text(text)
    assert processor_celsius(tmp_path / "temp") == celsius


def test_a_box_at_work_says_how_it_is(tmp_path):
    with Companion(simulated(tmp_path), reader=Reader()) as companion:
        serving = threading.Thread(target=companion.serve, daemon=True)
        serving.start()
        answer = ask("0.0.0.0", companion.port)
        assert list(validator("Health").iter_errors(answer)) == []
        assert answer["ok"]
        assert {"looking", "faults", "lamps", "page"} <= answer["threads"].keys()
        companion.heartbeats.expect("torture", -1.0)
        answer = ask("127.0.0.1", companion.port)
        assert (answer["ok"], answer["silent"]) == (False, ["torture"])
        assert "torture" in " ".join(words for _, _, words, _ in service_findings(answer, companion.port))
        assert answer["journal"]["writable"]
        (tmp_path / "games").rename(tmp_path / "elsewhere")
        (tmp_path / "games").touch()
        answer = ask("127.0.0.1", companion.port)
        assert not answer["journal"]["writable"], "a file is where the journal was"
    serving.join(10)
    assert ask("127.0.0.1", 1) is None


ELSEWHERE = next(iter(own_addresses()), "127.0.0.1")
"""An address of this machine at which programs on it come in as from the network."""


@pytest.mark.parametrize(
    ("web", "why"),
    [
        (Web(host="127.0.0.1", port=0, local_leads=False), "a program on the box is a stranger"),
        (Web(host=ELSEWHERE, port=0), "the doctor comes in from the network"),
        (Web(host=ELSEWHERE, port=0, local_leads=False, hosts="dudo.example"), "both"),
    ],
)
def test_a_box_with_a_closed_scoreboard_is_found_healthy(tmp_path, web, why):
    settings = simulated(tmp_path, web=replace(web, open_scoreboard=False))
    with Companion(settings, reader=Reader()) as companion:
        serving = threading.Thread(target=companion.serve, daemon=True)
        serving.start()
        found = list(service_findings(ask(web.host, companion.port), companion.port))
    serving.join(10)
    assert found[0][:2] == ("companion", "good"), why
    assert not [one for one in found if RESTART in one], why


@pytest.mark.parametrize(
    ("web", "levels", "why"),
    [
        (Web(), [], "the box has no other name"),
        (Web(hosts="dudo.example"), ["note"], "a server in between may leave no sign"),
        (Web(hosts="dudo.example", local_leads=False), [], "nobody counts as the box"),
        (Web(local_leads=False), [], "nobody counts as the box"),
        (Web(host="203.0.113.7"), ["bad"], "nobody can listen there"),
    ],
)
def test_what_the_settings_say_of_the_page_is_a_finding(web, levels, why):
    found = list(access_findings(replace(Settings(), web=web)))
    assert [level for _, level, _, _ in found] == levels, why
    assert all("web.local_leads = false" in hint for _, level, _, hint in found if level == "note")
