"""How the two ways of seeing are brought together: a die is certain only where both say the same.

Every place that either way takes for a die gets one chance per face (`vision.trust`). Whatever may be a die
is then looked at by a second net, which only judges single places (`vision.closeup`), and where that sees one
that the pips way did not, the pips way looks again, closer. Then

| the likeliest face          | both ways say it       | becomes                                  |
|-----------------------------|------------------------|------------------------------------------|
| `CERTAIN` or more           | yes                    | a certain die                            |
| all faces: `A_DIE` or more  | whatever they say      | an uncertain die, likely faces offered   |
| the same, of odd size       | not for certain        | a place to look at                       |
| all faces: `LEFT` or more   | whatever they say      | a place to look at                       |
| less                        | `PIPS_DIE`, by pips    | a place to look at                       |
| less                        | `ANY_FACE`, by nets    | a place to look at                       |
| less                        | whatever else          | nothing                                  |
| no pips, says the net       | of a likely size       | a place to look at                       |

A picture is certain when all its dice are and no place is left to look at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from vision import closeup, misfits, net, net_read, trust
from vision.arrays import Image
from vision.net_maps import Sight
from vision.trust import Place
from vision.values import Die, Doubt

NEAR, ALIKE = 0.5, 1.7
"""Two finds are one die when their middles lie within this share of a side, sides within this factor."""
CERTAIN, A_DIE, LEFT = 0.92, 0.45, 0.3
"""Least chances, see above; docs/training.md has what they let through elsewhere."""
PIPS_DIE = 0.35
"""What is this likely to the pips way by itself is not forgotten, though no net sees it."""
ANY_FACE = 0.7
"""Where both nets see a top face this clearly, a die lies there whatever face it shows."""
WORTH_A_LOOK = 0.02
"""A place is looked at closely if all faces together are this likely, or the pips way takes it for a die."""
STANDING = ("cut_off", "odd_size")
"""Reasons for doubt that no agreement on the face takes away."""
OFFERED = 0.005
"""Faces at least this likely are offered to whoever is asked."""
OWN = 0.6
"""Of two places nearer than this share of the larger side the less likely is a part of the other."""
ODD_CUBE = 0.3
"""Something without pips that is odder in size than this is no die of the set: a key, a plug."""
MOST_ODD = 0.8
"""Beyond this a size is no odder."""
LARGE = 0.12
"""Share of the picture's long side: beside a die so large others may be too large for the usual look."""
CLEAR_PIPS, ENOUGH, CLEAR_SIGHT = 0.9, 2, 0.5
"""So many dice this clear to the pips way, or any this clear to the net, tell the usual size."""
MISMATCH = 1.4
"""A calibrated size that is off by this factor is not believed."""
MOST_LOOKS = 48
"""Close looks in one picture: a heap of clutter must not take for ever."""


Closer = Callable[[Image, float, float, float], Die | None]
"""The pips way's second look: the die of about a size at a place (x, y) of a picture, if it sees one."""


def together(
    image_bgr: Image, dice: Sequence[Die], doubts: Sequence[Doubt], seen: Sequence[Sight], closer: Closer
) -> tuple[tuple[Die, ...], list[Doubt]]:
    """The dice of a picture as both ways see them, from top to bottom, and what keeps it from being certain.

    `dice` and `doubts` are the pips way's, `seen` everything the net saw; `closer` is the pips way's second
    look at a place.
    """
    kept = looked_at(image_bgr, noticed(dice, doubts, seen), closer)
    read = misfits.doubting(image_bgr, [die for _, die in dice_of(image_bgr, kept)])
    whole = [doubt for doubt in doubts if doubt.x_px is None]
    return from_top(read), left_unread(kept) + whole


def from_top(dice: Iterable[Die]) -> tuple[Die, ...]:
    """The dice in the order in which a reading names them."""
    return tuple(sorted(dice, key=lambda die: die.y_px))


def usual_px(dice: Sequence[Die], known_px: float | None = None) -> float | None:
    """The usual side of the dice that the pips way is sure of, None when that says too little.

    The net then needs one size of the picture only, in which it sees dice half to one and a half as large.
    `known_px`, the side that a calibration found, holds where the clear dice, or one, agree with it: else the
    box has moved, and a net that looks at the wrong size sees nothing.
    """
    sizes = [die.size_px for die in dice if die.confidence >= CLEAR_PIPS]
    if known_px and sizes and 1 / MISMATCH < np.median(sizes) / known_px < MISMATCH:
        return known_px
    return float(np.median(sizes)) if len(sizes) >= ENOUGH else None


