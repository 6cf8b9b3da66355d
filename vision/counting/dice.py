"""Fifth stage: from candidates with bodies to dice, each once.

A die shows its top face largest; a candidate on a side face or across two dice overlaps a better one and is
dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from vision.arrays import Bools, Floats, Ints, lengths
from vision.counting.body import Bodies, Rays, cast_rays, find_bodies
from vision.counting.faces import Faces, find_faces, mean_of_pips
from vision.counting.family import CLOSEST, weigh_among
from vision.counting.intruders import unspoilt
from vision.counting.pips import Pips
from vision.counting.scrutiny import Weighed, as_chance, promising, weigh
from vision.picture.working import Working

ANCHOR_CHANCE = 0.75
"""Dice at least this likely by themselves speak for others like them."""

MOST_OFF = 0.75
"""Logarithm of how much larger or smaller the usual body may be than an ace's or two's pips alone make it."""

BESIDE, SIDE_FLAT, SIDE_SIZE = 1.03, 0.88, 1.1
"""A side face lies this near its die's top face, in the sum of their half sides; over that face's, the ratio
of its pips' axes and its size are at most these. Faces on top of dice that touch have pips alike flat."""

SIDE_CHANCE = 0.85
"""A candidate at least this likely is no side face: small pips' axes are noise."""

ALONG_SIDE_RAD = 0.5
"""A two whose body is turned farther against its pips has them along a side."""

LEAST_CHANCE = 0.2
"""Candidates less likely than this are no dice."""


@dataclass(frozen=True, slots=True)
class Found:
    """The dice of a picture in working pixels.

    `pips` are all pips, `faces` and `bodies` those of the K dice. `chance` (K,): probability that the face is
    right. `which` (K,): the dice among the hopeful candidates.
    """

    pips: Pips
    faces: Faces
    bodies: Bodies
    chance: Floats
    which: Ints

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def half_px(self) -> Floats:
        return np.asarray(self.faces.half_px * self.bodies.scale, np.float32)


@dataclass(frozen=True, slots=True)
class Candidates:
    """What faces there may be: `every` candidate that no intruder spoils; those promising enough for
    bodies, `faces`, with these `bodies`, each `weighed` by itself."""

    every: Faces
    faces: Faces
    bodies: Bodies
    weighed: Weighed


def find_dice(working: Working, pips: Pips) -> Found:
    """All dice that the pips of the picture make likely, likeliest first."""
    return chosen(pips, candidates(working, pips))


def candidates(working: Working, pips: Pips) -> Candidates:
    """All face candidates, and the bodies of those that may still matter."""
    every = unspoilt(pips, find_faces(working, pips))
    faces = promising(pips, every)
    return Candidates(every, faces, *of_usual_size(pips, faces, cast_rays(working, pips, faces)))


def chosen(pips: Pips, candidates: Candidates) -> Found:
    """The dice among the candidates, each weighed among the others, likeliest first."""
    hopeful = candidates.weighed.hopeful
    faces, weighed = candidates.faces.take(hopeful), candidates.weighed.take(hopeful)
    bodies = some(candidates.bodies, hopeful)
    sure = anchors(pips, faces, bodies, weighed)
    chance = as_chance(weigh_among(pips, faces, bodies, weighed, sure))
    return _select(pips, faces, bodies, chance)


def of_usual_size(pips: Pips, faces: Faces, rays: Rays) -> tuple[Bodies, Weighed]:
    """The best bodies, weighed; each ace and two with one of the usual size where that makes it likelier.

    What a lone pip or two lie on tells little of the die's size, and the veins of a marbled die have
    borders of their own; the other dice on the table tell it.
    """
    bodies = find_bodies(faces, rays)
    weighed = weigh(pips, faces, bodies)
    sure = anchors(pips, faces, bodies, weighed)
    if not len(sure):
        return bodies, weighed
    half_px = (faces.half_px * bodies.scale)[sure]
    usual_px = float(np.median(half_px))
    apart = np.linalg.norm(faces.middle_px[:, None] - faces.middle_px[sure], axis=2)
    free = (apart > half_px).all(axis=1) & (np.abs(np.log(faces.half_px / usual_px)) < MOST_OFF)
    few = np.nonzero(free & (faces.face <= 2))[0]
    again = find_bodies(faces.take(few), rays.take(few), usual_px)
    seen = weigh(pips, faces.take(few), again)
    better = seen.chance > weighed.chance[few]
    return _replaced(bodies, again, few, better), _replaced(weighed, seen, few, better)


_Rows = TypeVar("_Rows", Bodies, Weighed)


def _replaced(old: _Rows, new: _Rows, which: Ints, better: Bools) -> _Rows:
    """`old` with the rows `which` from `new` where those are better."""
    parts = []
    for name in type(old).__slots__:
        values = getattr(old, name).copy()
        values[which[better]] = getattr(new, name)[better]
        parts.append(values)
    return type(old)(*parts)


def anchors(pips: Pips, faces: Faces, bodies: Bodies, weighed: Weighed) -> Ints:
    """Numbers of the candidates that are dice by themselves, whatever lies round them."""
    first = _select(pips, faces, bodies, weighed.chance)
    return first.which[first.chance >= ANCHOR_CHANCE]


def some(bodies: Bodies, which: Ints | Bools) -> Bodies:
    """The bodies of some candidates."""
    return Bodies(*(getattr(bodies, name)[which] for name in Bodies.__slots__))


def _select(pips: Pips, faces: Faces, bodies: Bodies, chance: Floats) -> Found:
    """Likeliest first, each die once, no pip twice."""
    order = np.argsort(-chance, kind="stable")
    order = order[chance[order] >= LEAST_CHANCE]
    half = faces.half_px * bodies.scale
    kept: list[int] = []
    used: set[int] = set()
    covered = np.zeros(len(faces), bool)
    for index in order.tolist():
        if covered[index] or any(pip in used for pip in faces.pips[index].tolist()):
            continue
        used.update(pip for pip in faces.pips[index].tolist() if pip >= 0)
        covered |= lengths(faces.middle_px - faces.middle_px[index]) < CLOSEST * (half + half[index])
        kept.append(index)
    which = np.array(kept, np.int32)
    which = which[~_sides(pips, faces.take(which), half[which], chance[which])]
    return Found(pips, faces.take(which), some(bodies, which), chance[which], which)


def _sides(pips: Pips, faces: Faces, half: Floats, chance: Floats) -> Bools:
    """Which candidates (M,) are at side faces of likelier ones: beside them, no larger, with flatter pips."""
    apart = np.linalg.norm(faces.middle_px[:, None] - faces.middle_px, axis=2)
    flat = mean_of_pips(pips.flat, faces)
    side = apart < BESIDE * (half[:, None] + half)
    side &= (flat[:, None] < SIDE_FLAT * flat) & (half[:, None] < SIDE_SIZE * half)
    side &= chance[:, None] < np.minimum(chance, SIDE_CHANCE)
    return np.asarray(side.any(axis=1))


def angle_deg(faces: Faces, bodies: Bodies) -> Floats:
    """Turn of each die in [0, 90): as its pips lie; as its body does for an ace and a two along a side."""
    across = np.arctan2(faces.across_px[:, 1], faces.across_px[:, 0])
    along_side = (faces.face == 2) & (np.abs(bodies.turn_rad) > ALONG_SIDE_RAD)
    across = across + np.where((faces.face == 1) | along_side, bodies.turn_rad, 0)
    return np.asarray(np.degrees(across) % 90, np.float32)
