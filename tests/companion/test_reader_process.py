"""The reader in a process of its own: the same as here, ended when it hangs, begun anew after any end."""

import os
import signal
import threading
import time
from typing import Any

import cv2
import numpy as np
import psutil
import pytest

from companion.app.reading import reader_process
from companion.app.reading.reader import Reader
from companion.app.reading.reader_process import ReaderProcess
from companion.errors import BadCommand, CompanionError
from hardware.cameras.simulated_dice import laid
from hardware.clock import SystemClock
from tests.readers import ReaderHere
from tests.refusals import refused

pytestmark = pytest.mark.slow

HERE = f"{__name__}:Torture"


class Torture(Reader):
    """A reader that hangs, ends its process or raises, whichever its `reader` argument names."""

    def get_ready(self, reader: str) -> None:
        """Ready at once."""

    def read(self, image_bgr: Any, reader: str, taught: Any = ()) -> dict[str, Any]:
        match reader:
            case "hang":
                time.sleep(3600)
            case "hang in foreign code":
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
                time.sleep(3600)
            case "die":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "raise":
                raise BadCommand("show_one_die")
        return {"dice": [], "pid": os.getpid()}


@pytest.fixture(scope="module")
def torture():
    """One for all, as each test leaves it: what ends its process is followed by another."""
    made = ReaderProcess(SystemClock(), HERE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def apart():
    made = ReaderProcess(SystemClock())
    yield made
    made.close()


IMAGE = np.full((30, 40, 3), 90, np.uint8)
DICE = laid([(face, "ivory") for face in (1, 5, 6)], 3).image_bgr


def test_what_it_reads_is_what_is_read_here(apart):
    here = Reader()
    seen, same = apart.observe(DICE, "pips", 90.0), here.observe(DICE, "pips", 90.0)
    assert seen.read == same.read
    assert seen.number != same.number, "no two processes give the same number"
    drawn = here.jpegs(same.number)
    assert drawn is not None
    assert apart.jpegs(seen.number) == drawn
    assert here.jpegs(same.number) is None, "each is drawn once"
    forgotten = apart.observe(DICE, "pips", 90.0)
    apart.forget(forgotten.number)
    assert apart.jpegs(forgotten.number) is None
    assert [die["face"] for die in seen.read["dice"]]
    assert apart.dice(DICE) == here.dice(DICE)


def test_a_preview_is_read_as_here_and_waits_for_no_other_call(apart):
    jpeg = bytes(cv2.imencode(".jpg", DICE)[1])
    here = ReaderHere()
    seen = apart.preview(jpeg, "pips")
    assert seen is not None
    assert [die["face"] for die in seen["dice"]]
    assert seen == here.preview(jpeg, "pips")
    with apart._worker._lock:  # as long as a picture is read
        assert apart.preview(jpeg, "pips") is None


@pytest.mark.parametrize("how", ["hang", "hang in foreign code", "die"])
def test_a_reading_that_never_returns_is_ended_and_the_next_one_works(torture, how, monkeypatch):
    before = torture.read(IMAGE, "both")["pid"]
    with monkeypatch.context() as hasty:
        hasty.setattr(reader_process, "READING_S", 0.3)
        with pytest.raises(CompanionError) as caught:
            torture.read(IMAGE, how)
    assert caught.value.reason == "reading_failed"
    assert not psutil.pid_exists(before)
    assert torture.read(IMAGE, "both")["pid"] != before


def test_what_it_refuses_is_refused_here(torture):
    first = torture.read(IMAGE, "both")["pid"]
    with refused("show_one_die", BadCommand):
        torture.read(IMAGE, "raise")
    assert torture.read(IMAGE, "both")["pid"] == first, "a refusal is no failure"


def test_closing_ends_a_reading_under_way():
    torture = ReaderProcess(SystemClock(), HERE)
    pid = torture.read(IMAGE, "both")["pid"]
    reasons: list[str] = []

    def read() -> None:
        try:
            torture.read(IMAGE, "hang")
        except CompanionError as error:
            reasons.append(error.reason)

    reading = threading.Thread(target=read)
    reading.start()
    torture.close()
    reading.join(20)
    assert reasons == ["reading_failed"]
    assert not psutil.pid_exists(pid)


def test_killed_again_and_again_it_comes_back_and_leaves_nothing(monkeypatch):
    before, torture = readers(), ReaderProcess(SystemClock(), HERE)
    monkeypatch.setattr("hardware.clock.BackOff.pause_s", lambda self: 0.0)
    torture.read(IMAGE, "both")
    open_files = len(os.listdir("/proc/self/fd"))
    for ended_by in (signal.SIGKILL, signal.SIGSEGV) * 2:
        os.kill(torture.read(IMAGE, "both")["pid"], ended_by)
        with pytest.raises(CompanionError, match="took too long or failed"):
            torture.read(IMAGE, "both")
    assert torture.read(IMAGE, "both")["dice"] == []
    assert len(os.listdir("/proc/self/fd")) == open_files
    torture.close()
    assert readers() == before


def readers() -> set[psutil.Process]:
    return {child for child in psutil.Process().children() if "reader" in child.cmdline()}
