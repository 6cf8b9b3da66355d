"""Memory of the box while it looks and phones send pictures of 12 megapixels as fast as they may.

The camera's process is a stand-in of 2304 x 1296 px, and no part of the sums (PSS): `lab.bench.box_memory`
has a real one's. Nothing else should use the same Python meanwhile.

    python -m lab.bench.phones_memory
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import cv2
import numpy as np
import psutil

from hardware.cameras.simulated_dice import laid
from lab.bench.bench_load import free_port
from lab.bench.box_memory import CAMERA, Most, Phone, family_mb, reveal

PHONES, PAUSE_S = 3, 1.1
START = """
import sys
import hardware.cameras.choose
from lab.bench import drawn_camera
sys.modules["hardware.cameras.choose"]._in_process = drawn_camera.camera_process
from companion.__main__ import main
sys.exit(main())
"""


def picture() -> bytes:
    """A phone's JPEG of ten dice, 4000 x 3000 px."""
    dice = [(face, colour) for colour in ("red", "blue") for face in (1, 2, 3, 3, 5)]
    large = cv2.resize(laid(dice, 7).image_bgr, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(1).normal(0, 4, large.shape)
    return cv2.imencode(".jpg", np.clip(large + grain, 0, 255).astype(np.uint8))[1].tobytes()


def send(phone: Phone, jpeg: bytes, done: threading.Event, answers: list[int]) -> None:
    """Send the picture to whichever reveal is open, until all is done."""
    edge = secrets.token_hex(8)
    while not done.wait(PAUSE_S):
        number = (phone.state()["reveal"] or {}).get("number", 0)
        head = f'--{edge}\r\nContent-Disposition: form-data; name="reveal"\r\n\r\n{number}\r\n--{edge}\r\n'
        head += 'Content-Disposition: form-data; name="picture"; filename="a.jpg"\r\n'
        body = f"{head}Content-Type: image/jpeg\r\n\r\n".encode() + jpeg + f"\r\n--{edge}--\r\n".encode()
        try:
            phone.post("pictures", body, f"multipart/form-data; boundary={edge}")
            answers.append(200)
        except urllib.error.HTTPError as refused:
            answers.append(refused.code)
        except OSError:  # refused before its body was read
            answers.append(0)


def main() -> None:
    """Print what the box takes beside its camera, at rest and at most, and how its phones were answered."""
    port, jpeg = free_port(), picture()
    with tempfile.TemporaryDirectory() as folder:
        words = ("run", "--port", str(port), "--host", "127.0.0.1", "--pins", "mock", "--camera", "pi")
        command = [sys.executable, "-c", START, *words, "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            try:
                assert running.stdout is not None
                running.stdout.readline()
                _measure(running.pid, port, jpeg)
            finally:
                running.terminate()


def _measure(pid: int, port: int, jpeg: bytes) -> None:
    time.sleep(10)
    box, done, answers = psutil.Process(pid), threading.Event(), list[int]()
    print("at rest", *_without_camera(family_mb(box)))
    most = Most(box, besides=(CAMERA,))
    sending = [threading.Thread(target=send, args=(Phone(port), jpeg, done, answers)) for _ in range(PHONES)]
    for thread in sending:
        thread.start()
    reveal(Phone(port))
    done.set()
    for thread in sending:
        thread.join()
    print("at most", *_without_camera(most.end()))
    print({code: answers.count(code) for code in sorted(set(answers))})


def _without_camera(found: dict[str, float]) -> tuple[str, ...]:
    parts = {name: mb for name, mb in found.items() if name != CAMERA}
    return f"{sum(parts.values()):.0f} MB:", ", ".join(f"{name} {mb:.0f}" for name, mb in parts.items())


if __name__ == "__main__":
    main()
