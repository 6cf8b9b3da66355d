"""A picture of each stage of the reading, to see where a die was lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Floats, Image, Ints
from vision.counting.body import Bodies, rounded_square
from vision.counting.candidates import find_spots
from vision.counting.dice import Found, Guessed, chosen, guessed, some
from vision.counting.faces import Faces
from vision.counting.pips import Pips, fit_pips
from vision.counting.scrutiny import first_traits, fitted
from vision.labels import FONT, INK, Box, Colour, Labels
from vision.picture.working import Working, prepare
from vision.picture.writing import write

LIGHT, DARK = (0, 220, 255), (255, 0, 220)
PLATE = (255, 255, 255)
FACE_COLOURS = (
    (0, 0, 0),
    (60, 60, 255),
    (60, 200, 255),
    (60, 255, 60),
    (255, 220, 60),
    (255, 100, 100),
    (255, 60, 255),
)
STAGES = ("1-spots", "2-pips", "3-faces", "4-bodies", "5-dice")
ENDINGS = tuple(f"-{stage}.jpg" for stage in STAGES)
"""Of the files that `write_stages` may write."""

SCALE = 2
"""Stage pictures are drawn at twice the working size, so that a pip's circle can be seen."""

MOST_DRAWN = 40
"""Guesses in one picture: a cloth has thousands, and of all of them nothing could be seen."""

CORNERS = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]], np.float32)
"""Of a face, in half sides across and down."""

AROUND = np.radians(np.arange(0, 360, 5, dtype=np.float32))
"""Directions in which the outline of a body is drawn."""

TEXT, CAPTION = 0.6, 0.9
"""Sizes of letters: 0.6 can be read on the whole screen, the caption on half of it."""


@dataclass(frozen=True, slots=True)
class Likeliest:
    """What faces there may be, likeliest first: `faces` are the likeliest of `guessed`. A body was looked for
    round `looked_at` of all, `kept` are still hopeful then; `with_body` and `bodies` are the likeliest of
    these."""

    faces: Faces
    guessed: int
    looked_at: int
    kept: int
    with_body: Faces
    bodies: Bodies


