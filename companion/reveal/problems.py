"""The oddities of a reveal, as keys of the catalogue with the values of their sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.reveal.merging import PlaceView
from companion.reveal.revealed import RevealedDie
from companion.reveal.state import RevealState, Shot, last_place
from companion.reveal.tally import Tally


@dataclass(frozen=True, slots=True)
class Problem:
    """One remark for people; `key` is under `reveal.problem` in the catalogues.

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
