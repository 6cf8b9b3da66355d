"""The Raspberry Pi's camera through picamera2.

One configuration runs all the time: a still of full quality and a small preview come from the same frames, so
nothing switches, and exposure, colours and focus are the same in both. What is asked of the sensor is
compared with the metadata of the frame that came. A call into picamera2 may hang: the box runs all this in a
process of its own (`hardware/cameras/process.py`).
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np

from hardware.cameras.options import CameraOptions
from hardware.cameras.reasons import explained
from hardware.clock import SystemClock
from hardware.errors import CameraMissing, CameraSilent
from hardware.optics import exposure
from hardware.optics.focus import focused
from hardware.optics.pixels import Image, write_bgr
from hardware.ports import PREVIEW_WIDTH_PX, Clock, Focus, Frame

_log = logging.getLogger(__name__)

_SETTLING_FRAMES, _LIGHT_FRAMES = 60, 10
_OBEYING_FRAMES = 12
_SWITCHING_FRAMES = 6
_KEPT_FRAMES = 3
_STILL_TRIES = 3
_FIRST_FRAME_S = 5.0
BUFFERS = 3
HEIGHT_MM = 350.0
"""Of the lens above the dice, in the box as it is drawn."""

_FRAME_LIMITS_US = (66_667, 100_000)
"""Nobody looks at more than ten pictures a second, and every frame costs a small board some of its time."""


Memory = dict[str, object]
"""The controls requested of the sensor, kept while the camera is closed and opened again."""


class PiCamera:
    """One camera of the Pi, open with its first frame taken. Calls into picamera2 may hang.

    Raises on opening what `reasons.explained` makes of picamera2's errors, and CameraSilent.
    """

    def __init__(
        self,
        clock: Clock,
        options: CameraOptions,
        memory: Memory | None = None,
        open_pi: OpenPi | None = None,
    ) -> None:
        self.name = f"Pi camera {options.number}"
        self.memory: Memory = {} if memory is None else memory
        self._clock, self._options = clock, options
        opening = open_pi or open_picamera
        self._camera: PiDevice = None
        self._seen: deque[Mapping[str, float]] = deque(maxlen=exposure.SETTLED_FRAMES)
        try:
            self._camera = self._started(opening(options.number))
            self.preview(_FIRST_FRAME_S)
            if "ExposureTime" in self.memory:
                self._keep(self.memory, 1.0)
        except Exception as error:
            with suppress(Exception):
                self.close()
            raise explained(error, self.name) from error

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A still whose metadata agrees with what was asked, as far as the camera obeys at all.

        While the automatics are at work it waits for them to settle, ten frames at most: the previews before
        count. Raises CameraSilent, PictureUnreadable.
        """
        until_s = self._clock.now_s() + timeout_s
        if "ExposureTime" not in self.memory:
            self._await_light(timeout_s, _LIGHT_FRAMES)
        frame = self._frame("main", timeout_s)
        for _ in range(_STILL_TRIES):
            left_s = until_s - self._clock.now_s()
            if left_s <= 0 or not exposure.disobeyed(self.memory, frame.metadata):
                break
            frame = self._frame("main", left_s)
        return frame

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """A small picture of the same moment and exposure. Raises as `capture` does."""
        return self._frame("lores", timeout_s)

    def lock_exposure(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Let exposure and white balance settle, then lock them; returns the controls that did not obey.

        An earlier lock is released first: it may be of another light.
        """
        if "ExposureTime" in self.memory:
            self.unlock_exposure()
            for _ in range(_OBEYING_FRAMES):
                self.preview(timeout_s)
            self._seen.clear()
        self._await_light(timeout_s, _SETTLING_FRAMES)
        return self._keep(exposure.locked(self._seen[-1], self._options.mains_hz), timeout_s)

    def unlock_exposure(self) -> None:
        """Give exposure and white balance back to the automatics."""
        for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
            self.memory.pop(name, None)
        self._ask({"AeEnable": True, "AwbEnable": True})

    @property
    def lens_range(self) -> tuple[float, float] | None:
        """The lens positions in dioptres that the module can take; None for one of fixed focus."""
        limits = self._camera.camera_controls.get("LensPosition")
        return None if limits is None else (float(limits[0]), float(limits[1]))

    def focus(self) -> Focus | None:
        """As `optics.focus.focused`."""
        return focused(self)

    def set_lens(self, dioptres: float, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Move the lens and keep it there, also over reopening; returns the controls that did not obey."""
        self._ask({"AfMode": 0, "LensPosition": dioptres})
        return self._warned(self._await_obedience(timeout_s))

    def close(self) -> None:
        """Give the camera back; may be called twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            camera.close()

    def _started(self, camera: PiDevice) -> PiDevice:
        """Configure and start a newly opened camera; give it back when that fails."""
        try:
            self._recall_lens(camera)
            camera.configure(self._configuration(camera))
            camera.start()
        except Exception:
            camera.close()
            raise
        return camera

    def _configuration(self, camera: PiDevice) -> PiDevice:
        """Still and preview in one. "RGB888" is libcamera's word for blue, green, red in memory."""
        options = self._options
        size_px = options.size_px or _half(camera.sensor_resolution)
        lores_px = _with_shape_of(size_px, PREVIEW_WIDTH_PX)
        controls = {"FrameDurationLimits": _FRAME_LIMITS_US} | exposure.against_flicker(options.mains_hz)
        kept = exposure.SWITCHES | exposure.VALUES  # these take two requests
        controls |= {name: value for name, value in self.memory.items() if name not in kept}
        return camera.create_still_configuration(
            main={"size": size_px, "format": "RGB888"},
            lores={"size": lores_px, "format": "YUV420"},
            buffer_count=BUFFERS,
            queue=False,
            controls={name: value for name, value in controls.items() if name in camera.camera_controls},
        )

    def _recall_lens(self, camera: PiDevice) -> None:
        """A module with autofocus does not focus by itself: give it the stored position, or the height's."""
        limits = camera.camera_controls.get("LensPosition")
        if limits is None or "LensPosition" in self.memory:
            return
        stored = self._options.lens_dioptres
        wanted = 1000 / HEIGHT_MM if stored is None else stored
        within = min(max(wanted, float(limits[0])), float(limits[1]))
        self.memory |= {"AfMode": 0, "LensPosition": within}

    def _frame(self, stream: str, timeout_s: float) -> Frame:
        image, metadata = grabbed(self._camera, stream, timeout_s)
        flat = exposure.flattened(metadata)
        self._seen.append(flat)
        return Frame(image, self._clock.now_s(), flat)

    def _ask(self, controls: Mapping[str, object]) -> None:
        """Set the controls this camera has, and remember them."""
        known = {name: value for name, value in controls.items() if name in self._camera.camera_controls}
        self.memory |= known
        if known:
            self._camera.set_controls(known)

    def _keep(self, controls: Mapping[str, object], timeout_s: float) -> tuple[str, ...]:
        """Switch the automatics off, then set the values; returns the controls that did not obey.

        A value that comes with the switch itself is ignored: at that moment the automatics still run.
        Source: libcamera, control_ids_core.yaml, ExposureTimeMode.
        """
        switches = {name: value for name, value in controls.items() if name in exposure.SWITCHES}
        values = {name: value for name, value in controls.items() if name not in exposure.SWITCHES}
        self._ask(switches)
        for _ in range(_SWITCHING_FRAMES):
            if exposure.by_hand(self.preview(timeout_s).metadata):
                break
        self._ask(values)
        if wrong := self._await_obedience(timeout_s, _KEPT_FRAMES):
            self._ask(values)
            wrong = self._await_obedience(timeout_s, _KEPT_FRAMES)
        return self._warned(wrong)

    def _await_obedience(self, timeout_s: float, in_a_row: int = 1) -> tuple[str, ...]:
        """Look at frames until the metadata of the last ones show what was asked, a few at most."""
        wrong: tuple[str, ...] = ()
        obeyed = 0
        for _ in range(_OBEYING_FRAMES):
            wrong = exposure.disobeyed(self.memory, self.preview(timeout_s).metadata)
            obeyed = 0 if wrong else obeyed + 1
            if obeyed == in_a_row:
                return ()
        return wrong

    def _warned(self, wrong: tuple[str, ...]) -> tuple[str, ...]:
        if wrong:
            _log.warning("%s does not obey: %s", self.name, ", ".join(wrong))
        return wrong

    def _await_light(self, timeout_s: float, frames: int) -> None:
        """Look at so many frames at most until exposure and colours have settled; the last ones count."""
        until_s = self._clock.now_s() + timeout_s
        for _ in range(frames):
            if exposure.settled(list(self._seen)):
                return
            self.preview(max(0.1, until_s - self._clock.now_s()))


def _half(size_px: tuple[int, int]) -> tuple[int, int]:
    """Half of a sensor's size, in even numbers."""
    return (size_px[0] // 4 * 2, size_px[1] // 4 * 2)


def _with_shape_of(size_px: tuple[int, int], width_px: int) -> tuple[int, int]:
    """A size of that width with the proportions of `size_px`, in even numbers."""
    return (width_px, round(width_px * size_px[1] / size_px[0] / 2) * 2)


def open_pi(options: CameraOptions, memory: Memory | None = None) -> PiCamera:
    """The Pi's camera, started, on the system's clock. Raises as `PiCamera` does."""
    return PiCamera(SystemClock(), options, memory)


def grabbed(camera: PiDevice, stream: str, timeout_s: float) -> tuple[Image, PiDevice]:
    """Picture (height, width, 3) and metadata of one stream of the next frame; its buffers are given back.

    Raises CameraSilent when no frame comes within `timeout_s`.
    """
    job = camera.capture_request(wait=False)
    try:
        request = camera.wait(job, timeout=timeout_s)
    except TimeoutError:
        if hasattr(camera, "cancel_all_and_flush"):
            camera.cancel_all_and_flush()
        raise CameraSilent(f"The camera gave no picture within {timeout_s:g} seconds.") from None
    try:
        what = camera.camera_configuration()[stream]
        with camera.mapped(request, stream) as mapped:
            width, height = what["size"]
            image = np.empty((height, width, 3), np.uint8)
            write_bgr(image, mapped.array, what["format"])
        return image, request.get_metadata()
    finally:
        request.release()


PiDevice: TypeAlias = Any
"""A camera of picamera2, its configuration or its pictures: it has no types."""

OpenPi = Callable[[int], PiDevice]


def open_picamera(number: int) -> PiDevice:
    """picamera2's camera of that number. Importing it opens devices, so it happens only here."""
    Picamera2 = library()  # noqa: N806 (a class)
    there = csi_cameras(Picamera2.global_camera_info())
    if number >= there:
        raise CameraMissing(f"There is no Pi camera number {number}; {there} found.")
    return mapping(Picamera2)(number)


def csi_cameras(known: Sequence[Mapping[str, object]]) -> int:
    """How many of the cameras libcamera knows are the Pi's own: it lists USB ones too, behind them."""
    return sum("/usb" not in str(camera.get("Id", "")) for camera in known)


def cameras_there() -> int:
    """How many cameras of its own the Pi has now. Raises CameraSoftwareMissing and what picamera2 raises."""
    try:
        return csi_cameras(library().global_camera_info())
    except ImportError as error:
        raise explained(error, "The Pi camera") from error


def library() -> PiDevice:
    """picamera2's class. What libcamera writes is kept for people, so without colours for a terminal."""
    os.environ.setdefault("LIBCAMERA_LOG_NO_COLOR", "1")
    from picamera2 import Picamera2

    return Picamera2


def mapping(camera_class: PiDevice) -> PiDevice:
    """picamera2's class, whose `mapped(request, stream)` has a picture where the camera wrote it: `array`."""
    from picamera2 import MappedArray

    return type("MappingPicamera2", (camera_class,), {"mapped": MappedArray})
