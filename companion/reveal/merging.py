"""Frames of one place become one list of dice: agreement is confidence, disagreement is doubt.

A `Track` is one die through all frames of its place, believed only as far as its sightings bear it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import Struct

from companion.reveal.alignment import REACH, Landmark, Move, align, pairs
from companion.reveal.observations import Observation, SeenDie, SeenDoubt, SeenPair

CUT_OFF = "cut_off"
"""A doubt: the border of the picture cuts the die, which is missing until an observation shows it whole."""


@dataclass(frozen=True, slots=True)
class Track:
    """One die through the frames of a place, lying at `z` of the newest frame (picture widths).

    `frames`: what each frame that should show it does, as `arrivals` gives it (face 0 is an unread body), or
    None; one None at first for all frames before the first sighting. `answer` is the face a person gave,
    `struck` that a person took it out, `cut` that the border hid part of it in all sightings.
    """

    id: str
    z: complex
    size: float
    frames: tuple[SeenDie | None, ...] = ()
    answer: int | None = None
    struck: bool = False
    cut: bool = False
    owner: str | None = None

    @property
    def sightings(self) -> tuple[SeenDie, ...]:
        """The frames that show it."""
        return tuple(seen for seen in self.frames if seen)

    @property
    def gone(self) -> bool:
        """Whether the newest frame should show it and does not."""
        return self.frames[-1:] == (None,)

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
    often, missed = len(track.sightings), track.frames.count(None)
    if track.gone or often == 1:
        return not missed
    return often >= missed - (track.frames[:1] == (None,))


def confidence(track: Track) -> float:
    """Chance that the likeliest face is right: the mean over all frames, which share their light and view."""
    face = likeliest(track)[0]
    agreeing = [s.confidence for s in track.sightings if s.face == face]
    return sum(agreeing) / len(track.sightings) if agreeing else 0.0


def colour(track: Track) -> str:
    """The colour most frames saw, "" when none did."""
    seen = Counter(s.colour for s in track.sightings if s.colour)
    return seen.most_common(1)[0][0] if seen else ""


def _reasons(sightings: Iterable[SeenDie]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for s in sightings for key in s.why))


HARMLESS = frozenset({"count", "expected", "too_many", "too_few", "wrong_count"})
"""Doubts about the number of dice alone: the reveal counts for itself."""

UNCALIBRATED = frozenset({"look_uncertain", "blurred"})
"""In such an observation probabilities say nothing: no photograph of them was there to calibrate on."""

REGION = 2.5
"""A doubt so many die sizes wide speaks of a region of the picture rather than of one body."""

MARGIN = 0.5
"""A die whose centre is within this many sizes of the border may be truncated, so its absence is no
evidence."""

INSIDE = 1.0
"""A die whose centre is as many sizes inside is whole, even where its size was taken from a part of it."""


class Pair(Struct, frozen=True):
    """Two dice, by their ids, that may be one thing: `chance` is the probability."""

    ids: frozenset[str]
    chance: float


@dataclass(frozen=True, slots=True)
class PlaceView:
    """All that is known of one place, from `frames` pictures that showed anything like a die.

    `doubts` are those of the newest frame as a whole. `restarted`: the dice moved beyond recognition. `lost`:
    that lost corrections. `unread` is the expected number of dice that no frame detected; None where a frame
    gave no calibrated probabilities. `pairs` are those of all frames. `phone` is that of the newest frame,
    None for the box's own camera.
    """

    name: str
    player: str | None = None
    tracks: tuple[Track, ...] = ()
    frames: int = 0
    height: float = 1.0
    picture: str = ""
    doubts: tuple[str, ...] = ()
    restarted: bool = False
    lost: bool = False
    next_number: int = 1
    unread: float | None = None
    phone: str | None = None
    pairs: tuple[Pair, ...] = ()

    def agreed(self, frames: int) -> bool:
        """Whether enough pictures of this place agree: `frames` of a camera that stands still, one of a
        phone, whose next picture is taken from elsewhere."""
        return self.frames >= (frames if self.phone is None else 1)


def with_observation(view: PlaceView, observation: Observation) -> PlaceView:
    """The place after one more frame. A frame without dice changes nothing: the box is not there yet, or
    lifted.

    A picture of a phone replaces what was known of the place, and is replaced by what comes after it."""
    if observation.phone is not None or view.phone is not None:
        view = PlaceView(view.name, view.player, next_number=view.next_number, phone=observation.phone)
    arriving = arrivals(observation)
    doubts = general_doubts(observation)
    if not arriving:
        return replace(view, doubts=doubts, picture=view.picture if view.tracks else observation.picture)
    height = observation.ratio
    move = align(_of_tracks(view.tracks), _of_dice(arriving, height)) if view.tracks else Move()
    if move is None:
        view, move = _started_over(view), Move()
    moved = tuple(replace(track, z=move(track.z), size=track.size * abs(move.turn)) for track in view.tracks)
    unread = _unread_in(view, observation, arriving)
    view = replace(
        view,
        tracks=moved,
        frames=view.frames + 1,
        height=height,
        picture=observation.picture,
        doubts=doubts,
        unread=unread,
    )
    return _taken_in(view, arriving, observation.pairs)


def _unread_in(view: PlaceView, observation: Observation, arriving: Sequence[SeenDie]) -> float | None:
    """The expected number of undetected dice of a place after one more frame: the minimum over all frames.

    What one frame shows, the next one mostly shows too. Doubts that touch a die count here.
    """
    if observation.unread is None or UNCALIBRATED & set(general_doubts(observation)):
        return None
    doubted = sum(d.chance or 0.0 for d in observation.doubts)
    here = observation.unread + max(0.0, doubted - sum(sum(die.chances) for die in arriving if not die.face))
    if not view.frames:
        return here
    return None if view.unread is None else min(view.unread, here)


def left_standing(view: PlaceView, observation: Observation) -> bool:
    """Whether an observation shows the same dice at the same points: the box was not moved since."""
    old, new = _of_tracks(view.tracks), _of_dice(arrivals(observation), observation.ratio)
    alike = sum(old[i].face == new[j].face != 0 for i, j in pairs(old, new))
    return alike > 0 and 4 * alike >= 3 * min(len(old), len(new))


def _started_over(view: PlaceView) -> PlaceView:
    """The place without its dice: what comes now cannot be laid over what was there, and is believed only
    when it is seen again."""
    lost = view.lost or any(track.by_hand for track in view.tracks)
    return replace(view, tracks=(), frames=0, restarted=True, lost=lost, unread=None, pairs=())


def _taken_in(view: PlaceView, arriving: Sequence[SeenDie], pairs_seen: Iterable[SeenPair]) -> PlaceView:
    """Every track with its sighting or its absence, a new track for every newcomer, and what is said of two
    of them."""
    met = dict(pairs(_of_tracks(view.tracks), _of_dice(arriving, view.height)))
    tracks = [
        _seen(track, arriving[met[i]], view.height) if i in met else _missed(track, view.height)
        for i, track in enumerate(view.tracks)
    ]
    ids = {j: view.tracks[i].id for i, j in met.items()}
    number = view.next_number
    for j in sorted(set(range(len(arriving))) - ids.keys()):
        ids[j] = f"{view.name}.{number}"
        late = view.restarted or view.frames > 1
        tracks.append(_new(ids[j], arriving[j], view.height, late))
        number += 1
    said = [Pair(frozenset(ids[k] for k in pair.dice), pair.chance) for pair in pairs_seen]
    pairs_now = {pair.ids: pair for pair in (*view.pairs, *said)}
    kept = tuple(t for t in tracks if not _forgotten(t))
    return replace(view, tracks=kept, next_number=number, pairs=tuple(pairs_now.values()))


def _of_tracks(tracks: Iterable[Track]) -> list[Landmark]:
    return [Landmark(track.z, track.size, track.face) for track in tracks]


def _of_dice(dice: Iterable[SeenDie], height: float) -> list[Landmark]:
    return [Landmark(die.z(height), die.size, die.face) for die in dice]


def _new(id_: str, die: SeenDie, height: float, late: bool) -> Track:
    return Track(id_, die.z(height), die.size, (None, die) if late else (die,), cut=_is_part(die))


def _is_part(die: SeenDie) -> bool:
    """Whether only a part was seen that the border left."""
    return not die.face and die.why == (CUT_OFF,)


def _seen(track: Track, die: SeenDie, height: float) -> Track:
    if track.cut and _whole(track, die, height):
        return replace(_new(track.id, die, height, late=True), owner=track.owner)
    return replace(track, z=die.z(height), size=die.size, frames=(*track.frames, die))


def _whole(track: Track, die: SeenDie, height: float) -> bool:
    """Whether a die that was cut off is no longer: it lies well inside, or is read where parts were seen."""
    read = bool(die.face) and all(map(_is_part, track.sightings))
    return read or in_view(die.z(height), max(track.size, die.size), height, INSIDE)


def _missed(track: Track, height: float) -> Track:
    inside = in_view(track.z, track.size, height)
    return replace(track, frames=(*track.frames, None)) if inside else track


def in_view(z: complex, size: float, height: float, margin: float = MARGIN) -> bool:
    """Whether a die at `z` lies well inside a picture 1 wide and `height` high."""
    edge = margin * size
    return edge <= z.real <= 1 - edge and edge <= z.imag <= height - edge


def _forgotten(track: Track) -> bool:
    """A ghost: hardly ever seen where it should be, and no person spoke of it."""
    return not track.by_hand and track.owner is None and 4 * len(track.sightings) < len(track.frames)


def arrivals(observation: Observation) -> tuple[SeenDie, ...]:
    """Dice of an observation: uncertain where a doubt touches one; unread bodies as dice without a face."""
    doubtful, height = bool(general_doubts(observation)), observation.ratio
    placed = [d for d in observation.doubts if d.x is not None and d.y is not None and d.key not in HARMLESS]
    found = [_doubted(die, height, doubtful, placed) for die in observation.dice]  # pairs name them so
    size = usual([die.size for die in observation.dice])
    for body in (_body(doubt, size) for doubt in placed):
        z = body.z(height)
        if not any(abs(z - other.z(height)) < _reach(body.size, other.size) for other in found):
            found.append(body)
    return tuple(found)


def _doubted(die: SeenDie, height: float, doubtful: bool, placed: Iterable[SeenDoubt]) -> SeenDie:
    z = die.z(height)
    near = (d for d in placed if abs(d.z(height) - z) < _reach(d.size or 0.0, die.size))
    touching = tuple(d.key for d in near)
    certain = die.certain and not doubtful and not touching
    return replace(die, certain=certain, why=() if certain else die.why + touching)


def _body(doubt: SeenDoubt, usual: float) -> SeenDie:
    chances = () if doubt.chance is None else (doubt.chance / 6,) * 6
    x, y, size = doubt.x or 0.0, doubt.y or 0.0, doubt.size or usual
    return SeenDie(0, x, y, size, 0.0, False, "", why=(doubt.key,), chances=chances)


def _reach(size: float, die_size: float) -> float:
    """How near a doubt of this size must be to concern a die: on it, or for a doubt about a whole region,
    in that region. Dice touching the one it lies on stay clear."""
    return size / 2 if size > REGION * die_size else REACH * die_size


def general_doubts(observation: Observation) -> tuple[str, ...]:
    """Why a whole observation is not believed: doubts without a place, or a reader that gives no reason."""
    keys = tuple(d.key for d in observation.doubts if (d.x is None or d.y is None) and d.key not in HARMLESS)
    unexplained = (
        not observation.certain and not observation.doubts and all(die.certain for die in observation.dice)
    )
    return keys or (("look_uncertain",) if unexplained and observation.dice else ())


def known(id_: str, face: int, owner: str | None) -> Track:
    """A die that no frame shows: a person told its face."""
    return Track(id_, 0, 0.0, answer=face, owner=owner)


def with_added(view: PlaceView, z: complex, face: int, owner: str | None) -> PlaceView:
    """The place with a die a person saw at `z`: the die that lies there already, or a new one."""
    size = usual([track.size for track in view.tracks])
    near = min(view.tracks, key=lambda t: abs(t.z - z), default=None)
    if near is not None and abs(near.z - z) <= REACH * near.size:
        corrected = replace(near, answer=face, struck=False, cut=False, owner=owner or near.owner)
        return replace(view, tracks=tuple(corrected if t is near else t for t in view.tracks))
    track = replace(known(f"{view.name}.{view.next_number}", face, owner), z=z, size=size)
    return replace(view, tracks=(*view.tracks, track), next_number=view.next_number + 1)


def usual(sizes: Sequence[float]) -> float:
    """The median of sizes in picture widths, or that of a die as the box usually shows it."""
    return sorted(sizes)[len(sizes) // 2] if sizes else 0.05
