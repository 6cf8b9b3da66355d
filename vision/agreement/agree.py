"""How the two ways of seeing are brought together: a die is certain only where both say the same.

Every place that either way takes for a die gets one chance per face (`vision.agreement.trust`). Where the
pips way and the net agree on one face with `SETTLED` or more, that is a certain die. Every other candidate
is judged by a second net, a crop classifier (`vision.learned.classifier`). Then

| the likeliest face          | both ways say it       | becomes                                  |
|-----------------------------|------------------------|------------------------------------------|
| `CERTAIN` or more           | yes                    | a certain die                            |
| all faces: `A_DIE` or more  | whatever they say      | an uncertain die, likely faces offered   |
| the same, of odd size       | not for certain        | an open place                            |
| all faces: `LEFT` or more   | whatever they say      | an open place                            |
| less                        | `PIPS_DIE`, by pips    | an open place                            |
| less, of a likely size      | yes                    | an open place                            |
| less, of a likely size      | `ANY_FACE`, by nets    | an open place                            |
| less                        | whatever else          | nothing                                  |
| no pips, says the net       | of a likely size       | an open place                            |

A picture is certain when all its dice are and no place is open: one where a die may lie unread.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vision.agreement import trust
from vision.agreement.pairing import compared, far, paired, where
from vision.agreement.trust import SETTLED, Place
from vision.arrays import Image
from vision.checks.check import Checked, applied
from vision.checks.every import OF_DICE
from vision.learned import classifier, detections
from vision.learned.detections import Spot
from vision.learned.maps import Detection
from vision.values import FACES, Die, Doubt

CERTAIN, A_DIE, LEFT = 0.92, 0.45, 0.2
"""Least chances, see above; docs/explanation/agreement.md has what they let through."""
PIPS_DIE = 0.35
"""What is this likely to the pips way by itself is not forgotten, though no net sees it."""
ANY_FACE = 0.6
"""Where both nets see a top face this clearly, a die lies there whatever face it shows."""
MIN_TO_CLASSIFY = 0.05
"""A place is classified, unless it is settled, if all faces together are this likely or the pips way takes it
for a die. In 1 034 pictures three dice more would be read from 0.02 on, and none more be doubted
that is certain, by a fifth more classifications."""
OFFERED = 0.005
"""Faces at least this likely are offered to whoever is asked."""
OWN = 0.6
"""Of two places nearer than this share of the larger side the less likely is a part of the other."""
TOO_ODD = 0.3
"""What is odder in size than this is no die of the set for being a cube or like some face: a key, a tuft."""
MAX_CLASSIFIED = 48
"""Places classified in one picture: a heap of clutter must not take for ever."""


def together(
    image_bgr: Image, dice: Sequence[Die], seen: Sequence[Detection]
) -> tuple[tuple[Die, ...], list[Doubt]]:
    """The dice of a picture as both ways see them, from top to bottom, and what keeps it from being certain.

    `dice` are the pips way's, `seen` everything the net saw.
    """
    kept = all_classified(image_bgr, compared(paired(dice, seen)))
    found = tuple(die for _, die in dice_of(image_bgr, kept))
    read = applied(OF_DICE, Checked(image_bgr, found, tuple(left_unread(kept))))
    return from_top(read.dice), list(read.doubts)


def from_top(dice: Iterable[Die]) -> tuple[Die, ...]:
    """The dice in the order in which a reading names them."""
    return tuple(sorted(dice, key=lambda die: die.y_px))


def likely(place: Place) -> float:
    """How likely any die lies here that shows pips."""
    return sum(trust.chances(place).values())


def all_classified(image_bgr: Image, places: Sequence[Place]) -> list[Place]:
    """The places after classification, likeliest first, less those that lie on a likelier one."""
    judged = _each_classified(image_bgr, sorted(places, key=likely, reverse=True))
    return apart(sorted(judged, key=likely, reverse=True))


def _each_classified(image_bgr: Image, found: Iterable[Place]) -> Iterable[Place]:
    """The places, likeliest first, each classified where that is worth its time."""
    count = 0
    for place in found:
        if count < MAX_CLASSIFIED and _worth_classifying(place):
            place, count = classified(image_bgr, place), count + 1
        yield place


def _worth_classifying(place: Place) -> bool:
    if certain(place):
        return False
    return place.die is not None or place.pipless or likely(place) >= MIN_TO_CLASSIFY


def certain(place: Place) -> bool:
    """Whether the pips way and the nets say the same face and it is as good as sure."""
    if place.die is None or not place.agreed:
        return False
    return trust.chances(place)[place.die.face] >= (CERTAIN if place.asked else SETTLED)


def classified(image_bgr: Image, place: Place) -> Place:
    """The place with what the crop classifier says of it."""
    at = place.detection or where(place)  # the classifier was trained on the net's centres and sizes
    second = classifier.judged(image_bgr, at.x_px, at.y_px, at.size_px)
    return replace(place, classified=second, asked=True)


def apart(places: Iterable[Place]) -> list[Place]:
    """The places, likeliest first, less those that lie on a likelier one.

    What the pips way sees is not forgotten for a likelier place that is no die itself.
    """
    kept: list[Place] = []
    for place in places:
        if all(far(where(place), where(other)) >= OWN or _hides_nothing(other, place) for other in kept):
            kept.append(place)
    return kept


def _hides_nothing(likelier: Place, place: Place) -> bool:
    return place.die is not None and likelier.die is None and not is_die(likelier)


def is_die(place: Place) -> bool:
    """Whether a place is called a die; one of odd size must be certain: cloths are full of small faces."""
    return likely(place) >= A_DIE and (place.odd == 0 or certain(place))


def dice_of(image_bgr: Image, places: Iterable[Place]) -> list[tuple[Place, Die]]:
    """The places that are called dice, each with its die."""
    found = [place for place in places if is_die(place)]
    lone = [place.detection or _seen(place) for place in found if place.die is None]
    seen = iter(detections.as_dice(image_bgr, lone))
    return [(place, _weighed(place, place.die or next(seen))) for place in found]


def _weighed(place: Place, die: Die) -> Die:
    """The die with what all voices together say of its face."""
    chances = trust.chances(place)
    order = sorted(chances, key=lambda face: chances[face], reverse=True)
    said = place.die.face if place.die else None
    rest = tuple(f for f in order[1:] if chances[f] >= OFFERED or f == said)
    why = _reasons(place)
    return replace(
        die,
        face=order[0],
        confidence=chances[order[0]],
        certain=not why,
        others=rest,
        why=why,
        chances=tuple(chances[face] for face in FACES),
    )


def _seen(place: Place) -> Detection:
    detection = place.classified or place.detection
    assert detection is not None, "what no pips make a die the net has seen"
    return detection


def _reasons(place: Place) -> tuple[str, ...]:
    """What makes a die uncertain, empty for a certain one."""
    if place.die and certain(place):
        return ()
    if place.pipless:
        return ("no_pips",)
    if place.die is None or place.last is None:
        return ("one_way",)
    return ("low_confidence",) if place.agreed else ("ways_differ",)


def left_unread(places: Iterable[Place]) -> list[Doubt]:
    """What keeps a picture from being certain among the places that are called no dice."""
    return [doubt for place in places if not is_die(place) and (doubt := doubt_of(place))]


def doubt_of(place: Place) -> Doubt | None:
    """What to say of a place that makes no die: nothing, or that something like one lies there."""
    at = where(place)
    if place.pipless and place.odd < TOO_ODD and _seen(place).score >= detections.PIPLESS_SCORE:
        return Doubt("no_pips", at.x_px, at.y_px, at.size_px)
    by_pips = place.die is not None and place.die.confidence >= PIPS_DIE
    one_face = place.agreed and place.odd < TOO_ODD  # however dimly: two ways don't name one face by chance
    any_face = _any_face(place) >= ANY_FACE
    left = by_pips or one_face or any_face or likely(place) >= LEFT
    return _die_like(at) if left else None


def _die_like(at: Spot) -> Doubt:
    return Doubt("die_like", at.x_px, at.y_px, at.size_px)


def _any_face(place: Place) -> float:
    """How clearly both nets see a top face with pips here, whichever it is."""
    if place.detection is None or place.classified is None or place.pipless or place.odd >= TOO_ODD:
        return 0.0
    return math.sqrt(place.detection.score * place.classified.score)
