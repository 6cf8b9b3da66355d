"""Whole reveals by the thousand: no wrong verdict, and few questions."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.companion.reveal_player import play, scenario

BATCHES = 6
EACH = 350


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_verdict_is_wrong_when_the_questions_are_answered(batch: int) -> None:
    """Every reveal with misreadings, hands, overlaps, missing and extra dice ends in the true verdict, and is
    never settled by looks alone for a wrong one on the way."""
    asked: Counter[str] = Counter()
    for seed in range(batch * EACH, (batch + 1) * EACH):
        scene = scenario(seed)
        outcome = play(scene, seed)
        assert outcome.right, f"seed {seed}: {scene.kind}, {scene.truth} matching, {outcome.assessment}"
        asked[scene.kind] += len(outcome.asked)
    assert asked.total() / EACH < 1.5, asked
