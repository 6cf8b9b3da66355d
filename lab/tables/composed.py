"""Tables composed of tops of real dice on photographs of real tables, made while measuring: nothing is kept.

Tops are cut from photographs from above, tinted for each player, and laid as a cup leaves them, with a soft
shadow. Then the whole picture gets the light, blur, noise and JPEG of a camera. No sides of dice are seen.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.tables import lay
from lab.tables.cuts import FOLDER, Cut, Spot, cuts
from lab.tables.lay import Lain
from vision.arrays import Image
from vision.picture.photos import load

Rng = np.random.Generator
Floats = NDArray[np.float32]
Point = tuple[float, float]
TOP_PX = 112
"""Side at which tops are kept until they are laid."""
ROUND, FEATHER = 0.17, 0.012
"""Radius of a die's corners and softness of its outline, in sides."""
MIN_FACES = 5
"""A make with fewer faces is not thrown."""
PALE = ("white", "ivory", "yellow")
"""Bodies with dark pips that can be tinted; others keep their own or another hue."""
COLOURED_PIPS = ("kosta",)
"""Sets with red aces, which nobody reads on a red body: they stay pale."""
TINTS = {
    "white": (1.0, 1.0, 1.0), "ivory": (0.80, 0.93, 1.0), "red": (0.22, 0.20, 0.85),
    "green": (0.35, 0.70, 0.25), "blue": (0.90, 0.55, 0.25), "yellow": (0.25, 0.85, 0.98),
    "orange": (0.15, 0.50, 0.98), "purple": (0.75, 0.35, 0.60), "pink": (0.72, 0.58, 0.98),
    "turquoise": (0.80, 0.80, 0.30),
}  # fmt: skip
"""What is left of blue, green and red light."""


BODY, BRIGHT, DARK, UNEVEN = 225.0, 100.0, 40.0, 0.06
"""Levels of a white, a coloured and a black body, and how far dice of one player differ from them."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What to compose: numbers of players, dice of each, and sides of dice in pixels, as (lowest, highest).

    `share` of the dice are laid edge to edge with another of their cup; None: all are packed.
    """

    name: str
    cups: tuple[int, int]
    dice: tuple[int, int]
    share: float | None
    die_px: tuple[float, float]
    size_px: tuple[int, int] = (1600, 1200)


