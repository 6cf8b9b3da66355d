"""An earlier round is corrected: of this game or of the one before, with the rounds since or without them."""

import pytest

from companion.rules.explain import explain
from companion.statistics.archive import Archive
from companion.table import commands as cmd
from companion.table.commands import BOX
from companion.table.ledger import Kind
from companion.table.table import Table
from tests.companion.at_table import begin, dice, in_play, play, rolled
from tests.refusals import refused


@pytest.fixture
def table(journal):
    """Ana bids two threes, Beto doubts: one lies there, Ana loses a die."""
    table = Table(journal)
    begin(table, "Ana Beto Caro", "Ana 2x3, Beto dudo, 1", starting_dice=2, palifico="off")
    return table


def held(table: Table) -> list[bool | None]:
    return [one.verdict.holds for one in table.snapshot().state.played]


def losers(table: Table) -> list[str | None]:
    return [one.verdict.loser for one in table.snapshot().state.played]


def test_a_round_since_which_nobody_has_called_is_judged_anew(table, journal):
    table.do(cmd.NextRound())
    table.do(cmd.CorrectRound(1, 2))
    assert (dice(table), losers(table)) == ({"Ana": 2, "Beto": 1, "Caro": 2}, ["Beto"])
    assert in_play(table).round.turn == "Beto", "who lost begins"
    note = table.snapshot().ledger.notes[-1]
    assert (note.kind, note.round, note.count) == (Kind.AMENDED, 1, 2)
    assert Table(journal).snapshot().state == table.snapshot().state, "the journal says the same"
    table.do(cmd.CorrectRound(1, 1))
    assert dice(table) == {"Ana": 1, "Beto": 2, "Caro": 2}, "and back"


def test_the_newest_verdict_that_was_corrected_so_comes_back_by_undo(table, journal):
    """Regression: undo of one more count gave the verdict as it was first read."""
    table.do(cmd.CorrectRound(1, 2))
    play(table, "0")
    assert losers(table) == ["Ana"]
    table.do(cmd.Undo())
    assert losers(table) == ["Beto"]
    assert Table(journal).snapshot().state == table.snapshot().state
    table.do(cmd.Undo())
    assert losers(table) == ["Ana"], "as it was read"


def test_a_round_that_stands_is_played_on_the_corrected_one(table):
    play(table, "next, Ana 2x3, Beto dudo, 2")
    table.do(cmd.CorrectRound(1, 0))
    assert (dice(table), losers(table)) == ({"Ana": 1, "Beto": 1, "Caro": 2}, ["Ana", "Beto"])


def test_the_first_round_that_could_not_be_played_so_is_named(table, journal):
    play(table, "next, Ana 2x3, Beto dudo, 2")
    before = table.snapshot()
    with refused("round_cannot_stand", round=1, later=2):
        table.do(cmd.CorrectRound(1, 2))
    assert table.snapshot() is before, "nothing was changed"
    table.do(cmd.CorrectRound(1, 2, keep_dice=True))
    assert (dice(table), losers(table)) == ({"Ana": 1, "Beto": 1, "Caro": 2}, ["Ana", "Beto"])
    assert Table(journal).snapshot().state == table.snapshot().state
    play(table, "1")
    assert losers(table) == ["Ana", "Ana"], "the newest verdict may still be corrected"
    table.do(cmd.NextRound())
    table.do(cmd.CorrectRound(1, 1, keep_dice=True))
    table.do(cmd.Undo())
    assert (losers(table), held(table)) == (["Ana", "Ana"], [True, False]), (
        "the correction is a step that can be undone"
    )


@pytest.mark.parametrize(
    ("counts", "ending", "why"),
    [
        ((), "Ana loses a die and starts.", "as it was judged"),
        ((2,), "all else stays as it was played.", "the bid was right, and the die is gone"),
        ((0,), "Ana loses a die and starts.", "wrong all the same"),
        ((2, 0), "Ana loses a die and starts.", "and back"),
        ((2, 2), "all else stays as it was played.", "said twice"),
    ],
)
def test_what_followed_from_a_count_stays_where_the_dice_are_kept(table, counts, ending, why):
    """No die is lost, and none is left to come back from, but those that were lost."""
    table.do(cmd.NextRound())
    for count in counts:
        table.do(cmd.CorrectRound(1, count, keep_dice=True))
    one = table.snapshot().state.played[0]
    assert explain(one.verdict, "en").endswith(ending), why
    assert [player.dice for player in one.verdict.players] == [1, 2, 2], why
    assert dict(one.verdict.dice_change) == {"Ana": -1}, why


def test_a_round_before_somebody_left_and_came_back(table):
    play(table, "Caro leaves")
    table.do(cmd.Join("Caro", "red", "Beto"))
    play(table, "next")
    table.do(cmd.CorrectRound(1, 2))
    assert losers(table) == ["Beto"]
    assert {"Ana", "Beto"} <= dice(table).keys()


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        (cmd.CorrectRound(7, 2), "no_such_round"),
        (cmd.CorrectRound(1, 99), "reveal_bad_count"),
        (cmd.CorrectRound(1, 99, keep_dice=True), "reveal_bad_count"),
        (cmd.CorrectRound(1, 2, game="elsewhere"), "unknown_game"),
    ],
)
def test_what_cannot_be_corrected_is_refused(table, wish, reason):
    table.do(cmd.NextRound())
    with refused(reason):
        table.do(wish)