def write_stages(image_bgr: Image, folder: Path, name: str) -> list[Path]:
    """Write `name`-1-spots.jpg to `name`-5-dice.jpg into the folder and return their paths. Raises
    `vision.picture.writing.WritingError`."""
    pictures = stages(image_bgr)
    paths = [folder / f"{name}-{stage}.jpg" for stage in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        write(path, picture)
    return paths


def stages(image_bgr: Image) -> dict[str, Image]:
    """The pictures of the stages by their names."""
    working = prepare(image_bgr)
    spots = find_spots(working)
    pips = fit_pips(working, spots)
    every = guessed(working, pips)
    guesses = likeliest(pips, every)
    return {
        "1-spots": draw_circles(working, "spots", spots.xy_px, spots.radius_px, spots.light),
        "2-pips": draw_circles(working, "pips", pips.xy_px, pips.radius_px, pips.light),
        "3-faces": draw_faces(working, guesses),
        "4-bodies": draw_bodies(working, guesses),
        "5-dice": draw_dice(working, chosen(pips, every)),
    }


def likeliest(pips: Pips, guesses: Guessed) -> Likeliest:
    """The likeliest guesses before and after bodies are looked for."""
    drawn = guesses.every.take(_first(fitted("first").odds(first_traits(pips, guesses.every))))
    kept = np.nonzero(guesses.weighed.hopeful)[0]
    best = kept[_first(guesses.weighed.chance[kept])]
    with_body, bodies = guesses.faces.take(best), some(guesses.bodies, best)
    return Likeliest(drawn, len(guesses.every), len(guesses.faces), len(kept), with_body, bodies)


def _first(odds: Floats) -> Ints:
    return np.argsort(-odds, kind="stable")[:MOST_DRAWN]


def canvas(working: Working) -> Image:
    """The working picture as bytes, enlarged."""
    shown = np.clip(working.colour**2 * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(shown, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_LINEAR), np.uint8)


def draw_circles(working: Working, what: str, xy_px: Floats, radius_px: Floats, light: Floats) -> Image:
    """Circles, yellow round light spots, magenta round dark ones."""
    picture = canvas(working)
    for (x, y), radius, bright in zip(xy_px, radius_px, light, strict=True):
        colour = LIGHT if bright else DARK
        cv2.circle(picture, _place(x, y), max(1, round(float(radius) * SCALE)), colour, 1, cv2.LINE_AA)
    bright = int(np.count_nonzero(light))
    _caption(picture, f"{bright} light {what} (yellow), {len(light) - bright} dark ones (magenta)")
    return picture


def draw_faces(working: Working, guesses: Likeliest) -> Image:
    """The square of each of the likeliest guesses in the colour of its face, its number at a corner."""
    picture, faces = canvas(working), guesses.faces
    for k in reversed(range(len(faces))):  # the likeliest on top
        sides = np.stack([faces.across_px[k], faces.down_px[k]])
        _shape(picture, int(faces.face[k]), faces.middle_px[k] + CORNERS @ sides)
    left = guesses.guessed - len(faces)
    caption = f"{guesses.guessed} guesses at faces"
    _caption(picture, f"{caption}, the {left} least likely not drawn" if left else caption)
    return picture


def draw_bodies(working: Working, guesses: Likeliest) -> Image:
    """The outline found round each of the likeliest guesses that were kept, in the colour of its face."""
    picture, faces = canvas(working), guesses.with_body
    for k in reversed(range(len(faces))):
        _shape(picture, int(faces.face[k]), body_outline(faces, guesses.bodies, k))
    left = guesses.kept - len(faces)
    caption = f"bodies of {guesses.looked_at} guesses looked for, {guesses.kept} kept"
    _caption(picture, f"{caption}, the {left} least likely not drawn" if left else caption)
    return picture


def body_outline(faces: Faces, bodies: Bodies, k: int) -> Floats:
    """The border (N, 2) in working pixels of the rounded square that is the body of guess k."""
    out = rounded_square(AROUND - bodies.turn_rad[k])
    along = np.stack([np.cos(AROUND), np.sin(AROUND)], axis=1) * (out * bodies.scale[k])[:, None]
    return np.asarray(faces.middle_px[k] + along @ np.stack([faces.across_px[k], faces.down_px[k]]))


def draw_dice(working: Working, found: Found) -> Image:
    """The dice with face and chance in percent, and all pips that belong to them."""
    picture, faces = canvas(working), found.faces
    for k in range(len(found)):
        _border(picture, body_outline(faces, found.bodies, k), FACE_COLOURS[int(faces.face[k])], 2)
    _draw_pips(picture, found.pips.take(faces.pips[faces.pips >= 0]))
    borders = [SCALE * body_outline(faces, found.bodies, k) for k in range(len(found))]
    boxes = [Box(*border.min(axis=0).tolist(), *border.max(axis=0).tolist()) for border in borders]
    labels = Labels(picture, boxes)
    for k, box in enumerate(boxes):
        face = int(faces.face[k])
        _write(labels, [f"{face}: {100 * float(found.chance[k]):.1f}"], box, FACE_COLOURS[face])
    _caption(picture, f"dice: {len(found)}, each with its face and chance in per cent")
    return picture


def _shape(picture: Image, face: int, border: Floats) -> None:
    """The border of a guess in the colour of its face, its number at the first corner."""
    _border(picture, border, FACE_COLOURS[face], 1)
    x, y = border[0]
    for colour, width in ((PLATE, 3), (INK, 1)):
        cv2.putText(picture, str(face), _place(x, y), FONT, TEXT, colour, width, cv2.LINE_AA)


def _border(picture: Image, border: Floats, colour: Colour, width: int) -> None:
    """A closed line through places in working pixels."""
    places = np.rint(border * SCALE).astype(np.int32)
    cv2.polylines(picture, [places], True, colour, width, cv2.LINE_AA)


def _write(labels: Labels, lines: Sequence[str], box: Box, colour: Colour) -> None:
    labels.write(lines, box, colour, TEXT, 1)


def _caption(picture: Image, text: str) -> None:
    """What the picture shows, at its upper left corner."""
    Labels(picture).write([text], Box(0, 0, 0, 0), PLATE, CAPTION, 1)


def _draw_pips(picture: Image, pips: Pips) -> None:
    """Rings round pips."""
    for (x, y), radius in zip(pips.xy_px, pips.radius_px, strict=True):
        cv2.circle(picture, _place(x, y), max(1, round(float(radius) * SCALE)), DARK, 1, cv2.LINE_AA)


def _place(x: float, y: float) -> tuple[int, int]:
    """A working place on the enlarged picture."""
    return round(float(x) * SCALE), round(float(y) * SCALE)
