"""What the process that serves the page imports: numpy and OpenCV with a camera's first picture, and neither
in an evening on phones, whose pictures it hands on."""

import json
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.whole.at_box import PEOPLE, Phone, ask
from tests.whole.pictures import drawn, encoded
from tests.whole.test_phone_pictures import FACES, send

pytestmark = pytest.mark.slow

SERVED = """
import atexit, sys
from companion.__main__ import main
atexit.register(lambda: print(*sys.modules))
main()
"""
ROUND = (
    {"type": "new_game", "players": PEOPLE, "starter": "Ana", "house": {"starting_dice": 3}},
    {"type": "bid", "by": "Ana", "quantity": 6, "face": 5},
    {"type": "dudo", "by": "Bea"},
)


def opened(box):
    for path in ("/", "/statistics", "/workshop/parts", "/api/v1/health"):
        ask(box, path)


def played(box):
    """A round whose verdict rests on a phone's picture."""
    opened(box)
    assert ask(box, "/preview.jpg")[0] == 404
    phone = Phone(box, "127.0.0.1")
    for command in ROUND:
        assert phone.post("/api/v1/commands", {"command": command}).status_code == 200
    reveal = json.loads(ask(box, "/api/v1/state")[1])["reveal"]["number"]
    assert send(box, encoded(drawn(FACES, 1)), reveal)["place"] == "phone"
    assert json.loads(ask(box, "/api/v1/state")[1])["verdict"]["loser"] == "Ana"
    assert ask(box, "/api/v1/commands", {"command": {"type": "next_round"}})[0] == 200


@pytest.mark.parametrize(("camera", "evening"), [("simulated", opened), ("phones", played)])
def test_neither_numpy_nor_opencv_comes_in_without_a_picture(camera, evening, tmp_path, free_port):
    words = ("--host", "127.0.0.1", "--port", str(free_port), "--pins", "mock", "--data", str(tmp_path))
    command = [sys.executable, "-c", SERVED, "run", "--no-browser", *words, "--camera", camera]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert "Dudo companion" in running.stdout.readline()
            evening(SimpleNamespace(port=free_port))
            running.send_signal(signal.SIGTERM)
            modules = set(running.communicate(timeout=60)[0].splitlines()[-1].split())
        finally:
            running.kill()
    assert modules >= {"companion.app.companion", "web.app"}
    assert modules & {"numpy", "cv2"} == set()
