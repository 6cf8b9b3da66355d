"""Third stage: groups of pips that form one of the six faces.

The faces two to six are symmetric about their middle under any affine map: a two is a pair, a three a pair
with a pip at its middle, a four two pairs with a common middle, a five those with a pip at the middle, a six
three pairs. So every pair of like pips is tried as a diagonal, and its middle as the middle of a face.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.neighbours import PipMap, alike, pairs_of
from vision.pips import Pips

PIP_OFFSET = 0.25
"""Usual distance of a corner pip from the face's axes, over the side of the face (0.2 to 0.28 are seen)."""

PIP_RADIUS = 0.1
"""Usual radius of a pip over the side of the face; used for aces alone, whose size nothing else tells."""

LEAST_SIDES_RATIO = 0.68
"""Shorter over longer side of the four pips of a four or five: a tilt of 40 degrees gives 0.77."""

SIX_SIDES_RATIO = (0.42, 1.12)
"""Of a six, width of a row over length of a column: narrow sixes go down to 0.5, then comes the tilt."""

MOST_SKEW = 0.36
"""Cosine between the sides of the lattice."""

FACE_REACH = 0.86
"""Of half the face's side: pips of the same kind inside this square belong to the face or speak against it."""

MOST_PIPS = 6


@dataclass(frozen=True, slots=True)
class Faces:
    """M guesses at faces, in working pixels.

    `face` (M,) 1..6; `pips` (M, 6) numbers of the pips, -1 where none; `middle_px` (M, 2); `across_px` and
    `down_px` (M, 2): from the middle to the middle of two neighbouring sides of the face; `misfit` (M,): root
    mean square distance of the pips from the layout, over their radius; `intruders` (M,): like pips inside
    the face that the layout does not explain.
    """

    face: Ints
    pips: Ints
    middle_px: Floats
    across_px: Floats
    down_px: Floats
    misfit: Floats
    intruders: Floats

    def __len__(self) -> int:
        return len(self.face)

    def take(self, which: Ints) -> Faces:
        return Faces(*(getattr(self, name)[which] for name in self.__slots__))

    @property
    def half_px(self) -> Floats:
        """(M,) half the side of the face."""
        return np.asarray(
            np.sqrt(np.linalg.norm(self.across_px, axis=1) * np.linalg.norm(self.down_px, axis=1)), np.float32
        )


def join(parts: list[Faces]) -> Faces:
    """All guesses in one."""
    return Faces(*(np.concatenate([getattr(p, name) for p in parts]) for name in Faces.__slots__))


def find_faces(pips: Pips, width_px: int, height_px: int) -> Faces:
    """All guesses at faces that the pips alone allow; the next stage asks for a body."""
    pairs = pairs_of(pips)
    lookup = PipMap(pips, width_px, height_px)
    guesses = join([_aces(pips), _diagonals(pips, pairs, lookup), _quads(pips, pairs, lookup)])
    return count_intruders(pips, guesses)


def _aces(pips: Pips) -> Faces:
    """Every pip may be an ace; its square has the usual size and lies along the picture's axes."""
    count = len(pips)
    half = pips.radius_px * (0.5 / PIP_RADIUS)
    across = np.stack([half, np.zeros_like(half)], axis=1)
    return _guesses(1, np.arange(count)[:, None], pips.xy_px, across, np.zeros(count, np.float32))


def _guesses(
    face: int, members: Ints, middle: Floats, across: Floats, misfit: Floats, down: Floats | None = None
) -> Faces:
    """Guesses of one face value; `down` at right angles to `across` where not given."""
    padded = np.full((len(members), MOST_PIPS), -1, np.int32)
    padded[:, : members.shape[1]] = members
    if down is None:
        down = np.stack([-across[:, 1], across[:, 0]], axis=1)
    return Faces(
        np.full(len(members), face, np.int32),
        padded,
        middle.astype(np.float32),
        across.astype(np.float32),
        down.astype(np.float32),
        misfit.astype(np.float32),
        np.zeros(len(members), np.float32),
    )


SHORTEST_DIAGONAL = 3.2
"""Of a two or three, in pip radii: large pips set close."""


