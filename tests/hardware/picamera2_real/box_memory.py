"""Memory of the whole box in a reveal: picamera2 itself, on libcamera's virtual camera of 2304 x 1296 px.

Wants what test_picamera2_real.py wants, and psutil. Nothing else should use the same Python meanwhile: what
processes share is counted by their shares (PSS).

    LD_PRELOAD=heap_shim.so python -m tests.hardware.picamera2_real.box_memory
"""

from __future__ import annotations

import http.cookiejar
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from dataclasses import replace
from typing import Any

import psutil

from hardware.cameras.pi import PiCamera, PiMemory, PiOptions
from hardware.cameras.process import Kept, ProcessCamera
from hardware.clock import SystemClock
from hardware.ports import Clock
from tests.bench.bench_load import free_port
from tests.hardware.picamera2_real import virtual_camera

SIZE_PX = (2304, 1296)
LOOKS, LOOK_S = 15, 2.0
PEOPLE = [{"name": "Ana", "colour": "red"}, {"name": "Bea", "colour": "blue"}]
START = """
import sys
import hardware.cameras.choose
from tests.hardware.picamera2_real import box_memory
sys.modules["hardware.cameras.choose"]._in_process = box_memory.camera_process
from companion.__main__ import main
sys.exit(main())
"""


def camera_process(_: object, clock: Clock, options: PiOptions, kept: Kept) -> ProcessCamera:
    """Instead of the Pi's own camera: the virtual one, in the same process."""
    opener, large = f"{__name__}:open_large", replace(options, size_px=SIZE_PX)
    return ProcessCamera(opener, large, name="Pi camera", clock=clock, kept=kept)


def open_large(options: PiOptions, memory: PiMemory | None = None) -> PiCamera:
    """The virtual camera with pictures as large as those of the Pi's camera."""
    virtual_camera.SIZE_PX = SIZE_PX
    return PiCamera(SystemClock(), options, memory, virtual_camera.open_virtual)


def family_mb(box: psutil.Process) -> dict[str, float]:
    """Memory of each process of the box in MB (PSS), by its name."""
    found = {"page": box.memory_full_info().pss / 1e6}
    for child in box.children(recursive=True):
        with suppress(psutil.Error):
            found[child.cmdline()[-1]] = child.memory_full_info().pss / 1e6
    return found


class Most:
    """The most that all processes took together at one moment, looked at again and again."""

    def __init__(self, box: psutil.Process) -> None:
        self.found: dict[str, float] = {}
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
            now = family_mb(self._box)
            self.found = max(self.found, now, key=lambda found: sum(found.values()))


def reveal(port: int) -> None:
    """A call is doubted, and the camera looks some times."""
    cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    opener, at = urllib.request.build_opener(cookies), f"http://127.0.0.1:{port}/api/v1"

    def do(**command: Any) -> None:
        body, head = json.dumps({"command": command}).encode(), {"Content-Type": "application/json"}
        opener.open(urllib.request.Request(f"{at}/commands", body, head), timeout=20).read()

    opener.open(f"{at}/state", timeout=60).read()
    do(type="new_game", players=PEOPLE, preset="modern", starter="Ana")
    do(type="bid", by="Ana", quantity=2, face=3)
    do(type="dudo", by="Bea")
    for _ in range(LOOKS):
        time.sleep(LOOK_S)
        do(type="look")


def main() -> None:
    """Print what the box takes at rest, and at most in a reveal."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        words = ("run", "--port", str(port), "--host", "127.0.0.1", "--pins", "mock", "--camera", "pi")
        command = [sys.executable, "-c", START, *words, "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            print(running.stdout.readline().strip())
            time.sleep(15)  # until it has got ready and handed back what that took
            box = psutil.Process(running.pid)
            _told("at rest", family_mb(box))
            most = Most(box)
            reveal(port)
            _told("at most", most.end())
            running.terminate()


def _told(when: str, found: dict[str, float]) -> None:
    parts = ", ".join(f"{name} {mb:.0f}" for name, mb in found.items())
    print(f"{when} {sum(found.values()):.0f} MB: {parts}")


if __name__ == "__main__":
    main()
