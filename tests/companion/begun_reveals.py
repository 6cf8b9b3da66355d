"""Reveals with nothing seen yet, from what a test says of them by player."""

from collections.abc import Mapping
from typing import Any

from companion.reveal.claims import Claim
from companion.reveal.merging import PlaceView
from companion.reveal.state import ONE_PLACE, RevealState


def begin(
    claim: Claim,
    expected: int,
    by_player: Mapping[str, int] | None = None,
    colours: Mapping[str, str] | None = None,
    places: tuple[PlaceView, ...] = ONE_PLACE,
    frames: int = 1,
    **more: Any,
) -> RevealState:
    """A reveal of so many dice; `colours` are those of each player's dice, no two of them the same."""
    owners = tuple((colour, player) for player, colour in (colours or {}).items())
    numbers = tuple((by_player or {}).items())
    return RevealState(claim, expected, numbers, owners, places, frames=frames, **more)
