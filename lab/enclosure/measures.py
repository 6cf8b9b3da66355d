"""Measures of the bought parts, and the parameters of the enclosure. Lengths in mm, angles in degrees.

Boards and cameras are those of Raspberry Pi's mechanical drawings; buttons, rings and lamps are as they are
commonly sold. Parts of other makers differ by some tenths, so every hole has a clearance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lab.enclosure.plan import LENSES, Lens, heights, view


@dataclass(frozen=True, slots=True)
class CameraBoard:
    """A camera's board as seen from the table, with the lens axis at (0, 0).

    `holes` are the centres of the screw holes, `hole` their diameter. `left`, `right`, `front` and `back` are
    the distances of the board's edges from the axis. `length` is from the board's face to the front of the
    lens, `mount` the diameter that must pass through the floor. The entrance pupil lies `pupil` behind the
    front.
    """

    lens: Lens
    holes: tuple[tuple[float, float], ...]
    hole: float
    left: float
    right: float
    front: float
    back: float
    length: float
    mount: float
    pupil: float


@dataclass(frozen=True, slots=True)
class PushButton:
    """An arcade button: diameters of its thread and of its rim, and its depth below the panel with plugs."""

    thread: float
    rim: float
    depth: float


@dataclass(frozen=True, slots=True)
class LightRing:
    """A ring of LEDs with its wires: outer and inner diameter, thickness."""

    outer: float = 80.0
    inner: float = 60.0
    thickness: float = 5.0


@dataclass(frozen=True, slots=True)
class PiBoard:
    """A Raspberry Pi of the large form (3B+, 4, 5); holes as distances from the corner at the card's slot."""

    length: float = 85.0
    width: float = 56.0
    hole: float = 2.7
    holes: tuple[tuple[float, float], ...] = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
    height: float = 18.0
    sockets_out: float = 3.0
    power_at: float = 11.2


def _small_board(key: str, length: float, mount: float) -> CameraBoard:
    """Camera Module 2 or 3: the lens lies on the line between two of the four holes."""
    holes = ((-10.5, 0.0), (10.5, 0.0), (-10.5, 12.5), (10.5, 12.5))
    return CameraBoard(_lens(key), holes, 2.2, 12.5, 12.5, 9.5, 14.5, length, mount, pupil=2.5)


def _lens(key: str) -> Lens:
    return next(lens for lens in LENSES if lens.key == key)


def _hq_board() -> CameraBoard:
    holes = ((-15.0, -15.0), (15.0, -15.0), (-15.0, 15.0), (15.0, 15.0))
    return CameraBoard(_lens("hq-6mm"), holes, 2.5, 19.0, 19.0, 19.0, 19.0, 46.0, 37.0, pupil=12.0)


CAMERAS = {
    "module3": _small_board("module3", 7.5, 12.0),
    "module3-wide": _small_board("module3-wide", 8.4, 12.0),
    "module2": _small_board("module2", 6.0, 10.0),
    "hq-6mm": _hq_board(),
}
LONGEST_POST = 8.0
POLE = 25.0
"""From the picture's border to the middle of an arm's pole."""
RIBBONS = (200.0, 300.0, 500.0, 1000.0)
"""Lengths that are sold."""
BUTTONS = {30: PushButton(30.0, 35.0, 36.0), 24: PushButton(24.0, 28.5, 30.0)}


