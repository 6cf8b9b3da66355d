"""Kills a camera over and over, in every way, and counts whether it came back and what was left behind.

Also run by itself, for the figures, with the stand-ins or with libcamera's virtual camera:

    python -m tests.hardware.camera_kills [--times 100] [--camera pi|usb|virtual] [--way hang ...]
"""

import argparse
import json
import logging
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from hardware.cameras.options import CameraOptions
from hardware.cameras.process import camera_worker
from hardware.cameras.reconnecting import ReconnectingCamera
from hardware.errors import CameraSilent
from hardware.worker import Worker
from tests.hardware.child_cameras import WELL, pi, set_mood, usb

WAYS = ("hang", "die", "garbage", "killed from outside")
OPENER_VIRTUAL = "tests.hardware.picamera2_real.virtual_camera:open_moody"


class HurriedClock:
    """The system's monotonic clock; while `hurried`, every look at it finds another second gone."""

    def __init__(self) -> None:
        self.hurried, self._ahead_s = False, 0.0

    def now_s(self) -> float:
        self._ahead_s += self.hurried
        return time.monotonic() + self._ahead_s


@dataclass(frozen=True, slots=True)
class Counts:
    """What came of killing a camera `tried` times.

    `back`: how often the call after the kill gave a picture. The rest is what was there more at the end than
    after the first picture: open descriptors, child processes (zombies, too), names in /dev/shm, and MB of
    memory held. `median_s` and `longest_s`: from the end of the killed call to the next picture.
    """

    tried: int
    back: int
    descriptors: int
    children: int
    shared_names: int
    memory_mb: float
    median_s: float
    longest_s: float

    @property
    def clean(self) -> bool:
        """Whether it always came back and left nothing behind; memory is for the reader to judge."""
        return self.tried == self.back and not (self.descriptors or self.children or self.shared_names)


Make = Callable[[Path, HurriedClock, bytes], Worker]


def kill_over_and_over(
    make: Make,
    folder: Path,
    ways: Sequence[str],
    more: Callable[[int], bool],
) -> Counts:
    """Kill the camera that `make` opens in one of the ways after another, while `more(times so far)`."""
    clock = HurriedClock()
    set_mood(folder, WELL)
    camera = ReconnectingCamera("camera", "", lambda memory: make(folder, clock, memory), clock)
    camera.capture()
    before, times, back, waits = _held(), 0, 0, list[float]()
    while more(times):
        _ruin(camera, folder, ways[times % len(ways)], clock)
        began_s = time.monotonic()
        back += camera.capture(10.0).image_bgr.any() and camera.fault is None
        waits.append(time.monotonic() - began_s)
        times += 1
    after = _held()
    camera.close()
    descriptors, children, names, memory_mb = (round(a - b, 1) for a, b in zip(after, before, strict=True))
    return Counts(
        times, int(back), int(descriptors), int(children), int(names), memory_mb,
        round(statistics.median(waits), 3), round(max(waits), 3),
    )  # fmt: skip


def _ruin(camera: ReconnectingCamera, folder: Path, way: str, clock: HurriedClock) -> None:
    """Let the next capture end in this way; raises AssertionError if it does not."""
    if way in WAYS[:3]:
        set_mood(folder, f"frame {way}")
    elif camera._worker:
        camera._worker.kill()
    clock.hurried = way == "hang"
    try:
        camera.capture(1.0)
    except CameraSilent:
        return
    finally:
        clock.hurried = False
        set_mood(folder, WELL)
    raise AssertionError(f"the capture did not end: {way}")


def _held() -> tuple[float, float, float, float]:
    """Descriptors, children, names of shared memory and MB of memory that this process holds now."""
    ours = Path("/proc/self")
    children = sum(len(task.read_text().split()) for task in ours.glob("task/*/children"))
    held = {line.split(":")[0]: line.split()[1] for line in (ours / "status").read_text().splitlines()[1:]
            if line.startswith("VmRSS")}  # fmt: skip
    # tests keep files there, too
    shared = [name for name in os.listdir("/dev/shm") if name.startswith(("psm_", "sem."))]
    return len(os.listdir(ours / "fd")), children, len(shared), int(held["VmRSS"]) / 1024


def virtual(folder: Path, clock: HurriedClock, memory: bytes) -> Worker:
    options = CameraOptions(size_px=(1280, 960))
    return camera_worker(OPENER_VIRTUAL, memory, folder, options, name="Virtual camera", clock=clock)


@contextmanager
def unheard() -> Iterator[None]:
    """Leave out the warnings that each kill is worth."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a camera over and over.")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--camera", choices=("pi", "usb", "virtual"), default="pi")
    parser.add_argument("--way", action="append", choices=WAYS)
    given = parser.parse_args()
    make = {"pi": pi, "usb": usb, "virtual": virtual}[given.camera]
    with unheard(), tempfile.TemporaryDirectory() as folder:
        counts = kill_over_and_over(make, Path(folder), given.way or WAYS, lambda times: times < given.times)
    print(json.dumps({**asdict(counts), "clean": counts.clean}))


if __name__ == "__main__":
    main()
