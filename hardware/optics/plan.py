"""How high the camera must be: field of view and pixels per die for a camera, a height and a die. Pure.

Fields of view and nearest distances are those of the Raspberry Pi documentation, "Camera hardware"; the width
in pixels is that of the stills the box takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, degrees, hypot, radians, tan

LOW_PX, GOOD_PX, HIGH_PX = 30, 60, 120
"""Width of a die in a still: the least, good with room for moving the box, and the most. Of dice 30 px
wide in stills of 2304 px a calibrated box is certain of 97 in a hundred, of those of 24 px of 84."""
STEEPEST_DEG = 35.0


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera with its lens: field of view in degrees, stills' size in pixels, nearest sharp distance in mm.

    `focus` is its kind of focus, in words.
    """

    key: str
    name: str
    width_deg: float
    height_deg: float
    width_px: int
    height_px: int
    nearest_mm: float
    focus: str


LENSES = (
    Lens("module3", "Camera Module 3", 66.0, 41.0, 2304, 1296, 100, "motor; found by the box"),
    Lens("module3-wide", "Camera Module 3 Wide", 102.0, 67.0, 2304, 1296, 50, "motor; found by the box"),
    Lens("module2", "Camera Module 2", 62.2, 48.8, 1640, 1232, 100, "fixed; turn the lens with its tool"),
    Lens("hq-6mm", "HQ Camera with the 6 mm lens", 55.0, 43.0, 2028, 1520, 200, "by the ring of the lens"),
    Lens(
        "module1", "Camera Module 1", 53.5, 41.4, 1296, 972, 1000, "fixed at a metre and more; blurred below"
    ),
    Lens("usb", "USB camera, 1080p, 70°", 64.0, 39.0, 1920, 1080, 150, "depends on the camera"),
)


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """A camera's view of the table from a height: all lengths in mm, measured from the lens to the table.

    `usable_mm` is the diameter of the circle in which dice are seen no more than 35 degrees from above.
    `problems` are the reasons against this height, in words.
    """

    lens: Lens
    height_mm: float
    width_mm: float
    depth_mm: float
    die_px: float
    usable_mm: float
    corner_deg: float
    problems: tuple[str, ...]


def view(lens: Lens, height_mm: float, die_mm: float = 16.0) -> FieldOfView:
    """The view of `lens` from `height_mm`; dice of `die_mm` have their tops that much nearer to the
    camera."""
    width_mm, depth_mm = _span(height_mm, lens.width_deg), _span(height_mm, lens.height_deg)
    top_mm = max(1.0, height_mm - die_mm)
    die_px = die_mm * lens.width_px / _span(top_mm, lens.width_deg)
    corner_deg = degrees(atan(hypot(width_mm, depth_mm) / 2 / height_mm))
    usable_mm = min(2 * height_mm * tan(radians(STEEPEST_DEG)), hypot(width_mm, depth_mm))
    problems = _problems(lens, height_mm, die_px)
    return FieldOfView(lens, height_mm, width_mm, depth_mm, die_px, usable_mm, corner_deg, problems)


def height_for(lens: Lens, die_px: float, die_mm: float = 16.0) -> float:
    """The height in mm, from the lens to the table, at which a die's top face is `die_px` wide."""
    return die_mm + die_mm * lens.width_px / (die_px * 2 * tan(radians(lens.width_deg / 2)))


def heights(lens: Lens, die_mm: float = 16.0) -> tuple[float, float]:
    """Lowest and highest working height in mm: dice are 120 and 30 pixels wide, and the lens is sharp."""
    return max(height_for(lens, HIGH_PX, die_mm), lens.nearest_mm), height_for(lens, LOW_PX, die_mm)


def _span(distance_mm: float, angle_deg: float) -> float:
    return 2 * distance_mm * tan(radians(angle_deg / 2))


def _problems(lens: Lens, height_mm: float, die_px: float) -> tuple[str, ...]:
    said = []
    if height_mm < lens.nearest_mm:
        said.append(f"too near: this lens is sharp from {lens.nearest_mm:.0f} mm")
    if die_px < LOW_PX:
        said.append(f"too high: dice should be {LOW_PX} pixels wide or more")
    if die_px > HIGH_PX:
        said.append("lower than needed: little of the table is seen")
    return tuple(said)


def plan_text(die_mm: float = 16.0, height_mm: float | None = None, keys: tuple[str, ...] = ()) -> str:
    """The plan for people: every lens's working heights, and what it sees from `height_mm` or a good one."""
    lines = [f"Dice of {die_mm:g} mm. Heights are from the lens to the table.", ""]
    for lens in LENSES:
        if not keys or lens.key in keys:
            lines += _lens_lines(lens, die_mm, height_mm)
    return "\n".join(lines).rstrip()


def _lens_lines(lens: Lens, die_mm: float, height_mm: float | None) -> list[str]:
    low_mm, high_mm = heights(lens, die_mm)
    lines = [f"{lens.name} ({lens.key}) - focus: {lens.focus}"]
    if low_mm > high_mm:
        return [*lines, f"  unfit: sharp only from {lens.nearest_mm:.0f} mm, where dice are too small", ""]
    seen = view(lens, height_mm or max(low_mm, height_for(lens, GOOD_PX, die_mm)), die_mm)
    lines.append(f"  works from {low_mm:.0f} to {high_mm:.0f} mm")
    lines.append(
        f"  from {seen.height_mm:.0f} mm: sees {seen.width_mm:.0f} x {seen.depth_mm:.0f} mm, "
        f"dice {seen.die_px:.0f} pixels, read well within a circle of {seen.usable_mm:.0f} mm"
    )
    return [*lines, *(f"  {problem}" for problem in seen.problems), ""]