@dataclass(frozen=True, slots=True)
class Enclosure:
    """All that a maker may change. The case is `width` by `depth` outside and `inside` high within.

    `height` is the working height: from the front of the lens to the table. The view is kept free by
    `spare_deg` more on each side, because no camera sits quite straight. `panel` is the thickness of the
    box's walls of plywood or foam board, `bed` the side of the printer's bed, `thinnest` the thinnest wall
    that a printer makes well.
    """

    camera: CameraBoard = CAMERAS["module3"]
    button: PushButton = BUTTONS[30]
    ring: LightRing = LightRing()
    pi: PiBoard = PiBoard()
    height: float = 490.0
    width: float = 200.0
    depth: float = 160.0
    inside: float = 45.0
    head: float = 96.0
    head_inside: float = 24.0
    floor: float = 3.0
    wall: float = 2.4
    thinnest: float = 1.2
    clearance: float = 0.3
    panel: float = 3.0
    spare_deg: float = 2.0
    bed: float = 210.0
    seats: int = 6

    @property
    def standoff(self) -> float:
        """Height of the camera's posts above the floor: a short lens ends level with its underside."""
        return min(max(4.0, self.camera.length - self.floor), LONGEST_POST)

    @property
    def lens_below(self) -> float:
        """How far the front of the lens stands below the underside of the floor; 0 when level with it."""
        return max(0.0, self.camera.length - self.floor - self.standoff)

    @property
    def wall_height(self) -> float:
        """From the underside of the floor to the table."""
        return self.height + self.lens_below

    @property
    def reach(self) -> float:
        """How far behind the lens the pole of an arm stands: just out of the picture."""
        return view(self.camera.lens, self.height).depth_mm / 2 + POLE

    @property
    def ribbon(self) -> float:
        """The way of a ribbon along the arm: out of the head, to the pole, and down to the Pi."""
        return self.head / 2 + self.reach + self.height + self.depth / 2


def arm(enclosure: Enclosure) -> str:
    """What an arm needs, in a sentence."""
    reach, way = enclosure.reach / 10, enclosure.ribbon / 10
    lengths = [length / 10 for length in RIBBONS if length >= enclosure.ribbon]
    buy = f"a ribbon of {lengths[0]:.0f} cm" if lengths else "the Pi on the arm, for no ribbon is so long"
    return f"An arm reaches {reach:.0f} cm; its ribbon goes {way:.0f} cm along it: {buy}."


def with_camera(enclosure: Enclosure, key: str) -> Enclosure:
    """The same enclosure for another camera; a long lens stands below the floor, on short posts."""
    return replace(enclosure, camera=CAMERAS[key])


def problems(enclosure: Enclosure) -> tuple[str, ...]:
    """Every reason why these measures can't be built, one sentence each; empty when they can."""
    return (*_optical(enclosure), *_printed(enclosure), *_fitting(enclosure))


def _optical(enclosure: Enclosure) -> list[str]:
    low, high = heights(enclosure.camera.lens)
    if low <= enclosure.height <= high:
        return []
    name, height = enclosure.camera.lens.name, enclosure.height
    return [f"{name} works from {low:.0f} to {high:.0f} mm, not at {height:.0f} mm."]


def _printed(enclosure: Enclosure) -> list[str]:
    found = []
    thin = min(enclosure.wall, enclosure.floor)
    if thin < enclosure.thinnest:
        found.append(f"A wall of {thin:g} mm is thinner than {enclosure.thinnest:g} mm and breaks.")
    if max(enclosure.width, enclosure.depth, enclosure.head) > enclosure.bed:
        found.append(f"The case is larger than the printer's bed of {enclosure.bed:g} mm.")
    return found


def _fitting(enclosure: Enclosure) -> list[str]:
    found = []
    if enclosure.button.depth > enclosure.inside:
        found.append(f"Buttons are {enclosure.button.depth:g} mm deep, the case is {enclosure.inside:g} mm.")
    if enclosure.width < 2 * enclosure.pi.length + 25 or enclosure.depth < 2 * enclosure.pi.width + 44:
        found.append("The Pi does not fit beside the camera: make the case wider or deeper.")
    if enclosure.ring.outer + 14 > enclosure.head:
        found.append(
            f"A ring of {enclosure.ring.outer:g} mm needs a head of {enclosure.ring.outer + 14:g} mm."
        )
    if enclosure.camera.mount + 10 > enclosure.ring.inner:
        found.append(f"The lens of {enclosure.camera.mount:g} mm does not fit into the ring.")
    if not 0 < enclosure.seats <= 8:
        found.append("The cover has room for 1 to 8 seat lamps.")
    return found
