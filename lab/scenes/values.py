"""The frozen values of a scene: what lies where, under which light, before which camera.

World: millimetres, the table is the plane z = 0, z points up. Colours of things are sRGB in [0, 1], order
red, green, blue; powers of lights are linear. Nothing here draws; a scene is data and can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vec = tuple[float, float, float]
Turn = tuple[Vec, Vec, Vec]  # rows of a rotation matrix, from the thing's own axes to the world's
Point = tuple[float, float]
FloatArray = NDArray[np.floating[Any]]


class SceneError(ValueError):
    """A scene that cannot be made or drawn; the text is one sentence with the mend."""


@dataclass(frozen=True, slots=True)
class Make:
    """One make of dice. Lengths without a unit are fractions of half the side.

    `corner` is the radius of the edges, `ball` the radius of the ball that rounds the corners off (1.75 and
    more leaves them alone). `spread` is the distance of the outer pips from the middle of the face along both
    axes. `two_spread` is that of a two's, which lie along a side where `two_along_side` says so. `six_width`
    and `six_height` are the same for the columns and rows of the six.

    `dimple` is the slope at the rim of a pip (0: painted flat). `drilled`: its bottom is flat. `rim` is the
    share of its radius without paint. `inset` is the radius of a disc of another shade round the pips (0:
    none). `turned`: for each face 1 to 6 whether its layout is turned by a quarter. `marks` are the faces
    with something other than pips, as pairs of face and mark ("#7" a numeral, "*crown" an emblem).
    """

    side_mm: float
    corner: float
    ball: float
    body: str
    body_rgb: Vec
    second_rgb: Vec
    texture: str
    grain: float
    pip_rgb: Vec
    ace_rgb: Vec
    four_rgb: Vec
    pip_radius: float
    ace_radius: float
    spread: float
    two_spread: float
    two_along_side: bool
    six_width: float
    six_height: float
    dimple: float
    drilled: bool
    rim: float
    inset: float
    inset_rgb: Vec
    gloss: float
    left_handed: bool
    turned: tuple[bool, ...]
    marks: tuple[tuple[int, str], ...]
    grain_seed: int


@dataclass(frozen=True, slots=True)
class Lying:
    """One die where it lies: centre of the body in millimetres, `turn` from its own axes to the world's."""

    face: int
    make: Make
    centre_mm: Vec
    turn: Turn
    cocked: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """Something solid that is no die with pips: `kind` names its shape in `lab.scenes.things`.

    `size_mm` are its full lengths along its own axes, `marks` what is printed on it.
    """

    kind: str
    size_mm: Vec
    centre_mm: Vec
    turn: Turn
    rgb: Vec
    second_rgb: Vec = (1.0, 1.0, 1.0)
    gloss: float = 0.3
    marks: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Flat:
    """Something printed on, or lying flat on, the table: `kind` names it in `lab.scenes.prints`."""

    kind: str
    centre_mm: Point
    size_mm: Point
    angle_deg: float
    rgb: Vec
    second_rgb: Vec
    seed: int


@dataclass(frozen=True, slots=True)
class Cover:
    """What the table is covered with: `kind` names it in `lab.scenes.covers`.

    `pitch_mm` is the size of its pattern, `contrast` its strength (1 usual), `gloss` in [0, 1] its shine,
    `litter` in [0, 1] how much dust and lint lies on it.
    """

    kind: str
    rgb: Vec
    second_rgb: Vec
    pitch_mm: float
    contrast: float
    gloss: float
    angle_deg: float
    seed: int
    litter: float = 0.0


@dataclass(frozen=True, slots=True)
class Tray:
    """A tray or box round the origin: floor polygon in millimetres, counter-clockwise, walls going up
    `height_mm` and outwards by `flare_mm`, with a rim `rim_mm` wide on top."""

    floor_mm: tuple[Point, ...]
    height_mm: float
    flare_mm: float
    rim_mm: float
    wall_rgb: Vec
    rim_rgb: Vec
    outside: Cover


