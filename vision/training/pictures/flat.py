"""Crops of prints that look like dice, among dice that stand: pictures of dice, dotted squares, yards.

The face of a mark says FLAT or ALONE (a die on the ground) here, IGNORED where nobody should judge it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import relief
from vision.scenes import DIFFICULTIES, LEVELS, STYLES, Picture, Scene, SceneError, throw
from vision.scenes.colours import any_rgb, grey_of
from vision.scenes.space import Eye, eye
from vision.scenes.values import Flat, Vec
from vision.training.pictures import clutter, faces, painted, perched
from vision.training.pictures.crops import IGNORED, SIDE_PX, Crop, Mark
from vision.training.pictures.cutting import Label, cut
from vision.training.pictures.faces import TEXTURE_PX
from vision.training.pictures.painted import OVER, Cube, Points, View
from vision.training.pictures.perched import ALONE
from vision.training.pictures.scened import fitting, label_of
from vision.training.pictures.textures import Image, Rng, colour, ground

FLAT = 2
"""The face of a mark whose die is printed; beside ALONE and PERCHED."""
PRINTED, ALL_PRINTED = 0.5, 0.4
"""How often a die of a painted crop is a print; how often all are."""
PLATES, PLATE = 0.4, (1.08, 1.6)
"""How often a print lies on a plain square of another colour, and how wide that is, in sides of the print."""
WITHIN = (0.84, 1.0)
"""So much of a photograph's die is cut out as its face, in sides: its own sides stay behind."""
PRESSED = 3
"""So many faces of photographs are laid flat into one crop at most."""
PER_SCENE = 5
"""So many prints are laid into a scene at most."""
PRINT_SIDES = (0.7, 1.5)
"""How wide prints in scenes are, in sides of the dice there."""
APART = 1.7
"""So many sides prints keep from each other and from the dice."""


def printed(rng: Rng) -> Crop:
    """A crop of painted cubes of which some are printed on the ground."""
    image = ground(rng, SIDE_PX * OVER)
    for _ in range(rng.choice([0, 1, 2, 4], p=[0.45, 0.3, 0.15, 0.1])):
        clutter.draw(rng, image)
    die_px = float(np.exp(rng.uniform(*np.log(perched.SIZES_PX))))
    look = _looking_down(rng, die_px)
    share = 1.0 if rng.random() < ALL_PRINTED else PRINTED
    cubes = [(cube, rng.random() < share) for cube in painted.cubes_of(rng, SIDE_PX / die_px)]
    flats = [_flat(rng, image, cube, look) for cube, is_print in cubes if is_print]
    solid = [cube for cube, is_print in cubes if not is_print]
    solid.sort(key=lambda c: float((look.turn @ [c.x, c.y, 0])[2]))
    painted.shadows(rng, image, solid, look)
    standing = [replace(painted.draw(rng, image, cube, look)[0], face=ALONE) for cube in solid]
    for cube in solid:
        body_px = painted.solid_px(cube, look) / OVER
        flats = [replace(m, face=IGNORED) if perched.reaches(body_px, m) else m for m in flats]
    _lit(rng, image)
    return Crop(perched.shrunk(rng, image), (*standing, *flats), None)


def _looking_down(rng: Rng, die_px: float) -> View:
    """A camera nearly right above, three times in four: from aside no print is ever certain."""
    while True:
        look = painted.view(rng, die_px)
        if look.turn[2, 2] > np.cos(np.radians(12)) or rng.random() < 0.25:
            return look


def _flat(rng: Rng, image: Image, cube: Cube, look: View) -> Mark:
    """Print the top of a cube on the ground; its mark."""
    low = replace(cube, base=-2 * cube.half)
    if rng.random() < PLATES:
        _plate(rng, image, replace(low, half=cube.half * rng.uniform(*PLATE)), look)
    quad = look.project(_on_ground(low))
    painted.face_onto(rng, image, quad, cube.top, _as_printed(rng, cube.made), rng.uniform(0.7, 1.15))
    return replace(painted.mark_of(quad, 0), face=FLAT)


def _on_ground(cube: Cube) -> Points:
    corners = painted.corners(cube)
    corners[:, 2] = -1.0
    return corners


