"""Seeded scenes: dice of given faces thrown onto a table under some light before some camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from lab.scenes.clutter import any_flats, any_things, props
from lab.scenes.lie import Ground, Pose, leaned, lying, pack, scatter, stacked
from lab.scenes.makes import any_make, check_colour, plain_make
from lab.scenes.settings import any_cover, any_film, any_lights, any_tray
from lab.scenes.space import eye
from lab.scenes.values import Cover, Film, Lens, Light, Make, Scene, SceneError, Tray

Rng = np.random.Generator
DIFFICULTIES = ("easy", "normal", "hard")
STYLES = ("any", "box", "phone", "tray", "grey")
MAX_DICE = 60
_TRAYS = {"any": 0.2, "box": 0.4, "phone": 0.0, "tray": 1.0, "grey": 0.2}  # how often there is one
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Level:
    """How far scenes of one difficulty go: ranges and probabilities. Sizes are of a picture 1280 wide,
    tilts are off the vertical."""

    dice: tuple[int, int]
    die_px: tuple[float, float]
    tilt_deg: float
    odd: float
    clump: float
    packed: float
    cocked: float
    at_border: float
    stacked: float
    clutter: float
    blur: float
    least_tilt_deg: float = 0.0


LEVELS = {
    "easy": Level((1, 8), (60, 130), 6, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2),
    "normal": Level((1, 15), (38, 130), 18, 0.5, 0.25, 0.05, 0.0, 0.1, 0.0, 0.4, 0.5),
    "hard": Level((1, 30), (24, 250), 40, 1.0, 0.5, 0.15, 0.06, 0.3, 0.06, 0.7, 1.0),
}


def throw(
    seed: int,
    faces: Sequence[int] | None = None,
    *,
    style: str = "any",
    difficulty: str = "normal",
    colours: Sequence[str] | None = None,
    count: tuple[int, int] | None = None,
    level: Level | None = None,
    width_px: int = 1280,
    height_px: int = 960,
) -> Scene:
    """A scene of dice that show `faces`, or of random ones, as many as `count` (lowest, highest) allows.

    `style` is one of STYLES: "box" (a fixed camera with its own light, often over a tray), "phone" (held by
    hand), "tray", "grey" (old grey cameras) or "any". `difficulty` is one of DIFFICULTIES, `level` replaces
    what it stands for, `colours` names each die's body colour. The same arguments give the same scene.
    Raises SceneError for faces, names or numbers that do not exist.
    """
    _check(faces, style, difficulty, colours, count)
    level = level or LEVELS[difficulty]
    rng = np.random.default_rng((seed, DIFFICULTIES.index(difficulty), STYLES.index(style)))
    shown = tuple(faces) if faces is not None else _faces(rng, count or level.dice)
    makes = _makes(len(shown), colours, level, rng)
    lens = _lens(makes, level, style, rng, width_px, height_px)
    tray = any_tray(rng, lens, level.odd) if rng.uniform() < _TRAYS[style] else None
    poses, lens, tray = _settled(makes, lens, level, tray, rng, width_px, height_px)
    lights, ambient = any_lights(rng, lens, style, level.odd)
    ground = _ground(lens, tray, -0.5, width_px, height_px)
    busy = 1.0 if not shown else level.clutter * float(rng.uniform() < 0.7)
    return Scene(
        seed=seed,
        width_px=width_px,
        height_px=height_px,
        style=style,
        difficulty=difficulty,
        lens=lens,
        cover=any_cover(rng, style, level.odd),
        lights=lights,
        ambient=ambient,
        film=any_film(rng, style, level.odd, level.blur),
        dice=tuple(lying(f, m, s) for f, m, s in zip(shown, makes, poses, strict=True)),
        things=(*props(rng, poses), *any_things(rng, ground, poses, _some(rng, busy * 5))),
        flats=any_flats(rng, ground, _some(rng, busy * 3)),
        tray=tray,
    )


def table_scene(
    dice: Sequence[tuple[int, str]], seed: int, *, width_px: int = 1280, height_px: int = 960
) -> Scene:
    """The simulated table: dice given as (face, body colour) under the box, whose camera looks straight down
    and whose light ring shines evenly. Raises SceneError for faces or colours that do not exist."""
    _check([f for f, _ in dice], "box", "easy", [c for _, c in dice], None)
    rng = np.random.default_rng((seed, 77))
    makes = [plain_make(colour) for _, colour in dice]
    lens = Lens((0.0, 0.0), 330.0, 0.0, float(rng.uniform(0, 360)), 0.0, 50.0, -0.02)
    level = replace(LEVELS["easy"], clump=0.15)
    poses, lens, _ = _settled(makes, lens, level, None, rng, width_px, height_px)
    return Scene(
        seed=seed,
        width_px=width_px,
        height_px=height_px,
        style="box",
        difficulty="easy",
        lens=lens,
        cover=Cover("felt", (0.10, 0.27, 0.20), (0.08, 0.22, 0.16), 2.0, 1.0, 0.0, 20.0, seed),
        lights=_ring(),
        ambient=(0.35, 0.35, 0.36),
        film=Film(soften=0.6, vignette=0.08, noise=0.003, grain=0.008),
        dice=tuple(lying(f, m, s) for (f, _), m, s in zip(dice, makes, poses, strict=True)),
    )


def _check(
    faces: Sequence[int] | None,
    style: str,
    difficulty: str,
    colours: Sequence[str] | None,
    count: tuple[int, int] | None,
) -> None:
    """Refuse what cannot be thrown, with one sentence."""
    if difficulty not in DIFFICULTIES:
        raise SceneError(f"There is no difficulty {difficulty!r}: choose {', '.join(DIFFICULTIES)}.")
    if style not in STYLES:
        raise SceneError(f"There is no style {style!r}: choose {', '.join(STYLES)}.")
    if faces is not None and any(f not in range(1, 7) for f in faces):
        raise SceneError("A die shows a face from 1 to 6.")
    if faces is not None and len(faces) > MAX_DICE:
        raise SceneError(f"A scene holds at most {MAX_DICE} dice.")
    if count is not None and not 0 <= count[0] <= count[1] <= MAX_DICE:
        raise SceneError(f"The number of dice is a range within 0 to {MAX_DICE}, lowest first.")
    for name in colours or ():
        check_colour(name)
    if faces is not None and colours is not None and len(colours) != len(faces):
        raise SceneError("Give as many colours as dice.")


def _some(rng: Rng, mean: float) -> int:
    return int(min(rng.poisson(mean), 4 * mean))


def _faces(rng: Rng, count: tuple[int, int]) -> tuple[int, ...]:
    number = int(rng.integers(count[0], count[1] + 1))
    return tuple(int(f) for f in rng.integers(1, 7, number))


def _makes(number: int, colours: Sequence[str] | None, level: Level, rng: Rng) -> list[Make]:
    """One make for each die: a few makes to a table, the same one for all dice of a given colour."""
    if colours is not None:
        wanted = [colours[k % len(colours)] for k in range(number)] if colours else []
        by_colour = {c: any_make(rng, c, level.odd) for c in dict.fromkeys(wanted)}
        return [by_colour[c] for c in wanted]
    kinds = 1 if rng.uniform() < 0.45 else int(rng.integers(2, 7))
    makes = [any_make(rng, None, level.odd) for _ in range(kinds)]
    picked = [makes[int(k)] for k in rng.integers(0, kinds, number)]
    return [_own_grain(m, k) for k, m in enumerate(picked)]


def _own_grain(make: Make, number: int) -> Make:
    """Marbled dice of one make differ in their veins."""
    if make.texture in ("plain", "clear"):
        return make
    return replace(make, grain_seed=make.grain_seed + 131 * number)


def _lens(makes: Sequence[Make], level: Level, style: str, rng: Rng, width: int, height: int) -> Lens:
    """A camera from which the dice have a size within the level's range and all find room."""
    room = 0.9 * math.sqrt(0.3 * 1280 * 1280 * height / width / max(1, len(makes)))
    low, high = level.die_px
    high = max(low * 1.05, min(high, room))
    die_px = math.exp(rng.uniform(math.log(low), math.log(high))) / 1280 * width
    side = float(np.mean([m.side_mm for m in makes])) if makes else 16.0
    fov = float(rng.uniform(35, 78))
    focal = width / 2 / math.tan(math.radians(fov) / 2)
    most = min(4.0, level.tilt_deg) if style == "box" else level.tilt_deg
    tilt = max(level.least_tilt_deg, float(rng.uniform(0, most if rng.uniform() < 0.6 else min(8.0, most))))
    azimuth = 0.0 if style == "box" else float(rng.uniform(0, 360))
    roll = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 4))
    k = float(rng.normal(0, 0.02))
    return Lens((0.0, 0.0), focal * side / die_px, tilt, azimuth, roll, fov, k)


