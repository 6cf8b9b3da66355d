"""Memory of the whole box in a reveal: picamera2 itself, on libcamera's virtual camera of 2304 x 1296 px.

Wants what test_picamera2_real.py wants, and psutil. Nothing else should use the same Python meanwhile: what
processes share is counted by their shares (PSS). The virtual sensor's picture is counted apart: on a Pi it is
no memory of a process. Where the camera shows ten dice, reveals are settled by them; else they are looked at
again and again.

    LD_PRELOAD=heap_shim.so python -m lab.bench.box_memory
"""

import http.cookiejar
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from lab.bench.bench_load import free_port
from lab.bench.large_camera import SENSOR_FILE

OBSERVATIONS, EVERY_S, LOOKING_S = 15, 2.0, 0.2
CAMERA = "Pi camera"
PEOPLE = [{"name": "Ana", "colour": "red"}, {"name": "Bea", "colour": "blue"}]
START = """
import sys
import hardware.cameras.choose
from lab.bench import large_camera
sys.modules["hardware.cameras.choose"]._in_process = large_camera.camera_process
from companion.__main__ import main
sys.exit(main())
"""


def family_mb(box: psutil.Process) -> dict[str, float]:
    """Memory of each process of the box in MB (PSS), by its name."""
    family = {"page": box.pid}
    for child in box.children(recursive=True):
        with suppress(psutil.Error):
            family[child.cmdline()[-1]] = child.pid
    found = dict[str, float]()
    for name, pid in family.items():
        with suppress(OSError):
            found[name] = pss_mb(pid, but_shared=name == CAMERA)
    return found


def pss_mb(pid: int, *, but_shared: bool) -> float:
    """What a process takes in MB (PSS); without shared memory, which has the sensor's buffers."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    sizes = {words[0]: int(words[1]) * 1024 / 1e6 for words in map(str.split, rollup.splitlines()[1:])}
    return sizes["Pss:"] - (sizes["Pss_Shmem:"] if but_shared else 0.0)


class Most:
    """The most that all processes took together at one moment, looked at again and again."""

    def __init__(self, box: psutil.Process, besides: tuple[str, ...] = ()) -> None:
        """Processes of the names `besides` are not counted."""
        self.found: dict[str, float] = {}
        self._besides = besides
        self._box, self._done = box, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> dict[str, float]:
        """Stop looking; what was found."""
        self._done.set()
        self._thread.join()
        return self.found

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            now = {name: mb for name, mb in family_mb(self._box).items() if name not in self._besides}
            self.found = max(self.found, now, key=lambda found: sum(found.values()))


class Phone:
    """One phone at the table, which may do everything."""

    def __init__(self, port: int) -> None:
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener, self._at = urllib.request.build_opener(cookies), f"http://127.0.0.1:{port}/api/v1"

    def state(self) -> Any:
        """What the page shows."""
        with self._opener.open(f"{self._at}/state", timeout=60) as answer:
            return json.load(answer)

    def game(self) -> Any:
        """The game as the page shows it."""
        return self.state()["game"]

    def do(self, **command: Any) -> None:
        self.post("commands", json.dumps({"command": command}).encode(), "application/json")

    def post(self, path: str, body: bytes, kind: str) -> None:
        """Raises HTTPError where it is refused."""
        asked = urllib.request.Request(f"{self._at}/{path}", body, {"Content-Type": kind})
        self._opener.open(asked, timeout=60).close()


def reveal(phone: Phone) -> None:
    """Calls are doubted, and the camera looks some times, at dice that no call fits after the first."""
    phone.game()
    phone.do(type="new_game", players=PEOPLE, preset="modern", starter="Ana")
    for _ in range(OBSERVATIONS):
        step(phone)
        time.sleep(EVERY_S)


def step(phone: Phone) -> None:
    """Whatever brings the table to its next look."""
    game = phone.game()
    if game["phase"] == "verdict":
        phone.do(type="next_round")
        game = phone.game()
    if game["phase"] == "reveal":
        phone.do(type="look")
        return
    turn = game["round"]["turn"]
    phone.do(type="bid", by=turn, quantity=2, face=3)
    phone.do(type="dudo", by=next(person["name"] for person in PEOPLE if person["name"] != turn))


def main() -> None:
    """Print what the box takes at rest and at most in a reveal, and how soon it ends in the middle of one."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        sensor = Path(folder) / "sensor"
        words = ("run", "--port", str(port), "--host", "127.0.0.1", "--pins", "mock", "--camera", "pi")
        command = [sys.executable, "-c", START, *words, "--data", folder]
        environment = {**os.environ, SENSOR_FILE: str(sensor)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as running:
            try:
                _measure(running, Phone(port), sensor)
            finally:
                running.terminate()


def _measure(running: subprocess.Popen[str], phone: Phone, sensor: Path) -> None:
    assert running.stdout is not None
    print(running.stdout.readline().strip())
    time.sleep(15)  # until it has got ready and handed back what that took
    box = psutil.Process(running.pid)
    at_rest = family_mb(box)
    most = Most(box)
    reveal(phone)
    sensor_mb = int(sensor.read_text()) / 1e6
    _tell("at rest", at_rest, sensor_mb)
    _tell("at most", most.end(), sensor_mb)
    print(f"SIGTERM in a look: ended after {_ended_s(running, phone):.1f} s")


def _ended_s(running: subprocess.Popen[str], phone: Phone) -> float:
    """How long the box takes to end while its camera and its reader are at work."""
    step(phone)
    time.sleep(LOOKING_S)
    asked_s = time.monotonic()
    running.terminate()
    running.wait()
    return time.monotonic() - asked_s


def _tell(when: str, found: dict[str, float], sensor_mb: float) -> None:
    """The sum and its parts; the virtual sensor apart, where the camera was open."""
    apart = sensor_mb if CAMERA in found else 0.0
    parts = ", ".join(f"{name} {mb - apart * (name == CAMERA):.0f}" for name, mb in found.items())
    print(f"{when} {sum(found.values()) - apart:.0f} MB: {parts}; and {apart:.0f} MB of the virtual sensor")


if __name__ == "__main__":
    main()
