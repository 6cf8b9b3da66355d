"""The reader in a process of its own: the same as here, ended when it hangs, begun anew after any end. What
phones send is decoded within bounds, so that a picture made to harm costs itself alone."""

import os
import signal
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import psutil
import pytest

from companion.app.camera.phone_pictures import check_picture
from companion.app.reading import reader_process
from companion.app.reading.decoder import for_phones
from companion.app.reading.reader import Reader
from companion.app.reading.reader_process import ReaderProcess
from companion.errors import BadCommand, CompanionError
from hardware.cameras.simulated_dice import laid
from hardware.clock import SystemClock
from hardware.errors import WorkerEnded
from hardware.worker import Worker
from tests.hostile_pictures import many_scans, wide_chunks
from tests.readers import ReaderHere
from tests.refusals import refused
from vision.errors import VisionError

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


@cache
def dice(width: int = 640, ending: str = ".jpg") -> bytes:
    image = laid([(face, "ivory") for face in (1, 5, 6)], 3).image_bgr
    larger = cv2.resize(image, (width, width * 3 // 4))
    return bytes(cv2.imencode(ending, larger, [cv2.IMWRITE_WEBP_QUALITY, 60])[1])


@pytest.mark.linux(reason="a bound of memory")
def test_a_picture_beyond_the_bound_of_memory_costs_nobody_else_anything(monkeypatch):
    """The models stay loaded, and the next picture is read."""
    monkeypatch.setattr(reader_process, "DECODING_BYTES", 30_000_000)
    narrow = ReaderProcess(SystemClock())
    try:
        narrow.get_ready("pips")
        loaded = narrow._worker.pid
        for _ in range(2):
            with pytest.raises((BadCommand, VisionError)):
                narrow.photo(dice(4000, ".png"), "pips")
        assert narrow.photo(dice(), "pips").read["dice"]
        assert narrow._worker.pid == loaded
    finally:
        narrow.close()


@pytest.mark.linux(reason="a bound of memory")
def test_no_thread_of_a_library_takes_memory_once_it_is_bounded(apart):
    """One that came late, on a busy machine, found none and ended the decoder with the first picture."""
    apart._decoder.start()
    threads = Path(f"/proc/{apart._decoder.pid}/task")
    assert len(list(threads.iterdir())) == 2, "the one that decodes and the one that listens"


@pytest.mark.linux(reason="a bound of seconds")
def test_a_picture_beyond_the_bound_of_seconds_ends_its_decoder():
    worker = Worker("tests.hostile_pictures:Spinning", 100_000_000, 1, name="decoder", clock=SystemClock())
    with pytest.raises(WorkerEnded, match="SIGXCPU"):
        worker.call("picture", dice(), 960, timeout_s=60.0)
    worker.close()


def test_a_decoder_that_ends_costs_the_picture(apart, monkeypatch):
    def ended(*_given: object, **_more: object) -> None:
        raise WorkerEnded("decoder ended (signal SIGXCPU).")

    with monkeypatch.context() as broken:
        broken.setattr(apart._decoder, "call", ended)
        with refused("picture_costly", BadCommand):
            apart.photo(dice(), "pips")


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_any_picture_of_twelve_megapixels_fits_the_bounds(apart, ending):
    data = dice(4000, ending)
    check_picture(data)
    assert apart.photo(data, "pips").read == ReaderHere().photo(data, "pips").read


@pytest.mark.parametrize("made", [many_scans, wide_chunks], ids=["scans", "words that unpack to gigabytes"])
def test_a_picture_made_to_harm_costs_itself_alone(apart, made):
    loaded = apart.photo(dice(), "pips") and apart._worker.pid
    with suppress(BadCommand, VisionError):
        apart.photo(made(), "pips")
    assert apart.photo(dice(), "pips").read["dice"]
    assert apart._worker.pid == loaded


def test_thousands_of_scans_are_refused_before_anybody_waits():
    with refused("picture_costly", BadCommand):
        check_picture(many_scans())


def test_nothing_is_decoded_until_a_phone_sends_something():
    """A box with a camera holds no process for it."""
    made = ReaderProcess(SystemClock())
    try:
        made.observe(IMAGE, "pips")
        assert made._decoder.pid is None
    finally:
        made.close()


@pytest.mark.linux(reason="the order in which processes end")
def test_where_memory_runs_out_the_decoder_goes_first(apart):
    apart.photo(dice(), "pips")
    processes = (apart._decoder.pid, apart._worker.pid, "self")
    scores = [int(Path(f"/proc/{pid}/oom_score_adj").read_text()) for pid in processes]
    assert scores[0] == 1000 > max(scores[1:])


THIRTY = [(1 + k % 6, ("ivory", "red", "blue", "black", "green", "yellow")[k // 5]) for k in range(30)]
FIRST_VIEW_BYTES = 100_000
WITHOUT_PICTURE_BYTES = 30_000
"""What the verdict's page, style and scripts weigh, gzipped."""


@pytest.mark.parametrize(
    ("size", "longest", "reason"),
    [
        ((1600, 1200), 960, "a camera's picture is shrunk to what a phone shows"),
        ((640, 480), 640, "a small one is not enlarged"),
        ((1200, 1600), 960, "upright"),
    ],
)
def test_pictures_for_phones_are_as_large_as_phones_show_them(size, longest, reason):
    picture = cv2.resize(laid(THIRTY, 3).image_bgr, size)
    seen = cv2.imdecode(np.frombuffer(for_phones(picture), np.uint8), 1)
    assert max(seen.shape[:2]) == longest, reason


@pytest.mark.parametrize("seed", range(5))
def test_a_verdict_with_its_picture_stays_below_the_first_view(seed):
    picture = for_phones(laid(THIRTY, seed, width_px=1600, height_px=1200).image_bgr)
    assert len(picture) + WITHOUT_PICTURE_BYTES < FIRST_VIEW_BYTES
