"""The printed parts by name, and the three things they make: head, console and lid-box."""

from __future__ import annotations

from manifold3d import Manifold

from lab.enclosure.box_walls import mounted_panels, mounted_rails, rail
from lab.enclosure.camera_mount import diffuser, mounted, ring_holder
from lab.enclosure.case import case_cover, case_tray, head_cover, head_tray, worn
from lab.enclosure.measures import Enclosure

NUMBERS = {"rail-side": 2, "rail-front": 2}
"""How often a part is printed, if more than once."""


def printed_parts(enclosure: Enclosure) -> dict[str, Manifold]:
    """Every part to print, as it lies on the bed."""
    parts = {
        "head-tray": head_tray(enclosure),
        "head-cover": head_cover(enclosure),
        "console-tray": case_tray(enclosure, camera=False),
        "lid-tray": case_tray(enclosure, camera=True),
        "case-cover": case_cover(enclosure),
        "ring-holder": ring_holder(enclosure),
        "diffuser": diffuser(enclosure),
        "rail-side": rail(enclosure, side=True),
        "rail-front": rail(enclosure, side=False),
    }
    return {name: part.translate((0.0, 0.0, -part.bounding_box()[2])) for name, part in parts.items()}


def head(enclosure: Enclosure) -> dict[str, Manifold]:
    """The head as it hangs on its arm, the underside of its floor at 0."""
    holder, cap = mounted(enclosure)
    cover = worn(head_cover(enclosure), enclosure.head_inside, enclosure)
    return {"tray": head_tray(enclosure), "cover": cover, "holder": holder, "diffuser": cap}


def console(enclosure: Enclosure) -> dict[str, Manifold]:
    """The console at the arm's foot."""
    cover = worn(case_cover(enclosure), enclosure.inside, enclosure)
    return {"tray": case_tray(enclosure, camera=False), "cover": cover}


def lid(enclosure: Enclosure) -> dict[str, Manifold]:
    """The lid with all that hangs below it but the panels."""
    holder, cap = mounted(enclosure)
    cover = worn(case_cover(enclosure), enclosure.inside, enclosure)
    return {
        "tray": case_tray(enclosure, camera=True),
        "cover": cover,
        "holder": holder,
        "diffuser": cap,
        "rails": mounted_rails(enclosure),
    }


def lid_box(enclosure: Enclosure) -> dict[str, Manifold]:
    """The whole box on the table."""
    return {**lid(enclosure), "panels": mounted_panels(enclosure)}
