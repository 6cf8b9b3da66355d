"""Third stage: groups of pips that form one of the six faces.

The faces two to six are symmetric about their middle under any affine map. A two is a pair, a three a pair
with a pip at its middle, a four two pairs with a common middle. A five is a four with a pip at the middle, a
six three pairs. So every pair of like pips is tried as a diagonal, its middle as the middle of a face. The
other places of the 3 x 3 lattice are checked: pip or body. One corner may be missing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from vision.arrays import Bools, Floats, Ints, lengths
from vision.counting.marks import darkness
from vision.counting.neighbours import PipMap, alike, pairs_of
from vision.counting.pips import Pips
from vision.picture.working import Working

PIP_OFFSET = 0.25
"""Usual distance of a corner pip from the face's axes, over the side of the face (0.2 to 0.28 are seen)."""

ACE_LATTICE, BIG_ACE_LATTICE = 2.0, 1.35
"""Half side of the square in which an ace must be alone, in its radii: one that lies within most faces, and,
where that fails, one that lies even within a well rounded face twice as wide as the ace."""

LEAST_SIDES_RATIO = 0.68
"""Shorter over longer side of the four pips of a four or five: a tilt of 40 degrees gives 0.77."""

SIX_SIDES_RATIO = (0.42, 1.12)
"""Of a six, width of a row over length of a column: narrow sixes go down to 0.5, then comes the tilt."""

MOST_SKEW = 0.36
"""Cosine between the sides of the lattice."""

SHORTEST_DIAGONAL = 2.8
"""Of a two or three, in pip radii: large pips set close."""

PIP_MARK = 0.55
"""A place at least this dark, between body 0 and pip 1, may be a pip."""

BODY_MARK = 0.6
"""A place that should be body is darker than this: the candidate is wrong."""

FIRST_PIP_MARK, FIRST_BODY_MARK = 0.2, 0.95
"""For a first test of the middle of each place alone, where a glare may lie: it spares most of the work."""

MOST_PIPS = 6

# Places of the 3 x 3 lattice in units of the half sides `row` and `column`: corners, middle, ends of the row,
# ends of the column.
_PLACES = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1], [0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]], np.float32)
OCCUPIED = {
    1: (4,),
    2: (0, 1),
    3: (0, 1, 4),
    4: (0, 1, 2, 3),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 5, 6),
}
"""Which places of the lattice each face has pips at; the row of a six is its short side."""


@dataclass(frozen=True)  # no slots: what is computed once has its place beside the fields
class Faces:
    """M face candidates, in working pixels.

    `face` (M,): 1..6. `pips` (M, 6): numbers of the pips, -1 where none was found. `middle_px` (M, 2).
    `row_px` and `column_px` (M, 2): half sides of the rectangle of pips. `misfit` (M,): distance of pips from
    their places, in radii. `least_pip` (M,): darkness of the lightest place that should be a pip. `most_body`
    (M,): darkness of the darkest place that should be body (1 is a pip, 0 body). `inside`, `around`
    (M,): how many unexplained pips lie in the face and round it (`vision.counting.intruders`).
    """

    face: Ints
    pips: Ints
    middle_px: Floats
    row_px: Floats
    column_px: Floats
    misfit: Floats
    least_pip: Floats
    most_body: Floats
    inside: Floats
    around: Floats

    def __len__(self) -> int:
        return len(self.face)

    def take(self, which: Ints | Bools) -> Faces:
        return Faces(*(getattr(self, field.name)[which] for field in fields(self)))

    @cached_property
    def down_px(self) -> Floats:
        """(M, 2) from the middle to the middle of the face's side that the column points to."""
        return np.asarray(self.column_px * (0.5 / PIP_OFFSET), np.float32)

    @cached_property
    def across_px(self) -> Floats:
        """(M, 2) likewise along the row. A six's row may be narrow: its face is as wide as it is long, less
        what the tilt takes."""
        row, column = lengths(self.row_px), lengths(self.column_px)
        wide = np.where(self.face == 6, np.clip(row, 0.85 * column, column), row)
        return np.asarray(
            self.row_px * (wide / np.maximum(row, 1e-6) * (0.5 / PIP_OFFSET))[:, None], np.float32
        )

    @cached_property
    def half_px(self) -> Floats:
        """(M,) half the side of the face."""
        sides = lengths(self.across_px) * lengths(self.down_px)
        return np.asarray(np.sqrt(sides), np.float32)


def join(parts: list[Faces]) -> Faces:
    """All candidates in one."""
    return Faces(*(np.concatenate([getattr(p, field.name) for p in parts]) for field in fields(Faces)))


