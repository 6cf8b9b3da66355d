"""The doctor's findings."""

import os
from pathlib import Path

import numpy as np
import pytest

from hardware.diagnostics import doctor
from hardware.diagnostics.doctor import Library, libraries
from hardware.diagnostics.power import under_voltage
from hardware.errors import WiringFault
from hardware.gpio.wiring import Wiring

PI = "Raspberry Pi 4 Model B"
DIST, VENV = Path("/usr/lib/python3/dist-packages"), Path("/opt/dudo/.venv/lib/python3.11/site-packages")


def levels(findings: object) -> list[str]:
    return [finding.level for finding in findings]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("answer", "expected", "words"),
    [
        (None, [], ""),
        ("throttled=0x0", ["good"], "always good"),
        ("throttled=0x1", ["bad"], "too low now"),
        ("throttled=0x50005", ["bad", "bad", "note", "note"], "too low now"),
        ("throttled=0x10000", ["note"], "since the start"),
        ("VCHI initialization failed", ["note"], "not understood"),
    ],
)
def test_power(answer, expected, words):
    findings = list(doctor.power(answer))
    assert levels(findings) == expected
    assert not words or words in findings[0].words


@pytest.mark.parametrize(
    ("name", "alarm", "weak"),
    [
        ("rpi_volt", "1", True),
        ("rpi_volt", "0", False),
        ("cpu_thermal", "1", False),
        ("rpi_volt", None, False),
    ],
)
def test_a_weak_supply_is_read_from_the_kernel(tmp_path, name, alarm, weak):
    sensor = tmp_path / "hwmon1"
    sensor.mkdir()
    (sensor / "name").write_text(f"{name}\n")
    if alarm is not None:
        (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert (under_voltage(tmp_path) is not None) is weak
    assert under_voltage(tmp_path / "none") is None


def test_disk(tmp_path, monkeypatch):
    assert levels(doctor.disk(tmp_path / "not" / "yet")) == ["good"]
    monkeypatch.setattr(doctor, "MIN_FREE_MB", 10**12)
    assert levels(doctor.disk(tmp_path)) == ["bad"]
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "can't be written" in list(doctor.disk(tmp_path))[1].words


@pytest.mark.linux(reason="groups of users")
@pytest.mark.parametrize(
    ("model", "own", "expected"),
    [
        ("", {"users"}, []),
        (PI, {"gpio", "video"}, ["good"]),
        (PI, {"gpio"}, ["bad"]),
        (PI, set(), ["bad"]),
    ],
)
def test_groups(monkeypatch, model, own, expected):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert levels(doctor.groups(model, frozenset(own))) == expected


@pytest.mark.parametrize(
    ("camera", "numpy", "mixed"),
    [(DIST, DIST, False), (DIST, VENV, True), (VENV, VENV, False), (None, VENV, False)],
)
def test_a_mixture_of_two_numpys_is_found(camera, numpy, mixed):
    found = (Library("picamera2", "0.3", camera), Library("numpy", "2.0", numpy))
    said = [finding.words for finding in doctor.software(found) if finding.level == "bad"]
    assert bool(said) is mixed


def test_libraries_are_found_without_being_imported():
    by_name = {library.name: library for library in libraries()}
    assert by_name["numpy"].version == np.__version__
    assert by_name["cv2"].version or by_name["cv2"].from_system  # Debian 12's own OpenCV does not tell
    assert by_name["gpiozero"].place is not None


def test_missing_libraries_are_bad_only_on_a_pi(monkeypatch):
    found = (Library("lgpio", "", None), Library("numpy", "2.0", VENV))
    assert levels(doctor.software(found)) == ["good"]
    monkeypatch.setattr(doctor, "pi_model", lambda: PI)
    findings = list(doctor.software(found))
    assert levels(findings) == ["bad", "good"]
    assert "apt install python3-lgpio" in findings[0].hint


def test_a_whole_examination_on_this_machine(tmp_path, clock):
    findings = doctor.examine(Wiring, "mock", "simulated", tmp_path, clock)
    assert {finding.topic for finding in findings} >= {"machine", "disk", "libraries", "pins", "camera"}
    assert "bad" not in levels(findings)
    assert all(finding.words in doctor.as_text(findings) for finding in findings)


def test_what_fails_is_a_finding_with_its_hint(tmp_path, clock):
    def wiring() -> Wiring:
        raise WiringFault("GPIO17 is given to two parts.")

    findings = doctor.examine(wiring, "mock", f"folder:{tmp_path / 'none'}", tmp_path, clock)
    bad = {finding.topic: finding for finding in findings if finding.level == "bad"}
    assert set(bad) == {"pins", "camera"}
    assert "GPIO17" in bad["pins"].words
    assert bad["camera"].hint in doctor.as_text(findings)


def test_a_check_that_breaks_is_a_finding(monkeypatch, tmp_path, clock):
    monkeypatch.setattr(doctor, "_machine", lambda: 1 / 0)
    findings = doctor.examine(Wiring, "mock", "simulated", tmp_path, clock)
    assert "ZeroDivisionError" in findings[0].words
