"""What lies on the table through several rounds is no die in play: dice are rolled anew in each.

Pure: whether a place still looks the same is for others to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum

from msgspec import Struct

from companion.reveal import merging
from companion.reveal.merging import HARMLESS, PlaceView, Track, usual
from companion.reveal.observations import Observation, SeenDie, SeenDoubt
from companion.reveal.state import RevealState


class Said(StrEnum):
    """What is known of a thing: a person took it out, the empty table shows it, nobody spoke of it, or a
    person called it a die."""

    NO_DIE = "1 no die"
    EMPTY = "2 empty table"
    NOTHING = "3 nothing"
    DIE = "4 die"


class Location(Struct, frozen=True):
    """Where a thing lies: its middle and side in picture widths."""

    x: float
    y: float
    size: float


LiesStill = Callable[[Location], Said | None]
"""What is known of the thing that lies there and looks as it did earlier; None where none does."""


def things(view: PlaceView) -> Iterator[tuple[Location, Said]]:
    """The things of a place that an earlier round may tell of, as its newest picture shows them.

    Certain dice of which nobody spoke are none of them, nor what the border cuts.
    """
    for track in view.tracks:
        said = _said(track)
        if said is not None and not track.gone:
            yield Location(track.z.real, track.z.imag, track.size), said


def _said(track: Track) -> Said | None:
    if track.cut:
        return None
    if track.by_hand:
        return Said.NO_DIE if track.struck else Said.DIE
    return Said.NOTHING if merging.doubts(track) else None


def needed(state: RevealState) -> int | None:
    """How many dice one picture of all of them must show; None where dice are shown place by place."""
    if any(view.player for view in state.places):
        return None
    return state.expected - len(state.unplaced)


def without(observation: Observation, lies_still: LiesStill, at_least: int | None) -> Observation:
    """The observation without what lies still.

    What a person took out in an earlier round is left out, and what is not certain and lay on the empty
    table. So is what is not certain and nobody spoke of, where one picture shows all dice and `at_least`
    other dice are read: a die that nobody rolled anew is asked about as before.
    """
    things: tuple[SeenDie | SeenDoubt, ...] = (*observation.dice, *observation.doubts)
    known = {at: lies_still(at) for thing in things if (at := _location(thing, observation))}
    certain = {_location(die, observation) for die in observation.dice if die.certain}
    gone = {at for at, said in known.items() if said is Said.NO_DIE}
    gone |= {at for at, said in known.items() if said is Said.EMPTY and at not in certain}
    open_ = {at for at, said in known.items() if said is Said.NOTHING and at not in certain}
    found = _left(observation, gone | open_)
    return found if at_least is not None and len(found.dice) >= at_least else _left(observation, gone)


def _left(observation: Observation, gone: set[Location]) -> Observation:
    if not gone:
        return observation
    left = [k for k, die in enumerate(observation.dice) if _location(die, observation) not in gone]
    dice = tuple(observation.dice[k] for k in left)
    pairs = tuple(
        replace(pair, dice=(left.index(pair.dice[0]), left.index(pair.dice[1])))
        for pair in observation.pairs
        if {*pair.dice} <= {*left}
    )
    doubts = tuple(doubt for doubt in observation.doubts if _location(doubt, observation) not in gone)
    clear = observation.certain or (not doubts and all(die.certain for die in dice))
    return replace(observation, dice=dice, doubts=doubts, pairs=pairs, certain=clear)


def _location(thing: SeenDie | SeenDoubt, observation: Observation) -> Location | None:
    """Where it lies; None for a doubt of the whole picture, or of the number of dice."""
    if thing.x is None or thing.y is None or (isinstance(thing, SeenDoubt) and thing.key in HARMLESS):
        return None
    size = thing.size or usual([die.size for die in observation.dice])
    return Location(thing.x, thing.y * observation.ratio, size)
