"""Every fault of the box: its words on the page, its pattern on the lamp, a game by hand, and recovery."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import SimpleNamespace

import gpiozero
import pytest

from companion.app.companion import Companion
from companion.app.system import health
from companion.table import folder
from companion.table.view import view
from companion.texts import languages, translate
from hardware import errors
from hardware.lamps.patterns import FAULT_FLASHES
from hardware.ports import BoxState
from tests.hardware.shown import shown
from tests.whole.at_box import (
    PEOPLE,
    eventually,
    faults_shown,
    finish_by_hand,
    in_reveal,
    page,
    say,
    wait_until,
)
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

Ailing = Callable[[Companion, pytest.MonkeyPatch], AbstractContextManager[None]]
"""Brings a fault about for as long as it is entered."""

CAMERA = [errors.CameraMissing, errors.CameraBusy, errors.CameraSilent, errors.NoPermission]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """What is tried again every few seconds is tried again at once."""
    monkeypatch.setattr(health, "EVERY_S", 0.02)
    monkeypatch.setattr("hardware.gpio.pins.EVERY_S", 0.02)


def camera(error: type[errors.HardwareError]) -> Ailing:
    @contextmanager
    def ailing(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        companion.camera.fault = error("It fails.")
        yield
        companion.camera.fault = None

    return ailing


@contextmanager
def pin_taken(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another program takes the pin of the first seat's lamp before we get it."""
    companion.parts.lights._devices.there.pop("lamp of seat 1").close()
    other = gpiozero.LED(23, pin_factory=companion.parts.buttons._pins.factory)
    companion.parts.lights._devices.open()
    yield
    other.close()


def lamp(name: str, error: Exception) -> Ailing:
    @contextmanager
    def ailing(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """The pin of that lamp can't be opened."""

        def refuse(*pins: object, **more: object) -> None:
            raise error

        with monkeypatch.context() as broken:
            broken.setattr(gpiozero, "LED", refuse)
            companion.parts.lights._devices.there.pop(name).close()
            companion.parts.lights._devices.open()
            yield

    return ailing


lamp_missing = lamp("light ring", ZeroDivisionError())


@contextmanager
def button_stuck(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Something lies on the button OK."""
    pin = companion.parts.fingers._factory.pin("GPIO22")
    pin.drive_low()
    companion.parts.fingers._pass(companion.parts.buttons.timing.stuck_s + 1)
    yield
    pin.drive_high()
    companion.parts.fingers._pass(companion.parts.buttons.timing.stable_s)


@contextmanager
def disk_full(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as full:
        full.setattr("companion.table.folder.shutil.disk_usage", lambda folder: SimpleNamespace(free=0))
        yield


@contextmanager
def weak_supply(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as weak:
        weak.setattr("companion.app.system.health.under_voltage", lambda: errors.UnderVoltage("It falls."))
        yield


BOX = {
    "under_voltage": weak_supply,
    **{error.reason: camera(error) for error in CAMERA},
    "pin_taken": pin_taken,
    "lamp_missing": lamp_missing,
    "button_stuck": button_stuck,
    "no_permission of pins": lamp("lamp of seat 1", PermissionError(13, "Permission denied")),
    "disk_full": disk_full,
}


def lamp_says(companion: Companion) -> tuple[BoxState, str]:
    seen = shown(companion.parts.lights).view
    return seen.state, seen.fault


@pytest.mark.parametrize("case", BOX)
def test_a_fault_has_its_words_and_its_pattern_the_game_goes_on_by_hand_and_it_recovers(
    tmp_path, monkeypatch, case
):
    reason = case.partition(" ")[0]
    with at_work(tmp_path / "data", "simulated") as companion:
        with BOX[case](companion, monkeypatch):
            wait_until(companion, lambda now: faults_shown(now) == {reason})
            assert view(companion.table.snapshot())["state"] == "fault"
            assert translate("en", f"web.faults.{reason}").replace("'", "&#39;") in page(companion)
            companion.signals.show(companion.table.snapshot())
            assert lamp_says(companion) == (BoxState.FAULT, reason)
            pattern = f"{FAULT_FLASHES[reason]} short flashes, then a pause"
            assert shown(companion.parts.lights).pattern == pattern
            play_by_hand(companion)
        wait_until(companion, lambda now: not faults_shown(now))
        say(companion, "next_round")
        assert view(companion.table.snapshot())["state"] == "bidding"


def play_by_hand(companion: Companion) -> None:
    say(companion, "new_game", players=PEOPLE, starter="Ana")
    say(companion, "bid", by="Ana", quantity=3, face=4)
    say(companion, "dudo", by="Bea")
    finish_by_hand(companion)


def test_other_faults_do_not_hide_what_a_reveal_says(tmp_path, monkeypatch):
    with at_work(tmp_path / "data", "simulated", by_itself=False) as companion:
        in_reveal(companion)
        with lamp_missing(companion, monkeypatch):
            wait_until(companion, lambda now: "lamp_missing" in faults_shown(now))
            assert view(companion.table.snapshot())["state"] == "looking"


def test_the_buzzer_complains_once_of_a_fault(tmp_path, monkeypatch):
    played: list[BoxState] = []
    with at_work(tmp_path / "data", "simulated", by_itself=False) as companion:
        monkeypatch.setattr(companion.parts.lights, "play", played.append)
        with button_stuck(companion, monkeypatch):
            wait_until(companion, lambda now: faults_shown(now) == {"button_stuck"})
            in_reveal(companion)
            finish_by_hand(companion)
            say(companion, "next_round")
            companion.signals.show(companion.table.snapshot())
            assert lamp_says(companion) == (BoxState.FAULT, "button_stuck")
        assert played.count(BoxState.FAULT) == 1


def test_room_is_set_aside_for_the_journal_of_a_box_at_work(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        reserve = tmp_path / "data" / "reserve"
        eventually(lambda: reserve.exists() and reserve.stat().st_size == folder.BYTES)
        assert companion.kept.journal._more_room()


def faults_of_parts() -> list[type[errors.HardwareError]]:
    """Every cause that a part can report: those of a process and of a wrong setting go to the log alone."""
    known = [one for one in vars(errors).values() if isinstance(one, type)]
    found = [one for one in known if issubclass(one, errors.HardwareError) and not one.__subclasses__()]
    return [one for one in found if not issubclass(one, errors.WorkerError | errors.WrongChoice)]


@pytest.mark.parametrize("language", languages())
def test_every_fault_has_a_sentence_without_gaps(language):
    reasons = {error.reason for error in faults_of_parts()} | {"disk_full", "evidence_unwritable"}
    assert all(translate(language, f"web.faults.{reason}").endswith(".") for reason in reasons)
