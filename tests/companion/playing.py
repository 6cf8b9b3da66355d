"""Random rules, players, dice and calls for tests that play by themselves."""

from collections.abc import Iterable
from functools import reduce
from random import Random
from typing import Any

from hypothesis import strategies as st

from companion.rules.calls import Calza, Dudo, DudoPass
from companion.rules.events import Called, Event, HandedBack, Joined, Left, NextRound, Revealed, Started
from companion.rules.game import Game, Phase, apply, playing, start
from companion.rules.judge import Reveal
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset, choices, faults, switches
from tests.perft import legal_calls

NAMES = ("Ana", "Beto", "Carla", "Dino", "Elsa", "Fito", "Gina", "Hugo", "Ines", "Juan", "Kati", "Leo")
CHALLENGES = (Dudo, Calza, DudoPass)

_NUMBERS: dict[str, st.SearchStrategy[Any]] = {
    "most_players": st.just(12),
    "starting_dice": st.integers(1, 6),
    "lives": st.none() | st.integers(1, 3),
    "ante": st.integers(0, 20),
}


def fold(events: Iterable[Event]) -> Game:
    """The game that a whole list of events makes, the first of which is `Started`."""
    first, *rest = events
    assert isinstance(first, Started)
    return reduce(apply, rest, start(first))


def rulesets() -> st.SearchStrategy[Ruleset]:
    """Presets, and any mix of all switches that can be played."""
    words = {name: st.sampled_from(choices(name)) for name in switches() if choices(name)}
    mixed = words | _NUMBERS
    mixes = st.builds(Ruleset, **mixed).filter(lambda rules: not faults(rules))
    return st.sampled_from(list(PRESETS.values())) | mixes


def seats(rules: Ruleset) -> st.SearchStrategy[tuple[str, ...]]:
    return st.integers(2, rules.most_players).map(lambda n: NAMES[:n])


def comings() -> st.SearchStrategy[Event]:
    """Somebody comes, goes, or gets dice back."""
    names = st.sampled_from(NAMES)
    after = names | st.just("")
    return (
        st.builds(Joined, names, st.sampled_from(["red", ""]), after, st.booleans(), st.booleans())
        | st.builds(Left, names, st.booleans())
        | st.builds(HandedBack, names, st.integers(0, 7))
    )


def thrown(game: Game, random: Random) -> Reveal:
    """Everybody's dice as they might fall."""
    hands = tuple((p.name, tuple(random.choices(range(1, 7), k=p.dice))) for p in playing(game.players))
    return Reveal(hands=hands)


def chosen(game: Game, random: Random, challenge: float = 0.3) -> Event:
    """What might happen next; with the given chance a challenge where one is allowed."""
    if game.phase is Phase.REVEAL:
        return Revealed(thrown(game, random))
    if game.phase is Phase.VERDICT:
        return NextRound()
    calls = legal_calls(game)
    doubts = [call for call in calls if isinstance(call, CHALLENGES)]
    return Called(random.choice(doubts if doubts and random.random() < challenge else calls))


def played(game: Game, random: Random, most: int = 20_000) -> tuple[Game, list[Event]]:
    """The game played by chance until somebody has won; fails when it does not end."""
    events: list[Event] = []
    while game.phase is not Phase.OVER:
        assert len(events) < most, "the game does not end"
        events.append(chosen(game, random))
        game = apply(game, events[-1])
    return game, events
