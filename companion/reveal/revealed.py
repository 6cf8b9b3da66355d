"""The dice as the whole reveal sees them: face, owner and doubt of each, from tracks and corrections; and
what is odd about them, as keys of the catalogue with the values of their sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import Struct

from companion.reveal import merging
from companion.reveal.claims import Tally
from companion.reveal.merging import PlaceView, Track, doubts
from companion.reveal.state import RevealState, Shot, last_place


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
    unplaced = (_placed(state, PlaceView(""), track) for track in state.unplaced)
    return (*placed, *(replace(die, place=None, x=None, y=None) for die in unplaced))


def _placed(state: RevealState, view: PlaceView, track: Track) -> RevealedDie:
    colour, faces, by_hand = merging.colour(track), merging.likeliest(track), track.by_hand
    own_cup = view.player is not None and view.phone is not None
    stranger = not own_cup and _is_stranger(state, track, colour)
    cut = (merging.CUT_OFF,) if track.cut else ()
    why = cut or merging.doubts(track) or (("moved",) if view.lost else ("stranger",) if stranger else ())
    face = track.answer or faces[0]
    shown_as = dict(state.owner_by_colour).get(colour) if stranger or not view.player else view.player
    return RevealedDie(
        id=track.id,
        face=face,
        faces=tuple(f for f in faces if f),
        certain=by_hand or not why,
        by_hand=by_hand,
        struck=track.struck or track.cut,
        confidence=1.0 if by_hand else merging.confidence(track),
        matches=state.claim.matches(face) and not (track.struck or track.cut),
        place=view.name,
        x=track.z.real,
        y=track.z.imag / view.height,
        size=track.size,
        picture=view.picture,
        colour=colour,
        owner=track.owner or shown_as,
        why=() if by_hand else why,
        angle=next((seen.angle for seen in reversed(track.sightings)), None),
        chances=() if view.lost else belief(track, stranger=stranger) or (),
    )


def _is_stranger(state: RevealState, track: Track, colour: str) -> bool:
    """Whether everybody's colour is known and this die has none of them."""
    owners, hands = dict(state.owner_by_colour), {die.owner for die in state.unplaced}
    playing = {player for player, number in state.by_player if number} - hands
    known = bool(playing) and playing <= set(owners.values())
    return known and track.owner is None and bool(colour) and colour not in owners


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
    missed = track.frames.count(None) + ("not_always_seen" in doubts(track))
    found = _against(_pooled([s.chances for s in track.sightings]), missed)
    return _held(found, STRANGE) if stranger else found


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


class Problem(Struct, frozen=True):
    """One remark for people; `key` is under `web.oddities` in the catalogues.

    - unread_place: no picture of that place yet.
    - moved: after corrections the dice changed beyond recognition.
    - look_uncertain: the picture as a whole is doubtful; `why` has the reasons.
    - too_many, too_few: by `number` dice in all; player_too_many, player_too_few: of `player`.
    - stray: `number` dice of somebody who does not play.
    - seen_twice: `number` dice that two places showed, counted once.
    """

    key: str
    number: int = 0
    player: str | None = None
    place: str | None = None
    why: tuple[str, ...] = ()


def problems(state: RevealState, dice: Sequence[RevealedDie], counted: Tally) -> tuple[Problem, ...]:
    """All oddities, the most useful to correct first."""
    twice = sum(d.twin is not None for d in dice)
    twins = [Problem("seen_twice", twice)] if twice else []
    return (*_of_places(state, unlooked(state, dice)), *_of_numbers(state, dice, counted), *twins)


def unlooked(state: RevealState, dice: Sequence[RevealedDie]) -> tuple[PlaceView, ...]:
    """The places still to be pictured, without those of players whose dice were all entered by hand."""
    looked = {step.place for step in state.steps if isinstance(step, Shot)}
    return tuple(view for view in _untold(state, dice) if view.name not in looked)


def next_place(state: RevealState, dice: Sequence[RevealedDie]) -> str | None:
    """The place to take a picture of next; None when dice were seen in all places.

    First the present place while too few of its pictures agree, then places without a picture, then places
    where no dice were seen.
    """
    here, untold = last_place(state), _untold(state, dice)
    unsure = [view for view in untold if view.name == here and not view.agreed(state.frames)]
    unseen = [view for view in untold if not view.frames]
    return next((view.name for view in (*unsure, *unlooked(state, dice), *unseen)), None)


def _untold(state: RevealState, dice: Sequence[RevealedDie]) -> tuple[PlaceView, ...]:
    """All places but those of players whose dice were all entered by hand."""
    entered, numbers = Counter(d.owner for d in dice if d.by_hand and d.counted), dict(state.by_player)
    full = {player for player, number in numbers.items() if entered[player] >= number}
    return tuple(view for view in state.places if view.player not in full)


def _of_places(state: RevealState, open_places: Sequence[PlaceView]) -> list[Problem]:
    found = []
    for view in state.places:
        if view in open_places:
            found.append(Problem("unread_place", place=view.name, player=view.player))
        if view.doubts:
            found.append(Problem("look_uncertain", place=view.name, why=view.doubts))
        if view.lost:
            found.append(Problem("moved", place=view.name))
    return found


def _of_numbers(state: RevealState, dice: Sequence[RevealedDie], counted: Tally) -> list[Problem]:
    numbers = dict(state.by_player)
    found = [
        Problem("player_too_many" if numbers[p] else "stray", number, p) for p, number in counted.surplus
    ]
    nobodys = counted.excess - sum(number for _, number in counted.surplus)
    if nobodys:
        found.append(Problem("too_many", nobodys))
    unseen = unseen_dice(state, dice, counted)
    by_name = [(p, n) for p, n in missing_by_player(state, dice) if n] if unseen else []
    if sum(n for _, n in by_name) == unseen:
        return found + [Problem("player_too_few", number, p) for p, number in by_name]
    return [*found, Problem("too_few", unseen)] if unseen else found


def unseen_dice(state: RevealState, dice: Sequence[RevealedDie], counted: Tally) -> int:
    """How many of the unknown dice were not even seen with doubt."""
    known = Counter(d.owner for d in dice if d.certain and d.counted)
    full = {player for player, number in state.by_player if known[player] >= number}
    return max(0, counted.unknown - sum(d.owner not in full for d in open_dice(state, dice)))


def open_dice(state: RevealState, dice: Sequence[RevealedDie]) -> list[RevealedDie]:
    """Uncertain dice that may be among those the reveal is about."""
    return [d for d in dice if not d.certain and concerns(state, d)]


def missing_by_player(state: RevealState, dice: Sequence[RevealedDie]) -> tuple[tuple[str, int], ...]:
    """How many dice each player lacks among all that were seen, certain or not."""
    shown = [d.owner for d in dice if d.counted]
    return tuple((p, max(0, number - shown.count(p))) for p, number in state.by_player)


def concerns(state: RevealState, die: RevealedDie) -> bool:
    """Whether a die belongs to those this reveal is about: counted, and of nobody else."""
    players = dict(state.by_player)
    return die.counted and (die.owner is None or not players or die.owner in players)