def noticed(dice: Sequence[Die], doubts: Sequence[Doubt], seen: Sequence[Sight]) -> list[Place]:
    """All that either way noticed, with what tells of it before anybody looks closely."""
    placed = [doubt for doubt in doubts if doubt.x_px is not None]
    return [hinted(place, placed) for place in compared(paired(dice, seen))]


def with_large(image_bgr: Image, dice: Sequence[Die], seen: tuple[Sight, ...]) -> tuple[Sight, ...]:
    """What the net saw, and the very large dice too where it missed one of the pips way's or clear dice are
    about as large; elsewhere several dice would look like the pips of one."""
    missed = [die for die in dice if not any(_one(die, sight) for sight in seen)]
    large_px = LARGE * max(image_bgr.shape)
    clear = [die for die in dice if die.confidence >= CLEAR_PIPS and die.size_px > large_px]
    if not (missed or clear):
        return seen
    found = net.large_sights(image_bgr)
    backed = (s for s in found if any(_one(d, s) for d in missed) or any(_as_large(d, s) for d in clear))
    return (*seen, *backed)


def _as_large(die: Die, sight: Sight) -> bool:
    return 1 / misfits.MOST_SIZES < sight.size_px / die.size_px < misfits.MOST_SIZES


def paired(dice: Sequence[Die], seen: Sequence[Sight]) -> list[Place]:
    """Every die and every sight once, together where they are one; nearest first."""
    near = sorted((_far(d, s), i, j) for i, d in enumerate(dice) for j, s in enumerate(seen) if _one(d, s))
    mates: dict[int, int] = {}
    for _, i, j in near:
        if i not in mates and j not in mates.values():
            mates[i] = j
    both = [Place(d, seen[mates[i]] if i in mates else None) for i, d in enumerate(dice)]
    return both + [Place(None, s) for j, s in enumerate(seen) if j not in mates.values()]


def _far(one: Die | Sight, other: Die | Sight) -> float:
    return math.hypot(one.x_px - other.x_px, one.y_px - other.y_px) / max(one.size_px, other.size_px)


def _one(die: Die, sight: Sight) -> bool:
    ratio = die.size_px / sight.size_px
    return _far(die, sight) < NEAR and 1 / ALIKE < ratio < ALIKE


def compared(places: Sequence[Place]) -> list[Place]:
    """The places, each with how odd its size is, where some are clear enough to tell what is usual here:
    those that two see alike, or, where there are none, those that are clear to the net."""
    clear = [p for p in places if p.sight and not p.pipless and p.sight.evidence > CLEAR_SIGHT]
    alike = [p for p in clear if (other := p.die or p.close) and p.sight and other.face == p.sight.face]
    if not clear:
        return list(places)
    usual_px = float(np.median([where(p).size_px for p in alike or clear]))
    return [replace(p, odd=_odd(where(p).size_px / usual_px)) for p in places]


def _odd(times: float) -> float:
    """How much larger or smaller than dice of mixed sets may be, as a logarithm."""
    return min(MOST_ODD, max(0.0, abs(math.log(times)) - math.log(misfits.MOST_SIZES)))


def hinted(place: Place, doubts: Sequence[Doubt]) -> Place:
    """The place with a hint if one of the pips way's doubts is about it."""
    at = where(place)
    return replace(place, hint=any(_about(doubt, at) for doubt in doubts))


def _about(doubt: Doubt, at: Die | Sight) -> bool:
    reach = max(doubt.size_px or 0.0, at.size_px)
    return math.hypot((doubt.x_px or 0.0) - at.x_px, (doubt.y_px or 0.0) - at.y_px) < reach


def where(place: Place) -> Die | Sight:
    """What tells a place's position and size: the pips way's die before the net's sight."""
    at = place.die or place.close or place.sight
    assert at is not None, "a place is what one of the ways saw"
    return at


def likely(place: Place) -> float:
    """How likely any die lies here that shows pips."""
    return sum(trust.chances(place).values())


def looked_at(image_bgr: Image, places: Sequence[Place], closer: Closer) -> list[Place]:
    """The places after all close looks, likeliest first, less those that lie on a likelier one."""
    found = sorted(places, key=likely, reverse=True)
    return apart(sorted(_each_looked_at(image_bgr, found, closer), key=likely, reverse=True))