def _as_printed(rng: Rng, made: faces.Style) -> faces.Style:
    """Two prints in three are of two plain inks, the others pictures of what dice look like."""
    if rng.random() < 0.35:
        return made
    corner = rng.choice([rng.uniform(0, 0.06), made.corner])
    return replace(made, corner=corner, dimple=0.0, marble=0.0, vein=0.0, glitter=0.0, gloss=0.0)


def _plate(rng: Rng, image: Image, cube: Cube, look: View) -> None:
    """A plain square under a print: of its pips' colour as in a yard, of paper, or of any."""
    inks = (cube.made.pip, np.full(3, rng.uniform(200, 250), np.float32), colour(rng))
    texture = np.empty((TEXTURE_PX, TEXTURE_PX, 3), np.float32)
    texture[:] = inks[int(rng.integers(3))]
    painted.paste(image, texture, rng.uniform(0, 0.15), look.project(_on_ground(cube)))


def _lit(rng: Rng, image: Image) -> None:
    """Light that falls off over all of a picture, prints and ground alike."""
    ramp = np.linspace(-1, 1, image.shape[0], dtype=np.float32)
    slope = rng.normal(0, 0.12, 2).astype(np.float32)
    image *= np.clip(1 + slope[0] * ramp[None, :] + slope[1] * ramp[:, None], 0.3, 2)[..., None]


def pressed(rng: Rng, crop: Crop, source: Crop) -> Crop:
    """A crop of a photograph into which faces of another's dice are laid flat, away from the dice there."""
    marks = [replace(m, face=ALONE if m.face >= 0 else IGNORED) for m in crop.marks]
    tops = [m for m in source.marks if m.face > 0 and m.size_px > perched.SIZES_PX[0] and perched.within(m)]
    image = cv2.resize(crop.image_bgr, (SIDE_PX * OVER, SIDE_PX * OVER)).astype(np.float32)
    for top in (tops[int(rng.integers(len(tops)))] for _ in range(PRESSED if tops else 0)):
        size = float(np.clip(top.size_px * rng.uniform(0.6, 1.25), *perched.SIZES_PX))
        at = perched.beside(rng, replace(top, size_px=size), marks)
        if at is not None:
            marks.append(_pressed(rng, image, _face_of(rng, source, top), at, size))
    return Crop(perched.shrunk(rng, image), tuple(marks), None)


