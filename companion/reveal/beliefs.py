"""Combines all sightings of one die into probabilities of the faces 1 to 6. The rest to one: no die of the
game.

Frames of one place share their light and view: further ones are no new evidence, only their mean counts. Any
weight for them made probabilities worse (lab/docs/measured.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.reveal.tracks import Track, doubts

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
