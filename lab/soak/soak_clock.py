"""A clock on the wall that jumps, as on a board without a battery: nothing of a game depends on it."""

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from companion.statistics.archive import Archive
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.parsing import parse
from companion.table.table import Table
from lab.soak.scenario import Row, Scenario, turns
from tests.companion.at_table import new_game

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 20_000


def scenarios() -> tuple[Scenario, ...]:
    return (Scenario("a clock on the wall that jumps by years", jumping, share=0.5),)


def jumping(budget_s: float, rng: Random) -> Row:
    """Every record has another date, decades to and fro: a start finds the game as it was."""
    row = Row(0)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.storage.form.label", lambda: _some_day(rng))
        path = Path(folder) / "games"
        for _ in turns(budget_s):
            row += _played(path, rng)
        journal = Journal(path)
        unread = len(Archive(journal).overview().unreadable)
        journal.close()
    return (row + Row(0, wrong=unread)).saying(
        "Games, their order and their statistics were as without jumps."
    )


def _some_day(rng: Random) -> str:
    return (BEGIN + timedelta(days=rng.uniform(-DAYS, DAYS))).isoformat(timespec="seconds")


def _played(path: Path, rng: Random) -> Row:
    """Some bids, and a start of the box after them."""
    journal = Journal(path)
    table = Table(journal)
    if table.snapshot().game_id:
        table.do(cmd.PutAway())
    table.do(new_game("Ana Beto Cleo"))
    for quantity in range(1, rng.randint(2, 10)):
        turn = table.snapshot().state.game.round.turn
        table.do(parse({"type": "bid", "by": turn, "quantity": quantity, "face": 4}))
    before = table.snapshot()
    journal.close()
    again = Journal(path)
    after = Table(again).snapshot()
    again.close()
    steps = len(before.state.game.round.bids) + 1
    lost = before.state != after.state or after.version <= before.version
    return Row(steps, detected=steps, lost=int(lost))
