"""Whole evenings by chance over the API: nothing breaks, no verdict is wrong, everything can be finished."""

import pytest

from tests.web.random_evening import Evening

pytestmark = pytest.mark.slow

STEPS = 60


@pytest.mark.parametrize("batch", range(3))
def test_honest_evenings_have_no_wrong_verdict_and_come_to_their_end(tmp_path, batch):
    checked = 0
    for seed in range(3 * batch, 3 * batch + 3):
        evening = Evening(tmp_path / str(seed), seed)
        for _ in range(STEPS):
            evening.step()
        checked += evening.checked
        evening.finish()
        evening.close()
    assert checked, "no verdict was held against the true dice"


@pytest.mark.parametrize("seed", range(100, 104))
def test_whatever_people_say_nothing_breaks_and_the_game_comes_to_its_end(tmp_path, seed):
    evening = Evening(tmp_path, seed, lies=True)
    for _ in range(STEPS):
        evening.step()
    evening.finish()
    evening.close()