TALLY = "Ana 3x4, Beto dudo, 2, next, Ana 3x4, Beto dudo"


@pytest.mark.parametrize(
    ("counted", "really", "winner", "reason", "why"),
    [
        (2, 3, "Dora", "round_cannot_stand", "Ana has no two marks: nobody is ahead, and the game went on"),
        (3, 2, None, "round_cannot_stand", "Ana has two marks, and as the others went Dora was ahead"),
        (2, 1, "Dora", None, "all comes to the same"),
    ],
)
def test_a_game_that_is_won_as_others_go_home_stays_won(journal, counted, really, winner, reason, why):
    table = Table(journal)
    script = f"{TALLY}, {counted}, Beto leaves, Carla leaves"
    begin(table, "Ana Beto Carla Dora", script, rules="classic", penalty="tally", tally_to=2)
    assert in_play(table).winner == winner
    with refused(reason, why=why):
        table.do(cmd.CorrectRound(2, really))
    assert (in_play(table).winner, table.snapshot().state.goes_on) == (winner, winner is None), why


def test_the_game_before_is_corrected_while_the_next_is_played(table, journal):
    play(table, "next, Ana 2x3, Beto dudo, 1, next, Beto 2x3, Caro dudo, 1, next, Beto 2x3, Caro dudo, 1")
    before = table.snapshot()
    assert before.state.game.winner == "Caro"
    table.do(cmd.PlayAgain())
    archive = Archive(journal)
    game = before.game_id or ""
    assert [one.verdict.loser for one in archive.record(game).rounds] == ["Ana", "Ana", "Beto", "Beto"]
    with refused("round_cannot_stand", why="it would not be over"):
        table.do(cmd.CorrectRound(4, 2, game))
    journal.put_notes({"waiting": game})  # this version can read it again
    now = table.do(cmd.CorrectRound(4, 2, game, keep_dice=True), None, BOX)
    record = archive.record(game)
    assert [one.verdict.loser for one in record.rounds] == ["Ana", "Ana", "Beto", "Beto"]
    last = record.rounds[-1]
    assert (record.winner, last.verdict.holds, last.fair_sample) == ("Caro", True, False)
    assert journal.current() == now.game_id != game
    assert now.state.played == (), "the game on the table is another"


@pytest.mark.parametrize(
    ("said", "count", "keep_dice", "loser", "why"),
    [
        (1, 0, False, "Beto", "it was a bluff"),
        (0, 1, False, "Caro", "it was honest"),
        (1, 0, True, "Caro", "the loss stays where it was"),
    ],
)
def test_a_called_pass_is_corrected_like_any_round(journal, said, count, keep_dice, loser, why):
    table = Table(journal)
    begin(table, "Ana Beto Caro", f"Ana 2x3, Beto pass, Caro dudo_pass, {said}, next")
    with refused("reveal_bad_count", why="a pass is honest or it is not", count=2, dice=1):
        table.do(cmd.CorrectRound(1, 2, keep_dice=keep_dice))
    table.do(cmd.CorrectRound(1, count, keep_dice=keep_dice))
    assert losers(table) == [loser], why


def test_dice_in_phones_are_as_many_as_their_players_have_then(journal):
    table = Table(journal, roll=lambda number: (2,) * number)
    house = {"starting_dice": 2, "palifico": "off"}
    begin(table, "Ana Beto Caro", "Ana 2x3, Beto dudo, next", cups="Ana Beto Caro", **house)
    table.do(cmd.CorrectRound(1, 2))
    state = table.snapshot().state
    assert dice(table) == {"Ana": 2, "Beto": 1, "Caro": 2}
    assert {name: len(faces) for name, faces in rolled(table).items()} == dice(table)
    assert Table(journal).snapshot().state == state, "the journal says the same"
    play(table, "Beto 2x3, Caro dudo")
    assert losers(table) == ["Beto", "Beto"], "and it is counted by itself"


def test_a_round_after_which_the_game_had_been_over_cannot_stand_for_the_next(journal):
    table = Table(journal)
    script = "Ana 3x3, Beto dudo, 2, next"
    begin(table, "Ana Beto", script, penalty="difference", starting_dice=2)
    with refused("round_cannot_stand", why="Ana would have lost both dice", round=1, later=2):
        table.do(cmd.CorrectRound(1, 0))


def test_dice_that_lay_on_the_table_stay_as_they_were(journal):
    table = Table(journal, roll=lambda number: (2,) * number)
    script = "Ana 2x3, Beto dudo, 0, next, Ana 2x3, Beto dudo"
    begin(table, "Ana Beto Caro", script, cups="Ana", penalty="difference")
    with refused("round_cannot_stand", why="Ana would have a die that was not shown"):
        table.do(cmd.CorrectRound(1, 1))
    play(table, "0")
    table.do(cmd.CorrectRound(1, 1))
    assert (dice(table)["Ana"], rolled(table)) == (2, {"Ana": (2, 2, 2)}), "four less two; three were shown"
    table.do(cmd.CorrectRound(2, 2, keep_dice=True))
    assert dice(table)["Ana"] == 4, "the newest verdict is judged anew in any case"
