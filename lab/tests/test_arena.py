"""The arena that measures the bots."""

from functools import partial

import pytest

from companion.bots.seat import Level
from companion.rules.presets import MODERN
from lab.bots.arena import bot, measured, play, play_round


@pytest.mark.parametrize("played", [play, partial(play_round, dice=1)])
def test_the_measure_plays_the_same_each_time(played):
    first = measured(MODERN, bot(Level.STRONG), 2, 4, 1, played=played)
    assert first == measured(MODERN, bot(Level.STRONG), 2, 4, 1, played=played)