def _face_of(rng: Rng, source: Crop, top: Mark) -> Image:
    """The face of a photograph's die, upright and without its sides, (TEXTURE_PX, TEXTURE_PX, 3)."""
    scale = TEXTURE_PX / (rng.uniform(*WITHIN) * top.size_px)
    upright = relief.upright(source.image_bgr, (top.x_px, top.y_px), top.size_px)
    turn = np.degrees(upright) + 90 * rng.integers(4)
    warp = cv2.getRotationMatrix2D((top.x_px, top.y_px), float(turn), scale)
    middle = (TEXTURE_PX - 1) / 2
    move = np.add(warp, [[0, 0, middle - top.x_px], [0, 0, middle - top.y_px]])
    face = cv2.warpAffine(source.image_bgr, move, (TEXTURE_PX, TEXTURE_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.float32)


def _pressed(rng: Rng, image: Image, face: Image, at: tuple[float, float], size: float) -> Mark:
    """Lay a face flat, often on a plain square a little wider; its mark."""
    angle = rng.uniform(0, 360)
    if rng.random() < PLATES:
        texture = np.empty_like(face)
        texture[:] = colour(rng) if rng.random() < 0.5 else np.full(3, rng.uniform(190, 250))
        painted.paste(image, texture, rng.uniform(0, 0.2), _square(at, size * rng.uniform(*PLATE), angle))
    quad = _square(at, size, angle)
    painted.paste(image, face * rng.uniform(0.8, 1.15), rng.uniform(0, 0.3), quad)
    return Mark(*at, size, float(angle % 90), FLAT)


def _square(at: tuple[float, float], size: float, angle_deg: float) -> Points:
    """Corners (4, 2) in the larger picture of a square of the crop."""
    rect = cv2.boxPoints(((at[0] * OVER, at[1] * OVER), (size * OVER, size * OVER), angle_deg))
    return np.asarray(rect, np.float64)


def flat_scenes(rng: Rng, seed: int, each: int) -> Iterator[Crop]:
    """`each` crops of a drawn scene with prints beside its dice, if it has any; none if dice don't fit."""
    style, difficulty = str(rng.choice(STYLES)), str(rng.choice(DIFFICULTIES, p=[0.5, 0.4, 0.1]))
    try:
        level = replace(LEVELS[difficulty], stacked=0.0)
        scene = throw(seed, style=style, difficulty=difficulty, count=(0, 4), level=level)
    except SceneError:
        return
    flats = tuple(_flats(rng, scene))
    scene = replace(scene, flats=(*scene.flats, *flats))
    picture = fitting(scene)
    labels = tuple(_labels(scene, picture, flats))
    aims = [label for label in labels if label.face == FLAT]
    for number in range(each):
        aim = aims[number % len(aims)] if aims and number % 3 else None
        place = None if aim is None else (*aim.centre_px, aim.size_px)
        yield cut(rng, picture.image_bgr, labels, None, place)


def _flats(rng: Rng, scene: Scene) -> Iterator[Flat]:
    """Prints where no die or thing lies; those of one scene are often of one make."""
    view = eye(scene.lens, scene.width_px, scene.height_px)
    side = float(np.median([d.make.side_mm for d in scene.dice])) if scene.dice else 16.0
    taken = [(np.array(d.centre_mm[:2]), 0.5 * d.make.side_mm) for d in scene.dice]
    taken += [(np.array(t.centre_mm[:2]), max(t.size_mm[:2]) / 2) for t in scene.things]
    alike, looks = rng.random() < 0.5, _look_of(rng)
    for _ in range(int(rng.integers(1, PER_SCENE + 1))):
        mm = side * rng.uniform(*PRINT_SIDES)
        at_px = rng.uniform((0.1, 0.1), (0.9, 0.9)) * (scene.width_px, scene.height_px)
        at = view.on_table(*(np.array([v], np.float32) for v in at_px))[:, 0]
        if all(np.hypot(*(at - place)) > APART * (mm / 2 + half) for place, half in taken):
            taken.append((at, mm / 2))
            looks = looks if alike else _look_of(rng)
            yield from _on_plate(rng, looks, (float(at[0]), float(at[1])), mm)


def _look_of(rng: Rng) -> tuple[Vec, Vec, int]:
    """Colours of a print's body and pips, and the seed of its make."""
    while True:
        body = (0.95, 0.95, 0.93) if rng.random() < 0.4 else any_rgb(rng, 0.05, 0.98)
        pips = (0.06, 0.06, 0.06) if rng.random() < 0.3 else any_rgb(rng, 0.02, 0.98)
        if abs(grey_of(body) - grey_of(pips)) > 0.15:
            return body, pips, int(rng.integers(1 << 20))


def _on_plate(rng: Rng, looks: tuple[Vec, Vec, int], at: tuple[float, float], mm: float) -> Iterator[Flat]:
    body, pips, seed = looks
    angle = float(rng.uniform(0, 360))
    if rng.random() < PLATES:
        wide = mm * float(rng.uniform(*PLATE))
        yield Flat("plate", at, (wide, wide), angle, pips if rng.random() < 0.5 else any_rgb(rng), body, seed)
    yield Flat("face", at, (mm, mm), angle, body, pips, seed)


def _labels(scene: Scene, picture: Picture, flats: Sequence[Flat]) -> Iterator[Label]:
    yield from (label_of(truth, ALONE) for truth in picture.truth)
    height, width = picture.image_bgr.shape[:2]
    view = eye(scene.lens, width, height)
    for flat in flats:
        if flat.kind == "face":
            corners = _seen(flat, view)
            centre = corners.mean(axis=0)
            yield Label((float(centre[0]), float(centre[1])), corners, FLAT, True, 0.0)


def _seen(flat: Flat, view: Eye) -> NDArray[np.float64]:
    """The corners (4, 2) of a print in the picture."""
    box = cv2.boxPoints((flat.centre_mm, flat.size_mm, flat.angle_deg))
    return np.asarray(view.project(np.insert(np.asarray(box, float), 2, 0.0, axis=1)), np.float64)
