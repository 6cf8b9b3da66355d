"""Who may give which command, and when: the table of authority, held against every command there is."""

from pathlib import Path
from typing import Any, get_args

import pytest

from companion.bots.seat import Level
from companion.errors import CompanionError
from companion.reveal.corrections import ByHand, Hand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza
from companion.rules.position import Phase
from companion.rules.presets import PRESETS
from companion.table import commands as cmd
from companion.table.authority import _ACTS, TABLE, Act, act_of
from companion.table.commands import BOX, CLOCK, Author, By, Command
from companion.table.ledger import Kind
from companion.table.parsing import parse
from companion.table.snapshot import Snapshot
from companion.table.state import TableState
from companion.table.table import Table
from tests.companion.at_table import begin as start
from tests.companion.at_table import command, play
from tests.prose import markdown

ANA, BEN, CAL = (Author(By.PLAYER, name, f"the phone of {name}") for name in ("Ana", "Ben", "Cal"))
HOST = Author(By.HOST, "Cal", "the phone of Cal")
BOT = Author(By.BOT, "Ben")
PEOPLE = (("Ana", "red"), ("Ben", "blue"), ("Cal", "green"))


def begin(table: Table, **house: Any) -> None:
    start(table, "Ana Ben Cal", **house)
    table.do(command("Ana 4x3"), author=ANA)


def judged(table: Table, **house: Any) -> Snapshot:
    """Ben doubts four threes of Ana and counts three: Ana loses a die."""
    begin(table, **house)
    table.do(command("Ben dudo"), author=BEN)
    return table.do(cmd.Correct(ByHand(3)), author=BEN)


def refusal(table: Table, command: Command, author: Author) -> str:
    """The reason why a command was refused, "" where it was done; what is refused changes nothing."""
    before = table.snapshot()
    try:
        table.do(command, author=author)
    except CompanionError as error:
        assert table.snapshot() == before
        return error.reason
    return ""


def test_every_command_has_a_row_and_every_row_every_author():
    assert set(_ACTS) == set(get_args(Command))
    assert {act: set(row) for act, row in TABLE.items()} == {act: set(By) for act in Act}


@pytest.mark.parametrize(
    ("pushed", "cups", "act"),
    [((3,), ("Ana",), Act.PUSH), ((), ("Ana",), Act.CALL), ((3,), (), Act.CALL), ((3,), ("Ben",), Act.CALL)],
)
def test_only_dice_in_a_phone_are_pushed_out_by_it(pushed, cups, act):
    assert act_of(cmd.Say(BidCall("Ana", Bid(2, 3), pushed)), TableState(cups=cups)) is act


@pytest.mark.parametrize(
    ("wish", "author", "reason"),
    [
        (command("Ben 5x3"), BEN, ""),
        (command("Ben 5x3"), ANA, "not_your_seat"),
        (command("Ben 5x3"), HOST, ""),
        (command("Ben dudo"), CAL, "not_your_seat"),
        (command("Ben dudo"), CLOCK, "not_allowed"),
        (cmd.Press("dudo"), BEN, ""),
        (cmd.Press("dudo"), ANA, "not_your_turn"),
        (cmd.Press("dudo"), CAL, "not_your_turn"),
        (cmd.Press("dudo", "Ben"), CAL, "not_your_seat"),
        (cmd.Press("dudo"), BOX, ""),
        (cmd.Correct(Hand("Ben", (1, 2))), CAL, "not_your_seat"),
        (cmd.Rename("Ben", "Bob"), CAL, "not_your_seat"),
        (cmd.Rename("Ben", "Bob"), BEN, ""),
        (cmd.Leave("Ben"), ANA, "not_your_seat"),
        (cmd.Leave("Ben"), HOST, ""),
        (cmd.Join("Dan"), BEN, "not_your_seat"),
        (cmd.Join("Dan"), Author(By.PLAYER, "Dan", "d"), ""),
        (cmd.HandBack("Ben", 2), BEN, "leader_only"),
        (cmd.Abandon(), BEN, "leader_only"),
        (cmd.NewGame(PRESETS["modern"], PEOPLE), BEN, "leader_only"),
        (cmd.TakeNotice(), BEN, "leader_only"),
        (cmd.RealDice(True), BEN, "leader_only"),
        (cmd.TimeUp(), BEN, "leader_only"),
        (cmd.TimeUp(), HOST, "not_allowed"),
        (cmd.LearnColours(()), HOST, "not_allowed"),
    ],
)
def test_while_somebody_bids(table, wish, author, reason):
    begin(table)
    assert refusal(table, wish, author) == reason


@pytest.mark.parametrize(
    ("house", "author", "reason"),
    [
        ("everybody", CAL, ""),
        ("host", CAL, "undo_host"),
        ("host", HOST, ""),
        ("host", BOX, ""),
        ("caller", CAL, ""),  # a verdict is nobody's step
    ],
)
@pytest.mark.parametrize("wish", [cmd.Undo(), cmd.Correct(ByHand(4))])
def test_a_verdict_is_corrected_by_whom_it_may_be_undone(table, house, author, reason, wish):
    judged(table, undo=house)
    assert refusal(table, wish, author) == reason


