"""How the two ways of seeing are brought together: a die is certain only where both say the same.

| pips way      | net               | becomes                                                             |
|---------------|-------------------|---------------------------------------------------------------------|
| face f        | face f, here      | a certain die, if neither is weak; else an uncertain one            |
| face f        | face g            | an uncertain die, the likelier face first, the other offered        |
| face f        | nothing           | an uncertain die if the pips are very clear; else nothing           |
| nothing       | face f            | an uncertain die if the net stays with it; else a place to look at  |
| nothing       | cube without pips | a place to look at                                                  |
| loose pips    | nothing           | nothing: both looked, and only one saw something                    |

"Here" means within half a side and of about the same size. Before anything but plain agreement is believed
the net looks again, closer and turned (`vision.net_again`): the mean of both looks is what it says. Where
only the net sees a die, the pips way looks again, closer, too. A picture is certain when all its dice are and
no place is left to look at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision import net_again, net_read
from vision.arrays import Image
from vision.net_maps import Sight
from vision.values import Die, Doubt

NEAR, ALIKE = 0.5, 1.7
"""Two finds are one die when their middles lie within this share of a side, sides within this factor."""
FIRM_NET, FIRM_PIPS, FIRM_BOTH = 0.4, 0.5, 0.9
"""Least evidence of the net, chance of the pips, and chance of both together for a certain die."""
CLEAR_PIPS = 0.9
"""Pips this clear make a die even where the net sees none."""
STANDING = ("cut_off", "odd_size")
"""Reasons for doubt that no agreement on the face takes away."""
SOMETHING = 0.2
"""A net's score that is worth a second look."""
FAINT, OWN = 0.1, 0.75
"""The least evidence that seconds a doubt of the pips way, and the share of a side within which a sight is of
a die that was read."""
ENOUGH = 2
"""Dice that tell the usual size."""
MOST_LOOKS = 10
"""Second looks of one picture: a heap of clutter must not take for ever."""


Closer = Callable[[Image, float, float, float], Die | None]
"""The pips way's second look: the die of about a size at a place (x, y) of a picture, if it sees one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What the two ways say of one place; one of them may say nothing."""

    die: Die | None
    sight: Sight | None


def together(
    image_bgr: Image,
    dice: Sequence[Die],
    doubts: Sequence[Doubt],
    seen: Sequence[Sight],
    closer: Closer,
) -> tuple[tuple[Die, ...], list[Doubt]]:
    """The dice of a picture as both ways see them, from top to bottom, and what keeps it from being certain.

    `dice` and `doubts` are the pips way's, `seen` everything the net saw; `closer` is the pips way's second
    look at a place.
    """
    pairs = paired(dice, [s for s in seen if _worth_a_look(s)])
    looks = 0
    settled: list[tuple[Die | None, Doubt | None]] = []
    for pair in pairs:
        if not agreeing(pair) and looks < MOST_LOOKS:
            pair, looks = looked_again(image_bgr, pair, closer), looks + 1
        settled.append(judged(image_bgr, pair))
    read = sorted((die for die, _ in settled if die), key=lambda d: d.y_px)
    left = unread(seen, read)
    places = [doubt for _, doubt in settled if doubt] + [d for d in doubts if seconded(d, left)]
    return tuple(read), places


def _worth_a_look(sight: Sight) -> bool:
    return sight.score >= SOMETHING and (sight.pipless or sight.evidence >= SOMETHING / 2)


def usual_px(dice: Sequence[Die]) -> float | None:
    """The usual side of the dice that the pips way is sure of, None when that says too little.

    The net then needs one size of the picture only, in which it sees dice half to one and a half as large.
    """
    sizes = [die.size_px for die in dice if die.confidence >= CLEAR_PIPS]
    return float(np.median(sizes)) if len(sizes) >= ENOUGH else None


def paired(dice: Sequence[Die], seen: Sequence[Sight]) -> list[Pair]:
    """Every die and every sight once, together where they are one; nearest first."""
    near = sorted((_far(d, s), i, j) for i, d in enumerate(dice) for j, s in enumerate(seen) if _one(d, s))
    mates: dict[int, int] = {}
    for _, i, j in near:
        if i not in mates and j not in mates.values():
            mates[i] = j
    both = [Pair(d, seen[mates[i]] if i in mates else None) for i, d in enumerate(dice)]
    return both + [Pair(None, s) for j, s in enumerate(seen) if j not in mates.values()]


def _far(die: Die, sight: Sight) -> float:
    return math.hypot(die.x_px - sight.x_px, die.y_px - sight.y_px) / max(die.size_px, sight.size_px)