def find_faces(working: Working, pips: Pips) -> Faces:
    """All candidates that the pips and the places between them allow; the next stage asks for a body."""
    pairs, every = pairs_of(pips), np.arange(len(pips))
    lookup = PipMap(pips, working.width_px, working.height_px)
    aces = _aces(pips, every, ACE_LATTICE)
    candidates = join([aces, _diagonals(pips, pairs, lookup), _quads(pips, pairs, lookup)])
    found = _plausible(working, pips, candidates)
    others = np.setdiff1d(every, found.pips[found.face == 1, 0])
    big = _aces(pips, others, BIG_ACE_LATTICE)
    return join([found, _plausible(working, pips, big)])


def _candidates(
    face: int, members: Ints, middle: Floats, row: Floats, column: Floats, misfit: Floats
) -> Faces:
    """Candidates of one face value, nothing measured or counted yet."""
    count = len(members)
    padded = np.full((count, MOST_PIPS), -1, np.int32)
    padded[:, : members.shape[1]] = members
    known = (np.asarray(v, np.float32) for v in (middle, row, column, misfit))
    unknown = np.zeros((4, count), np.float32)
    return Faces(np.full(count, face, np.int32), padded, *known, *unknown)


def _aces(pips: Pips, which: Ints, lattice: float) -> Faces:
    """Every one of these pips may be an ace; its lattice is small and lies along the picture's axes."""
    half = pips.radius_px[which] * lattice
    none = np.zeros_like(half)
    row, column = np.stack([half, none], axis=1), np.stack([none, half], axis=1)
    return _candidates(1, which[:, None], pips.xy_px[which], row, column, none)


def _diagonals(pips: Pips, pairs: Ints, lookup: PipMap) -> Faces:
    """Pairs as diagonals of twos and threes; which of them it is the middle will tell."""
    ends = pips.xy_px[pairs]
    along = (ends[:, 1] - ends[:, 0]) / 2
    radius = pips.radius_px[pairs].mean(axis=1)
    far = 2 * lengths(along) > SHORTEST_DIAGONAL * radius
    pairs, along, radius, middle = pairs[far], along[far], radius[far], ends[far].mean(axis=1)
    # the diagonal turned by 45 degrees and shortened is half a side of the square of pips
    row = np.stack([along[:, 0] + along[:, 1], along[:, 1] - along[:, 0]], axis=1) / 2
    column = np.stack([along[:, 0] - along[:, 1], along[:, 0] + along[:, 1]], axis=1) / 2
    centre = lookup.at(middle, pips.light[pairs[:, 0]])
    centre = np.where((centre == pairs[:, 0]) | (centre == pairs[:, 1]), -1, centre)
    off = lengths(pips.xy_px[np.maximum(centre, 0)] - middle) / radius
    threes = np.concatenate([pairs, centre[:, None]], axis=1)
    none = np.zeros(len(pairs), np.float32)
    return join(
        [
            _candidates(2, pairs, middle, row, column, none),
            _candidates(3, threes, middle, row, column, np.where(centre >= 0, off, none)),
        ]
    )


def _quads(pips: Pips, pairs: Ints, lookup: PipMap) -> Faces:
    """Two pairs with a common middle, one of the four pips perhaps missing: fours, fives and sixes."""
    first, third = _diagonals_with_third(pips, pairs)
    middle = pips.xy_px[first].mean(axis=1)
    fourth = lookup.at(2 * middle - pips.xy_px[third], pips.light[third])
    known = np.maximum(fourth, 0)
    matched = (fourth >= 0) & alike(pips, third, known) & (fourth != first[:, 0]) & (fourth != first[:, 1])
    fourth = np.where(matched, fourth, -1)
    # a full rectangle is met from each of its corners: once is enough
    once = ~matched | ((first[:, 0] < third) & (third < fourth))
    corners = np.concatenate([first, third[:, None], fourth[:, None]], axis=1)[once]
    return _filled(pips, _of_rectangles(pips, corners), lookup)