def _settled(
    makes: Sequence[Make], lens: Lens, level: Level, tray: Tray | None, rng: Rng, width: int, height: int
) -> tuple[list[Pose], Lens, Tray | None]:
    """Places for all dice. Where they find no room the tray goes first, then the camera moves back."""
    border = rng.uniform() < level.at_border
    margin = float(rng.uniform(-0.2, 0.6)) if border else 1.0
    halves = [m.side_mm / 2 for m in makes]
    for _ in range(_TRIES):
        try:
            poses = _arranged(halves, _ground(lens, tray, margin, width, height), level, rng)
        except SceneError:
            if tray is None:
                lens = replace(lens, distance_mm=lens.distance_mm * 1.2)
            tray, margin = None, min(margin, 0.6)
        else:
            if len(poses) > 2 and rng.uniform() < level.stacked:
                poses = stacked(poses, rng)
            leans = [_alone(s, poses) and rng.uniform() < level.cocked for s in poses]
            return [leaned(s, rng) if lean else s for s, lean in zip(poses, leans, strict=True)], lens, tray
    raise SceneError("The dice do not fit on the table: take fewer of them.")


def _arranged(halves: Sequence[float], ground: Ground, level: Level, rng: Rng) -> list[Pose]:
    if len(halves) >= 4 and rng.uniform() < level.packed:
        poses = pack(halves, ground, rng)
        if all(ground.free(s.x_mm, s.y_mm, s.half_mm) for s in poses):
            return poses
    return scatter(halves, ground, rng, clump=level.clump * float(rng.uniform(0, 1.6)))


