"""From a scene to its picture and its truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.scenes import trays
from lab.scenes.bodies import Body, Patch, die_body, draw
from lab.scenes.film import develop
from lab.scenes.legible import contrast
from lab.scenes.light import Blocker, Surroundings
from lab.scenes.room import room
from lab.scenes.space import Eye, eye
from lab.scenes.table import Lit, lit_table
from lab.scenes.things import thing_bodies
from lab.scenes.truth import face_corners, truth_of
from lab.scenes.values import DieTruth, FloatArray, Lying, Picture, Scene, SceneError

SMALLEST_PX, LARGEST_PX = 32, 6000
"""Sides of a picture that can be drawn."""


def check_size(width_px: int, height_px: int) -> None:
    """Raises SceneError for a size that cannot be drawn."""
    if not all(SMALLEST_PX <= side_px <= LARGEST_PX for side_px in (width_px, height_px)):
        raise SceneError(f"A picture is {SMALLEST_PX} to {LARGEST_PX} pixels wide and high.")


def render(scene: Scene, width_px: int | None = None, height_px: int | None = None) -> Picture:
    """Draw a scene, always the same picture for the same arguments.

    Without a size the scene's own is taken; with a width alone the height follows the scene's shape. Dice
    beyond the border are left out of the truth. Raises SceneError for a size that cannot be drawn.
    """
    width = width_px or scene.width_px
    height = height_px or round(scene.height_px * width / scene.width_px)
    check_size(width, height)
    view = eye(scene.lens, width, height)
    dice = [die_body(d) for d in scene.dice]
    things = [body for thing in scene.things for body in thing_bodies(thing)]
    lit = lit_table(scene, view, _hulls(scene, [*dice, *things]))
    canvas = _Canvas.of(lit.light)
    _draw_bodies(canvas, [*dice, *things], scene, view, lit)
    if scene.tray is not None:
        canvas.hide(trays.hiding(scene.tray, view), lit.light)
    canvas.hide_beyond(scene.film.hole)
    image = develop(canvas.light, scene.film, scene.seed, width / scene.width_px)
    truth = [t for k, d in enumerate(scene.dice) if (t := _truth(k, d, canvas, view)) is not None]
    return Picture(image, tuple(replace(t, contrast=contrast(t, image)) for t in truth))


@dataclass(slots=True, eq=False)
class _Canvas:
    """The picture while bodies are laid on it: light, depth, who is in front, and what each one covered."""

    light: FloatArray
    depth_mm: FloatArray
    owner: NDArray[np.int16]
    full: dict[int, tuple[Patch, NDArray[np.bool_]]]

    @classmethod
    def of(cls, table: FloatArray) -> _Canvas:
        shape = table.shape[:2]
        return cls(table.copy(), np.full(shape, np.inf, np.float32), np.full(shape, -1, np.int16), {})

    def lay(self, number: int, patch: Patch) -> None:
        """Lay a patch over what is farther away."""
        h, w = patch.cover.shape
        here = (slice(patch.y_px, patch.y_px + h), slice(patch.x_px, patch.x_px + w))
        front = patch.depth_mm < self.depth_mm[here]
        cover = (patch.cover * front)[..., None]
        self.light[here] = self.light[here] * (1 - cover) + patch.light * front[..., None]
        solid = front & (patch.cover > 0.5)
        self.depth_mm[here][solid] = patch.depth_mm[solid]
        self.owner[here][solid] = number
        self.full[number] = (patch, patch.cover > 0.5)

    def hide(self, cover: FloatArray, table: FloatArray) -> None:
        """Put what stands in front (walls drawn with the table) back over the bodies."""
        self.light += (table - self.light) * cover[..., None]
        self.owner[cover > 0.5] = -2

    def hide_beyond(self, hole: float) -> None:
        """Nothing is seen beyond the round opening of the film."""
        if hole:
            height, width = self.owner.shape
            y, x = np.ogrid[:height, :width]
            radius = hole * min(height, width) / 2
            self.owner[(x - width / 2) ** 2 + (y - height / 2) ** 2 > radius**2] = -2


def _hulls(scene: Scene, bodies: Sequence[Body]) -> list[FloatArray]:
    walls = trays.wall_hulls(scene.tray) if scene.tray is not None else []
    return [hull for body in bodies for hull in body.hulls()] + walls


def _draw_bodies(canvas: _Canvas, bodies: Sequence[Body], scene: Scene, view: Eye, lit: Lit) -> None:
    """Draw every body, the farthest first, each lit with its neighbours' shadows on it."""
    blockers = [b.blocker() for b in bodies]
    panels = room(scene.seed)
    far = [-float(np.linalg.norm(b.centre_mm - view.place_mm)) for b in bodies]
    for k in np.argsort(far):
        ground = _ground(bodies[k], view, lit)
        around = Surroundings(scene.lights, np.asarray(scene.ambient, np.float32), ground, panels)
        patch = draw(bodies[k], view, around, _near(int(k), blockers))
        if patch is not None:
            canvas.lay(int(k), patch)


def _near(number: int, blockers: Sequence[Blocker]) -> list[Blocker]:
    """The neighbours close enough to throw shadow on a body."""
    own = blockers[number]
    radius = np.array([b.radius for b in blockers])
    apart = np.linalg.norm(np.array([b.centre for b in blockers]) - own.centre, axis=1)
    close = apart - own.radius - radius < 2.0 * radius
    return [b for k, b in enumerate(blockers) if close[k] and k != number]


def _ground(body: Body, view: Eye, lit: Lit) -> FloatArray:
    """The mean light the table throws up round a body, (3,)."""
    x, y = view.project(np.array([[*body.centre_mm[:2], 0.0]]))[0]
    reach = int(max(4, 1.5 * body.solid.bound_mm[0] * view.scale_at(body.centre_mm)))
    h, w = lit.light.shape[:2]
    x0, y0 = int(np.clip(x - reach, 0, w - 2)), int(np.clip(y - reach, 0, h - 2))
    x1, y1 = int(np.clip(x + reach, x0 + 1, w)), int(np.clip(y + reach, y0 + 1, h))
    part = lit.light[y0:y1:4, x0:x1:4].reshape(-1, 3)
    return np.asarray(np.minimum(part.mean(axis=0), 2.0), np.float32)


def _truth(number: int, die: Lying, canvas: _Canvas, view: Eye) -> DieTruth | None:
    """The truth of a die that the picture shows at least a part of."""
    if number not in canvas.full:
        return None
    patch, solid = canvas.full[number]
    h, w = solid.shape
    top = np.zeros((h, w), np.uint8)
    corners = face_corners(die, die.face, view) - (patch.x_px, patch.y_px)
    cv2.fillConvexPoly(top, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    own = solid & (top > 0)
    here = canvas.owner[patch.y_px : patch.y_px + h, patch.x_px : patch.x_px + w]
    seen = float((own & (here == number)).sum() / own.sum()) if own.any() else 0.0
    return truth_of(die, view, seen)
