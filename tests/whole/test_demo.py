"""Four simulated players, one tap away from a newcomer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.demo.players import Pace
from companion.errors import BadCommand
from tests.whole.conftest import at_work
from tests.whole.test_faults import wait_until

pytestmark = pytest.mark.slow


@pytest.mark.browser
def test_one_tap_lets_four_players_show_a_round_and_another_stops_them(tmp_path: Path, phone: Any) -> None:
    with at_work(tmp_path / "data", "simulated") as companion:
        page = phone(companion)
        page.click('[data-press="demo"]')
        page.wait_for_selector("text=Stop the show")
        wait_until(companion, lambda now: now.state.game is not None and bool(now.state.game.round.bids))
        page.click('[data-press="demo"]')
        page.wait_for_selector("text=Let four players show a game")
        assert not companion.demonstration.running


def test_players_come_to_a_verdict_by_themselves(tmp_path: Path) -> None:
    with at_work(tmp_path / "data", "simulated") as companion:
        companion.demonstration.start(Pace(0.05, 0.3, 0.05, 0.05))
        wait_until(companion, lambda now: len(now.state.played) >= 2)
        played = companion.table.snapshot().state.played
        assert all(p.pictures for p in played)


def test_nobody_plays_where_the_dice_are_real(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    with at_work(tmp_path / "data", f"folder:{tmp_path / 'pictures'}") as companion:
        assert not companion.demonstration.allowed
        with pytest.raises(BadCommand, match="simulated table"):
            companion.demonstration.start()
