"""One die through all frames of its place: what was seen of it, and what the sightings say together.

It is believed only as far as its sightings bear it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.reveal.observations import SeenDie

CUT_OFF = "cut_off"
"""A doubt: the border of the picture cuts the die, which is missing until an observation shows it whole."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A die in one frame. Face 0 is an unread body, `seen` the faces read.

    `chances` are the probabilities of the faces 1 to 6, empty when the reader gives none.
    """

    face: int
    certain: bool
    confidence: float
    colour: str
    others: tuple[int, ...] = ()
    why: tuple[str, ...] = ()
    angle: float | None = None
    seen: SeenDie | None = None
    chances: tuple[float, ...] = ()

    @property
    def part(self) -> bool:
        """Whether only a part was seen that the border left."""
        return not self.face and self.why == (CUT_OFF,)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A sighting with its place: z and size in picture widths."""

    z: complex
    size: float
    sighting: Sighting

    @property
    def face(self) -> int:
        return self.sighting.face


@dataclass(frozen=True, slots=True)
class Track:
    """One die through the frames of a place, lying at `z` of the newest frame (picture widths).

    `chances` counts the frames since it was first seen in which it should have been seen, `late` says that
    there were frames before, `gone` that the newest frame should show it and does not. `answer` is the face
    a person gave, `struck` that a person took it out, `cut` that the border hid part of it in all sightings.
    """

    id: str
    z: complex
    size: float
    sightings: tuple[Sighting, ...]
    chances: int = 1
    late: bool = False
    gone: bool = False
    answer: int | None = None
    struck: bool = False
    cut: bool = False
    owner: str | None = None

    @property
    def face(self) -> int:
        """The face as read, 0 when nobody could."""
        return likeliest(self)[0]

    @property
    def by_hand(self) -> bool:
        """Whether a person spoke about it."""
        return self.struck or self.answer is not None


def likeliest(track: Track) -> tuple[int, ...]:
    """Faces that were read, best first, then those the reader named besides; (0,) when never read."""
    weight: dict[int, float] = {}
    for sighting in track.sightings:
        for rank, face in enumerate((sighting.face, *sighting.others)):
            share = sighting.confidence if rank == 0 else (1 - sighting.confidence) / 2**rank
            weight[face] = weight.get(face, 0.0) + share
    faces = sorted((face for face in weight if face), key=lambda face: (-weight[face], face))
    return tuple(faces) or (0,)


def doubts(track: Track) -> tuple[str, ...]:
    """Why the sightings do not make a certain die; empty when they do."""
    read = [s for s in track.sightings if s.face]
    if not read:
        return _reasons(track.sightings) or ("unread",)
    best = Counter(s.face for s in read if s.certain).most_common(1)
    face, sure = best[0] if best else (0, 0)
    against = [s for s in read if s.face != face]
    if any(s.certain for s in against) or (face and against and sure < 2 * len(against)):
        return ("frames_disagree",)
    if not sure or (2 * sure <= len(track.sightings) and len(track.sightings) > 1):
        return _reasons(track.sightings) or ("uncertain",)
    return () if _always_seen(track) else ("not_always_seen",)


def _always_seen(track: Track) -> bool:
    """Seen in every frame there was, or at least twice, in half of its chances and now: no flicker."""
    if track.gone:
        return False
    often = len(track.sightings)
    if often == 1:
        return track.chances == 1 and not track.late
    return 2 * often >= track.chances


def confidence(track: Track) -> float:
    """Chance that the likeliest face is right: the mean over all frames, which share their light and view."""
    face = likeliest(track)[0]
    agreeing = [s.confidence for s in track.sightings if s.face == face]
    return sum(agreeing) / len(track.sightings) if agreeing else 0.0


def colour(track: Track) -> str:
    """The colour most frames saw, "" when none did."""
    seen = Counter(s.colour for s in track.sightings if s.colour)
    return seen.most_common(1)[0][0] if seen else ""


def _reasons(sightings: Iterable[Sighting]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for s in sightings for key in s.why))
