"""What holds camera and ring: posts and holes of a floor, the ring's holder below it, and the diffuser."""

from __future__ import annotations

from manifold3d import Manifold

from lab.enclosure.measures import Enclosure
from lab.enclosure.solids import OVERLAP, Point, around, hole, rod, sides_of, tube, union

BASE, RIB, EAR = 2.4, 2.0, 9.0
WIRE = 6.0


def camera_posts(enclosure: Enclosure) -> Manifold:
    """A post below each hole of the camera's board, with a hole in which the screw cuts its thread."""
    top = enclosure.floor + enclosure.standoff
    outer = enclosure.camera.hole + 2.8
    posts = union(rod(outer, 0.0, top, at) for at in enclosure.camera.holes)
    return posts - union(rod(enclosure.camera.hole - 0.4, 1.2, top + 1, at) for at in enclosure.camera.holes)


def camera_holes(enclosure: Enclosure) -> Manifold:
    """The opening for the lens, wider below around a short lens, and one for the ring's wires."""
    narrow = enclosure.camera.mount + 2 * enclosure.clearance
    wide = narrow + (0.0 if enclosure.lens_below else 2 * enclosure.floor)
    cone = Manifold.cylinder(enclosure.floor + 2 * OVERLAP, wide / 2, narrow / 2, sides_of(wide))
    wires = hole(WIRE, 0.0, enclosure.floor, wire_place(enclosure))
    opening = cone.translate((0.0, 0.0, -OVERLAP))
    return opening + wires + rod(narrow, 0.0, enclosure.floor + enclosure.standoff)


def wire_place(enclosure: Enclosure) -> Point:
    """Where the ring's wires pass the floor: above the middle of the ring, to the left."""
    return -(enclosure.ring.outer + enclosure.ring.inner) / 4, 0.0


def ear_places(enclosure: Enclosure) -> list[Point]:
    """The four screws of the ring's holder: their ears are one with the outer rib."""
    return around(enclosure.ring.outer / 2 + enclosure.clearance + EAR / 2, 4, 45.0)


def ring_screws(enclosure: Enclosure) -> Manifold:
    """Holes for these screws in a floor."""
    return union(hole(3.4, 0.0, enclosure.floor, at) for at in ear_places(enclosure))


def _rib_inside(enclosure: Enclosure) -> float:
    """Inner diameter of the inner rib, which keeps the ring's light from the lens."""
    return enclosure.ring.inner - 2 * (enclosure.clearance + RIB)


def _rib_outside(enclosure: Enclosure) -> float:
    return enclosure.ring.outer + 2 * (enclosure.clearance + RIB)


def holder_height(enclosure: Enclosure) -> float:
    """Base and ribs: as high as the ring is thick."""
    return BASE + enclosure.ring.thickness


def ring_holder(enclosure: Enclosure) -> Manifold:
    """A channel for the ring between two ribs. Printed base down; screwed below a floor, open side down."""
    inside, outside = _rib_inside(enclosure), _rib_outside(enclosure)
    top = holder_height(enclosure)
    base = tube(outside, inside, 0.0, BASE) + union(rod(EAR, 0.0, top, at) for at in ear_places(enclosure))
    ribs = tube(inside + 2 * RIB, inside, 0.0, top) + tube(outside, outside - 2 * RIB, 0.0, top)
    channel = tube(outside - 2 * RIB, inside + 2 * RIB, BASE, top + 1)
    body = base - channel + ribs
    x, y = wire_place(enclosure)
    screws = union(hole(2.7, 0.0, top - 1.2, at) for at in ear_places(enclosure))
    return body - screws - hole(WIRE, 0.0, BASE, (-x, y))


def diffuser(enclosure: Enclosure) -> Manifold:
    """A cap over the ring, for white or clear plastic. Its rim grips the outer rib."""
    outer = _rib_outside(enclosure) + enclosure.clearance
    face = tube(outer + 3.2, _rib_inside(enclosure), 0.0, enclosure.thinnest)
    rim = tube(outer + 3.2, outer, 0.0, enclosure.thinnest + 4.0)
    ears = union(hole(EAR + 1, 0.0, enclosure.thinnest + 4.0, at) for at in ear_places(enclosure))
    return face + rim - ears


def mounted(enclosure: Enclosure) -> tuple[Manifold, Manifold]:
    """Holder and diffuser where they sit: below the floor, turned over."""
    height = holder_height(enclosure)
    holder = ring_holder(enclosure).rotate((0.0, 180.0, 0.0))
    cap = diffuser(enclosure).translate((0.0, 0.0, -height - enclosure.thinnest))
    return holder, cap


def ring_solid(enclosure: Enclosure) -> Manifold:
    """The ring itself, in its holder."""
    return tube(enclosure.ring.outer, enclosure.ring.inner, -holder_height(enclosure), -BASE)