def _alone(pose: Pose, poses: Sequence[Pose]) -> bool:
    """Whether nothing lies so near that a leaning die would reach into it."""
    reach = [(math.hypot(s.x_mm - pose.x_mm, s.y_mm - pose.y_mm), s) for s in poses if s is not pose]
    return all(d > 1.5 * (pose.half_mm + s.half_mm) for d, s in reach)


def _ground(lens: Lens, tray: Tray | None, margin: float, width: int, height: int) -> Ground:
    """The part of the table that the camera sees, `margin` dice away from the border, within the tray."""
    view = eye(lens, width, height)
    floor = None if tray is None else np.asarray(tray.floor_mm, np.float32)

    def draw(rng: Rng) -> tuple[float, float]:
        if floor is not None:
            x, y = rng.uniform(floor.min(axis=0), floor.max(axis=0))
            return float(x), float(y)
        x_px, y_px = rng.uniform((0, 0), (width, height)).astype(np.float32)
        x, y = view.on_table(np.array([x_px]), np.array([y_px]))[:, 0]
        return float(x), float(y)

    def free(x_mm: float, y_mm: float, half_mm: float) -> bool:
        if floor is not None and cv2.pointPolygonTest(floor, (x_mm, y_mm), True) < 1.25 * half_mm:
            return False
        top = np.array([[x_mm, y_mm, 2 * half_mm]])
        x, y = view.project(top)[0]
        room = margin * 2 * half_mm * view.scale_at(top[0])
        return bool(room <= x <= width - room and room <= y <= height - room)

    return Ground(draw, free)


def _ring() -> tuple[Light, ...]:
    """The box's light ring: eight lamps round the lens."""
    angles = np.arange(8) * math.pi / 4 + 0.2
    return tuple(
        Light((120 * math.cos(a), 120 * math.sin(a), 300.0), 14.0, (0.11, 0.108, 0.10)) for a in angles
    )
