"""A challenge noted wrong, or a die read wrong, is put right in the reveal and after the verdict."""

import pytest

from companion.reveal.corrections import Add, ByHand, SetFace, Strike
from companion.rules.bids import Bid
from companion.rules.calls import Calza, Dudo, DudoPass
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.ledger import Step
from companion.table.table import Table
from companion.table.view import view
from tests.companion.at_table import begin, observation, see
from tests.refusals import refused


@pytest.fixture
def doubted(table):
    """Beto doubts Ana's three fours; there are six dice of three players."""
    begin(table, "Ana Beto Caro", "Ana 3x4, Beto dudo", starting_dice=2)
    return table


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
def test_the_verdict_is_of_the_call_as_corrected(doubted, why, call, loser, count, before):
    if before == "verdict":
        see(doubted, *SIX)
    now = doubted.do(cmd.CorrectCall(call))
    if before == "reveal":
        assert now.state.game.phase is Phase.REVEAL
        now = see(doubted, *SIX)
    verdict = now.state.game.verdict
    assert (verdict.loser, verdict.count_lo, verdict.caller) == (loser, count, call.by), why
    assert len(now.state.played) == 1


def test_observations_and_corrections_stay_and_a_count_by_hand_does_not(doubted):
    doubted.do(cmd.AddObservation(observation(*SIX[:5]), "all"))
    doubted.do(cmd.Correct(SetFace("all.1", 5)))
    before = doubted.do(cmd.Correct(ByHand(3)))
    assert before.state.game.phase is Phase.VERDICT
    now = doubted.do(cmd.CorrectCall(Dudo("Beto", Bid(1, 5))))
    assert now.state.game.phase is Phase.VERDICT, "one five is certain"
    assert now.state.game.verdict.loser == "Beto"
    again = doubted.do(cmd.CorrectCall(Dudo("Beto", Bid(3, 4))))
    assert again.state.game.phase is Phase.REVEAL, "two fours and one die unseen do not settle it"


def test_a_corrected_call_is_back_after_a_restart(doubted):
    see(doubted, *SIX)
    now = doubted.do(cmd.CorrectCall(Dudo("Caro", Bid(4, 4))))
    again = Table(doubted._journal).snapshot()
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
def test_a_call_that_could_not_be_changes_nothing(doubted, why, call, reason):
    before = see(doubted, *SIX)
    with refused(reason, why=why):
        doubted.do(cmd.CorrectCall(call))
    assert doubted.snapshot() == before


@pytest.mark.parametrize("script", ["", "Ana 3x4, Beto dudo, 3, next"])
def test_without_a_challenge_in_this_round_there_is_nothing_to_correct(table, script):
    begin(table, "Ana Beto Caro", script, starting_dice=2)
    with refused("no_reveal"):
        table.do(cmd.CorrectCall(Dudo("Beto", Bid(3, 4))))


@pytest.mark.parametrize(
    ("why", "correction", "loser", "count"),
    [
        ("another face", SetFace("all.1", 5), "Ana", 2),
        ("as it was read", SetFace("all.1", 4), "Beto", 3),
        ("counted by hand", ByHand(1), "Ana", 1),
    ],
)
def test_a_die_corrected_after_the_verdict_brings_the_right_verdict(doubted, why, correction, loser, count):
    before = see(doubted, *SIX)
    now = doubted.do(cmd.Correct(correction), based_on=before.version)
    assert (now.state.game.verdict.loser, now.state.game.verdict.count_lo) == (loser, count), why
    assert (len(now.state.played), now.held) == (1, False)
    assert Table(doubted._journal, frames=2).snapshot().state == now.state, "after a restart too"
    assert now.undoes == Step("correction")
    back = doubted.do(cmd.Undo())
    assert (back.state, back.held) == (before.state, False), "one step takes back the correction alone"
    assert Table(doubted._journal, frames=2).snapshot().state == before.state
    assert doubted.do(cmd.Undo()).held, "the next one takes back the verdict"


def test_an_undo_takes_back_the_answer_that_gave_the_verdict(doubted):
    asked = see(doubted, *SIX, doubtful=(2,))
    assert doubted.do(cmd.Correct(SetFace("all.3", 4))).state.game.verdict.loser == "Beto"
    back = doubted.do(cmd.Undo())
    assert (back.state, back.held) == (asked.state, True), "the die is asked about again"
    doubted.do(cmd.Correct(SetFace("all.3", 5)))
    assert doubted.do(cmd.Confirm()).state.game.verdict.loser == "Ana"


def test_what_a_correction_after_the_verdict_leaves_open_is_asked_about_and_not_looked_at(doubted):
    """The dice are in the cups again: only people can tell."""
    see(doubted, *SIX)
    now = doubted.do(cmd.Correct(Strike("all.1")))
    assert (now.state.game.phase, now.held, len(now.state.played)) == (Phase.REVEAL, True, 0)
    assert view(now)["state"] == "question"
    doubted.do(cmd.Correct(Add(4)))
    verdict = doubted.do(cmd.Confirm()).state.game.verdict
    assert (verdict.loser, verdict.count_lo) == ("Beto", 3)


def test_the_winner_is_another_after_a_correction(table):
    begin(table, "Ana Beto", "Ana 1x4, Beto dudo", starting_dice=1)
    assert see(table, 4, 6).state.game.winner == "Ana"
    assert table.do(cmd.Correct(SetFace("all.1", 5))).state.game.winner == "Beto"


def test_a_die_is_not_corrected_once_the_next_round_began(doubted):
    see(doubted, *SIX)
    doubted.do(cmd.NextRound())
    before = doubted.snapshot()
    with refused("no_reveal"):
        doubted.do(cmd.Correct(SetFace("all.1", 5)))
    assert doubted.snapshot() == before
    doubted.do(cmd.Undo())
    assert doubted.do(cmd.Correct(SetFace("all.1", 5))).state.game.verdict.loser == "Ana"


def test_a_doubted_bid_was_no_doubted_pass_once_all_dice_in_phones_were_shown(table):
    begin(table, "Ana Beto Caro", cups="Ana Beto Caro", passing=True)
    before = table.do(cmd.Say(Dudo("Beto", Bid(2, 3), "Ana")))
    with refused("cups_were_seen", why="a step back from there would have them played on with"):
        table.do(cmd.CorrectCall(DudoPass("Beto", "Ana")))
    assert table.snapshot() == before