KINDS = (
    Kind("table, one in seven touching", (2, 6), (2, 5), 1 / 7, (44, 76)),
    Kind("table, half touching", (2, 6), (2, 5), 0.5, (44, 76)),
    Kind("cup, one in seven touching", (1, 1), (5, 5), 1 / 7, (60, 120), (1280, 960)),
    Kind("cup, half touching", (1, 1), (5, 5), 0.5, (60, 120), (1280, 960)),
    Kind("packed", (1, 1), (10, 33), None, (44, 76)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A composed picture; `label` as in a set's labels.json, each die with its owner, too."""

    image_bgr: Image
    label: dict[str, Any]
    touching: float


@cache
def makes(split: str) -> dict[tuple[str, str], dict[int, list[tuple[str, Spot]]]]:
    """By set and colour, then by face: photographs and spots of dice that go together."""
    found: dict[tuple[str, str], dict[int, list[tuple[str, Spot]]]] = defaultdict(lambda: defaultdict(list))
    for cut in cuts(split):
        for spot in cut.spots:
            make = cut.photo.split("/")[1], spot.colour
            found[make][spot.face].append((cut.photo, spot))
    return {make: faces for make, faces in found.items() if len(faces) >= MIN_FACES}


@lru_cache(maxsize=24)
def _photo(name: str) -> Image:
    return load(FOLDER / name)


@lru_cache(maxsize=2000)
def _top(name: str, spot: Spot) -> Floats:
    """The top face of a die, upright, TOP_PX squared, linear in nothing: as the camera gave it."""
    scale = TOP_PX / spot.size_px
    image = _photo(name)
    if scale < 0.7:
        image = cv2.GaussianBlur(image, (0, 0), 0.4 / scale)  # type: ignore[assignment]
    warp = _turning((spot.x_px, spot.y_px), spot.angle_deg, scale, (TOP_PX / 2, TOP_PX / 2))
    laid = cv2.warpAffine(image, warp, (TOP_PX, TOP_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, np.float32)


def _turning(at: Point, angle_deg: float, scale: float, to: Point) -> NDArray[np.float64]:
    """Turns about `at`, which comes to lie at `to`; the turn is against the clock, as OpenCV has it."""
    warp = np.array(cv2.getRotationMatrix2D(at, angle_deg, scale), np.float64)
    warp[:, 2] += np.subtract(to, at)
    return warp


def compose(kind: Kind, split: str, seed: int) -> Table:
    """The same arguments give the same table."""
    rng = np.random.default_rng([seed, *kind.name.encode(), *split.encode()])
    dice, side = _laid(rng, kind)
    image = _ground(rng, split, kind.size_px)
    _shadows(rng, image, dice, side)
    own = _players(rng, split, 1 + max(d.owner for d in dice))
    rows = []
    for die in dice:
        make, colour, tint = own[die.owner]
        face = int(rng.choice(sorted(make)))
        name, spot = make[face][int(rng.integers(len(make[face])))]
        _paste(image, tint(_top(name, spot)), die, side, 90 * int(rng.integers(4)))
        wide, high = kind.size_px
        place = {"x": die.x * side / wide, "y": die.y * side / high, "size": side / wide}
        rows.append(place | {"face": face, "colour": colour, "owner": die.owner})
    return Table(_taken(rng, image), {"dice": rows, "angle": "overhead"}, lay.touching(dice))


def _laid(rng: Rng, kind: Kind) -> tuple[list[Lain], float]:
    """Dice with their places within the picture in sides, and a side in pixels."""
    while True:
        side = float(np.exp(rng.uniform(*np.log(kind.die_px))))
        wide, high = kind.size_px[0] / side, kind.size_px[1] / side
        players = int(rng.integers(kind.cups[0], kind.cups[1] + 1))
        cups = [int(rng.integers(kind.dice[0], kind.dice[1] + 1)) for _ in range(players)]
        if kind.share is not None:
            dice = lay.table(rng, cups, kind.share, wide, high)
        else:
            middle = wide / 2 + rng.uniform(-1, 1), high / 2 + rng.uniform(-1, 1)
            dice = [Lain(0, d.x + middle[0], d.y + middle[1], d.angle_deg) for d in lay.rack(rng, cups[0])]
        if dice and all(1 < d.x < wide - 1 and 1 < d.y < high - 1 for d in dice):
            return dice, side


def _ground(rng: Rng, split: str, size_px: tuple[int, int]) -> Floats:
    """Bare ground of a photograph, turned, enlarged up to twice, mirrored at its edges to fill up."""
    choices: list[Cut] = [cut for cut in cuts(split) if cut.ground]
    cut = choices[int(rng.integers(len(choices)))]
    assert cut.ground is not None
    x, y, width, height = cut.ground
    bare = np.rot90(_photo(cut.photo)[y : y + height, x : x + width], int(rng.integers(4)))
    scale = float(rng.uniform(1.0, 2.0))
    size = (round(bare.shape[1] * scale), round(bare.shape[0] * scale))
    part = np.asarray(cv2.resize(np.ascontiguousarray(bare), size, interpolation=cv2.INTER_CUBIC))
    for axis, need in enumerate(size_px[::-1]):
        while part.shape[axis] < need:
            part = np.concatenate([part, np.flip(part, axis)], axis)
    top, left = (int(rng.integers(0, part.shape[k] - need + 1)) for k, need in enumerate(size_px[::-1]))
    return np.ascontiguousarray(part[top : top + size_px[1], left : left + size_px[0]], np.float32)


def _players(rng: Rng, split: str, count: int) -> list[tuple[Any, str, Any]]:
    """For each player a make, the name of its colour and what tints it; no colour twice."""
    every, used = makes(split), set()
    found: list[tuple[Any, str, Any]] = []
    while len(found) < count:
        set_, body = list(every)[int(rng.integers(len(every)))]
        if body in PALE:
            name = str(rng.choice(PALE if set_ in COLOURED_PIPS else list(TINTS)))
            tint = _tinted(rng, np.array(TINTS[name], np.float32))
        else:
            name, hue = body, int(rng.integers(180)) if body != "black" and rng.random() < 0.5 else 0
            name = f"{body} turned by {hue}" if hue else body
            tint = _turned(rng, hue, DARK if body == "black" else BRIGHT)
        if name not in used:
            used.add(name)
            found.append((every[set_, body], name, tint))
    return found


def _tinted(rng: Rng, share: Floats) -> Any:
    """One body's colour for all dice of a player, whatever the light was they were taken in."""

    def tint(top: Floats) -> Floats:
        body = np.percentile(top[8:-8:4, 8:-8:4].reshape(-1, 3), 70, axis=0)
        gain = BODY * rng.normal(1, UNEVEN) / np.maximum(body, 40)
        return np.asarray(np.minimum(top * gain, 255) * share, np.float32)

    return tint


def _turned(rng: Rng, hue: int, level: float) -> Any:
    """Another hue, in halves of a degree; bodies of one level of light."""

    def turn(top: Floats) -> Floats:
        gain = float(np.clip(level * rng.normal(1, UNEVEN) / np.median(top), 0.6, 1.8))
        hls = cv2.cvtColor(np.clip(top * gain, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HLS)
        hls[..., 0] = (hls[..., 0].astype(int) + hue) % 180
        return np.asarray(cv2.cvtColor(hls, cv2.COLOR_HLS2BGR), np.float32)

    return turn


@cache
def _outline() -> Floats:
    """How much of each pixel of a top belongs to the die: a square with round corners and a soft edge."""
    place = (np.arange(TOP_PX) + 0.5) / TOP_PX - 0.5
    inner = np.maximum(np.abs(place) - (0.5 - ROUND), 0)
    far = np.hypot(inner[:, None], inner) - ROUND
    return np.clip(0.5 - far / (2 * FEATHER) - 0.5, 0, 1).astype(np.float32)


def _warp(die: Lain, side: float, quarter: int = 0) -> NDArray[np.float64]:
    middle = (TOP_PX / 2, TOP_PX / 2)
    return _turning(middle, -(die.angle_deg + quarter), side / TOP_PX, (die.x * side, die.y * side))


def _paste(image: Floats, top: Floats, die: Lain, side: float, quarter: int) -> None:
    """Lay a top onto the picture."""
    reach = int(side) + 2
    x0, y0 = max(0, int(die.x * side) - reach), max(0, int(die.y * side) - reach)
    part = image[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
    warp = _warp(die, side, quarter) - np.array([[0, 0, x0], [0, 0, y0]])
    size, soft = part.shape[1::-1], 0.35 * TOP_PX / side
    smooth = cv2.GaussianBlur(top, (0, 0), soft) if side < 0.8 * TOP_PX else top
    laid = cv2.warpAffine(smooth, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(_outline(), warp, size, flags=cv2.INTER_LINEAR)[..., None]
    part += cover * (laid - part)


def _shadows(rng: Rng, image: Floats, dice: list[Lain], side: float) -> None:
    """A narrow dark line where dice stand on the ground, and a wide shadow away from the light."""
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.3)
    off = far * np.array([np.cos(way), np.sin(way)])
    line, cast = rng.uniform(0.4, 0.7), rng.uniform(0.2, 0.5)
    square = np.array([[[0, 0], [1, 0], [1, 1], [0, 1]]]) * float(TOP_PX)
    for shift, blur, depth in ((0 * off, 0.06, line), (off, 0.1 + far / 2, cast)):
        mask = np.zeros(image.shape[:2], np.float32)
        for die in dice:
            moved = Lain(0, die.x + shift[0], die.y + shift[1], die.angle_deg)
            corners = cv2.transform(square, _warp(moved, side))
            cv2.fillConvexPoly(mask, np.round(corners[0]).astype(np.int32), 1.0)
        image *= 1 - np.float32(depth) * cv2.GaussianBlur(mask, (0, 0), blur * side)[..., None]


def _taken(rng: Rng, image: Floats) -> Image:
    """Uneven light, exposure, blur, noise and JPEG."""
    height, width = image.shape[:2]
    across, down = rng.normal(0, 0.12, 2)
    slope = 1 + across * np.linspace(-1, 1, width)[None] + down * np.linspace(-1, 1, height)[:, None]
    image = image * (slope * rng.uniform(0.75, 1.08))[..., None].astype(np.float32)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.2))  # type: ignore[assignment]
    image = image + rng.normal(0, rng.uniform(1, 5), image.shape).astype(np.float32)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
    _, data = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), quality)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
