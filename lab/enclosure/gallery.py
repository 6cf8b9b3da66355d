"""The pictures of the docs: what is shown from where."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
from manifold3d import Manifold

from lab.enclosure.assemblies import console, head, lid, lid_box
from lab.enclosure.box_walls import view_size
from lab.enclosure.camera_mount import ring_solid
from lab.enclosure.case import button_places, lamp_places, pi_corner, status_place
from lab.enclosure.free_view import pupil_height
from lab.enclosure.measures import Enclosure
from lab.enclosure.picture import Colour, Item, Ray, rendered
from lab.enclosure.solids import block, rod, tube, union

Picture = npt.NDArray[np.uint8]

COLOURS: dict[str, Colour] = {
    "tray": (150, 126, 92),
    "cover": (176, 154, 122),
    "holder": (120, 104, 84),
    "diffuser": (242, 244, 244),
    "rails": (96, 116, 150),
    "panels": (206, 222, 232),
    "board": (96, 150, 70),
    "lens": (60, 56, 54),
    "ring": (120, 236, 250),
    "button red": (64, 60, 214),
    "button green": (92, 168, 70),
    "button white": (238, 238, 238),
    "lamp": (110, 214, 250),
    "table": (150, 176, 150),
}


def _items(parts: Mapping[str, Manifold]) -> list[Item]:
    return [Item(part, COLOURS[name]) for name, part in parts.items()]


def _head(enclosure: Enclosure) -> Picture:
    """The head taken apart, from below."""
    parts = head(enclosure)
    apart = {"cover": 104.0, "board": 62.0, "tray": 0.0, "ring": -26.0, "holder": -44.0, "diffuser": -78.0}
    solids = {**parts, "board": camera_solid(enclosure), "ring": ring_solid(enclosure)}
    items = [Item(solids[name].translate((0.0, 0.0, up)), COLOURS[name]) for name, up in apart.items()]
    return rendered(items, 620, 900, turn_deg=-32, tilt_deg=-24)


def _console(enclosure: Enclosure) -> Picture:
    items = _items(console(enclosure)) + fittings(enclosure)
    return rendered(items, 900, 620, turn_deg=-28, tilt_deg=38)


def _lid_below(enclosure: Enclosure) -> Picture:
    items = [*_items(lid(enclosure)), Item(camera_solid(enclosure), COLOURS["lens"])]
    return rendered(items, 900, 620, turn_deg=-28, tilt_deg=-42)


def _inside(enclosure: Enclosure) -> Picture:
    """The lid without its cover: Pi and camera in their places."""
    parts = {"tray": lid(enclosure)["tray"]}
    boards = [Item(camera_solid(enclosure), COLOURS["board"]), Item(pi_solid(enclosure), COLOURS["board"])]
    return rendered(_items(parts) + boards, 900, 620, turn_deg=-28, tilt_deg=52)


def _lid_box(enclosure: Enclosure) -> Picture:
    """The box on the table, cut open in the middle, with the edges of the camera's view."""
    parts = lid_box(enclosure)
    parts["panels"] = parts["panels"].trim_by_plane((0.0, 1.0, 0.0), 0.0)
    low = -enclosure.wall_height
    width, depth = view_size(enclosure)
    table = block(width + 160, depth + 200, low - 6, low)
    dice = [
        block(16, 16, low, low + 16, at) for at in ((-90, -40), (40, -70), (110, 20), (-20, 30), (-160, 60))
    ]
    rays = [
        Ray((0.0, 0.0, pupil_height(enclosure)), (sx * width / 2, sy * depth / 2, low + 1))
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    things = [Item(table, COLOURS["table"]), Item(union(dice), COLOURS["button white"])]
    return rendered(
        _items(parts) + fittings(enclosure) + things, 900, 760, turn_deg=-24, tilt_deg=14, rays=rays
    )


def fittings(enclosure: Enclosure) -> list[Item]:
    """Buttons and lamps in the cover."""
    top = 2 * enclosure.floor + enclosure.inside
    names = ("button red", "button green", "button white")
    buttons = [
        Item(_button(enclosure, at, top), COLOURS[name])
        for at, name in zip(button_places(enclosure), names, strict=True)
    ]
    lamps = union(rod(4.8, top - 6, top + 4, at, 24) for at in lamp_places(enclosure))
    return [*buttons, Item(lamps + rod(9.8, top - 8, top + 6, status_place(enclosure)), COLOURS["lamp"])]


def _button(enclosure: Enclosure, at: tuple[float, float], top: float) -> Manifold:
    button = enclosure.button
    rim = tube(button.rim, button.thread - 4, top, top + 4, at)
    body = rod(button.thread, top - button.depth, top, at)
    return rim + body + rod(button.thread - 5, top, top + 7, at)


def camera_solid(enclosure: Enclosure) -> Manifold:
    """The camera on its posts: board and lens."""
    camera, top = enclosure.camera, enclosure.floor + enclosure.standoff
    middle = (camera.right - camera.left) / 2, (camera.back - camera.front) / 2
    board = block(camera.left + camera.right, camera.front + camera.back, top, top + 1.2, middle)
    return board + rod(camera.mount - 2, top - camera.length, top)


def pi_solid(enclosure: Enclosure) -> Manifold:
    """The Pi on its posts: board, sockets and header."""
    x, y = pi_corner(enclosure)
    pi, low = enclosure.pi, enclosure.floor + 5.0
    middle = x - pi.length / 2, y - pi.width / 2
    board = block(pi.length, pi.width, low, low + 1.4, middle)
    sockets = [
        block(19.0, 15.0, low, low + 16, (x - pi.length + 6.5, y - pi.width + place))
        for place in (10.0, 28.0, 46.0)
    ]
    power = block(9.0, 7.5, low, low + 4.6, (x - pi.power_at, y - 2.5))
    header = block(51.0, 5.0, low, low + 10, (x - 32.5, y - pi.width + 3.5))
    return union([board, *sockets, power, header])


PICTURES: dict[str, Callable[[Enclosure], Picture]] = {
    "head": _head,
    "console": _console,
    "lid-below": _lid_below,
    "inside": _inside,
    "lid-box": _lid_box,
}
"""All pictures by the names of their files."""
