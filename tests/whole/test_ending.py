"""A box that shall end, or is asked whether it lives, while parts of it hang."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app.companion import Companion
from tests.simulated import simulated

pytestmark = pytest.mark.slow

START = """
import sys, threading
from companion.__main__ import main

def hang(*_, **__):
    print("hangs", flush=True)
    threading.Event().wait()

{patch}
sys.exit(main(["run", "--port", "{port}", "--host", "127.0.0.1", "--pins", "mock", "--camera", "simulated"]))
"""

HANGING = {
    "the way to read": "import vision.read; vision.read.get_ready = hang",
    "the lamps": "from companion.app.system.box_parts import Signals; Signals.show = hang",
    "what asks the parts": "from companion.app import companion; companion.part_faults = hang",
    "the camera being closed": "from hardware.cameras.deviceless import SimulatedCamera as C; C.close = hang",
}


@pytest.mark.parametrize("patch", HANGING.values(), ids=HANGING.keys())
def test_a_box_that_shall_end_ends_whatever_hangs(patch, tmp_path, free_port):
    """A reading that never came back kept the box from ending."""
    assert status_of_the_end(patch, tmp_path, free_port) == 0


@pytest.mark.linux(reason="SIGALRM")
def test_a_library_that_keeps_the_interpreter_to_itself_is_ended_by_the_kernel(tmp_path, free_port):
    """No thread of ours comes to its turn then, not even the one that ends the process in time."""
    hogging = "from hardware.cameras.deviceless import SimulatedCamera as C; import ctypes; "
    hogging += "C.close = lambda self: ctypes.PyDLL(None).pause()"
    assert status_of_the_end(hogging, tmp_path, free_port) == -signal.SIGALRM


def status_of_the_end(patch: str, tmp_path: Path, free_port: int) -> int:
    """The exit status of a box with this change that shall end once its page is open."""
    environ = {**os.environ, "DUDO_DATA_FOLDER": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    script = START.format(patch=patch, port=free_port)
    box = subprocess.Popen([sys.executable, "-c", script], env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert box.stdout is not None
        while "Dudo companion:" not in box.stdout.readline():
            assert box.poll() is None
        box.send_signal(signal.SIGTERM)
        return box.wait(30)
    finally:
        box.kill()
        box.communicate()


def test_a_box_with_a_silent_thread_is_not_called_alive(tmp_path):
    with Companion(simulated(tmp_path)) as companion:
        assert companion.alive()
        companion.heartbeats.expect("torture", -1.0)
        assert not companion.alive()
