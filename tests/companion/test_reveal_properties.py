"""Reveals by the thousand: the truth never leaves the interval, no verdict is wrong, and few are asked."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from companion.reveal.assessing import assess
from companion.reveal.claims import Claim, Doubles, Kind, Seen, tally
from companion.reveal.observations import Observation
from companion.reveal.state import RevealState, with_observation
from tests.companion.begun_reveals import begin
from tests.companion.reveal_player import USUAL, play, scenario
from tests.companion.reveal_table import (
    MEASURED,
    PICTURED,
    Errors,
    Table,
    TrueDie,
    View,
    photograph,
    scattered,
)
from tests.effort import draws

pytestmark = pytest.mark.slow

seeds = st.integers(0, 10**9)
faces = st.lists(st.integers(1, 6), min_size=1, max_size=20)
claims = st.builds(
    Claim, st.sampled_from((Kind.DUDO, Kind.CALZA)), st.integers(1, 6), st.integers(1, 12), st.booleans()
)
HONEST = Errors(uncertain=0.3, misread=0.7, missed=0.1, ghost=0.3, unread=0.1, hand=0.3, jitter=0.1)
"""A bad reader that never says certain of what is wrong."""


def thrown(shown: list[int], rng: Random) -> Table:
    dice = tuple(TrueDie(face, z) for face, z in zip(shown, scattered(rng, len(shown)), strict=True))
    return Table(dice, tuple(complex(rng.random(), rng.random()) for _ in range(3)))


def frames(table: Table, number: int, rng: Random) -> list[Observation]:
    return [photograph(table, View(), HONEST, rng) for _ in range(number)]


def taken(claim: Claim, table: Table, observations: list[Observation]) -> RevealState:
    state = begin(claim, len(table.dice))
    for observation in observations:
        state = with_observation(state, "all", observation)
    return state


@given(faces, claims, seeds, st.integers(1, 6))
def test_the_true_count_is_always_inside(shown, claim, seed, number):
    rng = Random(seed)
    table = thrown(shown, rng)
    truth = sum(map(claim.matches, shown))
    state = begin(claim, len(shown))
    for observation in frames(table, number, rng):
        state = with_observation(state, "all", observation)
        found = assess(state)
        assert 0 <= found.lo <= truth <= found.hi <= len(shown)


@given(faces, claims, seeds)
def test_a_more_doubtful_observation_never_narrows(shown, claim, seed):
    rng = Random(seed)
    table = thrown(shown, rng)
    observation = photograph(table, View(), HONEST, rng)
    doubtful = replace(
        observation,
        certain=False,
        dice=tuple(replace(d, certain=d.certain and rng.random() < 0.5) for d in observation.dice),
    )
    clear, dim = (assess(taken(claim, table, [each])) for each in (observation, doubtful))
    assert dim.lo <= clear.lo
    assert clear.hi <= dim.hi


owners = st.sampled_from((None, "Ana", "Ben"))
pieces = st.lists(st.builds(Seen, st.booleans(), st.booleans(), st.booleans(), owners), max_size=12)


@given(pieces, st.integers(0, 6), st.integers(0, 6), st.integers(0, 3), st.integers(0, 3))
def test_a_tally_is_an_interval_of_the_expected_dice(dice, ana, ben, twice, other):
    dice = [d if d.certain else structs.replace(d, matches=False, by_hand=False) for d in dice]
    for by_player in ({"Ana": ana, "Ben": ben}, {}):
        found = tally(dice, ana + ben, by_player)
        assert 0 <= found.lo <= found.hi <= ana + ben
        doubled = tally(dice, ana + ben, by_player, Doubles(twice, other))
        assert doubled.lo <= found.lo
        assert found.hi <= doubled.hi


BATCHES = 6
EACH = draws(60, 700)


@cache
def questions(seed: int, errors: Errors) -> tuple[str, int]:
    """The kind of the reveal and how many questions bring it to the true verdict, without a wrong one."""
    scene = scenario(seed, errors)
    outcome = play(scene, seed)
    assert outcome.right, f"seed {seed}: {scene.kind}, {scene.truth} matching, {outcome.assessment}"
    return scene.kind, len(outcome.asked)


@pytest.mark.thorough
@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_verdict_is_wrong_when_the_questions_are_answered(batch):
    """Every reveal with misreadings, hands, overlaps, missing and extra dice ends in the true verdict, and is
    never settled by looks alone for a wrong one on the way."""
    asked: Counter[str] = Counter()
    for seed in range(batch * EACH, (batch + 1) * EACH):
        kind, number = questions(seed, USUAL)
        asked[kind] += number
    assert asked.total() / EACH < 1.5, asked


@pytest.mark.thorough
@pytest.mark.parametrize("errors", [Errors(calibrated=True), MEASURED, PICTURED])
def test_probabilities_ask_less_and_are_hardly_ever_wrong(errors):
    """Fewer than one in a thousand verdicts is wrong."""
    asked = {True: 0, False: 0}
    for seed in range(EACH):
        for calibrated in asked:
            asked[calibrated] += questions(seed, replace(errors, calibrated=calibrated))[1]
    assert asked[True] < asked[False]
