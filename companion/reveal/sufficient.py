"""Whether the pictures of a reveal suffice for a verdict: enough of each place, or one that shows all."""

from __future__ import annotations

from companion.reveal.assessing import Assessment
from companion.reveal.state import RevealState


def is_seen_enough(state: RevealState, found: Assessment) -> bool:
    """Whether enough frames of each place agree, or the first frame of the only place shows every die.

    A second frame shares the light and the view of the first, so it is no new evidence about a face
    (lab/docs/measured.md). It tells a hand, a cup lifted late and a flicker: none of them leaves all
    dice there, each read.
    """
    looked = [view for view in state.places if view.frames]
    return all(view.agreed(state.frames) for view in looked) or _shows_all(state, found)


def _shows_all(state: RevealState, found: Assessment) -> bool:
    """Whether all dice of a claim that counts them are read and nothing lies beside them, the picture as a
    whole is beyond doubt, and the chance of another verdict is known and below the bound."""
    if not state.claim.counts or len(state.places) != 1 or found.risk is None:
        return False
    place = state.places[0]
    whole = len(found.dice) == state.expected and all(die.face for die in found.dice)
    return whole and not place.doubts and not place.restarted and found.risk < state.bound