def _one(die: Die, sight: Sight) -> bool:
    ratio = die.size_px / sight.size_px
    return _far(die, sight) < NEAR and 1 / ALIKE < ratio < ALIKE


def agreeing(pair: Pair) -> bool:
    """Whether both ways say the same face at the same place, and firmly."""
    die, sight = pair.die, pair.sight
    if die is None or sight is None or sight.pipless or die.face != sight.face:
        return False
    firm = sight.evidence >= FIRM_NET and die.confidence >= FIRM_PIPS
    return firm and joint(die, sight) >= FIRM_BOTH


def joint(die: Die, sight: Sight) -> float:
    """Chance of the face when two independent ways say it: wrong only if both are."""
    return 1 - (1 - die.confidence) * (1 - sight.evidence)


def looked_again(image_bgr: Image, pair: Pair, closer: Closer) -> Pair:
    """The pair after second looks: the mean of the net's two; the pips way's where it had nothing to say."""
    at = pair.die or pair.sight
    assert at is not None
    second = net_again.judged(image_bgr, at.x_px, at.y_px, at.size_px)
    sight = mean(pair.sight, second)
    if pair.die or sight is None or not net_read.is_die(sight):
        return Pair(pair.die, sight)
    die = closer(image_bgr, sight.x_px, sight.y_px, sight.size_px)
    return Pair(die if die and die.face == sight.face and _one(die, sight) else None, sight)


def mean(first: Sight | None, second: Sight | None) -> Sight | None:
    """Both looks as one: the mean of their scores, their faces weighed by them."""
    if first is None or second is None:
        only = first or second
        return only and replace(only, score=only.score / 2)
    total = first.score + second.score
    shares = [
        (first.score * f + second.score * g) / total for f, g in zip(first.faces, second.faces, strict=True)
    ]
    return replace(second, score=total / 2, faces=tuple(shares))


def judged(image_bgr: Image, pair: Pair) -> tuple[Die | None, Doubt | None]:
    """The die that a pair makes, if any, and the place to look at, if any."""
    die, sight = pair.die, pair.sight
    if die is None:
        return _net_only(image_bgr, sight)
    if sight is None or sight.score < SOMETHING:
        return _pips_only(die)
    if agreeing(pair):
        why = tuple(key for key in die.why if key in STANDING)
        return replace(die, confidence=joint(die, sight), certain=not why, why=why), None
    if sight.pipless:
        return _doubted(die, "no_pips", ()), None
    if die.face == sight.face:
        return _doubted(die, "low_confidence", net_read.others(sight)), None
    return _differing(die, sight), None


def _differing(die: Die, sight: Sight) -> Die:
    """The likelier of two faces, the other offered first."""
    net_says = sight.evidence
    face, other = (die.face, sight.face) if die.confidence >= net_says else (sight.face, die.face)
    chance = max(die.confidence, net_says) / (die.confidence + net_says)
    rest = tuple(f for f in (*die.others, *net_read.others(sight)) if f not in (face, other))
    others = tuple(dict.fromkeys((other, *rest)))
    return replace(die, face=face, confidence=chance, certain=False, others=others, why=("ways_differ",))


def _pips_only(die: Die) -> tuple[Die | None, Doubt | None]:
    if die.confidence >= CLEAR_PIPS:
        return _doubted(die, "one_way", ()), None
    return None, None


def _net_only(image_bgr: Image, sight: Sight | None) -> tuple[Die | None, Doubt | None]:
    if sight is None or not net_read.is_die(sight):
        return None, None if sight is None else net_read.doubt_of(sight)
    (die,) = net_read.as_dice(image_bgr, [sight])
    return _doubted(die, "one_way", die.others), None


def _doubted(die: Die, why: str, others: tuple[int, ...]) -> Die:
    offered = tuple(dict.fromkeys(f for f in (*die.others, *others) if f != die.face))
    return replace(die, certain=False, confidence=min(die.confidence, 0.9), others=offered, why=(why,))


def unread(seen: Sequence[Sight], read: Sequence[Die]) -> list[Sight]:
    """What the net saw, however faintly, away from every die that was read."""
    faint = [s for s in seen if s.evidence >= FAINT or (s.pipless and s.score >= SOMETHING)]
    return [s for s in faint if not any(_far(die, s) < OWN for die in read)]


def seconded(doubt: Doubt, left: Sequence[Sight]) -> bool:
    """Whether the net, too, sees something unread where the pips way has a doubt.

    Doubts without a place stand: they are about the picture.
    """
    if doubt.x_px is None or doubt.y_px is None:
        return True
    reach = doubt.size_px or 0.0
    return any(math.hypot(s.x_px - doubt.x_px, s.y_px - doubt.y_px) < max(reach, s.size_px) for s in left)
