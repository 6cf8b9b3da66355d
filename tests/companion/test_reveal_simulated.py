"""Whole reveals by the thousand: no wrong verdict, and few questions."""

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from tests.companion.reveal_player import USUAL, play, scenario
from tests.companion.reveal_table import MEASURED, PICTURED, Errors
from tests.effort import draws

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

BATCHES = 6
EACH = draws(60, 700)


@cache
def questions(seed: int, errors: Errors) -> tuple[str, int]:
    """The kind of the reveal and how many questions bring it to the true verdict, without a wrong one."""
    scene = scenario(seed, errors)
    outcome = play(scene, seed)
    assert outcome.right, f"seed {seed}: {scene.kind}, {scene.truth} matching, {outcome.assessment}"
    return scene.kind, len(outcome.asked)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_verdict_is_wrong_when_the_questions_are_answered(batch):
    """Every reveal with misreadings, hands, overlaps, missing and extra dice ends in the true verdict, and is
    never settled by looks alone for a wrong one on the way."""
    asked: Counter[str] = Counter()
    for seed in range(batch * EACH, (batch + 1) * EACH):
        kind, number = questions(seed, USUAL)
        asked[kind] += number
    assert asked.total() / EACH < 1.5, asked


@pytest.mark.parametrize("errors", [Errors(calibrated=True), MEASURED, PICTURED])
def test_probabilities_ask_less_and_are_hardly_ever_wrong(errors):
    """Fewer than one in a thousand verdicts is wrong."""
    asked = {True: 0, False: 0}
    for seed in range(EACH):
        for calibrated in asked:
            asked[calibrated] += questions(seed, replace(errors, calibrated=calibrated))[1]
    assert asked[True] < asked[False]
