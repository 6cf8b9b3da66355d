"""Whether camera and ring see the table free of the frame: the solids of view and light against all parts."""

from __future__ import annotations

from manifold3d import Manifold

from lab.enclosure.box_walls import view_size
from lab.enclosure.camera_mount import holder_height
from lab.enclosure.measures import Enclosure
from lab.enclosure.solids import OVERLAP, around, hull

SHORT = 2.0
"""Views end so far above the table, whatever stands on it, in mm."""
RAYS = 24


def pupil_height(enclosure: Enclosure) -> float:
    """Height of the entrance pupil above the underside of the floor."""
    return enclosure.camera.pupil - enclosure.lens_below


def view_solid(enclosure: Enclosure) -> Manifold:
    """The pyramid that is kept free for the camera, from its pupil almost to the table."""
    top = pupil_height(enclosure)
    deep = enclosure.height + enclosure.camera.pupil
    width, depth = view_size(enclosure, enclosure.spare_deg)
    share = (deep - SHORT) / deep / 2
    base = [(sx * width * share, sy * depth * share, top - deep + SHORT) for sx in (-1, 1) for sy in (-1, 1)]
    return hull([(0.0, 0.0, top), *base])


def light_solids(enclosure: Enclosure) -> list[Manifold]:
    """From points around the diffuser's face, the pyramid of light towards the table in the picture."""
    width, depth = view_size(enclosure)
    low = -enclosure.wall_height + SHORT
    base = [(sx * width / 2, sy * depth / 2, low) for sx in (-1, 1) for sy in (-1, 1)]
    radius = (enclosure.ring.outer + enclosure.ring.inner) / 4
    start = -holder_height(enclosure) - enclosure.thinnest - OVERLAP
    return [hull([(x, y, start), *base]) for x, y in around(radius, RAYS, 0.0)]


def in_view(part: Manifold, enclosure: Enclosure) -> float:
    """Volume of a part in the camera's view, in mm³; 0 when the view is free."""
    return float((part ^ view_solid(enclosure)).volume())


def in_light(part: Manifold, enclosure: Enclosure) -> float:
    """The most that a part reaches into the light of one point of the ring, in mm³; 0: none is kept away."""
    return max(float((part ^ light).volume()) for light in light_solids(enclosure))
