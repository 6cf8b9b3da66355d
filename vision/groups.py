"""Groups of equal dice: those that one player threw, or that came out of one box.

Two dice are equal when their bodies have one colour in this picture, their pips are both lighter or both
darker than the bodies, and their sides are about as long. The nearest two groups become one until none are
near. Then the groups get names together, so that a name tells the colours of this picture apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import BURNT, Floats, Image, medians
from vision.picture import colour
from vision.picture.colour import lab
from vision.picture.working import for_colours
from vision.values import Die, Group

LIGHTNESS, ALIKE = 0.5, 10.0
"""Bodies no farther apart than this in CIE L*a*b* may be of one group; lightness counts half, for it turns
with a die's place under the lamp. On 490 drawn tables of up to four makes this put 93 in 100 pairs of one
make into one group, and 3 in 1000 of different makes; 12 would put 94 and 7."""

SIZES = 1.3
"""And sides no farther apart than this factor: what lies at the picture's border looks smaller."""

CLEAR_PIPS, PIPS = 20.0, 0.75
"""Pips this much lighter or darker than the body, in L*, count whole; a light one and a dark one are farther
apart than anything in a group."""

TAKEN = 3.0
"""A name that a group of another colour has is less likely by this logarithm. On 160 rendered tables of two
to six players 17 of 1 080 pairs of colours share a name, of which 12 lie in one group; without it 50 do."""


def grouped(image_bgr: Image, dice: Sequence[Die]) -> tuple[tuple[Die, ...], tuple[Group, ...]]:
    """The dice, each with the colour's name of its group, and the groups, largest first.

    A die whose body's colour is not known belongs to none.
    """
    known = [k for k, die in enumerate(dice) if die.rgb is not None]
    if not known:
        return tuple(dice), ()
    seen = [dice[k] for k in known]
    features = _features(image_bgr, seen)
    found = sorted((sorted(group) for group in _clusters(features)), key=lambda group: (-len(group), group))
    # a body that is burnt out has lost its colour: the others name the group
    tell = [[k for k in group if max(seen[k].rgb or (BURNT,)) < BURNT] or group for group in found]
    names = _names(_likely(image_bgr, seen, features[:, 3]), features[:, :3], tell)
    groups = tuple(
        _group(dice, tuple(known[i] for i in members), name)
        for members, name in zip(found, names, strict=True)
    )
    named = {k: group.colour for group in groups for k in group.dice}
    return tuple(replace(die, colour=named.get(k, die.colour)) for k, die in enumerate(dice)), groups


def _group(dice: Sequence[Die], members: tuple[int, ...], name: str) -> Group:
    mine = [dice[k] for k in members]
    red, green, blue = (round(float(v)) for v in np.mean([die.rgb for die in mine if die.rgb], axis=0))
    return Group(members, name, (red, green, blue), float(np.mean([die.size_px for die in mine])))


def _likely(image_bgr: Image, dice: Sequence[Die], pips: Floats) -> Floats:
    """How likely each name is for each die, (n, 12), logarithms."""
    factors = colour.balance(for_colours(image_bgr))
    shades = np.sqrt(np.array([die.rgb for die in dice], np.float32)[:, ::-1] / 255)
    likely = colour.likelihoods(shades, factors)
    # black whose pips are clearly darker still is a paler body in the shade
    likely[pips <= -PIPS, colour.NAMES.index("black")] = -np.inf
    return likely


def _names(likely: Floats, colours: Floats, groups: Sequence[list[int]]) -> list[str]:
    """A name for each group, given how likely each is for each die. The group that would lose most by another
    one chooses first."""
    likely = np.stack([medians(likely[members]) for members in groups])
    apart = _apart(np.stack([colours[members].mean(axis=0) for members in groups]))
    names, left = [""] * len(groups), set(range(len(groups)))
    while left:
        best = np.sort(likely, axis=1)
        first = max(left, key=lambda k: best[k, -1] - best[k, -2])
        choice = int(likely[first].argmax())
        names[first] = colour.NAMES[choice]
        likely[apart[first] > 1, choice] -= TAKEN
        left.remove(first)
    return names


def _features(image_bgr: Image, dice: Sequence[Die]) -> Floats:
    """What is compared of each die, (n, 5), so that 1 apart is too far: colour (3), pips, size."""
    lightness, red, yellow = lab(np.array([die.rgb for die in dice], np.float32)).T
    ink, _, _ = lab(_inks(image_bgr, dice)).T
    lighter = np.clip((ink - lightness) / CLEAR_PIPS, -1, 1)
    size = np.log([die.size_px for die in dice]) / math.log(SIZES)
    colour = LIGHTNESS * lightness / ALIKE, red / ALIKE, yellow / ALIKE
    return np.column_stack([*colour, PIPS * lighter, size]).astype(np.float32)


def _inks(image_bgr: Image, dice: Sequence[Die]) -> Floats:
    """The usual colour of each die's pips in their middles, red, green, blue; its body's without any."""
    places = np.array([(pip.y_px, pip.x_px) for die in dice for pip in die.pips]).reshape(-1, 2)
    rows, columns = np.clip(places.round().astype(int), 0, np.array(image_bgr.shape[:2]) - 1).T
    shades = iter(image_bgr[rows, columns, ::-1].astype(np.float32))
    inks = [np.array([next(shades) for _ in die.pips]) if die.pips else np.array([die.rgb]) for die in dice]
    return np.array([medians(ink) for ink in inks], np.float32)


def _clusters(features: Floats) -> list[list[int]]:
    """Numbers of the rows of each group: the nearest two become one while they are near.

    Colours are as far apart as the nearest dice of both, for light falls off from die to die; pips and sizes
    as the means, or else dice each a little larger than the next would all be of one size.
    """
    groups, middles = [[k] for k in range(len(features))], features[:, 3:].copy()
    colours = _apart(features[:, :3])
    np.fill_diagonal(colours, np.inf)
    while (apart := colours + _apart(middles)).min() <= 1:
        one, other = divmod(int(apart.argmin()), len(groups))
        groups[one], groups[other] = groups[one] + groups[other], []
        middles[one] = features[groups[one], 3:].mean(axis=0)
        colours[one] = colours[:, one] = np.minimum(colours[one], colours[other])
        colours[other] = colours[:, other] = colours[one, one] = np.inf
    return [group for group in groups if group]


def _apart(rows: Floats) -> Floats:
    """Squares of the distances between all rows, (n, n)."""
    return np.asarray(sum(np.square(column[:, None] - column) for column in rows.T))
