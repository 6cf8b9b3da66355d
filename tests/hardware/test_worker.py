"""A worker process: answers, time limits, every way to die, and nothing left behind."""

import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hardware.clock import BackOff, SystemClock
from hardware.errors import WorkerEnded, WorkerError, WorkerHung, WorkerResting
from hardware.worker import Worker
from hardware.worker.worker import LINE_CHARACTERS, LOG_LINES, START_S, Process
from tests.clocks import FakeClock
from tests.hardware.served import HANGS

pytestmark = pytest.mark.slow

TARGET = "tests.hardware.served:Reckoner"


class RushingClock(FakeClock):
    """Every look at it finds another second gone, so that nobody waits for what hangs."""

    def now_s(self) -> float:
        self.advance(1.0)
        return super().now_s()


@pytest.fixture
def worker():
    made = Worker(TARGET, 40, name="reckoner", clock=SystemClock())
    yield made
    made.close()


def hurried(worker: Worker) -> Worker:
    """The same worker with its time running out at once, once it has started."""
    worker.start()
    worker._clock = RushingClock()
    return worker


def running(pid: int) -> bool:
    """Whether a process is there and no mere entry of one that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(true: Callable[[], bool]) -> None:
    """As long as a process may take to start on a busy machine, and no longer than that needs."""
    for _ in range(round(START_S / 0.01)):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come true")


def once(true: Callable[[], bool], act: Callable[[], None]) -> threading.Thread:
    """Acts in another thread as soon as that is true."""

    def acts() -> None:
        wait_until(true)
        act()

    thread = threading.Thread(target=acts)
    thread.start()
    return thread


def hangs(worker: Worker | None) -> bool:
    """Whether the child is in a call that hangs: it says so."""
    process = worker._process if worker else None
    return process is not None and HANGS in process.lines


def test_methods_are_called_in_one_object_in_another_process(worker):
    assert worker.pid is None
    assert worker.call("add", 2, timeout_s=30) == 42
    assert worker.call("add", 1, 5, timeout_s=30) == 47
    assert worker.pid not in (None, os.getpid())
    assert worker.starts == 1


@pytest.mark.parametrize("shape", [(960, 1280, 3), (1, 1, 3), (0, 0, 3)])
def test_pictures_go_both_ways_as_they_are(worker, shape):
    image = np.random.default_rng(1).integers(0, 250, shape, np.uint8)
    word, first = worker.call("brighter", image, timeout_s=30)
    assert word == "brighter"
    kept = first.copy()
    _, second = worker.call("brighter", first, timeout_s=30)
    assert (second == image + 2).all()
    assert first.flags["C_CONTIGUOUS"]
    assert (first == kept).all()
    assert (kept == image + 1).all()


@pytest.mark.linux(reason="SIGSTOP")
def test_a_child_that_reads_nothing_keeps_nobody_waiting(worker):
    """The pipe is full: nothing of what is sent can be taken back."""
    pid = hurried(worker).pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(WorkerHung, match="no answer within 5 seconds"):
        worker.call("same", np.zeros((1000, 1000, 3), np.uint8), timeout_s=5)
    assert not running(pid)


def test_what_a_library_prints_is_no_message(worker):
    assert worker.call("shout", "\0" * 8, timeout_s=30) is None
    assert worker.call("add", 2, timeout_s=30) == 42


def test_the_child_imports_only_what_it_needs(worker):
    ours = ("cv2", "flask", "gpiozero", "companion", "web", "vision", "multiprocessing", "pytest")
    assert worker.call("imported", *ours, timeout_s=30) == ()


def test_what_the_method_raises_is_raised_and_the_process_goes_on(worker):
    with pytest.raises(LookupError, match="not there"):
        worker.call("fail", timeout_s=30)
    with pytest.raises(RuntimeError, match="Odd: one of a kind"):
        worker.call("fail_oddly", timeout_s=30)
    with pytest.raises(AttributeError):
        worker.call("no_such_method", timeout_s=30)
    assert worker.call("add", 2, timeout_s=30) == 42
    assert worker.starts == 1


@pytest.mark.parametrize(("method", "arguments"), [("add", (lambda: 1,)), ("unpicklable", ())])
def test_what_can_not_be_sent_ends_the_process_and_the_next_call_works(worker, method, arguments, caplog):
    with pytest.raises(WorkerEnded):
        worker.call(method, *arguments, timeout_s=30)
    assert re.search("Can't (pickle|get).*<lambda>", caplog.text), "Pythons say it in different words"
    assert worker.call("add", 2, timeout_s=30) == 42


@pytest.mark.parametrize("target", [TARGET, "tests.hardware.nowhere:Reckoner", f"{TARGET}s"])
def test_an_object_that_can_not_be_made_leaves_no_process(target):
    worker = Worker(target, -1, name="reckoner", clock=SystemClock())
    for _ in range(2):
        with pytest.raises((ValueError, ImportError, AttributeError)):
            worker.start()
        assert worker.pid is None
    worker.close()


@pytest.mark.parametrize("method", ["hang", "hang_in_foreign_code"])
def test_a_call_that_hangs_is_ended_and_the_next_works(worker, method):
    pid = hurried(worker).pid
    assert pid is not None
    with pytest.raises(WorkerHung, match="no answer within 5 seconds"):
        worker.call(method, timeout_s=5)
    assert not Path(f"/proc/{pid}").exists()
    worker._clock = SystemClock()
    assert worker.call("add", 2, timeout_s=30) == 42
    assert worker.starts == 2


@pytest.mark.parametrize(("method", "how"), [("die", "signal SIGSEGV"), ("leave", "status 3")])
def test_a_process_that_ends_says_how(worker, method, how, caplog):
    with pytest.raises(WorkerEnded, match=f"reckoner ended .{how}.."):
        worker.call(method, timeout_s=30)
    assert method != "die" or "the sky falls" in worker.log
    assert how in caplog.text
    assert worker.call("add", 2, timeout_s=30) == 42


def test_the_log_is_bounded_and_never_stops_the_work(worker):
    worker.call("chatter", 3000, timeout_s=30)
    with pytest.raises(WorkerEnded):
        worker.call("leave", timeout_s=30)
    assert len(worker.log) == LOG_LINES
    assert max(map(len, worker.log)) <= LINE_CHARACTERS


def test_warnings_of_the_child_reach_our_log(caplog):
    worker = Worker("logging", name="logger", clock=SystemClock())
    worker.call("warning", "mind the step", timeout_s=30)
    worker.call("info", "never mind", timeout_s=30)
    worker.close()
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ["logger: mind the step"]


def test_kill_ends_a_call_in_progress(worker):
    worker.start()
    once(lambda: hangs(worker), worker.kill)
    with pytest.raises(WorkerEnded, match="SIGKILL"):
        worker.call("hang", timeout_s=1000)
    assert worker.call("add", 2, timeout_s=30) == 42


@pytest.mark.parametrize("ending", [Worker.abort, Worker.close])
def test_a_process_that_starts_while_the_worker_is_ended_does_not_stay(monkeypatch, ending):
    """The other thread comes just when there is no process to be killed yet."""
    worker = Worker(TARGET, name="reckoner", clock=SystemClock())
    others: list[threading.Thread] = []

    class Late(Process):
        def __init__(self, target: str, name: str) -> None:
            others.append(threading.Thread(target=ending, args=(worker,)))
            others[0].start()
            wait_until(lambda: worker._closed)
            super().__init__(target, name)

    monkeypatch.setattr("hardware.worker.worker.Process", Late)
    with pytest.raises(WorkerEnded):
        worker.call("hang", timeout_s=1000)
    others[0].join()
    assert worker.pid is None
    worker.close()


def test_close_ends_a_call_in_progress_and_all_later_ones(worker):
    worker.start()
    closing = once(lambda: hangs(worker), worker.close)
    with pytest.raises(WorkerEnded):
        worker.call("hang", timeout_s=1000)
    closing.join()
    with pytest.raises(WorkerEnded, match="is closed"):
        worker.call("add", 2, timeout_s=30)
    worker.close()


def test_failures_in_a_row_are_spaced_out(clock):
    worker = Worker(
        TARGET, name="reckoner", clock=clock, back_off=BackOff(clock, first_s=2, longest_s=5, free=1)
    )
    tried_at = []
    for second in range(20):
        with pytest.raises(WorkerError) as caught:
            worker.call("leave", timeout_s=30)
        if not isinstance(caught.value, WorkerResting):
            tried_at.append(second)
        clock.advance(1.0)
    assert tried_at == [0, 1, 3, 7, 12, 17]
    clock.advance(5)
    assert worker.call("add", 1, timeout_s=30) == 1
    worker.kill()
    for _ in range(2):
        with pytest.raises(WorkerEnded):
            worker.call("leave", timeout_s=30)
    worker.close()


@pytest.mark.linux(reason="a signal that stays without effect")
def test_a_process_that_cannot_be_killed_is_left_behind_and_reported(worker, monkeypatch):
    """As one is that a driver holds on to: the signal stays without effect."""
    stuck = hurried(worker)._process
    with monkeypatch.context() as held:
        held.setattr("hardware.worker.worker.os.killpg", lambda group, signal: None)
        held.setattr("hardware.worker.worker._REAPED_S", 0.01)
        held.setattr(Process, "_let_go", lambda process: None)
        with pytest.raises(WorkerHung):
            worker.call("hang", timeout_s=5)
    assert (running(stuck.pid), worker.pid) == (True, None)
    worker._clock = SystemClock()
    assert worker.call("add", 2, timeout_s=30) == 42, "another process does the work"
    stuck._let_go()  # the pipe that ties it to its owner ends it, too
    wait_until(lambda: stuck._child.poll() is not None)
    for thread in stuck._threads:  # they read to the end of its pipes
        thread.join(20)


@pytest.mark.linux(reason="the group of a process")
def test_helpers_of_the_child_end_with_it(worker):
    helper = worker.call("helper", timeout_s=30)
    assert running(helper)
    with pytest.raises(WorkerEnded):
        worker.call("die", timeout_s=30)
    wait_until(lambda: not running(helper))


OWNER = """
import sys, time
from hardware.clock import SystemClock
from hardware.worker import Worker
worker = Worker("tests.hardware.served:Reckoner", name="reckoner", clock=SystemClock())
worker.start()
print(worker.pid, flush=True)
worker.call(sys.argv[1], timeout_s=1000)
"""


@pytest.mark.linux(reason="SIGKILL, by a pipe that is closed")
@pytest.mark.parametrize("method", ["hang", "hang_in_foreign_code"])
def test_a_child_never_outlives_an_owner_that_is_killed(method):
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, method], stdout=subprocess.PIPE, text=True, env=path
    )
    pid = int(owner.stdout.readline())
    assert running(pid)
    owner.send_signal(signal.SIGKILL)
    owner.communicate()
    wait_until(lambda: not running(pid))
