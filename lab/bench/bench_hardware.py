"""What the box asks of the machine: its start, its memory, its idle cores, a press, a picture's pixels."""

import json
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
from typing import Any

import cv2
import numpy as np
import psutil

from hardware.buttons.pin_buttons import PinButtons, SimulatedBox
from hardware.cameras.simulated_dice import laid
from hardware.clock import SystemClock
from hardware.gpio.pins import open_pins
from hardware.gpio.wiring import Wiring
from hardware.optics.pixels import shrunk, write_bgr
from hardware.worker import Worker
from tests.hardware.camera_kills import WAYS, kill_over_and_over, unheard
from tests.hardware.child_cameras import pi

ROOT = Path(__file__).resolve().parent.parent.parent
WATCHED_S = 10.0
TRIES = 20
SIZE_PX = (1640, 1232)
LONGEST_CALL_S = 120.0
PHONE = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
REVEALS = (("Ana", "Bea"), ("Bea", "Ana"), ("Ana", "Bea"), ("Bea", "Ana"))
"""Who bids and who doubts; who doubts loses, and so begins the next round."""


def rows() -> Iterator[tuple[str, ...]]:
    yield from at_rest()
    yield from at_work()
    yield "press to whoever listens", f"{press_ms():.2f} ms"
    still = np.zeros((1296, 2304, 3), dtype=np.uint8)
    planes = np.zeros((720, 640), dtype=np.uint8)
    yield "preview out of a still, 2304 x 1296", f"{milliseconds(lambda: shrunk(still, 640)):.1f} ms"
    yield (
        "preview of the Pi, 640 x 480",
        f"{milliseconds(lambda: write_bgr(still[:480, :640], planes, 'YUV420')):.1f} ms",
    )
    yield from out_of_a_process(still)
    yield from camera_killed()


def out_of_a_process(still: np.ndarray) -> Iterator[tuple[str, ...]]:
    """A still that a worker process sends, against a mere copy of it."""
    worker = Worker("numpy", name="numpy", clock=SystemClock())
    taken = milliseconds(lambda: worker.call("full", still.shape, 7, "uint8", timeout_s=60))
    made = milliseconds(lambda: np.full(still.shape, 7, "uint8"))
    worker.close()
    copied = milliseconds(still.copy)
    sent = taken - made
    yield "still out of a process, 2304 x 1296", f"{sent:.1f} ms", f"{sent / copied:.1f} times a copy of it"


def camera_killed() -> Iterator[tuple[str, ...]]:
    """From the end of a camera's process to the next picture, on a stand-in, against starting Python."""
    with unheard(), tempfile.TemporaryDirectory() as folder:
        counts = kill_over_and_over(pi, Path(folder), WAYS, lambda times: times < 2 * len(WAYS))
    python_s = milliseconds(lambda: subprocess.run([sys.executable, "-c", "import numpy"], check=True)) / 1000
    ratio = f"{counts.median_s / python_s:.1f} times a start of Python with numpy"
    yield "picture after a camera's process ended", f"{counts.median_s:.2f} s", ratio


def at_rest() -> Iterator[tuple[str, ...]]:
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
        yield "memory at rest, resident", f"{process.memory_info().rss / 1e6:.0f} MB"


def at_work() -> Iterator[tuple[str, ...]]:
    """Reveals one after the other, read by both readers from a camera's pictures, a phone that looks live."""
    with (
        tempfile.TemporaryDirectory() as pictures,
        companion(f"folder:{drawn(Path(pictures))}") as (process, port),
    ):
        page(port)
        most = 0
        people = [{"name": "Ana"}, {"name": "Bea"}]
        ask(port, {"type": "new_game", "players": people, "starter": "Ana"})
        for bidder, caller in REVEALS:
            ask(port, {"type": "bid", "by": bidder, "quantity": 3, "face": 4})
            ask(port, {"type": "dudo", "by": caller})
            most = max(most, while_looking(process, port))
            if fetched(port, "api/v1/state")["game"]["phase"] == "reveal":
                ask(port, {"type": "type_count", "count": 3})
            ask(port, {"type": "next_round"})
        yield (
            "memory with camera and page at work",
            f"{most / 1e6:.0f} MB",
            f"below 250 MB; {len(REVEALS)} reveals from pictures of {SIZE_PX[0]} x {SIZE_PX[1]}",
        )


def drawn(folder: Path) -> Path:
    """The folder of a camera that shows ten dice, in the size of a Pi camera's stills."""
    dice = tuple((face, colour) for face in (1, 2, 3, 4, 5) for colour in ("red", "blue"))
    picture = laid(dice, 1, width_px=SIZE_PX[0], height_px=SIZE_PX[1])
    for name in ("a.jpg", "b.jpg"):
        cv2.imwrite(str(folder / name), picture.image_bgr)
    return folder


def while_looking(process: psutil.Process, port: int) -> int:
    """The most memory in use until a picture of the reveal was read."""
    most, ends_s = 0, time.perf_counter() + LONGEST_CALL_S
    while time.perf_counter() < ends_s:
        fetched(port, "preview.jpg")
        most = max(most, process.memory_info().rss)
        reveal = fetched(port, "api/v1/state")["reveal"]
        if reveal is None or any(die["place"] for die in reveal["dice"]):
            break
        time.sleep(0.1)
    return most


def ask(port: int, command: dict[str, Any]) -> None:
    """Send a command as one phone would: a bid that another made has to be seen before it is doubted."""
    body = json.dumps({"command": command}).encode()
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/commands", body, headers)
    PHONE.open(asked, timeout=60).close()


def fetched(port: int, path: str) -> Any:
    """What the page answers, JSON where it is."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=60) as answer:
        body = answer.read()
        return json.loads(body) if answer.headers.get_content_type() == "application/json" else body


@contextmanager
def companion(camera: str = "simulated") -> Iterator[tuple[psutil.Process, int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion", "run", "--port", str(port), "--data", folder]
        command += ["--pins", "mock", "--camera", camera]
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
    buttons = PinButtons(Wiring(), pins)
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