def _diagonals(pips: Pips, pairs: Ints, lookup: PipMap) -> Faces:
    """Pairs as diagonals of a two or, with a like pip at their middle, of a three."""
    ends = pips.xy_px[pairs]
    along = (ends[:, 1] - ends[:, 0]) / 2
    radius = pips.radius_px[pairs].mean(axis=1)
    long_enough = 2 * np.linalg.norm(along, axis=1) > SHORTEST_DIAGONAL * radius
    pairs, along, radius, ends = (
        pairs[long_enough],
        along[long_enough],
        radius[long_enough],
        ends[long_enough],
    )
    middle = ends.mean(axis=1)
    centre = lookup.at(middle, pips.light[pairs[:, 0]])
    three = (centre >= 0) & (centre != pairs[:, 0]) & (centre != pairs[:, 1])
    three &= alike(pips, pairs[:, 0], np.maximum(centre, 0))
    # the diagonal of the pips' square turned by 45 degrees and stretched is half a side of the face
    turned = np.stack([along[:, 0] - along[:, 1], along[:, 0] + along[:, 1]], axis=1) / 2
    across = turned * (0.5 / PIP_OFFSET)
    off = np.linalg.norm(pips.xy_px[np.maximum(centre, 0)] - middle, axis=1) / radius
    two = ~three
    threes = np.concatenate([pairs, centre[:, None]], axis=1)[three]
    none = np.zeros(int(two.sum()), np.float32)
    return join(
        [
            _guesses(2, pairs[two], middle[two], across[two], none),
            _guesses(3, threes, middle[three], across[three], off[three]),
        ]
    )


def _quads(pips: Pips, pairs: Ints, lookup: PipMap) -> Faces:
    """Two pairs with a common middle: fours, fives and sixes."""
    first, second = _diagonals_with_third(pips, pairs)
    middle = pips.xy_px[first].mean(axis=1)
    opposite = lookup.at(2 * middle - pips.xy_px[second], pips.light[second])
    known = np.maximum(opposite, 0)
    real = (opposite > second) & alike(pips, second, known) & alike(pips, first[:, 0], known)
    first, other = first[real], np.stack([second, opposite], axis=1)[real]
    return _of_rectangles(pips, _rectangles(pips, first, other), lookup)


def _diagonals_with_third(pips: Pips, pairs: Ints) -> tuple[Ints, Ints]:
    """Each pair with each like neighbour of its first pip that may lie on the other diagonal.

    The lowest number of a rectangle's four is always the first of its own diagonal, so each is met once.
    """
    starts = np.searchsorted(
        pairs_sorted := pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))][:, 0], np.arange(len(pips))
    )
    ends = np.searchsorted(pairs_sorted, np.arange(len(pips)), side="right")
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    counts = (ends - starts)[pairs[:, 0]]
    which = np.repeat(np.arange(len(pairs)), counts)
    inner = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    third = pairs[starts[pairs[which, 0]] + inner, 1]
    first = pairs[which]
    half = np.linalg.norm(pips.xy_px[first[:, 1]] - pips.xy_px[first[:, 0]], axis=1) / 2
    out = np.linalg.norm(pips.xy_px[third] - pips.xy_px[first].mean(axis=1), axis=1)
    fits = (third != first[:, 1]) & (out > 0.6 * half) & (out < 1.65 * half)
    return first[fits], third[fits]


@dataclass(frozen=True, slots=True)
class _Rectangles:
    """R rectangles of pips: `corners` (R, 4) in order of the diagonals, `long` and `short` (R, 2) half sides."""

    corners: Ints
    middle: Floats
    long: Floats
    short: Floats
    misfit: Floats


def _rectangles(pips: Pips, one: Ints, other: Ints) -> _Rectangles:
    """Quads near enough to rectangles, with their half sides."""
    p, q = pips.xy_px[one], pips.xy_px[other]
    u, v = (p[:, 1] - p[:, 0]) / 2, (q[:, 1] - q[:, 0]) / 2
    a, b = (u + v) / 2, (u - v) / 2
    swap = np.linalg.norm(a, axis=1) < np.linalg.norm(b, axis=1)
    a[swap], b[swap] = b[swap].copy(), a[swap].copy()
    long, short = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    skew = np.abs((a * b).sum(axis=1)) / np.maximum(long * short, 1e-6)
    middle = (p.mean(axis=1) + q.mean(axis=1)) / 2
    corners = np.concatenate([one, other], axis=1)
    radius = pips.radius_px[corners].mean(axis=1)
    misfit = np.linalg.norm(p.mean(axis=1) - q.mean(axis=1), axis=1) / 2 / radius
    good = (skew < MOST_SKEW) & (short > 0.42 * long) & (short > 1.05 * radius)
    return _Rectangles(corners[good], middle[good], a[good], b[good], misfit[good])


