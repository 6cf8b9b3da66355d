"""What the box asks of the machine: its start, its memory, its idle cores, a press, a picture's pixels."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np
import psutil

from hardware.buttons import SimulatedBox, open_buttons
from hardware.clock import SystemClock
from hardware.pins import open_pins
from hardware.pixels import bgr_from, shrunk
from hardware.wiring import Wiring

ROOT = Path(__file__).resolve().parent.parent.parent
WATCHED_S = 10.0
TRIES = 20


def rows() -> Iterator[tuple[str, ...]]:
    yield from at_work()
    yield "press to whoever listens", f"{press_ms():.2f} ms"
    still = np.zeros((1296, 2304, 3), dtype=np.uint8)
    planes = np.zeros((720, 640), dtype=np.uint8)
    yield "preview out of a still, 2304 x 1296", f"{milliseconds(lambda: shrunk(still, 640)):.1f} ms"
    yield (
        "preview of the Pi, 640 x 480",
        f"{milliseconds(lambda: bgr_from(planes, 'YUV420', (640, 480))):.1f} ms",
    )


def at_work() -> Iterator[tuple[str, ...]]:
    """The whole companion with the simulated table, nobody playing, one page that was opened."""
    started_s = time.perf_counter()
    with companion() as (process, port):
        page(port)
        yield "start to first page", f"{time.perf_counter() - started_s:.2f} s", "below 3 s"
        time.sleep(2.0)
        before_s = cpu_s(process)
        time.sleep(WATCHED_S)
        idle = (cpu_s(process) - before_s) / WATCHED_S
        yield "idle", f"{idle:.1%}", "of one core, below 5 %"
        yield "memory, resident", f"{process.memory_info().rss / 1e6:.0f} MB", "below 250 MB"


@contextmanager
def companion() -> Iterator[tuple[psutil.Process, int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion", "run", "--port", str(port), "--data", folder]
        command += ["--pins", "mock", "--camera", "simulated"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=os.environ)
        try:
            yield psutil.Process(process.pid), port
        finally:
            process.terminate()
            process.wait(20)


def page(port: int) -> None:
    """Fetch the first page, waiting for it to be there."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).read()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError("the companion did not start")


def cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def press_ms() -> float:
    """From the finger of the simulated box to the listener, without the time a finger takes."""
    pins = open_pins("mock", SystemClock())
    buttons = open_buttons(Wiring(), pins)
    box = SimulatedBox(buttons, Wiring(), pins)
    taken = milliseconds(lambda: box.press("dudo"))
    buttons.close()
    pins.close()
    return taken


def milliseconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(TRIES):
        started_s = time.perf_counter()
        work()
        times.append(time.perf_counter() - started_s)
    return 1000 * median(times)