def _each_looked_at(image_bgr: Image, found: Iterable[Place], closer: Closer) -> Iterable[Place]:
    """The places, likeliest first, each with the close look unless it is next to nothing."""
    looks = 0
    for place in found:
        if looks < MOST_LOOKS and _worth_a_look(place):
            place, looks = looked_closely(image_bgr, place, closer), looks + 1
        yield place


def _worth_a_look(place: Place) -> bool:
    return place.die is not None or place.pipless or likely(place) >= WORTH_A_LOOK


def certain(place: Place) -> bool:
    """Whether the pips way and the close look say the same face and it is as good as sure."""
    die, close = place.die, place.close
    if die is None or close is None or close.pipless or die.face != close.face:
        return False
    return trust.chances(place)[die.face] >= CERTAIN


def looked_closely(image_bgr: Image, place: Place, closer: Closer) -> Place:
    """The place after the second net's look, and the pips way's where it had nothing to say."""
    at = place.sight or where(place)  # the net's middles and sizes are those that the close look learnt
    second = closeup.judged(image_bgr, at.x_px, at.y_px, at.size_px)
    place = replace(place, close=second, asked=True)
    if place.die or place.pipless or second is None or likely(place) < LEFT:
        return place
    die = closer(image_bgr, second.x_px, second.y_px, second.size_px)
    return replace(place, die=die) if die and _one(die, second) else place


def apart(places: Iterable[Place]) -> list[Place]:
    """The places, likeliest first, less those that lie on a likelier one."""
    kept: list[Place] = []
    for place in places:
        if all(_far(where(place), where(other)) >= OWN for other in kept):
            kept.append(place)
    return kept


def is_die(place: Place) -> bool:
    """Whether a place is called a die; one of odd size must be certain: cloths are full of small faces."""
    return likely(place) >= A_DIE and (place.odd == 0 or certain(place))


def dice_of(image_bgr: Image, places: Iterable[Place]) -> list[tuple[Place, Die]]:
    """The places that are called dice, each with its die."""
    found = [place for place in places if is_die(place)]
    lone = [place.sight or _seen(place) for place in found if place.die is None]
    seen = iter(net_read.as_dice(image_bgr, lone))
    return [(place, _weighed(place, place.die or next(seen))) for place in found]


def _weighed(place: Place, die: Die) -> Die:
    """The die with what all voices together say of its face."""
    chances = trust.chances(place)
    order = sorted(chances, key=lambda face: chances[face], reverse=True)
    said = place.die.face if place.die else None
    rest = tuple(f for f in order[1:] if chances[f] >= OFFERED or f == said)
    why = _reasons(place)
    return replace(die, face=order[0], confidence=chances[order[0]], certain=not why, others=rest, why=why)


def _seen(place: Place) -> Sight:
    sight = place.close or place.sight
    assert sight is not None, "what no pips make a die the net has seen"
    return sight


def _reasons(place: Place) -> tuple[str, ...]:
    """What makes a die uncertain, empty for a certain one."""
    die, sight = place.die, place.close if place.asked else place.sight
    if certain(place):
        assert die is not None
        return tuple(key for key in die.why if key in STANDING)
    if place.pipless:
        return ("no_pips",)
    if die is None or sight is None:
        return ("one_way",)
    return ("low_confidence",) if die.face == sight.face else ("ways_differ",)


def left_unread(places: Iterable[Place]) -> list[Doubt]:
    """What keeps a picture from being certain among the places that are called no dice."""
    return [doubt for place in places if not is_die(place) and (doubt := doubt_of(place))]


def doubt_of(place: Place) -> Doubt | None:
    """What to say of a place that makes no die: nothing, or that something like one lies there."""
    at = where(place)
    if place.pipless and place.odd < ODD_CUBE and _seen(place).score >= net_read.PIPLESS_SCORE:
        return Doubt("no_pips", at.x_px, at.y_px, at.size_px)
    by_pips = place.die is not None and place.die.confidence >= PIPS_DIE
    left = by_pips or _left(place) >= LEFT or _any_face(place) >= ANY_FACE
    return Doubt("die_like", at.x_px, at.y_px, at.size_px) if left else None


def _any_face(place: Place) -> float:
    """How clearly both nets see a top face with pips here, whichever it is."""
    if place.sight is None or place.close is None or place.pipless:
        return 0.0
    return math.sqrt(place.sight.score * place.close.score)


def _left(place: Place) -> float:
    """How likely a die was left unread: where both ways noticed something, the first look counts, too."""
    first = replace(place, close=None, asked=False)
    return max(likely(place), likely(first)) if place.hint else likely(place)
