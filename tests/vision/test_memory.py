"""How much memory reading takes, asked of a process of its own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from vision.scenes import render, throw

pytestmark = pytest.mark.slow

MAX_MB = 120
"""What a board with 512 MB can spare."""
PROGRAM = """
import sys
from pathlib import Path
import cv2
from companion import memory
from vision.read import read
if sys.argv[2] == "kept":
    memory.keep()

def most_kb():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))

cv2.setNumThreads(1)
image = cv2.imread(sys.argv[1])
before = most_kb()
for _ in range(3):
    read(image)
print(most_kb() - before)
"""


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty dice seen aslant, with many places for the crop classifier."""
    scene = throw(11, style="box", count=(30, 30), width_px=1600, height_px=1200)
    tilted = replace(scene, lens=replace(scene.lens, tilt_deg=33.0))
    file = tmp_path_factory.mktemp("memory") / "thirty.png"
    cv2.imwrite(str(file), render(tilted).image_bgr)
    return file


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory a process had")
@pytest.mark.parametrize("heap", ["kept", "handed back"])
def test_reading_takes_no_more_than_a_small_board_can_spare(picture: Path, heap: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(picture), heap],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    grown_mb = int(done.stdout) / 1024
    assert 10 < grown_mb < MAX_MB, "and a reading without any memory was not measured"
