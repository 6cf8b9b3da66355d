"""Cameras on stand-ins, opened in the process of their own, that go wrong as a file tells them to."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np

from hardware import errors
from hardware.cameras.pi import CameraOptions, Memory, PiCamera
from hardware.cameras.process import camera_worker
from hardware.clock import SystemClock
from hardware.ports import Clock
from hardware.worker import Worker
from tests.hardware.fakes import FakePicamera2, FakeRequest, FakeVideo
from tests.hardware.served import HANGS

CARD = np.full((960, 1280, 3), (20, 30, 200), dtype=np.uint8)
WELL = "well"
STOPPED_MS = 1234.0
OPENER_PI, OPENER_USB = (f"tests.hardware.child_cameras:open_{name}" for name in ("pi", "usb"))
OPENING = {
    "busy": errors.CameraBusy("Pi camera 0 is used by rpicam-hello (process 4242)."),
    "missing": errors.CameraMissing("There is no Pi camera number 0; 0 found."),
    "no memory": OSError(12, "Cannot allocate memory"),
    "broken": RuntimeError("Camera __init__ sequence did not complete."),
}


def set_mood(folder: Path, mood: str) -> None:
    """From now on the camera of that folder works, or fails in the given way."""
    waiting = folder / "mood.new"
    waiting.write_text(mood)
    waiting.rename(folder / "mood")


def mood(folder: Path) -> str:
    return (folder / "mood").read_text()


def heed(folder: Path, moment: str) -> None:
    """Go wrong if that is the mood of this moment: "open", or "frame"."""
    at, _, what = mood(folder).partition(" ")
    if at != moment:
        return
    if what == "hang":
        print(HANGS, flush=True)
        time.sleep(1000)
    if what == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "garbage":
        from hardware.worker import child

        child.send = lambda answers, answer: (answers.write(b"no message"), answers.flush())  # type: ignore[assignment, return-value]
    if what in OPENING:
        print("ERROR the driver says nothing good", flush=True)
        raise OPENING[what]


class MoodyPicamera2(FakePicamera2):
    """picamera2 in the mood of its folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(CARD)
        self.folder = folder

    def wait(self, job: str, timeout: float) -> FakeRequest:
        self.silent = mood(self.folder) == "silent"
        heed(self.folder, "frame")
        return super().wait(job, timeout)


class MoodyVideo(FakeVideo):
    """OpenCV's capture in the mood of its folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(CARD)
        self.folder = folder

    def grab(self) -> bool:
        now = mood(self.folder)
        self.works = now != "silent"
        if now == "lit":  # light is never the same twice
            self.image = np.random.default_rng((os.getpid(), self.grabs)).integers(
                0, 255, CARD.shape, dtype=np.uint8
            )
        heed(self.folder, "frame")
        return super().grab()

    def get(self, prop: int) -> float:
        return STOPPED_MS if mood(self.folder) == "stopped clock" else super().get(prop)


def open_pi(folder: Path, options: CameraOptions, memory: Memory | None = None) -> PiCamera:
    def opening(number: int) -> Any:
        heed(folder, "open")
        return MoodyPicamera2(folder)

    return PiCamera(SystemClock(), options, memory, opening)


def open_usb(folder: Path, memory: Any = None) -> Any:
    from hardware.cameras.usb import UsbCamera

    heed(folder, "open")
    return UsbCamera(folder, SystemClock(), lambda path: MoodyVideo(folder), memory)


def pi(folder: Path, clock: Clock, memory: bytes = b"") -> Worker:
    return camera_worker(OPENER_PI, memory, folder, CameraOptions(), name="Pi camera", clock=clock)


def usb(folder: Path, clock: Clock, memory: bytes = b"") -> Worker:
    return camera_worker(OPENER_USB, memory, folder, name="USB camera", clock=clock)
