"""How nets and count are brought together: a die is certain only where both say the same face.

Every place that the net detects gets one probability per face (`vision.agreement.trust`). Where the count of
pips and the net say one face with `SETTLED` or more, that is a certain die. Every other place is judged by
the crop classifier (`vision.learned.classifier`). Then

| the likeliest face          | both say it            | becomes                                  |
|-----------------------------|------------------------|------------------------------------------|
| `CERTAIN` or more           | yes                    | a certain die                            |
| all faces: `A_DIE` or more  | whatever they say      | an uncertain die, likely faces offered   |
| the same, of odd size       | not for certain        | an open place                            |
| all faces: `LEFT` or more   | whatever they say      | an open place                            |
| less, or no pips            | the net: `SEEN`        | an open place                            |
| less                        | whatever else          | nothing                                  |

What is of no likely size makes no open place. What only another level of the picture shows, more likely than
not, makes an open place and never a die.

A picture is certain when all its dice are and no place is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vision.agreement import trust
from vision.agreement.places import Detected, compared, far
from vision.agreement.trust import Place, certain
from vision.arrays import Image
from vision.checks.check import Checked, applied
from vision.checks.dice import OF_DICE
from vision.counting.count import counted
from vision.learned import classifier, detections
from vision.learned.maps import CLEAR, MAX_PLACES, NEAR, Detection
from vision.values import FACES, Die, Doubt

A_DIE, LEFT = 0.45, 0.1
"""Least chances, see above."""
SEEN = 0.4
"""From this score of the net on a place is open, whatever else speaks against a die. From 0.5 on eight
photographs more of `catan`, six of them as empty, would be certain and wrong."""
MIN_TO_CLASSIFY = 0.05
"""A place is counted and classified if all faces together are this likely, or it is a cube without pips. In
1 034 pictures three dice more would be read from 0.02 on, by a fifth more classifications."""
OFFERED = 0.005
"""Faces at least this likely are offered to whoever is asked."""
TOO_ODD = 0.3
"""What is odder in size than this is no die of the set for being a cube or like some face: a key, a tuft."""


def together(image_bgr: Image, seen: Detected) -> tuple[tuple[Die, ...], list[Doubt]]:
    """The dice of what the net saw in a picture, from top to bottom, and what keeps it from being certain."""
    kept = all_judged(image_bgr, [Place(detection) for detection in seen.once])
    found = tuple(die for _, die in dice_of(image_bgr, kept))
    doubts = (*left_unread(kept), *left_on_levels(kept, seen.every))
    read = applied(OF_DICE, Checked(image_bgr, found, doubts))
    return from_top(read.dice), list(read.doubts)


def from_top(dice: Iterable[Die]) -> tuple[Die, ...]:
    """The dice in the order in which a reading names them."""
    return tuple(sorted(dice, key=lambda die: die.y_px))


def likely(place: Place) -> float:
    """How likely any die lies here that shows pips."""
    return sum(place.chances.values())


def all_judged(image_bgr: Image, places: Iterable[Place]) -> list[Place]:
    """The places, counted and classified, likeliest first, less those that lie on a likelier one."""
    worth = [place for place in places if place.pipless or likely(place) >= MIN_TO_CLASSIFY]
    worth = sorted(worth, key=likely, reverse=True)[:MAX_PLACES]
    counted_first = compared([counted_at(image_bgr, place) for place in worth])
    judged = (place if certain(place) else classified(image_bgr, place) for place in counted_first)
    return apart(sorted(judged, key=likely, reverse=True))


def counted_at(image_bgr: Image, place: Place) -> Place:
    """The place with the count of its pips."""
    at = place.detection
    return replace(place, count=counted(image_bgr, at.x_px, at.y_px, at.size_px))


def classified(image_bgr: Image, place: Place) -> Place:
    """The place with what the crop classifier says of it."""
    at = place.detection
    second = classifier.judged(image_bgr, at.x_px, at.y_px, at.size_px)
    return replace(place, classified=second, asked=True)


def apart(places: Iterable[Place]) -> list[Place]:
    """The places, likeliest first, less those that lie on a likelier one."""
    kept: list[Place] = []
    for place in places:
        if is_apart(place, kept):
            kept.append(place)
    return kept


def is_apart(place: Place, others: Iterable[Place]) -> bool:
    """Whether a place lies on none of the others, by the larger side of both."""
    return all(far(place.detection, other.detection) >= NEAR for other in others)


def is_die(place: Place) -> bool:
    """Whether a place is called a die; one of odd size must be certain: cloths are full of small faces."""
    return likely(place) >= A_DIE and (place.odd == 0 or certain(place))


def dice_of(image_bgr: Image, places: Iterable[Place]) -> list[tuple[Place, Die]]:
    """The places that are called dice, each with its die."""
    found = [place for place in places if is_die(place)]
    bodies = [place.count.body if place.count else None for place in found]
    dice = detections.as_dice(image_bgr, [place.detection for place in found], bodies)
    return [(place, _weighed(place, die)) for place, die in zip(found, dice, strict=True)]


def _weighed(place: Place, die: Die) -> Die:
    """The die with what all voices together say of its face."""
    chances, count, why = place.chances, place.count, _reasons(place)
    order = sorted(chances, key=lambda face: chances[face], reverse=True)
    said = count.face if count else None
    return replace(
        die,
        face=order[0],
        confidence=chances[order[0]],
        certain=not why,
        pips=count.pips if count and said == order[0] else (),
        others=tuple(f for f in order[1:] if chances[f] >= OFFERED or f == said),
        why=why,
        chances=tuple(chances[face] for face in FACES),
        nets=trust.said_by_nets(place, order[0]),
    )


def _reasons(place: Place) -> tuple[str, ...]:
    """What makes a die uncertain, empty for a certain one."""
    if certain(place):
        return ()
    if place.pipless:
        return ("no_pips",)
    if place.count is None or place.last is None:
        return ("one_way",)
    return ("low_confidence",) if place.agreed else ("ways_differ",)


def left_unread(places: Iterable[Place]) -> list[Doubt]:
    """What keeps a picture from being certain among the places that are called no dice."""
    return [doubt for place in places if not is_die(place) and (doubt := doubt_of(place))]


def left_on_levels(kept: Sequence[Place], every: Iterable[Detection]) -> list[Doubt]:
    """What the net saw more likely than not on another level, where nothing came of it."""
    known = [place for place in kept if is_die(place) or doubt_of(place)]
    seen = sorted((found for found in every if found.score > CLEAR), key=lambda found: -found.score)
    doubts = list[Doubt]()
    for place in compared([*kept, *map(Place, seen)])[len(kept) :]:
        if is_apart(place, known) and (doubt := doubt_of(place)):
            known.append(place)
            doubts.append(doubt)
    return doubts


def doubt_of(place: Place) -> Doubt | None:
    """What to say of a place that makes no die: nothing, or that something like one lies there."""
    at = place.detection
    open_ = at.score >= SEEN or (likely(place) >= LEFT and not place.pipless)
    key = "no_pips" if place.pipless else "die_like"
    return Doubt(key, at.x_px, at.y_px, at.size_px, at.score) if open_ and place.odd < TOO_ODD else None
