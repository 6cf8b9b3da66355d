"""Leads through the calibration of a camera at its table: focus, dice size, light, the empty table.

A `Calibrator` does one step at a time and returns advice by keys. Terminal and page use the same steps.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from hardware.calibration.advice import Advice, on_focus, on_height, on_keeping, on_light, on_tilt, tilt
from hardware.calibration.calibration import Calibration, EmptyTable
from hardware.optics.focus import luma, quality
from hardware.optics.pixels import Image, shrunk
from hardware.ports import Camera

EMPTY_WIDTH_PX = 320

DiceIn = Callable[[Image], Sequence[tuple[float, float, float]]]
"""Finds the dice of a picture: (x, y, width of the top face) in pixels."""


def packed(image: Image) -> EmptyTable:
    """A picture of the empty table, made small and grey."""
    grey = np.rint(luma(shrunk(image, EMPTY_WIDTH_PX))).astype(np.uint8)
    text = base64.b64encode(zlib.compress(grey.tobytes(), 9)).decode("ascii")
    return EmptyTable(grey.shape[1], grey.shape[0], text)


class Calibrator:
    """Leads through the calibration of one camera; `found` is what is known so far.

    `dice_in` finds the dice in a picture. Every step raises the camera's errors, and then `found` stays.
    """

    def __init__(self, camera: Camera, dice_in: DiceIn, known: Calibration | None = None) -> None:
        self._camera, self._dice_in = camera, dice_in
        same = known is not None and known.camera == camera.name
        self.found = known if same and known is not None else Calibration(camera.name)

    def focus(self) -> tuple[Advice, ...]:
        """Move the lens to where the middle of the picture is sharpest, if it has a motor."""
        self._camera.lock_exposure()
        try:
            focus = self._camera.focus()
        finally:
            self._camera.unlock_exposure()
        lens = None if focus is None else focus.position
        self.found = replace(self.found, lens_position=lens)
        return on_focus(focus)

    def dice(self) -> tuple[Advice, ...]:
        """Measure dice and light in one picture."""
        image, refused = self._settled_still()
        light, dice = quality(image), self._dice_in(image)
        die_px = median(size for _, _, size in dice) if dice else None
        tilted = tilt(dice, image.shape[1])
        self.found = replace(
            self.found,
            die_px=die_px,
            still_px=image.shape[1],
            tilt_deg=None if tilted is None else tilted.degrees,
        )
        return (*on_height(die_px), *on_tilt(tilted), *on_light(light), *on_keeping(refused))

    def empty(self) -> tuple[Advice, ...]:
        """Remember the empty table, unless dice lie on it."""
        image, _ = self._settled_still()
        if number := len(self._dice_in(image)):
            return (Advice("not_empty", (("n", number),)),)
        self.found = replace(self.found, empty=packed(image))
        return ()

    def _settled_still(self) -> tuple[Image, tuple[str, ...]]:
        """A picture with locked exposure, and the controls that the camera did not lock."""
        refused = self._camera.lock_exposure()
        try:
            return self._camera.capture().image_bgr, refused
        finally:
            self._camera.unlock_exposure()
