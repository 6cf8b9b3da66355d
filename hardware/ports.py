"""The ports of the box: what the companion asks of a camera, of buttons, lamps and sound.

Real and simulated sides stand in this folder and pass the same contract tests. The clock belongs to the
ports, so that a simulated side brings its own time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.errors import HardwareError

SENSOR_TIME = "SensorTimestamp"
"""Of a picture's metadata: when light fell on the sensor, in nanoseconds of a clock of its own."""


PREVIEW_WIDTH_PX = 640


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image_bgr` of shape (height, width, 3), dtype uint8, order blue, green, red.

    `taken_s` is the port's clock when the picture was taken; `metadata` is what the camera said of it
    (its sensor's time, exposure in microseconds, gains, lens position), as far as it says anything.
    """

    image_bgr: NDArray[np.uint8]
    taken_s: float
    metadata: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Focus:
    """The best lens position, and whether it lies inside the lens's range.

    `clear` is false when the sharpness hardly changes over the sweep: there was nothing to focus on.
    """

    position: float
    inside: bool
    clear: bool


class Clock(Protocol):
    """Monotonic seconds."""

    def now_s(self) -> float: ...


class Camera(Protocol):
    """The box's camera, which looks down at the table; it recovers by itself after any error.

    `why` is the reason for the choice of it; `fault` the present fault, None when all is well.
    """

    name: str
    why: str
    fault: HardwareError | None

    def capture(self, timeout_s: float = 5.0) -> Frame:
        """A still of full quality. Raises CameraSilent after `timeout_s`, CameraMissing, CameraBusy."""

    def preview(self, timeout_s: float = 1.0) -> Frame:
        """A small, quick picture for settling and the live view. Raises as `capture` does."""

    def lock_exposure(self) -> tuple[str, ...]:
        """Let exposure and white balance settle, then lock them. Raises as `capture`.

        Returns the names of the controls that are not locked.
        """

    def unlock_exposure(self) -> None:
        """Give exposure and white balance back to the automatics. Raises as `capture`."""

    def can_focus(self) -> bool:
        """Whether the camera, as far as it is open, has a lens that moves."""

    def focus(self) -> Focus | None:
        """Find the sharpest lens position and stay there; None without autofocus. Raises as `capture`."""

    def check(self) -> HardwareError | None:
        """The present fault. A camera that is not open or fails is tried, after a pause."""

    def stop(self) -> None:
        """Refuse every call until `close`, and end one in progress."""

    def close(self) -> None:
        """Give the camera back; may be called twice. A later call opens it again."""


TOGETHER = "together"
"""The name of a press that is no button's own: OK and another button, held together for seconds."""

SWITCH_OFF = "switch off"
"""The same two held on for ten seconds."""


@dataclass(frozen=True, slots=True)
class Press:
    """A finished press of the button named `button` ("dudo", "calza", "ok" or "seat1" ... "seat12"), or of
    two buttons at once (TOGETHER)."""

    button: str
    held: bool
    at_s: float


class BoxState(StrEnum):
    """The one word the lamps, the page and the log all say."""

    IDLE = "idle"
    BIDDING = "bidding"
    LOOKING = "looking"
    QUESTION = "question"
    STANDS = "stands"
    FAILS = "fails"
    OVER = "over"
    FAULT = "fault"


class SeatLamp(StrEnum):
    """The state of one seat's lamp."""

    OFF = "off"
    IN = "in"
    STARTS = "starts"
    LOSES = "loses"
    GAINS = "gains"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class LampView:
    """Everything the lamps show at one moment; seats in order of the table.

    `fault` is the reason key of what is wrong while `state` is FAULT. `open_dice` says whether dice are to be
    looked at: a question while people bid needs no light.
    """

    state: BoxState
    seats: tuple[SeatLamp, ...] = ()
    fault: str = ""
    open_dice: bool = True

    @property
    def lights_dice(self) -> bool:
        """Whether the light ring is lit for the camera."""
        return self.open_dice and self.state in (BoxState.LOOKING, BoxState.QUESTION)
