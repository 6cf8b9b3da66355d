"""The dice as the whole reveal sees them: face, owner and doubt of each, from tracks and corrections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.reveal import tracks
from companion.reveal.merging import PlaceView
from companion.reveal.owners import owner_of
from companion.reveal.state import RevealState, Unplaced
from companion.reveal.tracks import Track, doubts


@dataclass(frozen=True, slots=True)
class RevealedDie:
    """One die, all its frames merged.

    `face` is the one that counts (0: unread), `faces` the readings, likeliest first. x and y are fractions of
    the newest picture of its place, size of its width; None for a die known by hand alone.

    `struck` dice, and those with a `twin` (the same die in another place's picture), are shown but not
    counted. `why` names what makes it uncertain. `chances` are the probabilities of the faces 1 to 6; what is
    missing to one is no die of the game. Empty where an observation gave none.
    """

    id: str
    face: int
    faces: tuple[int, ...]
    certain: bool
    by_hand: bool
    struck: bool
    confidence: float
    matches: bool
    place: str | None = None
    x: float | None = None
    y: float | None = None
    size: float = 0.0
    picture: str = ""
    colour: str = ""
    owner: str | None = None
    why: tuple[str, ...] = ()
    angle: float | None = None
    twin: str | None = None
    chances: tuple[float, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether it takes part in the tally: neither struck nor counted elsewhere."""
        return not self.struck and self.twin is None


def revealed(state: RevealState) -> tuple[RevealedDie, ...]:
    """All dice as merged, struck ones too, place by place, then those without a place."""
    placed = (_placed(state, view, track) for view in state.places for track in view.tracks)
    return (*placed, *(_unplaced(state, die) for die in state.unplaced))


def _placed(state: RevealState, view: PlaceView, track: Track) -> RevealedDie:
    colour, faces, by_hand = tracks.colour(track), tracks.likeliest(track), track.by_hand
    own_cup = view.player is not None and view.phone is not None
    stranger = not own_cup and _is_stranger(state, track, colour)
    cut = (tracks.CUT_OFF,) if track.cut else ()
    why = cut or tracks.doubts(track) or (("moved",) if view.lost else ("stranger",) if stranger else ())
    face = track.answer or faces[0]
    return RevealedDie(
        id=track.id,
        face=face,
        faces=tuple(f for f in faces if f),
        certain=by_hand or not why,
        by_hand=by_hand,
        struck=track.struck or track.cut,
        confidence=1.0 if by_hand else tracks.confidence(track),
        matches=state.claim.matches(face) and not (track.struck or track.cut),
        place=view.name,
        x=track.z.real,
        y=track.z.imag / view.height,
        size=track.size,
        picture=view.picture,
        colour=colour,
        owner=owner_of(track.owner, colour, None if stranger else view.player, dict(state.owner_by_colour)),
        why=() if by_hand else why,
        angle=track.sightings[-1].angle if track.sightings else None,
        chances=() if view.lost else belief(track, stranger=stranger) or (),
    )


def _is_stranger(state: RevealState, track: Track, colour: str) -> bool:
    """Whether everybody's colour is known and this die has none of them."""
    owners, hands = dict(state.owner_by_colour), {die.owner for die in state.unplaced}
    playing = {player for player, number in state.by_player if number} - hands
    known = bool(playing) and playing <= set(owners.values())
    return known and track.owner is None and bool(colour) and colour not in owners


def _unplaced(state: RevealState, die: Unplaced) -> RevealedDie:
    return RevealedDie(
        id=die.id,
        face=die.face,
        faces=(die.face,),
        certain=True,
        by_hand=True,
        struck=die.struck,
        confidence=1.0,
        matches=state.claim.matches(die.face) and not die.struck,
        owner=die.owner,
        chances=tuple(float(face == die.face) for face in range(1, 7)),
    )


Belief = tuple[float, ...]

MISSED = math.log(10)
"""Log odds against a die for each frame that should have shown it and did not. Of uncertain dice 0.5 to 1 fit
best, of certain ones this: the more careful one is kept."""
STRANGE = 0.5
"""Least chance that a die of nobody's colour is none of the game."""
MIN_PROBABILITY = 1e-9


def belief(track: Track, *, stranger: bool = False) -> Belief | None:
    """The probabilities of the faces of one die; None where no frame shows it, or one gave none."""
    if track.answer is not None:
        return tuple(float(face == track.answer) for face in range(1, 7))
    if not track.sightings or not all(sighting.chances for sighting in track.sightings):
        return None
    found = _against(_pooled([s.chances for s in track.sightings]), _missed(track))
    return _held(found, STRANGE) if stranger else found


def _missed(track: Track) -> int:
    """Frames in which it should have been seen: its coming late is one."""
    missed = max(0, track.chances - len(track.sightings)) + track.late
    return missed + 1 if "not_always_seen" in doubts(track) else missed


def _pooled(frames: Sequence[Belief]) -> Belief:
    """The frames' geometric mean over no die and the six faces."""
    whole = [(max(MIN_PROBABILITY, 1 - sum(chances)), *chances) for chances in frames]
    logs = [
        math.fsum([math.log(max(MIN_PROBABILITY, p)) for p in column]) / len(whole)
        for column in zip(*whole, strict=True)
    ]
    most = max(logs)
    odds = [math.exp(value - most) for value in logs]
    return tuple(value / sum(odds) for value in odds[1:])


def _against(chances: Belief, missed: int) -> Belief:
    """The probabilities after so many frames without it."""
    if not missed:
        return chances
    none = max(MIN_PROBABILITY, 1 - sum(chances)) * math.exp(MISSED * missed)
    whole = none + sum(chances)
    return tuple(chance / whole for chance in chances)


def _held(chances: Belief, least_none: float) -> Belief:
    """The probabilities with at least so much for no die."""
    most = 1 - least_none
    return tuple(chance * min(1.0, most / max(MIN_PROBABILITY, sum(chances))) for chance in chances)
