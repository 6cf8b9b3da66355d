"""A picture of each stage of the reading, to see where a die was lost.

A slanting view is drawn as it came and once more straightened, as it is read (`vision.counting.straight`).
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.annotate import CERTAIN, DOUBTFUL
from vision.arrays import Floats, Image
from vision.counting.candidates import find_spots
from vision.counting.dice import Found, find_dice
from vision.counting.doubt import reasons, unread
from vision.counting.faces import Faces, find_faces
from vision.counting.pips import Pips, fit_pips
from vision.counting.straight import straightened
from vision.picture.working import Working, prepare

LIGHT, DARK = (0, 220, 255), (255, 0, 220)
FACE_COLOURS = (
    (0, 0, 0),
    (60, 60, 255),
    (60, 200, 255),
    (60, 255, 60),
    (255, 220, 60),
    (255, 100, 100),
    (255, 60, 255),
)
SCALE = 2
"""Stage pictures are drawn at twice the working size, so that a pip's circle can be seen."""


def write_stages(image_bgr: Image, folder: Path, name: str) -> list[Path]:
    """Write `name`-1-spots.jpg to `name`-5-doubts.jpg into the folder and return their paths; of a
    slanting view also `name`-straight-1-spots.jpg to `name`-straight-5-doubts.jpg."""
    pictures, found = stages(image_bgr)
    if view := straightened(image_bgr, found):
        pictures |= {f"straight-{stage}": picture for stage, picture in stages(view.image_bgr)[0].items()}
    paths = [folder / f"{name}-{stage}.jpg" for stage in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        cv2.imwrite(str(path), picture)
    return paths


def stages(image_bgr: Image) -> tuple[dict[str, Image], Found]:
    """The pictures of the stages by their names, and the dice found at last."""
    working = prepare(image_bgr)
    spots = find_spots(working)
    pips = fit_pips(working, spots)
    faces, found = find_faces(working, pips), find_dice(working, pips)
    pictures = {
        "1-spots": draw_circles(working, spots.xy_px, spots.radius_px, spots.light),
        "2-pips": draw_circles(working, pips.xy_px, pips.radius_px, pips.light),
        "3-faces": draw_faces(working, faces, np.ones(len(faces), np.float32), at_least=2),
        "4-dice": draw_dice(working, found),
        "5-doubts": draw_doubts(working, found),
    }
    return pictures, found


def canvas(working: Working) -> Image:
    """The working picture as bytes, enlarged."""
    shown = np.clip(working.colour**2 * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(shown, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_LINEAR), np.uint8)


def draw_circles(working: Working, xy_px: Floats, radius_px: Floats, light: Floats) -> Image:
    """Circles, yellow round light spots, magenta round dark ones."""
    picture = canvas(working)
    for (x, y), radius, bright in zip(xy_px, radius_px, light, strict=True):
        colour = LIGHT if bright else DARK
        cv2.circle(picture, _place(x, y), max(1, round(float(radius) * SCALE)), colour, 1, cv2.LINE_AA)
    return picture


def draw_faces(working: Working, faces: Faces, scale: Floats, at_least: int = 1) -> Image:
    """The square of each guess in the colour of its face."""
    picture = canvas(working)
    for k in np.nonzero(faces.face >= at_least)[0]:
        across, down = faces.across_px[k] * scale[k], faces.down_px[k] * scale[k]
        corners = faces.middle_px[k] + np.stack([across + down, across - down, -across - down, down - across])
        places = np.rint(corners * SCALE).astype(np.int32)
        cv2.polylines(picture, [places], True, FACE_COLOURS[int(faces.face[k])], 1, cv2.LINE_AA)
    return picture


def draw_dice(working: Working, found: Found) -> Image:
    """The dice with face and chance in percent, and all pips that belong to them."""
    picture = draw_faces(working, found.faces, found.bodies.scale)
    for k in range(len(found)):
        x, y = found.faces.middle_px[k] + found.half_px[k]
        _write(picture, f"{int(found.faces.face[k])}: {100 * float(found.chance[k]):.1f}", x, y)
    mine = found.faces.pips[found.faces.pips >= 0]
    _draw_pips(picture, found.pips.take(mine))
    return picture


def draw_doubts(working: Working, found: Found) -> Image:
    """Rings round the dice, green where nothing speaks against them, else with what does; and round what was
    left unread."""
    picture = canvas(working)
    for (x, y), half, why in zip(found.faces.middle_px, found.half_px, reasons(working, found), strict=True):
        _ring(picture, x, y, half, DOUBTFUL if why else CERTAIN, ", ".join(why))
    for left in unread(working, found):
        if left.x_px is not None and left.y_px is not None:
            _ring(picture, left.x_px, left.y_px, (left.size_px or 0.0) / 2, DOUBTFUL, left.key)
    return picture


def _ring(picture: Image, x: float, y: float, radius: float, colour: tuple[int, int, int], text: str) -> None:
    """A circle with words below, in working pixels."""
    cv2.circle(picture, _place(x, y), max(4, round(float(radius) * SCALE)), colour, 2, cv2.LINE_AA)
    _write(picture, text, x - radius, y + radius)


def _write(picture: Image, text: str, x: float, y: float) -> None:
    """Black on a white rim."""
    for colour, width in (((255, 255, 255), 3), ((0, 0, 0), 1)):
        cv2.putText(picture, text, _place(x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, width, cv2.LINE_AA)


def _draw_pips(picture: Image, pips: Pips) -> None:
    """Rings round pips."""
    for (x, y), radius in zip(pips.xy_px, pips.radius_px, strict=True):
        cv2.circle(picture, _place(x, y), max(1, round(float(radius) * SCALE)), DARK, 1, cv2.LINE_AA)


def _place(x: float, y: float) -> tuple[int, int]:
    """A working place on the enlarged picture."""
    return round(float(x) * SCALE), round(float(y) * SCALE)
