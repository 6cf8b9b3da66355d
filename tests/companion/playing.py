"""Random rules, players, dice and calls for tests that play by themselves."""

import dataclasses
from collections import Counter
from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.bidding import may_push
from companion.rules.calls import MAX_PUSHED, BidCall, Calza, Dudo, DudoPass
from companion.rules.counting import Reveal
from companion.rules.dice import FACES
from companion.rules.events import Called, Event, NextRound, Revealed, RolledOff
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.rules.rolloff import roll_off
from companion.rules.ruleset import Ruleset, bounds, choices, faults, switches
from tests.perft import legal_calls

NAMES = ("Ana", "Beto", "Carla", "Dino", "Elsa", "Fito", "Gina", "Hugo", "Ines", "Juan", "Kati", "Leo")
CHALLENGES = (Dudo, Calza, DudoPass)
EMPTY: Mapping[str, tuple[int, ...]] = MappingProxyType({})

SMALL = {
    "starting_dice": (1, 6),
    "most_players": (12, 12),
    "lives": (1, 3),
    "ante": (0, 9),
    "tally_to": (1, 4),
}
"""Numbers whose whole range would make games long and all alike."""


def rulesets() -> st.SearchStrategy[Ruleset]:
    """Presets, and any mix of all switches that can be played."""
    mixes = st.integers(0, 2**32).map(lambda seed: mixed(Random(seed)))
    return st.sampled_from(list(PRESETS.values())) | mixes


def mixed(random: Random) -> Ruleset:
    """Any mix of all switches that can be played. What dice that are gained do not go with is as usual."""
    while True:
        rules = Ruleset(**{name: a_value(name, random) for name in switches()})
        beside = [str(fault.values["field"]) for fault in faults(rules) if fault.reason == "gain_alone"]
        rules = dataclasses.replace(rules, **{name: getattr(Ruleset(), name) for name in beside})
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
    """Two or three seats as often as more: most of what is special happens to few."""
    return (st.integers(2, 3) | st.integers(2, rules.most_players)).map(
        lambda n: NAMES[: min(n, rules.most_players)]
    )


def handicaps(rules: Ruleset, players: int, random: Random) -> tuple[int, ...]:
    """How many dice fewer each begins with, where that is played."""
    if not rules.handicap:
        return ()
    most = rules.starting_dice - (rules.out_below if rules.lives is None else 1)
    return tuple(random.randint(0, max(0, most)) for _ in range(players))


def thrown(game: Game, random: Random) -> Reveal:
    """Everybody's dice as they might fall, those in the open first."""
    out = {p.name: game.round.pushed_by(p.name) for p in game.inside}
    rolled = {p.name: random.choices(FACES, k=p.dice - len(out[p.name])) for p in game.inside}
    return Reveal(hands=tuple((name, (*out[name], *rolled[name])) for name in out))


def rolled_off(game: Game, random: Random) -> RolledOff:
    """The roll for seats or starter, by everybody and then by those who tie."""
    rules, names = game.ruleset, tuple(player.name for player in game.players)
    rolls: list[dict[str, int]] = []
    tied: tuple[str, ...] = names
    while tied:
        rolls.append({name: sum(random.choices(FACES, k=rules.roll_off_dice)) for name in tied})
        groups = roll_off(names, rolls, rules.order, rules.roll_off_dice).reroll
        tied = tuple(name for group in groups for name in group)
    return RolledOff(tuple(tuple(roll.items()) for roll in rolls))


def pushing(call: BidCall, game: Game, random: Random, cups: Mapping[str, tuple[int, ...]]) -> BidCall:
    """The bid with some dice pushed out where that is played: of those that are known from `cups`, or any."""
    faces = {call.bid.face, call.bid.face if call.bid.zhai else game.wild or call.bid.face}
    hidden = Counter(cups.get(call.by, sorted(faces) * MAX_PUSHED)) - Counter(game.round.pushed_by(call.by))
    fit = [face for face in hidden.elements() if face in faces]
    number = random.randint(0, min(len(fit), may_push(game)))
    return replace(call, pushed=tuple(random.sample(fit, number)))


def chosen(
    game: Game, random: Random, challenge: float = 0.3, cups: Mapping[str, tuple[int, ...]] = EMPTY
) -> Event:
    """What might happen next; with the given chance a challenge where one is allowed."""
    if game.phase is Phase.ROLLOFF:
        return rolled_off(game, random)
    if game.phase is Phase.REVEAL:
        return Revealed(thrown(game, random))
    if game.phase is Phase.VERDICT:
        return NextRound()
    calls = legal_calls(game)
    doubts = [call for call in calls if isinstance(call, CHALLENGES)]
    call = random.choice(doubts if doubts and random.random() < challenge else calls)
    return Called(pushing(call, game, random, cups) if isinstance(call, BidCall) else call)
