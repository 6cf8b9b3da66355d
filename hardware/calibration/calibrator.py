"""The calibration of a camera at its table, kept in one file: focus, dice size, light, the empty table.

A `Calibrator` does one step at a time and returns advice by keys. Terminal and page use the same steps.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hardware.calibration.advice import Advice, on_focus, on_height, on_keeping, on_light, on_tilt, tilt
from hardware.cameras.pi import PiOptions
from hardware.optics.focus import luma, quality
from hardware.optics.pixels import Image, shrunk

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera

FILE = "calibration.json"
USB = "USB camera"
"""Begins the names of cameras whose lens positions are in units of their driver."""
EMPTY_WIDTH_PX = 320

_RENAMED = {"leaning_deg": "tilt_deg", "lens_dioptres": "lens_position"}
"""Keys of files written by earlier versions."""

Grey = NDArray[np.uint8]
DiceIn = Callable[[Image], Sequence[tuple[float, float, float]]]
"""Finds the dice of a picture: (x, y, width of the top face) in pixels."""


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """The table without dice: a small grey picture, compressed (zlib) and as text (base64)."""

    width_px: int
    height_px: int
    packed: str

    def grey(self) -> Grey:
        """The picture, (height, width), uint8. Raises ValueError when the text is damaged."""
        try:
            raw = zlib.decompress(base64.b64decode(self.packed))
        except (ValueError, zlib.error) as error:
            raise ValueError("the picture of the empty table is damaged") from error
        return np.frombuffer(raw, dtype=np.uint8).reshape(self.height_px, self.width_px)


def packed(image: Image) -> EmptyTable:
    """A picture of the empty table, made small and grey."""
    grey = np.rint(luma(shrunk(image, EMPTY_WIDTH_PX))).astype(np.uint8)
    text = base64.b64encode(zlib.compress(grey.tobytes(), 9)).decode("ascii")
    return EmptyTable(grey.shape[1], grey.shape[0], text)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of a calibration. None: the camera has no motor, no dice were read, or the step was not
    done.

    `lens_position` is in the units of the camera's lens, see `optics/focus.py`.
    `die_px` is the width of a die's top face in a still `still_px` wide, `tilt_deg` the angle off vertical.
    """

    camera: str
    sharpness: float
    brightness: float
    lens_position: float | None = None
    die_px: float | None = None
    tilt_deg: float | None = None
    empty: EmptyTable | None = None
    still_px: int | None = None

    def die_in(self, width_px: int) -> float | None:
        """The width in pixels of a die in a picture of that width, None where no dice were measured."""
        if self.die_px is None or not self.still_px:
            return None
        return self.die_px * width_px / self.still_px


class Calibrator:
    """Leads through the calibration of one camera; `found` is what is known so far.

    `dice_in` finds the dice in a picture. Every step raises the camera's errors, and then `found` stays.
    """

    def __init__(self, camera: BoxCamera, dice_in: DiceIn, known: Calibration | None = None) -> None:
        self._camera, self._dice_in = camera, dice_in
        same = known is not None and known.camera == camera.name
        self.found = known if same and known is not None else Calibration(camera.name, 0.0, 0.0)

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
            sharpness=light.sharpness,
            brightness=light.brightness,
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


def written(calibration: Calibration) -> bytes:
    """The content of the file with a calibration."""
    return json.dumps(asdict(calibration), indent=2).encode()


def parsed(content: bytes) -> Calibration:
    """The calibration in the file's content: unknown keys of a newer version are ignored, old ones renamed.

    Raises ValueError and whatever else damage brings about.
    """
    data = {_RENAMED.get(name, name): value for name, value in json.loads(content).items()}
    known = {field.name for field in fields(Calibration)}
    values = {name: value for name, value in data.items() if name in known}
    for name in known - {"camera", "empty"}:
        if not isinstance(values.get(name), float | int | None):
            raise ValueError(f"{name} is no number")
    if values.get("empty") is not None:
        values["empty"] = EmptyTable(**values["empty"])
        values["empty"].grey()
    return Calibration(**values)


def pi_options(calibration: Calibration | None, number: int = 0, mains_hz: float | None = 50.0) -> PiOptions:
    """How to use the Pi's camera, with the stored lens position where there is one."""
    lens = calibration.lens_position if calibration is not None else None
    usb = calibration is not None and calibration.camera.startswith(USB)
    dioptres, usb_lens = (None, lens) if usb else (lens, None)
    return PiOptions(number=number, mains_hz=mains_hz, lens_dioptres=dioptres, usb_lens=usb_lens)
