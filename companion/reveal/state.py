"""The reveal: observations and corrections go in, what is known of the dice is kept.

A `RevealState` is a value: `with_observation` and `with_correction` give the next one.
`companion.reveal.assessing.assess` gives the assessment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations, product

from companion.errors import BadCommand
from companion.reveal import merging
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import (
    AboutDie,
    Add,
    AllApart,
    AsRead,
    ByHand,
    Correction,
    CutOff,
    Hand,
    SameDie,
    SetFace,
    SetOwner,
    Several,
    Strike,
    TakenFor,
    TwoDice,
    check,
)
from companion.reveal.merging import PlaceView, Track, known
from companion.reveal.observations import Observation

BOUND = 0.001
"""Chance that a verdict would be another, below which the reveal speaks: one in a thousand."""

ALL = "all"
"""The one place of a reveal whose dice all lie in one picture."""

WHOLE = "phone"
"""The place of the one picture in which a phone shows everybody's dice."""


ONE_PLACE = (PlaceView(ALL),)

_HAND = "hand."


def hand_of(die: str) -> str:
    """Whose hand the die of this id came with; "" for any other. There may be dots in a name."""
    return die.rpartition(".")[0].removeprefix(_HAND) if die.startswith(_HAND) else ""


@dataclass(frozen=True, slots=True)
class Shot:
    """A step of the reveal: one observation of one place."""

    place: str
    observation: Observation


@dataclass(frozen=True, slots=True)
class RevealState:
    """Everything a reveal knows; `steps` is the input, in order.

    `expected` dice are on the table in all, `by_player` of them each where owners can be identified;
    `owner_by_colour` was learnt. `same` and `apart` are pairs of ids that a person called one die, or two.
    `unplaced` dice are known by hand alone: added without a position, or rolled in a phone. `answer` is a
    count by hand.

    `cups` (player, number) are to be lifted in this order: each picture shows one of them, or all at once.

    `frames` pictures of a place must agree before the box is led on to the next. Below `bound`, the chance of
    another verdict, nothing is asked.
    """

    claim: Claim
    expected: int
    by_player: tuple[tuple[str, int], ...] = ()
    owner_by_colour: tuple[tuple[str, str], ...] = ()
    places: tuple[PlaceView, ...] = ONE_PLACE
    unplaced: tuple[Track, ...] = ()
    same: frozenset[frozenset[str]] = frozenset()
    apart: frozenset[frozenset[str]] = frozenset()
    answer: int | None = None
    frames: int = 1
    steps: tuple[Shot | Correction, ...] = ()
    bound: float = BOUND
    cups: tuple[tuple[str, int], ...] = ()


def last_place(state: RevealState) -> str | None:
    """Where the newest picture of the box's own camera was taken."""
    shots = (step for step in reversed(state.steps) if isinstance(step, Shot))
    return next((shot.place for shot in shots if shot.observation.phone is None), None)


def players_plan(order: Iterable[str]) -> tuple[PlaceView, ...]:
    """One place per player, in the order the house rules reveal them."""
    return tuple(PlaceView(player, player) for player in order)


def with_observation(state: RevealState, place: str, observation: Observation) -> RevealState:
    """One more frame of `place`: of a cup, or of everybody's dice at once.

    The newest picture says which of the two all are of.
    """
    if place in dict(state.cups):
        state = _cup_by_cup(state)
    elif not any(view.name == place for view in state.places):
        state = _at_once(state, place)
    places = tuple(
        merging.with_observation(view, observation) if view.name == place else view for view in state.places
    )
    return replace(state, places=places, steps=(*state.steps, Shot(place, observation)))


def on_table(state: RevealState) -> dict[str, int]:
    """The cups that are to be pictured, with their numbers: those of phones are known already."""
    in_phones = {die.owner for die in state.unplaced if hand_of(die.id)}
    return {player: number for player, number in state.cups if player not in in_phones}


def is_of_all(state: RevealState, player: str, seen: int) -> bool:
    """Whether a picture with so many dice is of everybody's rather than of the cup of `player`: their numbers
    say so."""
    cups = on_table(state)
    return len(cups) > 1 and abs(sum(cups.values()) - seen) < abs(cups.get(player, 0) - seen)


def _cup_by_cup(state: RevealState) -> RevealState:
    """The reveal with a place for each cup on the table: its dice have an owner, and lie in no other
    picture."""
    shown = {view.name: view for view in state.places}
    places = tuple(shown.get(place.name, place) for place in players_plan(on_table(state)))
    return replace(state, places=places, by_player=state.cups)


def _at_once(state: RevealState, place: str) -> RevealState:
    """The reveal with that one place, of everybody's dice: by colour or by phones have owners. A roll goes
    by its places alone."""
    if state.claim.kind is Kind.ROLL:
        return state
    owned = state.owner_by_colour or any(hand_of(die.id) for die in state.unplaced)
    return replace(state, places=(PlaceView(place),), by_player=state.cups if owned else ())


