"""Whole reveals by the thousand: no wrong verdict, and few questions."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.companion.reveal_player import play, scenario
from tests.companion.reveal_table import MEASURED, PICTURED, Errors
from tests.effort import draws

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

BATCHES = 6
EACH = draws(60, 700)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_verdict_is_wrong_when_the_questions_are_answered(batch):
    """Every reveal with misreadings, hands, overlaps, missing and extra dice ends in the true verdict, and is
    never settled by looks alone for a wrong one on the way."""
    asked: Counter[str] = Counter()
    for seed in range(batch * EACH, (batch + 1) * EACH):
        scene = scenario(seed)
        outcome = play(scene, seed)
        assert outcome.right, f"seed {seed}: {scene.kind}, {scene.truth} matching, {outcome.assessment}"
        asked[scene.kind] += len(outcome.asked)
    assert asked.total() / EACH < 1.5, asked


@pytest.mark.parametrize("errors", [Errors(calibrated=True), MEASURED, PICTURED])
def test_probabilities_ask_less_and_are_hardly_ever_wrong(errors):
    """Fewer than one in a thousand verdicts is wrong."""
    asked = {True: 0, False: 0}
    for seed in range(EACH):
        for calibrated in asked:
            scene = scenario(seed, replace(errors, calibrated=calibrated))
            outcome = play(scene, seed)
            assert outcome.right, f"seed {seed}: {scene.kind}, {scene.truth} matching, {outcome.assessment}"
            asked[calibrated] += len(outcome.asked)
    assert asked[True] < asked[False]
