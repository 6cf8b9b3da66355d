"""How a camera is to be used, as whoever opens it says: no camera is imported for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """How the camera is used. `size_px` is (width, height).

    Without it a still has half the sensor's width and height: on every Pi camera that is the mode that
    sees the whole field, and three such buffers fit a board of 512 MB.
    `lens_dioptres` is the stored lens position of an autofocus module; None takes the one for HEIGHT_MM.
    `usb_lens` is that of a USB camera, in its driver's units; None leaves it as it is.
    `mains_hz` is the frequency of lamps on mains, None where none shines.
    """

    number: int = 0
    size_px: tuple[int, int] | None = None
    mains_hz: float | None = 50.0
    lens_dioptres: float | None = None
    usb_lens: float | None = None
