"""The export of a game that goes on holds no die which is still under a cup in a phone."""

import json
from typing import Any

import pytest

from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.kept_game import replay
from companion.table.resuming import without_secrets
from companion.table.table import Table
from tests.companion.at_table import begin


def played(journal: Journal, cups: str) -> Table:
    """A round judged, the second one going on after it was taken back and thrown anew."""
    table = Table(journal, roll=lambda n: (6,) * n)
    table.seat("Ana", "the phone of Ana")
    begin(table, "Ana Bea", f"2x3, dudo, {'' if cups else '5, '}next, 2x3, dudo, undo", cups=cups)
    return table


def bundled(journal: Journal) -> list[Any]:
    lines = without_secrets(journal.export(journal.current() or ""))
    return [json.loads(line) for line in lines]


def test_no_die_and_no_seal_of_a_game_that_goes_on(journal):
    played(journal, "Ana Bea")
    bodies = [row["body"] for row in bundled(journal)[1:]]
    kinds = {body["event"] for body in bodies}
    assert kinds >= {"sealed", "thrown", "rolled", "held", "noted"}
    for body in bodies:
        assert not body.get("faces"), body
        assert not body.get("seal"), body
    assert "the phone of Ana" not in str(bodies)


def test_it_is_read_back(journal):
    played(journal, "Ana Bea")
    game_id = journal.take_in(without_secrets(journal.export(journal.current() or "")))
    game = replay([record.body for record in journal.records(game_id)]).state.game
    assert (game.round.number, str(game.round.standing.bid)) == (2, "2x3")


@pytest.mark.parametrize(("why", "cups"), [("dice under real cups", ""), ("the game is over", "Ana Bea")])
def test_everything_else_leaves_as_it_is(journal, why, cups):
    table = played(journal, cups)
    if cups:
        table.do(cmd.Abandon())
    game_id = journal.current() or ""
    assert without_secrets(journal.export(game_id)) == tuple(journal.export(game_id)), why
