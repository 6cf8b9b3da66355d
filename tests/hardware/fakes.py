"""Stand-ins for the libraries below the real cameras: as much of OpenCV's and picamera2's face as is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class FakeVideo:
    """cv2.VideoCapture showing one picture."""

    def __init__(self, image: Image) -> None:
        self.image, self.grabs, self.opened, self.works = image, 0, True, True

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.opened

    def grab(self) -> bool:
        self.grabs += 1
        return self.works

    def retrieve(self) -> tuple[bool, Image]:
        return self.works, self.image

    def get(self, prop: int) -> float:
        return -1.0

    def set(self, prop: int, value: float) -> bool:
        return False

    def release(self) -> None:
        self.opened = False


class FakeRequest:
    """A completed request of picamera2."""

    def __init__(self, camera: FakePicamera2) -> None:
        self.camera, self.metadata = camera, camera.metadata()
        camera.out += 1

    def array(self, stream: str) -> Image:
        height, width = self.camera.config[stream]["size"][::-1]
        if stream == "main":
            return np.broadcast_to(self.camera.image[:1, :1], (height, width, 3)).copy()
        return yuv420_of(self.camera.image[0, 0], width, height)

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def release(self) -> None:
        self.camera.out -= 1


class FakePicamera2:
    """One camera of picamera2 with autofocus. Controls take effect `lag` frames after they are set."""

    LIMITS: Mapping[str, tuple[float, float, float]] = {
        "AeEnable": (0, 1, 1),
        "AwbEnable": (0, 1, 1),
        "ExposureTime": (100, 1e6, 2e4),
        "AnalogueGain": (1, 16, 1),
        "ColourGains": (0, 32, 1),
        "AfMode": (0, 2, 0),
        "LensPosition": (0.0, 15.0, 1.0),
        "FrameDurationLimits": (1, 1e9, 1),
        "AeFlickerMode": (0, 1, 0),
        "AeFlickerPeriod": (100, 1e6, 1e4),
    }

    def __init__(self, image: Image, lag: int = 2, automatic_us: Callable[[int], float] = lambda n: 23_456.0):
        self.image, self.lag, self.automatic_us = image, lag, automatic_us
        self.camera_controls = dict(self.LIMITS)
        self.sensor_resolution = (4608, 2592)
        self.config: dict[str, Any] = {}
        self.started = self.closed = self.silent = False
        self.tells_mode = True
        self.frames, self.out = 0, 0
        self._set: list[tuple[int, dict[str, Any]]] = []

    def create_still_configuration(self, **wanted: Any) -> dict[str, Any]:
        assert wanted["buffer_count"] >= 2
        return wanted

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config
        self._set.append((-self.lag, dict(config["controls"])))

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def start(self) -> None:
        assert not self.closed
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        assert not unknown, unknown
        self._set.append((self.frames, dict(controls)))

    @contextmanager
    def mapped(self, request: FakeRequest, stream: str) -> Iterator[SimpleNamespace]:
        """As picamera2's MappedArray: the picture lies in the camera's own buffer."""
        assert self.out > 0, "a buffer that was given back is written by the camera"
        yield SimpleNamespace(array=request.array(stream))

    def capture_request(self, wait: bool) -> str:
        assert self.started
        assert wait is False, "waiting without a limit can hang"
        return "job"

    def wait(self, job: str, timeout: float) -> FakeRequest:
        if self.silent:
            raise TimeoutError
        self.frames += 1
        return FakeRequest(self)

    def metadata(self) -> dict[str, Any]:
        """What the frame was taken with: automatics, overridden by what was set long enough ago.

        As in libcamera an exposure time that comes with the switch from automatic to manual is lost.
        """
        values: dict[str, Any] = {
            "AnalogueGain": 2.0, "ColourGains": (1.5, 2.5), "LensPosition": 1.0,
            "SensorTimestamp": self.frames * 33_000_000,
        }  # fmt: skip
        automatic, stays_us = True, 0.0
        for since, controls in self._set:
            if self.frames - since < self.lag:
                continue
            switches = controls.get("AeEnable") is False and automatic
            automatic = controls.get("AeEnable", automatic)
            if switches:
                stays_us = self.automatic_us(since + self.lag)
            if "ExposureTime" in controls and not switches:
                automatic, stays_us = False, controls["ExposureTime"]
            lost = ("AnalogueGain",) if switches else ()
            values |= {k: v for k, v in controls.items() if k in values and k not in lost}
        values["ExposureTime"] = self.automatic_us(self.frames) if automatic else stays_us
        return values | ({"ExposureTimeMode": int(not automatic)} if self.tells_mode else {})


def yuv420_of(bgr: Image, width: int, height: int) -> Image:
    """A flat picture of one colour as libcamera's YUV420 in full range, rows padded to a multiple of 64."""
    blue, green, red = (float(c) for c in bgr)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    chroma = ((blue - luma) / 1.772 + 128, (red - luma) / 1.402 + 128)
    stride = -(-width // 64) * 64
    out = np.zeros((height * 3 // 2, stride), dtype=np.uint8)
    out[:height, :width] = round(luma)
    halves = out[height:].reshape(2, height // 2, stride // 2)
    for plane, value in zip(halves, chroma, strict=True):
        plane[:, : width // 2] = round(value)
    return out
