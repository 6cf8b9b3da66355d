"""How high the camera must be: field of view and pixels per die for a camera, a height and a die. Pure.

Fields of view and nearest distances are those of the Raspberry Pi documentation, "Camera hardware"; the width
in pixels is that of the stills the box takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan

from hardware.calibration.advice import HIGH_PX, LOW_PX


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera with its lens: view in degrees, size of stills in pixels, nearest sharp distance in mm."""

    key: str
    name: str
    width_deg: float
    height_deg: float
    width_px: int
    height_px: int
    nearest_mm: float


LENSES = (
    Lens("module3", "Camera Module 3", 66.0, 41.0, 2304, 1296, 100),
    Lens("module3-wide", "Camera Module 3 Wide", 102.0, 67.0, 2304, 1296, 50),
    Lens("module2", "Camera Module 2", 62.2, 48.8, 1640, 1232, 100),
    Lens("hq-6mm", "HQ Camera with the 6 mm lens", 55.0, 43.0, 2028, 1520, 200),
    Lens("module1", "Camera Module 1", 53.5, 41.4, 1296, 972, 1000),
    Lens("usb", "USB camera, 1080p, 70°", 64.0, 39.0, 1920, 1080, 150),
)


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """A camera's view of the table from a height: all lengths in mm, measured from the lens to the table."""

    height_mm: float
    width_mm: float
    depth_mm: float
    die_px: float


def view(lens: Lens, height_mm: float, die_mm: float = 16.0) -> FieldOfView:
    """The view of `lens` from `height_mm`; dice of `die_mm` have their tops that much nearer to the
    camera."""
    width_mm, depth_mm = _span(height_mm, lens.width_deg), _span(height_mm, lens.height_deg)
    die_px = die_mm * lens.width_px / _span(max(1.0, height_mm - die_mm), lens.width_deg)
    return FieldOfView(height_mm, width_mm, depth_mm, die_px)


def height_for(lens: Lens, die_px: float, die_mm: float = 16.0) -> float:
    """The height in mm, from the lens to the table, at which a die's top face is `die_px` wide."""
    return die_mm + die_mm * lens.width_px / (die_px * 2 * tan(radians(lens.width_deg / 2)))


def heights(lens: Lens, die_mm: float = 16.0) -> tuple[float, float]:
    """Lowest and highest working height in mm: dice are 120 and 30 pixels wide, and the lens is sharp."""
    return max(height_for(lens, HIGH_PX, die_mm), lens.nearest_mm), height_for(lens, LOW_PX, die_mm)


def _span(distance_mm: float, angle_deg: float) -> float:
    return 2 * distance_mm * tan(radians(angle_deg / 2))
