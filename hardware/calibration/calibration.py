"""The calibration of a camera, as it is kept in one file; it is read at every start."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict, dataclass, fields

from hardware.cameras.options import CameraOptions

FILE = "calibration.json"
USB = "USB camera"
"""Begins the names of cameras whose lens positions are in units of their driver."""

_RENAMED = {"leaning_deg": "tilt_deg", "lens_dioptres": "lens_position"}
"""Keys of files written by earlier versions."""


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """The table without dice: a small grey picture, compressed (zlib) and as text (base64)."""

    width_px: int
    height_px: int
    packed: str

    def grey(self) -> memoryview:
        """The picture, (height, width) of bytes. Raises ValueError or TypeError when it is damaged."""
        try:
            raw = zlib.decompress(base64.b64decode(self.packed))
        except (ValueError, zlib.error) as error:
            raise ValueError("the picture of the empty table is damaged") from error
        return memoryview(raw).cast("B", (self.height_px, self.width_px))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of a calibration. None: the camera has no motor, no dice were read, or the step was not
    done.

    `lens_position` is in the units of the camera's lens, see `optics/focus.py`.
    `die_px` is the width of a die's top face in a still `still_px` wide, `tilt_deg` the angle off vertical.
    """

    camera: str
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


def camera_options(calibration: Calibration | None, mains_hz: float | None = 50.0) -> CameraOptions:
    """How to use the camera, with the stored lens position where there is one."""
    lens = calibration.lens_position if calibration is not None else None
    usb = calibration is not None and calibration.camera.startswith(USB)
    dioptres, usb_lens = (None, lens) if usb else (lens, None)
    return CameraOptions(mains_hz=mains_hz, lens_dioptres=dioptres, usb_lens=usb_lens)