def _of_rectangles(pips: Pips, quads: _Rectangles, lookup: PipMap) -> Faces:
    """Fours, fives and sixes: by what lies at the middle and at the middles of the sides."""
    light = pips.light[quads.corners[:, 0]]
    centre = lookup.at(quads.middle, light)
    ratio = np.linalg.norm(quads.short, axis=1) / np.linalg.norm(quads.long, axis=1)
    square = ratio >= LEAST_SIDES_RATIO
    across, down = quads.long * (0.5 / PIP_OFFSET), quads.short * (0.5 / PIP_OFFSET)
    four, five = square & (centre < 0), square & (centre >= 0)
    fives = np.concatenate([quads.corners, centre[:, None]], axis=1)
    return join(
        [
            _guesses(
                4, quads.corners[four], quads.middle[four], across[four], quads.misfit[four], down[four]
            ),
            _guesses(5, fives[five], quads.middle[five], across[five], quads.misfit[five], down[five]),
            _sixes(pips, quads, quads.long, quads.short, lookup),
            _sixes(pips, quads, quads.short, quads.long, lookup),
        ]
    )


def _sixes(pips: Pips, quads: _Rectangles, column: Floats, row: Floats, lookup: PipMap) -> Faces:
    """Rectangles with a pip at the middle of both sides that run along `column`."""
    light = pips.light[quads.corners[:, 0]]
    left, right = lookup.at(quads.middle - row, light), lookup.at(quads.middle + row, light)
    ratio = np.linalg.norm(row, axis=1) / np.linalg.norm(column, axis=1)
    six = (left >= 0) & (right >= 0) & (ratio >= SIX_SIDES_RATIO[0]) & (ratio <= SIX_SIDES_RATIO[1])
    first = quads.corners[:, 0]
    six &= alike(pips, first, np.maximum(left, 0)) & alike(pips, first, np.maximum(right, 0))
    members = np.concatenate([quads.corners, left[:, None], right[:, None]], axis=1)[six]
    down = column[six] * (0.5 / PIP_OFFSET)
    # the row may be narrow: the face is as wide as it is long, less what the tilt takes
    unit = row[six] / np.linalg.norm(row[six], axis=1, keepdims=True)
    wide = np.clip(np.linalg.norm(row[six], axis=1) / np.linalg.norm(column[six], axis=1), 0.85, 1.0)
    across = unit * (np.linalg.norm(down, axis=1) * wide)[:, None]
    return _guesses(6, members, quads.middle[six], across, quads.misfit[six], down)


def count_intruders(pips: Pips, faces: Faces) -> Faces:
    """The guesses with the like pips counted that lie inside each face but are none of its own."""
    owner, guest = _near(pips, faces)
    offset = pips.xy_px[guest] - faces.middle_px[owner]
    inside = _inside(offset, faces.across_px[owner], faces.down_px[owner], FACE_REACH)
    foreign = inside & ~(faces.pips[owner] == guest[:, None]).any(axis=1)
    seed = faces.pips[owner, 0]
    alike_enough = (
        (pips.light[guest] == pips.light[seed])
        & (pips.contrast[guest] > 0.4 * pips.contrast[seed])
        & (pips.radius_px[guest] > 0.5 * pips.radius_px[seed])
        & (pips.radius_px[guest] < 1.8 * pips.radius_px[seed])
    )
    count = np.bincount(owner[foreign & alike_enough], minlength=len(faces)).astype(np.float32)
    return Faces(faces.face, faces.pips, faces.middle_px, faces.across_px, faces.down_px, faces.misfit, count)


def _near(pips: Pips, faces: Faces) -> tuple[Ints, Ints]:
    """Pairs (guess, pip) that lie within the guess's reach along x."""
    order = np.argsort(pips.xy_px[:, 0], kind="stable")
    x = pips.xy_px[order, 0]
    reach = faces.half_px * 1.5
    start = np.searchsorted(x, faces.middle_px[:, 0] - reach)
    counts = np.searchsorted(x, faces.middle_px[:, 0] + reach) - start
    owner = np.repeat(np.arange(len(faces)), counts)
    inner = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    guest = order[start[owner] + inner]
    close = np.abs(pips.xy_px[guest, 1] - faces.middle_px[owner, 1]) <= reach[owner]
    return owner[close].astype(np.int32), guest[close].astype(np.int32)


def _inside(offset: Floats, across: Floats, down: Floats, reach: float) -> Bools:
    """Whether each offset (N, 2) lies in the parallelogram spanned by across and down, scaled by `reach`."""
    area = across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]
    area = np.where(np.abs(area) < 1e-6, 1e-6, area)
    s = (offset[:, 0] * down[:, 1] - offset[:, 1] * down[:, 0]) / area
    t = (across[:, 0] * offset[:, 1] - across[:, 1] * offset[:, 0]) / area
    return np.asarray((np.abs(s) < reach) & (np.abs(t) < reach))