def with_correction(state: RevealState, correction: Correction) -> RevealState:
    """The state after a correction, which is certain from now on; raises BadCommand for an unknown die."""
    check(correction)
    changed = _corrected(state, correction)
    return replace(changed, steps=(*changed.steps, correction))


def _corrected(state: RevealState, correction: Correction) -> RevealState:
    match correction:
        case SetFace() | Strike() | CutOff() | SetOwner():
            return _changed(state, correction)
        case SameDie(first, second):
            pair = _pair(state, first, second)
            return replace(state, same=state.same | {pair}, apart=state.apart - {pair})
        case TwoDice(first, second):
            pair = _pair(state, first, second)
            return replace(state, apart=state.apart | {pair}, same=state.same - {pair})
        case AsRead(place):
            return _at(state, place, lambda v: replace(v, tracks=tuple(map(_believed, v.tracks))))
        case AllApart():
            return replace(state, apart=state.apart | _over_two_places(state))
        case TakenFor(place, player):
            return _taken_for(state, place, player)
        case ByHand(value):
            return replace(state, answer=value)
        case Hand(player, faces):
            return _dealt(state, player, faces)
        case Several(answers):
            for answer in answers:
                state = _corrected(state, answer)
            return state
        case Add():
            return _added(state, correction)


def _taken_for(state: RevealState, place: str, player: str | None) -> RevealState:
    """The state with the newest picture of a phone at `place` taken for another one; raises BadCommand."""
    shots = (step for step in reversed(state.steps) if isinstance(step, Shot) and step.place == place)
    shot, other = next(shots, None), WHOLE if player is None else player
    if shot is None or shot.observation.phone is None or other not in (WHOLE, *dict(state.cups)):
        raise BadCommand("unknown_place", place=place if shot is None else other)
    left = tuple(PlaceView(v.name, v.player) if v.name == place else v for v in state.places)
    return with_observation(replace(state, places=left), other, shot.observation)


def _at(state: RevealState, place: str, change: Callable[[PlaceView], PlaceView]) -> RevealState:
    """The state with one place changed; raises BadCommand where it is unknown."""
    if not any(view.name == place for view in state.places):
        raise BadCommand("unknown_place", place=place)
    return replace(state, places=tuple(change(v) if v.name == place else v for v in state.places))


def _believed(track: Track) -> Track:
    """The die as it was read, unless a person spoke of it, or the border cuts it."""
    doubted = not track.by_hand and not track.cut and track.face > 0
    return replace(track, answer=track.face) if doubted else track


def _changed(state: RevealState, said: AboutDie) -> RevealState:
    """The state with what was said of one die, wherever it is kept."""
    _known(state, said.die)
    places = tuple(
        replace(view, tracks=tuple(_changed_track(t, said) if t.id == said.die else t for t in view.tracks))
        for view in state.places
    )
    unplaced = tuple(_changed_track(t, said) if t.id == said.die else t for t in state.unplaced)
    return replace(state, places=places, unplaced=unplaced)


def _changed_track(track: Track, said: AboutDie) -> Track:
    match said:
        case SetFace(_, face):
            return replace(track, answer=face, struck=False, cut=False)
        case Strike():
            return replace(track, struck=True, cut=False)
        case CutOff():
            return replace(track, answer=None, cut=True)
        case SetOwner(_, player):
            return replace(track, owner=player)


def _known(state: RevealState, die: str) -> None:
    ids = {t.id for view in state.places for t in view.tracks} | {u.id for u in state.unplaced}
    if die not in ids:
        raise BadCommand("unknown_die", die=die)


def _pair(state: RevealState, first: str, second: str) -> frozenset[str]:
    _known(state, first)
    _known(state, second)
    if first == second:
        raise BadCommand("unknown_die", die=second)
    return frozenset((first, second))


def _over_two_places(state: RevealState) -> frozenset[frozenset[str]]:
    """All pairs of dice that two places show."""
    return frozenset(
        frozenset((one.id, other.id))
        for a, b in combinations(state.places, 2)
        for one, other in product(a.tracks, b.tracks)
    )


def _dealt(state: RevealState, player: str, faces: tuple[int, ...]) -> RevealState:
    others = tuple(u for u in state.unplaced if hand_of(u.id) != player)
    hand = tuple(known(f"{_HAND}{player}.{n}", face, player) for n, face in enumerate(faces, 1))
    return replace(state, unplaced=others + hand)


def _added(state: RevealState, add: Add) -> RevealState:
    """A die in its place, on top of what was seen there; without a position, beside the places."""
    if add.place is None or add.x is None or add.y is None:
        number = 1 + sum(u.id.startswith("added.") for u in state.unplaced)
        owner = add.player or next((v.player for v in state.places if v.name == add.place), None)
        return replace(state, unplaced=(*state.unplaced, known(f"added.{number}", add.face, owner)))
    x, y, face, owner = add.x, add.y, add.face, add.player
    return _at(state, add.place, lambda v: merging.with_added(v, complex(x, y * v.height), face, owner))
