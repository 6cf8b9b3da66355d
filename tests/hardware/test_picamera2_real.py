"""Our Pi camera on picamera2's own code and libcamera's virtual camera, which shows colour bars.

Wants Debian 13 or later: apt install python3-libcamera libcamera-ipa gcc libc6-dev python3-dev libcap-dev; an
environment with --system-site-packages; pip install picamera2; and picamera2_real/virtual.yaml in its place
below /usr/share/libcamera. Elsewhere it is skipped; test_pi_camera.py tests the same code on a stand-in.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tools import find_tool, tool

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent / "picamera2_real"
CONFIG = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
BARS_BGR = {
    "white": (255, 255, 255), "yellow": (0, 255, 255), "cyan": (255, 255, 0), "green": (0, 255, 0),
    "magenta": (255, 0, 255), "red": (0, 0, 255), "blue": (255, 0, 0), "black": (0, 0, 0),
}  # fmt: skip


def why_not() -> str:
    """Why picamera2 can't be tried here, "" when it can."""
    for module in ("libcamera", "picamera2"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed here"
    if not CONFIG.is_file():
        return f"no virtual camera is configured in {CONFIG}"
    return "" if find_tool("gcc") else "there is no C compiler for the stand-in of the memory device"


@pytest.fixture
def environment(tmp_path):
    """What a process needs so that libcamera finds memory for its pictures."""
    shim = tmp_path / "heap_shim.so"
    source = HERE / "heap_shim.c"
    subprocess.run([tool("gcc"), "-O2", "-shared", "-fPIC", "-o", shim, source], check=True, timeout=60)
    return {**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": str(HERE.parents[2])}


def printed(environment: dict[str, str], *program: str, timeout_s: float) -> Any:
    """The JSON that a program prints on its last line."""
    run = subprocess.run(
        [sys.executable, *program], env=environment, capture_output=True, text=True, timeout=timeout_s
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_stills_previews_and_reopening_on_picamera2_itself(environment):
    seen = printed(environment, str(HERE / "look.py"), timeout_s=120)
    colours = np.array(seen["columns_bgr"])
    assert np.abs(colours - np.array(list(BARS_BGR.values()))).max() <= 25, seen
    assert seen["still"] == seen["reopened"] == [960, 1280, 3]
    assert seen["preview"] == [480, 640, 3]
    assert seen["stills"] == 20
    assert "SensorTimestamp" in seen["metadata"]
    assert seen["silent"] == "camera_silent"
    assert seen["after_silence"] == [[480, 640, 3]] * 3


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_camera_of_picamera2_that_is_killed_comes_back_each_time(environment):
    program = ("-m", "tests.hardware.camera_kills", "--camera", "virtual", "--times", "12")
    counts = printed(environment, *program, timeout_s=300)
    assert (counts["tried"], counts["back"], counts["clean"]) == (12, 12, True)
