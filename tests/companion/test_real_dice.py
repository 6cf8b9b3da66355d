"""The choice of real dice at a simulated table: a command of whoever leads, kept over every power cut."""

from pathlib import Path
from random import Random

import pytest

from companion.errors import BadCommand, NotAllowed, StaleCommand
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.commands import Author, By
from companion.table.table import Table
from tests.companion.at_table import begin
from tests.companion.storage.lossy_disk import LossyDisk, PowerCut
from tests.refusals import refused

FOLDER = Path("/nowhere/games")


def offered(journal: Journal, *, begun: bool = False) -> Table:
    """The table of a box that starts, whose camera is the simulated table."""
    table = Table(journal)
    table.offer_real_dice(begun)
    return table


@pytest.mark.parametrize(
    ("chosen", "begun", "on", "why"),
    [
        ((), False, False, "nobody chose"),
        ((True,), False, True, "somebody chose real dice"),
        ((True, False), False, False, "and simulated ones again"),
        ((), True, True, "a game with real dice goes on"),
        ((True, False), True, True, "whatever was chosen before it"),
    ],
)
def test_whose_dice_lie_there_at_the_next_start(journal, chosen, begun, on, why):
    before = offered(journal)
    for one in chosen:
        assert before.do(cmd.RealDice(one)).real_dice is one
    assert offered(journal, begun=begun).snapshot().real_dice is on, why


@pytest.mark.parametrize("before", [False, True])
def test_the_power_may_go_as_dice_are_chosen(before):
    """What was acknowledged holds; what was not holds either way."""
    for steps in range(100):
        disk = LossyDisk()
        table, done = offered(Journal(FOLDER, disk=disk)), False
        table.do(cmd.RealDice(before))
        disk.steps_left = disk.steps + steps
        try:
            table.do(cmd.RealDice(not before))
            done = True
        except PowerCut:
            pass
        for seed in range(3):
            after = offered(Journal(FOLDER, disk=disk.after_the_cut(Random(seed)))).snapshot().real_dice
            assert after in ({not before} if done else {before, not before}), (steps, seed)
        if done:
            return
    raise AssertionError("choosing never ended")


def test_a_choice_holds_over_games_and_the_cleared_table(journal):
    table = offered(journal)
    table.do(cmd.RealDice(True))
    begin(table, "Ana Ben")
    assert table.do(cmd.Abandon()).real_dice
    assert table.do(cmd.PutAway()).real_dice
    assert table.do(cmd.RealDice(False)).real_dice is False


def test_no_undo_has_a_game_go_on_with_other_dice(journal):
    table = offered(journal)
    table.do(cmd.RealDice(True))
    begin(table, "Ana Ben")
    before = table.do(cmd.Abandon()).version
    assert table.do(cmd.RealDice(False)).state.game is None
    with refused("nothing_to_undo", BadCommand):
        table.do(cmd.Undo())
    with refused("table_moved_on", StaleCommand):
        table.do(cmd.Undo(), based_on=before)
    assert offered(journal).snapshot().state.game is None, "after a restart neither"


def test_nobody_chooses_within_a_game(journal):
    table = offered(journal)
    begin(table, "Ana Ben")
    with refused("game_going_on", BadCommand):
        table.do(cmd.RealDice(True))
    assert table.snapshot().real_dice is False


def test_a_player_does_not_choose(journal):
    with refused("leader_only", NotAllowed):
        offered(journal).do(cmd.RealDice(True), author=Author(By.PLAYER, "Ana", "her phone"))


def test_where_the_camera_sees_real_dice_there_is_no_choice(table, journal):
    with refused("dice_are_real", BadCommand):
        table.do(cmd.RealDice(False))
    assert (table.snapshot().real_dice, journal.note("real_dice")) == (None, None)
