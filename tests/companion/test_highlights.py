"""Highlights of a winner: the boldest bid, the best call, the fewest dice they had."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.statistics.record import GameRecord
from companion.statistics.scores import highlights
from companion.storage.journal import Journal
from companion.table.table import Table
from tests.companion.games import record, say, start

PLAYED = (
    # bids as "name quantity face", the call, the count that people entered
    (("Ana", 2, 3), ("Bea", 5, 3), "dudo", "Carlos", 4),  # Bea loses; Carlos was right about a bold bid
    (("Bea", 3, 4), ("Carlos", 4, 4), "dudo", "Ana", 4),  # Ana loses, she was wrong
    (("Ana", 1, 2), ("Bea", 2, 2), "calza", "Carlos", 2),  # exactly right
)


@pytest.fixture
def game(tmp_path: Path) -> GameRecord:
    """Three rounds of Ana, Bea and Carlos, counted by hand."""
    journal = Journal(tmp_path / "games")
    table = Table(journal, frames=1)
    kept = start(table)
    for *bids, call, caller, count in PLAYED:
        for by, quantity, face in bids:
            say(table, "bid", by=by, quantity=quantity, face=face)
        say(table, call, by=caller)
        say(table, "type_count", count=count)
        say(table, "next_round")
    shown = record(journal, kept)
    journal.close()
    return shown


@pytest.mark.parametrize(
    ("name", "boldest", "best", "why"),
    [
        ("Ana", "2x3", None, "her only call was wrong"),
        ("Bea", "5x3", None, "she never called"),
        ("Carlos", "4x4", ("2x2", True), "an exact two is rarer than doubting a bid that was bold"),
    ],
)
def test_the_boldest_bid_and_the_best_call_are_found(
    game: GameRecord, name: str, boldest: str, best: tuple[str, bool] | None, why: str
) -> None:
    shown = highlights(game, name)
    assert str(shown.boldest.bid) == boldest, why  # type: ignore[union-attr]
    found = shown.best_call and (str(shown.best_call.bid), shown.best_call.calza)
    assert found == best, why


def test_a_game_without_rounds_tells_nothing(game: GameRecord) -> None:
    shown = highlights(replace(game, rounds=()), "Ana")
    assert (shown.boldest, shown.best_call, shown.lowest, shown.came_back) == (
        None,
        None,
        game.starting,
        False,
    )


@pytest.mark.parametrize(("starting", "came_back"), [(5, False), (8, True)])
def test_half_of_the_dice_or_fewer_is_a_comeback(game: GameRecord, starting: int, came_back: bool) -> None:
    shown = highlights(replace(game, starting=starting), "Ana")
    assert shown.lowest == 4
    assert shown.came_back is came_back