@pytest.mark.parametrize(
    ("house", "author", "reason"),
    [("everybody", CAL, ""), ("host", CAL, "undo_host"), ("caller", CAL, "undo_caller"), ("caller", BEN, "")],
)
def test_so_is_the_call(table, house, author, reason):
    judged(table, undo=house)
    assert refusal(table, cmd.CorrectCall(Calza("Ben")), author) == reason


def test_ok_begins_another_game_only_for_who_may(table):
    begin(table)
    table.do(cmd.Abandon())
    assert refusal(table, cmd.Press("ok"), BEN) == "leader_only"
    assert refusal(table, cmd.Press("ok"), BOX) == ""


def test_what_changes_what_was_shown_is_announced_with_its_author(table):
    before = judged(table)
    assert before.announcement is None, "a count before the verdict changes nothing that was shown"
    after = table.do(cmd.Correct(ByHand(4)), author=CAL)
    assert (after.announcement.kind, after.announcement.name) == (Kind.CORRECTED, "Cal")
    assert after.state.game.verdict.loser == "Ben"
    table.do(cmd.NextRound(), author=ANA)
    kinds = [(note.round, note.kind, note.name) for note in table.snapshot().ledger.notes]
    assert kinds == [(1, Kind.CORRECTED, "Cal")], "it stays in the history"


def test_a_game_that_a_correction_opens_again_is_announced_too(table):
    start(table, "Ana Ben", starting_dice=1)
    play(table, "Ana 2x3, Ben dudo, 0")
    game = table.snapshot().state.game
    assert game.phase is Phase.OVER
    after = table.do(cmd.Correct(ByHand(2)), author=ANA)
    assert (after.announcement.kind, after.announcement.name) == (Kind.CORRECTED, "Ana")


def test_the_journal_keeps_the_author_but_no_phone(table, journal):
    judged(table)
    table.do(cmd.Undo(), author=HOST)
    bodies = [record.body for record in journal.records(journal.current() or "")]
    authors = [(body["event"], body.get("author")) for body in bodies if body["event"] != "noted"]
    assert authors == [
        ("started", {"by": "box"}),
        ("called", {"by": "player", "name": "Ana"}),
        ("called", {"by": "player", "name": "Ben"}),
        ("corrected", {"by": "player", "name": "Ben"}),
        ("revealed", {"by": "player", "name": "Ben"}),
        ("undone", {"by": "host", "name": "Cal"}),
    ]
    assert "phone of" not in str(bodies)


def test_a_silent_phone_is_called_for_and_all_learn_by_whom(table):
    begin(table)
    stands_in = Author(By.PLAYER, "Cal", "c", silent="Ben")
    assert refusal(table, cmd.Leave("Ben"), stands_in) == "not_your_seat"
    now = table.do(command("Ben 5x3"), author=stands_in)
    note = now.announcement
    assert (note.kind, note.name, note.player) == (Kind.CALLED_FOR, "Cal", "Ben")


def in_phones(table: Table) -> None:
    for author in (ANA, BEN, CAL):
        table.seat({author.seat: author.phone})
    start(table, "Ana Ben Cal", cups="Ana Ben", push_and_reroll=True)


@pytest.mark.parametrize(
    ("author", "why"),
    [
        (HOST, "not_your_seat"),
        (BEN, "not_your_seat"),
        (Author(By.PLAYER, "Ana", "another phone"), "push_unknown"),
    ],
)
def test_nobody_learns_of_a_cup_by_asking_to_push_its_dice(table, author, why):
    in_phones(table)
    answers = {
        refusal(table, cmd.Say(BidCall("Ana", Bid(2, 3), (face,) * number)), author)
        for face in range(1, 7)
        for number in range(1, 6)
    }
    assert answers == {why}


def test_a_phone_that_kept_its_seat_does_not_speak_for_the_bot_that_got_its_name(table):
    table.do(cmd.NewGame(PRESETS["modern"], PEOPLE, "Ben", ("Ben",), bots=(("Ben", Level.EASY),)))
    for wish in (command("Ben 2x3"), cmd.Rename("Ben", "Bob"), cmd.Leave("Ben")):
        assert refusal(table, wish, BEN) == "bot_seat"
    assert refusal(table, command("Ben 2x3"), BOT) == ""


def test_no_command_of_a_page_names_its_own_author():
    for kind in ("undo", "leave", "rename"):
        sent = {"type": kind, "player": "Ana", "to": "Bob", "by": "host", "name": "Ben", "author": "box"}
        assert not hasattr(parse(sent), "author")


def test_the_docs_have_the_table():
    page = Path(__file__).parents[2] / "docs" / "reference" / "security.md"
    authors = "player's phone", "phone that leads", "box", "clock", "bot"
    table = markdown(("what", *authors), ((act, *(TABLE[act][by] for by in By)) for act in Act))
    assert table in page.read_text(encoding="utf-8")
