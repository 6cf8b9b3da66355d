"""What the viewfinder of a phone says of a preview: how many dice it shows, and what hinders the picture.

Pure. A preview is no evidence: where its dice lie leaves this module, and no face.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from companion.errors import BadCommand
from companion.reveal.merging import usual
from companion.reveal.observations import Observation
from companion.reveal.state import WHOLE, RevealState, on_table


class Hint(StrEnum):
    """The one thing to do next. HOLD: all dice are seen, and a picture of them can be taken."""

    DARK = "dark"
    BRIGHT = "bright"
    BLURRED = "blurred"
    CLOSER = "closer"
    MISSING = "missing"
    EXTRA = "extra"
    HOLD = "hold"


OF_DOUBT: Mapping[str, Hint] = {
    "too_dark": Hint.DARK,
    "too_bright": Hint.BRIGHT,
    "blurred": Hint.BLURRED,
    "torn": Hint.BLURRED,
}
"""What a doubt about a picture as a whole asks of whoever holds the phone."""

MIN_SIZE = 1 / 48
"""Minimum width of a die, as a fraction of the picture's longer side: 40 pixels of a picture of 1920."""


class Spot(Struct, frozen=True):
    """Where a die lies in a preview: fractions of its width and height, and its side as one of the width."""

    x: float
    y: float
    size: float


class Viewed(Struct, frozen=True):
    """A preview as the viewfinder shows it: its dice, how many there must be, and what to do next."""

    dice: tuple[Spot, ...]
    expected: int
    hint: Hint


def viewed(observation: Observation, *expected: int) -> Viewed:
    """The preview that was read as `observation`, where the first number of dice must be seen, or another."""
    dice = tuple(Spot(die.x, die.y, die.size) for die in observation.dice)
    number = len(dice) if len(dice) in expected else expected[0]
    return Viewed(dice, number, _hint(observation, number))


def expected_at(state: RevealState, place: str | None) -> int:
    """How many dice a picture of a place must show, None for one of all; raises BadCommand for an unknown
    place. Dice that are known by hand, or rolled in phones, lie in no picture."""
    players = {**{name: name for name in on_table(state)}, **{v.name: v.player for v in state.places}}
    if place not in (None, WHOLE, *players):
        raise BadCommand("unknown_place", place=place)
    player = players.get(place or "")
    known = sum(die.owner == player or player is None for die in state.unplaced)
    numbers = {**dict(state.by_player), **dict(state.cups)}
    all_dice = state.expected if player is None else numbers.get(player, state.expected)
    return max(0, all_dice - known)


def _hint(observation: Observation, expected: int) -> Hint:
    """The first that applies: light, sharpness, distance, number."""
    of_picture = [OF_DOUBT[doubt.key] for doubt in observation.doubts if doubt.key in OF_DOUBT]
    if of_picture:
        return min(of_picture, key=list(Hint).index)
    if observation.dice and _share(observation) < MIN_SIZE:
        return Hint.CLOSER
    missing = expected - len(observation.dice)
    return Hint.MISSING if missing > 0 else Hint.EXTRA if missing < 0 else Hint.HOLD


def _share(observation: Observation) -> float:
    """The median width of the dice over the longer side of the picture."""
    width, height = observation.width, observation.height
    return usual([die.size for die in observation.dice]) * width / max(width, height)
