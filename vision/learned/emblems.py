"""Emblem faces in a picture: shown to the box a few times, then known again, always with doubt.

Only places that were not read for certain are asked about: a pip face is sometimes as like as an emblem.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace

from vision.arrays import Image
from vision.learned import detections, net
from vision.learned.maps import MAX_PLACES, Detection
from vision.learned.taught import Match, Taught, embedding, recognise
from vision.picture import colour
from vision.picture.working import for_colours
from vision.values import Die, Doubt

TURNS_DEG = range(0, 90, 15)
"""An example is kept turned so: met within 7.5 degrees, since a face looks the same after a quarter turn."""

OPEN = frozenset({"no_pips", "die_like"})
"""Doubts about a place where an emblem may lie."""

BESIDE = ((0.0, 0.0), (0.4, 0.0), (-0.4, 0.0), (0.0, 0.4), (0.0, -0.4))
"""Where a taught face is looked for about a place, in sides: without pips its middle is seen less exactly."""
FAINT = 0.3
"""A net's score that is worth asking about."""

WEAK = frozenset({"one_way", "ways_differ", "no_pips", "low_confidence"})
"""Reasons for doubt about a die that may really be an emblem."""


@dataclass(frozen=True, slots=True)
class Region:
    """A square of the picture where a face may lie: its middle and side in pixels."""

    x_px: float
    y_px: float
    size_px: float

    def meets(self, x_px: float, y_px: float) -> bool:
        """Whether a place in the picture lies on this face."""
        return math.hypot(self.x_px - x_px, self.y_px - y_px) < 0.6 * self.size_px


def region_of(spot: Detection | Die) -> Region:
    """The region of a detection or a die."""
    return Region(spot.x_px, spot.y_px, spot.size_px)


def examples(image_bgr: Image, region: Region, face: int) -> tuple[Taught, ...]:
    """What one showing of `face` teaches: its embedding in every turn."""
    at = (region.x_px, region.y_px, region.size_px)
    return tuple(Taught(face, embedding(image_bgr, *at, turn)) for turn in TURNS_DEG)


def shown_alone(image_bgr: Image) -> tuple[Region, ...]:
    """The things like dice in a picture in which one is to be taught: the best, however
    faint, and all that are clear, for one must lie alone."""
    seen = [found for found in net.detections(image_bgr) if found.worth >= FAINT]
    seen = [found for number, found in enumerate(seen) if found.clear or not number]
    return tuple(region_of(found) for found in seen)


def known_again(
    image_bgr: Image, dice: Sequence[Die], doubts: Sequence[Doubt], taught: Sequence[Taught]
) -> tuple[tuple[Die, ...], list[Doubt]]:
    """The dice and doubts of a picture after taught faces were looked for; those stay uncertain."""
    sure = [die for die in dice if not WEAK & set(die.why)]
    weak = [die for die in dice if WEAK & set(die.why)]
    regions = _regions(image_bgr, sure, weak, doubts)
    found = _best(die for region in regions if (die := _emblem(image_bgr, region, weak, taught)))
    at = [region_of(die) for die in found]
    kept = [die for die in weak if not any(region.meets(die.x_px, die.y_px) for region in at)]
    left = [d for d in doubts if not any(d.x_px and region.meets(d.x_px, d.y_px or 0.0) for region in at)]
    return tuple(sorted((*sure, *kept, *found), key=lambda d: d.y_px)), left


def _regions(
    image_bgr: Image, sure: Sequence[Die], weak: Sequence[Die], doubts: Iterable[Doubt]
) -> list[Region]:
    """Where an emblem may lie: what the net takes for a die or a cube, dice in doubt, then unread bodies."""
    detections = sorted(net.detections(image_bgr), key=lambda s: -s.score)
    spots = [region_of(s) for s in detections if s.score >= FAINT]
    spots += [region_of(die) for die in weak]
    seen = tuple(spots)
    for doubt in doubts:
        if doubt.key in OPEN and doubt.x_px is not None and doubt.size_px:
            spot = Region(doubt.x_px, doubt.y_px or 0.0, doubt.size_px)
            spots += [] if any(other.meets(spot.x_px, spot.y_px) for other in seen) else [spot]
    return [spot for spot in spots if not any(spot.meets(die.x_px, die.y_px) for die in sure)][:MAX_PLACES]


def _best(found: Iterable[Die]) -> list[Die]:
    """Of emblems found on one spot the one most like what was taught."""
    kept: list[Die] = []
    for die in sorted(found, key=lambda d: -d.confidence):
        if not any(region_of(k).meets(die.x_px, die.y_px) for k in kept):
            kept.append(die)
    return kept


def _emblem(image_bgr: Image, region: Region, weak: Sequence[Die], taught: Sequence[Taught]) -> Die | None:
    """The taught face in a region, None where nothing is like one, or pips are likelier there."""
    found = next(_matches(image_bgr, region, taught), None)
    if found is None:
        return None
    region, match = found
    read = next((die for die in weak if region.meets(die.x_px, die.y_px)), None)
    if read and read.confidence > match.likeness:
        return None
    others = tuple(f for f in ((read.face, *read.others) if read else ()) if f != match.face)
    return replace(
        read or _bare(image_bgr, region),
        face=match.face,
        confidence=match.likeness,
        certain=False,
        pips=(),
        others=others,
        why=("taught",),
    )


def _matches(image_bgr: Image, region: Region, taught: Sequence[Taught]) -> Iterator[tuple[Region, Match]]:
    """Where about a region something certain to be a taught face lies: there, or a part of a side off it."""
    for right, down in BESIDE:
        at = replace(
            region, x_px=region.x_px + right * region.size_px, y_px=region.y_px + down * region.size_px
        )
        match = recognise(embedding(image_bgr, at.x_px, at.y_px, at.size_px, 0.0), taught)
        if match and match.certain:
            yield at, match


def _bare(image_bgr: Image, region: Region) -> Die:
    """A die without a face yet; its colour is that of its top."""
    rgb = colour.rgb(detections.shade(for_colours(image_bgr), *astuple(region)))
    return Die(0, region.x_px, region.y_px, region.size_px, 0.0, 0.0, False, "", rgb=rgb)