def _diagonals_with_third(pips: Pips, pairs: Ints) -> tuple[Ints, Ints]:
    """Each pair with each like neighbour of its first pip that may lie on the other diagonal."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    numbers = np.arange(len(pips))
    starts = np.searchsorted(both[:, 0], numbers)
    counts = (np.searchsorted(both[:, 0], numbers, side="right") - starts)[pairs[:, 0]]
    which = np.repeat(np.arange(len(pairs)), counts)
    inner = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    third = both[np.repeat(starts[pairs[:, 0]], counts) + inner, 1]
    one, other = pips.xy_px[pairs[:, 0]], pips.xy_px[pairs[:, 1]]
    half, middle = (lengths(other - one) / 2)[which], ((one + other) / 2)[which]
    out = lengths(pips.xy_px[third] - middle)
    fits = (third != pairs[which, 1]) & (out > 0.6 * half) & (out < 1.65 * half)
    return pairs[which[fits]], third[fits]


def _of_rectangles(pips: Pips, corners: Ints) -> Faces:
    """Fours, fives and sixes from quads (R, 4): two opposite corners, then the others, the last may be -1."""
    one, other, third, fourth = (pips.xy_px[which] for which in corners.T)
    middles = (one + other) / 2, (third + fourth) / 2
    missing = corners[:, 3] < 0  # there `fourth` is any pip so far
    fourth[missing], middles[1][missing] = (2 * middles[0] - third)[missing], middles[0][missing]
    misfit = lengths(middles[1] - middles[0]) / 2
    middle = (middles[0] + middles[1]) / 2
    u, v = (other - one) / 2, (fourth - third) / 2
    row, column = (u + v) / 2, (u - v) / 2
    swap = lengths(row) > lengths(column)
    row[swap], column[swap] = column[swap].copy(), row[swap].copy()
    short, long = lengths(row), lengths(column)
    radius = pips.radius_px[corners[:, :3]].mean(axis=1)
    rectangular = np.abs((row * column).sum(axis=1)) < MOST_SKEW * short * long
    rectangular &= short > np.maximum(SIX_SIDES_RATIO[0] * long, 1.05 * radius)
    square = rectangular & (short > LEAST_SIDES_RATIO * long)
    nearly = square & (short * SIX_SIDES_RATIO[1] > long)
    misfit = misfit / radius
    return join(
        [
            _candidates(face, corners[m], middle[m], a[m], b[m], misfit[m])
            for face, m, a, b in (
                (4, square, row, column),
                (5, square, row, column),
                (6, rectangular, row, column),
                (6, nearly, column, row),
            )
        ]
    )


def _filled(pips: Pips, faces: Faces, lookup: PipMap) -> Faces:
    """The candidates with the pips found at the places that their layout adds to the corners."""
    members, seed = faces.pips.copy(), faces.pips[:, 0]
    for face, column, place in ((5, 4, (0, 0)), (6, 4, (-1, 0)), (6, 5, (1, 0))):
        where = faces.middle_px + place[0] * faces.row_px + place[1] * faces.column_px
        found = lookup.at(where, pips.light[seed])
        fits = (faces.face == face) & (found >= 0) & alike(pips, seed, np.maximum(found, 0))
        members[fits, column] = found[fits]
    return replace(faces, pips=members)


def _with_darkness(working: Working, pips: Pips, faces: Faces, points: int = 9) -> Faces:
    """The candidates with the darkness of their lattice's places."""
    usual = mean_of_pips(np.column_stack([pips.inside, pips.ring, pips.radius_px]), faces)
    dark = darkness(working, _places_px(faces), usual[:, 6], usual[:, :3], usual[:, 3:6], points)
    dark = np.ascontiguousarray(dark.T)  # much faster than along a short axis
    occupied = np.ascontiguousarray(_OCCUPIED_TABLE[faces.face].T)
    least = np.where(occupied, dark, np.float32(np.inf)).min(axis=0)
    body = np.where(occupied, np.float32(-np.inf), dark)
    most = body.max(axis=0)
    # the lattice of an ace is no layout: one of its places may lie beyond a narrow face
    ace = faces.face == 1
    most[ace] = np.partition(body[:, ace], -2, axis=0)[-2]
    return replace(faces, least_pip=least.astype(np.float32), most_body=most.astype(np.float32))


def _places_px(faces: Faces) -> Floats:
    """Where the places of each candidate's lattice lie, (M, 9, 2); x and y apart take a third of the time."""
    x, y = (
        middle[:, None] + row[:, None] * _PLACES[:, 0] + column[:, None] * _PLACES[:, 1]
        for middle, row, column in zip(faces.middle_px.T, faces.row_px.T, faces.column_px.T, strict=True)
    )
    return np.stack([x, y], axis=2)


_OCCUPIED_TABLE = np.array([[p in OCCUPIED.get(face, ()) for p in range(9)] for face in range(7)])


def mean_of_pips(values: Floats, faces: Faces) -> Floats:
    """Mean of a property of the pips found of each face; values (N,) or (N, C)."""
    none = np.concatenate([values, np.zeros_like(values[:1])])  # what -1, no pip, adds
    members = np.ascontiguousarray(faces.pips.T)  # sums along a short axis are slow
    total = none.take(members[0], axis=0)
    for others in members[1:]:
        total += none.take(others, axis=0)
    count = np.maximum((members >= 0).sum(axis=0), 1).astype(np.float32)
    return np.asarray(total / (count if values.ndim == 1 else count[:, None]), np.float32)


def least_of_pips(values: Floats, faces: Faces) -> Floats:
    """Least of a property (N,) among the pips found of each face."""
    none = np.append(values, np.float32(np.inf))
    return np.asarray(none.take(faces.pips.T).min(axis=0), np.float32)


def _plausible(working: Working, pips: Pips, faces: Faces) -> Faces:
    """Candidates whose pips look like pips and whose other places do not."""
    first = _with_darkness(working, pips, faces, points=1)
    hopeful = first.take((first.least_pip > FIRST_PIP_MARK) & (first.most_body < FIRST_BODY_MARK))
    second = _with_darkness(working, pips, hopeful)
    return second.take((second.least_pip > PIP_MARK) & (second.most_body < BODY_MARK))
