"""How much memory reading takes, asked of a process of its own."""

import subprocess
import sys

import cv2
import pytest

from hardware.cameras.simulated_dice import laid

pytestmark = pytest.mark.slow

MAX_MB = 120
"""What a board with 512 MB can spare."""
START = """
import sys
from pathlib import Path
import cv2
import numpy as np
from companion import memory
from vision.learned import net
from vision.read import get_ready, read

def stated_kb(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(name)))

def most_kb():
    return stated_kb("VmHWM")

cv2.setNumThreads(1)
"""
PROGRAM = """
if sys.argv[2] == "kept":
    memory.keep()
image = cv2.imread(sys.argv[1])
before = most_kb()
for _ in range(3):
    read(image)
print(most_kb() - before)
"""
READY = """
get_ready()
before = most_kb()
read(np.full((1296, 2304, 3), 96, np.uint8))
print(most_kb() - before)
"""
LETTING_GO = """
memory.keep()
net.load().faces(np.zeros((96, 128, 3), np.uint8))
net.load().let_go()
memory.hand_back()
before = stated_kb("RssAnon")
Path("/proc/self/clear_refs").write_text("5")  # the most is counted anew; source: proc(5)
least = most_kb()
net.load().faces(np.zeros((544, 960, 3), np.uint8))
run = most_kb() - least
net.load().let_go()
memory.hand_back()
print(run, stated_kb("RssAnon") - before)
"""
ONLY_LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells how much memory a process had"
)


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    """Thirty dice seen aslant, with many places for the crop classifier."""
    dice = [(1 + k % 6, "ivory") for k in range(30)]
    table = laid(dice, 11, width_px=1600, height_px=1400).image_bgr
    file = tmp_path_factory.mktemp("memory") / "thirty.png"
    cv2.imwrite(str(file), cv2.resize(table, (1600, 1200), interpolation=cv2.INTER_AREA))
    return file


@ONLY_LINUX
@pytest.mark.parametrize("heap", ["kept", "handed back"])
def test_reading_takes_no_more_than_a_small_board_can_spare(picture, heap):
    (grown_mb,) = grown(PROGRAM, str(picture), heap)
    assert 10 < grown_mb < MAX_MB, "and a reading without any memory was not measured"


@ONLY_LINUX
def test_getting_ready_takes_less_than_reading_a_picture_of_the_camera():
    (grown_mb,) = grown(READY)
    assert grown_mb > 5


@ONLY_LINUX
def test_a_net_that_lets_go_keeps_no_maps_and_no_arranged_weights():
    run_mb, kept_mb = grown(LETTING_GO)
    assert run_mb > 10
    assert kept_mb < 5


def grown(program: str, *words: str) -> list[float]:
    """What a program prints, kB, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", START + program, *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return [int(kb) / 1024 for kb in done.stdout.split()]
