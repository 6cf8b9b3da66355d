"""The doctor's findings and the bench on which every part is tried."""

import os
from pathlib import Path

import numpy as np
import pytest

from hardware.buttons.pin_buttons import Edge, SimulatedBox
from hardware.cameras.deviceless import SimulatedCamera
from hardware.diagnostics import doctor
from hardware.diagnostics.doctor import Library, libraries
from hardware.diagnostics.power import under_voltage
from hardware.diagnostics.selftest import bench_on, button_report
from hardware.errors import CameraMissing, CameraSilent, WiringFault
from hardware.gpio.pins import open_pins
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


def edges(*steps: tuple[float, bool]) -> tuple[Edge, ...]:
    return tuple(Edge("dudo", down, at_s) for at_s, down in steps)


@pytest.mark.parametrize(
    ("pressed", "seen", "contact"),
    [
        (False, (), ("no_contact", 0.0)),
        (False, edges((0, True), (0.001, False)), ("noise", 1.0)),
        (True, edges((0, True), (0.2, False)), ("clean", 0.0)),
        (True, edges((0, True), (0.002, False), (0.003, True), (0.2, False)), ("bounces", 3.0)),
        (True, edges((0, True), (0.02, False), (0.04, True), (0.2, False)), ("worn", 40.0)),
    ],
)
def test_what_raw_edges_say_of_a_button(pressed, seen, contact):
    others = (Edge("ok", True, 0.0), *seen, Edge("ok", False, 0.001))
    report = button_report("dudo", pressed, others)
    assert (report.contact, report.bounce_ms) == (contact[0], pytest.approx(contact[1]))
    assert report.edges == seen


@pytest.fixture
def bench(clock):
    rows, columns = np.indices((240, 320))
    picture = np.repeat((((rows // 8 + columns // 8) % 2) * 120 + 60)[:, :, None], 3, axis=2).astype(np.uint8)
    opened = bench_on(Wiring(), open_pins("mock", clock), SimulatedCamera(lambda: picture, clock), clock)
    yield opened
    opened.close()
    opened.close()


def press(bench, button):
    SimulatedBox(bench._buttons, Wiring(), bench.pins).press(button)


def test_the_bench_lights_listens_and_takes_a_picture(bench):
    assert len(bench.lamps) == 10
    assert bench.faults() == ()
    for lamp in bench.lamps:
        bench.light(lamp)
    bench.light(None)
    bench.beep()
    press(bench, "calza")
    assert [r.button for r in bench.reports() if r.pressed] == ["calza"]
    report = bench.picture()
    assert (report.width_px, report.height_px, report.advice) == (320, 240, ())


def test_a_test_begun_anew_knows_of_nothing_before(bench):
    press(bench, "calza")
    assert [r.button for r in bench.reports() if r.pressed] == ["calza"]
    bench.forget()
    assert {(r.pressed, r.contact) for r in bench.reports()} == {(False, "no_contact")}
    press(bench, "ok")
    assert [r.button for r in bench.reports() if r.pressed] == ["ok"]


def test_the_bench_passes_the_cameras_fault_on(bench):
    bench.camera.trouble = CameraSilent("Asleep.")  # type: ignore[union-attr]
    with pytest.raises(CameraSilent):
        bench.picture()
    bench.camera = None
    with pytest.raises(CameraMissing):
        bench.picture()
