"""A challenge noted wrong, or a die read wrong, is put right in the reveal and after the verdict."""

import pytest

from companion.errors import CompanionError
from companion.reveal.corrections import Add, ByHand, SetFace, Strike
from companion.rules.bids import Bid
from companion.rules.calls import Calza, Dudo
from companion.rules.game import Phase
from companion.table import commands as cmd
from companion.table.ledger import Step
from companion.table.table import Table
from companion.table.view import view
from tests.companion.test_table import bid, new_game, observation, see


def doubted(table: Table) -> None:
    """Beto doubts Ana's three fours; there are six dice of three players."""
    table.do(new_game("Ana", "Beto", "Caro", starting_dice=2))
    table.do(bid("Ana", "3x4"))
    table.do(cmd.Say(Dudo("Beto")))


SIX = (4, 4, 4, 2, 3, 6)

CALLS = [
    # why, the call it really was, loser, matching
    ("another number", Dudo("Beto", Bid(4, 4)), "Ana", 3),
    ("another face", Dudo("Beto", Bid(1, 6)), "Beto", 1),
    ("another caller", Dudo("Caro", Bid(4, 4)), "Beto", 3),
    ("a calza", Calza("Beto", Bid(2, 4), "Ana"), "Beto", 3),
]


@pytest.mark.parametrize(("why", "call", "loser", "count"), CALLS)
@pytest.mark.parametrize("before", ["reveal", "verdict"])
def test_the_verdict_is_of_the_call_as_corrected(table, why, call, loser, count, before):
    doubted(table)
    if before == "verdict":
        see(table, *SIX)
    now = table.do(cmd.CorrectCall(call))
    if before == "reveal":
        assert now.state.game.phase is Phase.REVEAL
        now = see(table, *SIX)
    verdict = now.state.game.verdict
    assert (verdict.loser, verdict.count_lo, verdict.caller) == (loser, count, call.by), why
    assert len(now.state.played) == 1


def test_observations_and_corrections_stay_and_a_count_by_hand_does_not(table):
    doubted(table)
    table.do(cmd.AddObservation(observation(*SIX[:5]), "all"))
    table.do(cmd.Correct(SetFace("all.1", 5)))
    before = table.do(cmd.Correct(ByHand(3)))
    assert before.state.game.phase is Phase.VERDICT
    now = table.do(cmd.CorrectCall(Dudo("Beto", Bid(1, 5))))
    assert now.state.game.phase is Phase.VERDICT, "one five is certain"
    assert now.state.game.verdict.loser == "Beto"
    again = table.do(cmd.CorrectCall(Dudo("Beto", Bid(3, 4))))
    assert again.state.game.phase is Phase.REVEAL, "two fours and one die unseen do not settle it"


def test_a_corrected_call_is_back_after_a_restart(table):
    doubted(table)
    see(table, *SIX)
    now = table.do(cmd.CorrectCall(Dudo("Caro", Bid(4, 4))))
    again = Table(table._journal).snapshot()
    assert again.state == now.state
    assert view(again)["verdict"]["bid"]["quantity"] == 4


@pytest.mark.parametrize(
    ("why", "call", "reason"),
    [
        ("a bid beyond the dice", Dudo("Beto", Bid(7, 4)), "exceeds_dice"),
        ("a caller nobody knows", Dudo("Zoe", Bid(3, 4)), "unknown_player"),
        ("a calza by the wrong one", Calza("Caro", Bid(3, 4), "Ana"), "calza_not_current"),
    ],
)
def test_a_call_that_could_not_be_changes_nothing(table, why, call, reason):
    doubted(table)
    before = see(table, *SIX)
    with pytest.raises(CompanionError) as refused:
        table.do(cmd.CorrectCall(call))
    assert refused.value.reason == reason, why
    assert table.snapshot() == before


@pytest.mark.parametrize("steps", [(), (cmd.NextRound(),)])
def test_without_a_challenge_in_this_round_there_is_nothing_to_correct(table, steps):
    table.do(new_game("Ana", "Beto", "Caro", starting_dice=2))
    if steps:
        table.do(bid("Ana", "3x4"))
        table.do(cmd.Say(Dudo("Beto")))
        see(table, *SIX)
    for step in steps:
        table.do(step)
    with pytest.raises(CompanionError) as refused:
        table.do(cmd.CorrectCall(Dudo("Beto", Bid(3, 4))))
    assert refused.value.reason == "no_reveal"


@pytest.mark.parametrize(
    ("why", "correction", "loser", "count"),
    [
        ("another face", SetFace("all.1", 5), "Ana", 2),
        ("as it was read", SetFace("all.1", 4), "Beto", 3),
        ("counted by hand", ByHand(1), "Ana", 1),
    ],
)
def test_a_die_corrected_after_the_verdict_brings_the_right_verdict(table, why, correction, loser, count):
    doubted(table)
    before = see(table, *SIX)
    now = table.do(cmd.Correct(correction), based_on=before.version)
    assert (now.state.game.verdict.loser, now.state.game.verdict.count_lo) == (loser, count), why
    assert (len(now.state.played), now.held) == (1, False)
    assert Table(table._journal, frames=2).snapshot().state == now.state, "after a restart too"
    assert now.undoes == Step("correction")
    back = table.do(cmd.Undo())
    assert (back.state, back.held) == (before.state, False), "one step takes back the correction alone"
    assert Table(table._journal, frames=2).snapshot().state == before.state
    assert table.do(cmd.Undo()).held, "the next one takes back the verdict"


def test_an_undo_takes_back_the_answer_that_gave_the_verdict(table):
    doubted(table)
    asked = see(table, *SIX, doubtful=(2,))
    assert table.do(cmd.Correct(SetFace("all.3", 4))).state.game.verdict.loser == "Beto"
    back = table.do(cmd.Undo())
    assert (back.state, back.held) == (asked.state, True), "the die is asked about again"
    table.do(cmd.Correct(SetFace("all.3", 5)))
    assert table.do(cmd.Confirm()).state.game.verdict.loser == "Ana"


def test_what_a_correction_after_the_verdict_leaves_open_is_asked_about_and_not_looked_at(table):
    """The dice are in the cups again: only people can tell."""
    doubted(table)
    see(table, *SIX)
    now = table.do(cmd.Correct(Strike("all.1")))
    assert (now.state.game.phase, now.held, len(now.state.played)) == (Phase.REVEAL, True, 0)
    assert view(now)["state"] == "question"
    table.do(cmd.Correct(Add(4)))
    verdict = table.do(cmd.Confirm()).state.game.verdict
    assert (verdict.loser, verdict.count_lo) == ("Beto", 3)


def test_the_winner_is_another_after_a_correction(table):
    table.do(new_game("Ana", "Beto", starting_dice=1))
    table.do(bid("Ana", "1x4"))
    table.do(cmd.Say(Dudo("Beto")))
    assert see(table, 4, 6).state.game.winner == "Ana"
    assert table.do(cmd.Correct(SetFace("all.1", 5))).state.game.winner == "Beto"


def test_a_die_is_not_corrected_once_the_next_round_began(table):
    doubted(table)
    see(table, *SIX)
    table.do(cmd.NextRound())
    before = table.snapshot()
    with pytest.raises(CompanionError) as caught:
        table.do(cmd.Correct(SetFace("all.1", 5)))
    assert (caught.value.reason, table.snapshot()) == ("no_reveal", before)
    table.do(cmd.Undo())
    assert table.do(cmd.Correct(SetFace("all.1", 5))).state.game.verdict.loser == "Ana"