@dataclass(frozen=True, slots=True)
class Bars:
    """What stands between a lamp and the table and is not seen itself: the frame of a window, a person, a
    leaf. Stripes of shade across `angle_deg`, repeated after `pitch_mm`, shifted by `shift_mm`, as dark as
    `depth` in [0, 1], with edges `soft_mm` wide."""

    angle_deg: float
    pitch_mm: float
    shift_mm: float
    depth: float
    soft_mm: float


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp or window at `place_mm`: a ball of `radius_mm` that gives the irradiance `power` (linear red,
    green, blue) on a surface that faces it at the origin."""

    place_mm: Vec
    radius_mm: float
    power: Vec
    bars: Bars | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera that looks at `target_mm` on the table from `distance_mm`, `tilt_deg` off the vertical.

    `azimuth_deg` is the side it looks from, `roll_deg` its turn about its own axis, `fov_deg` the angle of
    view across the picture's width. `distortion` is k of ray = pixel * (1 + k r^2), with the pixel's
    distance r from the middle in half widths: above 0 pincushion, below 0 barrel.
    """

    target_mm: Point
    distance_mm: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    fov_deg: float
    distortion: float


@dataclass(frozen=True, slots=True)
class Film:
    """The effect of the sensor and its software on the light. Lengths are in pixels of the scene's own width.

    `exposure` 1 puts the bright parts just below white. `balance` are the gains of red, green and blue.
    `soften` is the standard deviation of the defocus, `motion` length and direction of a shake. `coarse` is
    the factor of lost resolution, `sharpen` the software's unsharp mask. `noise` is the read noise and
    `grain` the shot noise (standard deviation at white, linear). `smear`: noise was smoothed away. `jpeg` is
    the quality, 0 for none.

    `fringe` is the share by which the lens draws red larger than green and green larger than blue. `stamp` is
    a seed for words laid over the picture (0: none). `hole` is the radius of a round opening as a share of
    half the picture's smaller side (0: none).
    """

    exposure: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    balance: Vec = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    soften: float = 0.5
    motion: Point = (0.0, 0.0)
    coarse: float = 1.0
    sharpen: float = 0.0
    noise: float = 0.003
    grain: float = 0.01
    smear: bool = False
    jpeg: int = 92
    fringe: float = 0.0
    stamp: int = 0
    grey: bool = False
    hole: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is needed to draw one picture, the same one every time."""

    seed: int
    width_px: int
    height_px: int
    style: str
    difficulty: str
    lens: Lens
    cover: Cover
    lights: tuple[Light, ...]
    ambient: Vec
    film: Film
    dice: tuple[Lying, ...]
    things: tuple[Thing, ...] = ()
    flats: tuple[Flat, ...] = ()
    tray: Tray | None = None


@dataclass(frozen=True, slots=True)
class PipTruth:
    """One pip of a top face in the picture; `radius_px` is the mean radius of its ellipse."""

    x_px: float
    y_px: float
    radius_px: float


@dataclass(frozen=True, slots=True)
class DieTruth:
    """The truth of one die in the picture.

    `corners_px` are the corners of the top face as if its edges were sharp, in order round it; `size_px` is
    the mean length of its sides. `angle_deg` in [0, 90) is the turn of its first side. `sides_px` are the
    quads of the side faces turned towards the camera, with `sides` their faces.

    `visible` is the share of the top face that nothing hides and that lies within the picture. `cut`: the
    border truncates the die. `cocked`: it leans. `symbol` names the mark that stands for the face, "" for
    pips. `contrast` is that of the pips in grey levels in the finished picture; below about 8 a person cannot
    read them. `tilt_deg` is the angle between the top face's normal and the line of sight.
    """

    face: int
    x_px: float
    y_px: float
    size_px: float
    angle_deg: float
    corners_px: tuple[Point, ...]
    pips: tuple[PipTruth, ...]
    colour: str
    visible: float
    cut: bool
    cocked: bool
    symbol: str = ""
    sides: tuple[int, ...] = ()
    sides_px: tuple[tuple[Point, ...], ...] = ()
    tilt_deg: float = 0.0
    contrast: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A drawn scene: `image_bgr` of shape (height, width, 3), uint8, and what is true of it."""

    image_bgr: NDArray[np.uint8]
    truth: tuple[DieTruth, ...] = field(default=())
