"""A box that shall end, or is asked whether it lives, while parts of it hang."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.app.companion import Companion
from tests.simulated import simulated
from tests.whole.at_box import TIMEOUT_S

pytestmark = pytest.mark.slow

CLOSING_S, LAST_S = 2.5, 4.0
"""Shorter than those of a box, in the same order."""

START = """
import os, sys, threading
from companion.__main__ import main
from companion.cli import run

run.CLOSING_S, run.LAST_S = {closing_s}, {last_s}

def hanging(part):
    def hang(*_, **__):
        os.write(1, f"hangs: {{part}}\\n".encode())  # at once: several threads say it together
        threading.Event().wait()
    return hang

{patch}
sys.exit(main(["run", "--port", "{port}", "--host", "127.0.0.1", "--pins", "mock", "--camera", "simulated"]))
"""

HANGING = {
    "reading": "from companion.app.reading.reader_process import ReaderProcess as R; R.get_ready",
    "lamps": "from companion.app.system.box_parts import Signals; Signals.show",
    "parts": "from companion.app import companion; companion.part_faults",
    "camera": "from hardware.cameras.deviceless import SimulatedCamera as C; C.close",
}
"""The way to read, the lamps, what asks the parts, and the camera as it is closed."""


def test_a_box_that_shall_end_ends_whatever_hangs(tmp_path, free_port):
    """A reading that never came back kept the box from ending."""
    patch = "\n".join(f"{way} = hanging({part!r})" for part, way in HANGING.items())
    at_work = [f"hangs: {part}" for part in HANGING if part != "camera"]
    status, said = the_end(patch, tmp_path, free_port, *at_work)
    assert (status, "hangs: camera" in said) == (0, True)


@pytest.mark.linux(reason="SIGALRM")
def test_a_library_that_keeps_the_interpreter_to_itself_is_ended_by_the_kernel(tmp_path, free_port):
    """No thread of ours comes to its turn then, not even the one that ends the process in time."""
    hogging = "from hardware.cameras.deviceless import SimulatedCamera as C; import ctypes; "
    hogging += "C.close = lambda self: ctypes.PyDLL(None).pause()"
    assert the_end(hogging, tmp_path, free_port)[0] == -signal.SIGALRM


def the_end(patch: str, tmp_path: Path, free_port: int, *awaited: str) -> tuple[int, str]:
    """Exit status and words of a box changed so that shall end once its page is open and these are said."""
    environ = {**os.environ, "DUDO_DATA_FOLDER": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    script = START.format(patch=patch, port=free_port, closing_s=CLOSING_S, last_s=LAST_S)
    box = subprocess.Popen([sys.executable, "-c", script], env=environ, stdout=subprocess.PIPE, text=True)
    late = threading.Timer(TIMEOUT_S, box.kill)
    late.start()
    try:
        assert box.stdout is not None
        said = ""
        while not all(words in said for words in ("Dudo companion:", *awaited)):
            line = box.stdout.readline()
            assert line, said
            said += line
        box.send_signal(signal.SIGTERM)
        return box.wait(30), said + box.stdout.read()
    finally:
        late.cancel()
        box.kill()
        box.communicate()


def test_a_box_with_a_silent_thread_is_not_called_alive(tmp_path):
    with Companion(simulated(tmp_path)) as companion:
        assert companion.alive()
        companion.heartbeats.expect("torture", -1.0)
        assert not companion.alive()
