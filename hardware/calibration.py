"""What was found out about this camera at this table, kept in one file: focus, size of the dice, light."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.cameras.pi import PiOptions
from hardware.focus import Focus
from hardware.measure import advice, quality
from hardware.pixels import Image
from hardware.plan import HIGH_PX, LOW_PX

if TYPE_CHECKING:
    from hardware.cameras.choose import BoxCamera

_log = logging.getLogger(__name__)
FILE = "calibration.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    """`lens_dioptres` and `die_px` are None where the camera has no motor or no die was seen."""

    camera: str
    sharpness: float
    brightness: float
    lens_dioptres: float | None = None
    die_px: float | None = None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration and what a person should change, most important first."""

    calibration: Calibration
    advice: tuple[str, ...]


def calibrate(camera: BoxCamera, die_size_px: Callable[[Image], float | None]) -> Calibrated:
    """Let the light settle, focus, and measure a picture; `die_size_px` finds how wide dice are in it.

    Raises the camera's errors.
    """
    camera.freeze()
    focus = camera.focus()
    image = camera.capture().image_bgr
    found = quality(image)
    die_px = die_size_px(image)
    lens = focus.dioptres if focus is not None else None
    calibration = Calibration(camera.name, found.sharpness, found.brightness, lens, die_px)
    return Calibrated(calibration, (*_size_advice(die_px), *_focus_advice(focus), *advice(found)))


def _size_advice(die_px: float | None) -> tuple[str, ...]:
    if die_px is None:
        return ("No dice were seen: put a few under the camera and calibrate again.",)
    if die_px < LOW_PX:
        return (f"Dice are {die_px:.0f} pixels wide, {LOW_PX} are needed: bring the camera nearer.",)
    if die_px > HIGH_PX:
        return (
            f"Dice are {die_px:.0f} pixels wide, {HIGH_PX} are enough: raise the camera to see more table.",
        )
    return ()


def _focus_advice(focus: Focus | None) -> tuple[str, ...]:
    if focus is None:
        return ()
    if not focus.clear:
        return ("The focus found nothing to hold on to: put dice or print in the middle, with light.",)
    return (
        () if focus.inside else ("The sharpest place lies at the end of the lens's way: raise the camera.",)
    )


def save(path: Path, calibration: Calibration) -> None:
    """Write the file so that a power cut leaves the old one or the new one. Raises OSError."""
    fresh = path.with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(asdict(calibration), file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def load(path: Path) -> Calibration | None:
    """The calibration in the file; None without one, and with a word in the log for a damaged one."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {field.name for field in fields(Calibration)}
        return Calibration(**{name: value for name, value in data.items() if name in known})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        _log.warning("the calibration in %s can't be used (%s); run dudo calibrate again", path, error)
        return None


def pi_options(calibration: Calibration | None, number: int = 0, mains_hz: float | None = 50.0) -> PiOptions:
    """How to use the Pi's camera, with the stored lens position where there is one."""
    lens = calibration.lens_dioptres if calibration is not None else None
    return PiOptions(number=number, mains_hz=mains_hz, lens_dioptres=lens)
