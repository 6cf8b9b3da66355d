"""Random rules, players, dice and calls for tests that play by themselves."""

from collections.abc import Iterable
from functools import reduce
from random import Random
from typing import Any

from hypothesis import strategies as st

from companion.rules.calls import Calza, Dudo, DudoPass
from companion.rules.dice import FACES
from companion.rules.events import Called, Event, HandedBack, Joined, Left, NextRound, Revealed, Started
from companion.rules.game import Game, Phase, apply, start
from companion.rules.judge import Reveal
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset, bounds, choices, faults, switches
from tests.perft import legal_calls

NAMES = ("Ana", "Beto", "Carla", "Dino", "Elsa", "Fito", "Gina", "Hugo", "Ines", "Juan", "Kati", "Leo")
CHALLENGES = (Dudo, Calza, DudoPass)

SMALL = {
    "starting_dice": (1, 6),
    "most_players": (12, 12),
    "lives": (1, 3),
    "ante": (0, 9),
    "tally_to": (1, 4),
}
"""Numbers whose whole range would make games long and all alike."""


def fold(events: Iterable[Event]) -> Game:
    """The game that a whole list of events makes, the first of which is `Started`."""
    first, *rest = events
    assert isinstance(first, Started)
    return reduce(apply, rest, start(first))


def rulesets() -> st.SearchStrategy[Ruleset]:
    """Presets, and any mix of all switches that can be played."""
    mixes = st.integers(0, 2**32).map(lambda seed: mixed(Random(seed)))
    return st.sampled_from(list(PRESETS.values())) | mixes


def mixed(random: Random) -> Ruleset:
    """Any mix of all switches that can be played."""
    while True:
        rules = Ruleset(**{name: a_value(name, random) for name in switches()})
        if not faults(rules):
            return rules


def a_value(name: str, random: Random) -> Any:
    """Any value of a switch."""
    if choices(name):
        return random.choice(choices(name))
    between = bounds(name)
    assert between is not None
    number = random.randint(*SMALL.get(name, (between.least, between.most)))
    return None if name == "lives" and random.random() < 0.6 else number


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
    """Everybody's dice as they might fall, those in the open first."""
    out = {p.name: game.round.pushed_by(p.name) for p in game.inside}
    rolled = {p.name: random.choices(FACES, k=p.dice - len(out[p.name])) for p in game.inside}
    return Reveal(hands=tuple((name, (*out[name], *rolled[name])) for name in out))


def chosen(game: Game, random: Random, challenge: float = 0.3) -> Event:
    """What might happen next; with the given chance a challenge where one is allowed."""
    if game.phase is Phase.REVEAL:
        return Revealed(thrown(game, random))
    if game.phase is Phase.VERDICT:
        return NextRound()
    calls = legal_calls(game)
    doubts = [call for call in calls if isinstance(call, CHALLENGES)]
    return Called(random.choice(doubts if doubts and random.random() < challenge else calls))
