"""A game that cannot be read is put aside unwritten; losses and what could not be written are reported."""

import pytest

from companion.errors import BadCommand, StorageError
from companion.statistics.archive import Archive
from companion.storage.game_list import Loss
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.table.kept_game import replay
from companion.table.resuming import check
from companion.table.snapshot import Fault, faults_of, hindrance
from companion.table.table import Table
from companion.table.view import view
from tests.companion.games import observation, say, start


def bidding(journal: Journal, bids: int = 2) -> Table:
    """A game in which some bids were made."""
    table = Table(journal, frames=1)
    start(table)
    for number, name in zip(range(1, bids + 1), ("Ana", "Bea", "Carlos"), strict=False):
        say(table, "bid", by=name, quantity=number, face=4)
    return table


def bids(table: Table) -> list[str]:
    game = table.snapshot().state.game
    return [str(said.bid) for said in game.round.bids] if game else []  # type: ignore[union-attr]


def reasons(table: Table) -> dict[str, str]:
    return {part: fault.reason for part, fault in table.snapshot().faults}


BAD = {
    "a bid that nobody can read": {"v": 1, "event": "called", "call": "bid", "by": "Carlos", "bid": "many"},
    "an event of a newer version": {"v": 99, "event": "called"},
    "an event that is none": {"v": 1, "event": "danced"},
    "nothing at all": {},
    "an undo past the beginning": {"v": 1, "event": "undone", "keep": 99},
    "an undo of nothing": {"v": 1, "event": "undone", "keep": -1},
    "a call out of turn": {"v": 1, "event": "called", "call": "bid", "by": "nobody", "bid": "3x4"},
    "numbers that are words": {"v": 1, "event": "undone", "keep": "all"},
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
@pytest.mark.parametrize("after", [0, 2], ids=["last", "others after it"])
def test_a_game_with_a_record_that_cannot_be_read_is_put_aside_unwritten(journal, bad, after):
    game = bidding(journal).snapshot().game_id or ""
    later = {"v": 1, "event": "called", "call": "bid", "by": "Carlos", "bid": "3x4"}
    journal.append(game, len(journal.records(game)) + 1, bad, *(later for _ in range(after)))
    before = journal.records(game)
    for _ in range(2):
        table = Table(journal, frames=1)
        assert (table.snapshot().game_id, bids(table)) == (None, [])
        assert reasons(table) == {"journal_loss": "journal_unread"}
    start(table)
    assert journal.records(game) == before
    assert reasons(Table(journal)) == {"journal_loss": "journal_unread"}, "until somebody takes notice"


def test_a_cut_game_judges_no_dice_by_itself(journal):
    """The game is back in a call of an earlier round; the dice on the table are of a later one."""
    table = bidding(journal)
    game = table.snapshot().game_id or ""
    say(table, "dudo", by="Carlos")
    journal.put_notes({}, Loss(3, 1, "f", game, 3))
    table = Table(journal, frames=1)
    assert reasons(table) == {"journal_loss": "journal_lost", "game_cut": "game_cut"}
    lying = observation({"red": (1,) * 5, "blue": (4,) * 5, "green": (2,) * 5})
    seen = table.do(lying)
    assert (seen.held, seen.state.is_judged) == (True, False)
    assert table.do(cmd.Confirm()).state.is_judged


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param((), [], id="nothing"),
        pytest.param((Loss(),), [("journal_loss", "journal_mended")], id="all from the other file"),
        pytest.param((Loss(3, 1, "f"),), [("journal_loss", "journal_lost")], id="a file set aside"),
        pytest.param((Loss(3, 1),), [("journal_loss", "journal_short")], id="nothing left of it"),
        pytest.param((Loss(0, 1),), [("journal_loss", "journal_short")], id="a game of no record yet"),
        pytest.param((Loss(emptied=True),), [("journal_loss", "journal_emptied")], id="all gone"),
        pytest.param((Loss(3, 1, vanished=True),), [("journal_loss", "journal_vanished")], id="deleted"),
        pytest.param((Loss(unread=True),), [("journal_loss", "journal_unread")], id="not understood"),
        pytest.param(
            (Loss(), Loss(unread=True)),
            [("game_cut", "journal_unread"), ("journal_loss", "journal_mended")],
            id="not understood, and a file damaged",
        ),
        pytest.param(
            (Loss(3, 1, "f", "now", 3), Loss(4, 1)),
            [("game_cut", "game_cut"), ("journal_loss", "journal_lost")],
            id="the game on the table",
        ),
        pytest.param((Loss(3, 1, "f", "old", 3),), [("journal_loss", "journal_lost")], id="another game"),
        pytest.param(
            (Loss(3, 1, "f", gone=True),),
            [("journal_loss", "journal_lost")],
            id="the game on the table gone, and another one begun since",
        ),
    ],
)
def test_losses_have_their_sentences(found, expected):
    assert [(part, fault.reason) for part, fault in faults_of(found, "now").items()] == expected


def test_a_cut_game_says_how_many_of_its_own_records_are_missing():
    found = (Loss(3, 1, "f", "now", 3), Loss(7, 1, "f", "old", 7))
    assert faults_of(found, "now")["game_cut"].values == (("missing", "3"),)


def test_a_game_that_is_gone_from_the_table_is_reported_until_another_begins():
    assert faults_of((Loss(3, 1, gone=True),), None)["game_cut"] == Fault("game_gone")


def test_a_game_without_one_record_that_can_be_read_is_put_away_and_kept(journal):
    game = journal.create({"v": 99, "event": "started"}, {"v": 1, "event": "danced"})
    table = Table(journal)
    assert (table.snapshot().game_id, journal.current()) == (None, None)
    assert reasons(table) == {"journal_loss": "journal_unread"}
    start(table)
    assert next(info.id for info in journal.games()) == game


def test_whoever_leads_takes_notice_of_a_loss(journal):
    game = bidding(journal).snapshot().game_id or ""
    journal.append(game, len(journal.records(game)) + 1, {"v": 1, "event": "danced"})
    table = Table(journal)
    assert view(table.snapshot())["state"] == "fault"
    say(table, "take_notice")
    assert reasons(table) == {}
    assert reasons(Table(journal)) == {}


def test_one_unreadable_game_hides_no_other(journal):
    for _ in range(2):
        table = bidding(journal)
        table.do(cmd.PutAway())
    bad = journal.create({"v": 99, "event": "started"})
    journal.put_notes({"current": None})
    archive = Archive(journal)
    found = archive.overview()
    assert len(found.games) == 2
    assert [(one.id, one.reason) for one in found.unreadable] == [(bad, "event_newer")]
    assert len(list(archive.listed())) == 3
    assert "event_newer" not in "".join(archive.exported("json"))
    assert '"v":99' in "".join(archive.raw(bad))
    archive.close()


def test_a_game_from_elsewhere_is_read_before_it_goes_in(journal):
    table = bidding(journal)
    game = table.snapshot().game_id or ""
    journal.append(game, 4, BAD["a bid that nobody can read"])
    with pytest.raises(BadCommand) as caught:
        journal.take_in(list(journal.export(game)), check)
    assert (caught.value.reason, caught.value.values) == ("export_unreadable", {"line": 5})
    assert len(journal.games()) == 1


def test_a_game_of_nothing_does_not_go_in(journal):
    with pytest.raises(BadCommand):
        journal.take_in(list(journal.export(journal.create())), check)


def test_passing_over_is_itself_passed_over(journal):
    game = bidding(journal).snapshot().game_id or ""
    good = [record.body for record in journal.records(game)]
    bodies = [
        *good,
        {"bad": 1},
        {"v": 1, "event": "passed_over", "from": 4},
        good[-1],
        {"bad": 2},
        {"v": 1, "event": "passed_over", "from": 6},
    ]
    assert replay(bodies).states == replay(good).states
    check(bodies)


def test_what_could_not_be_written_is_reported_to_all_until_it_can(journal, monkeypatch):
    table = bidding(journal)
    for reason in ("journal_full", "journal_unwritable"):
        with monkeypatch.context() as failing:
            error = StorageError(reason, path="x", cause="y")
            failing.setattr(journal, "append", lambda *said, error=error: (_ for _ in ()).throw(error))
            with pytest.raises(StorageError):
                say(table, "bid", by="Carlos", quantity=3, face=4)
            assert reasons(table) == {reason: reason}
            assert view(table.snapshot())["state"] == "fault"
    say(table, "bid", by="Carlos", quantity=3, face=4)
    assert reasons(table) == {}


def test_the_lamps_tell_in_a_reveal_that_nothing_is_written(journal, monkeypatch):
    table = bidding(journal)
    say(table, "dudo", by="Carlos")
    monkeypatch.setattr(journal, "append", lambda *said: (_ for _ in ()).throw(StorageError("journal_gone")))
    with pytest.raises(StorageError):
        say(table, "type_count", count=1)
    found = hindrance(table.snapshot())
    assert found.reason == "journal_gone"


def test_a_refused_command_is_no_fault_of_the_journal(journal):
    table = bidding(journal)
    with pytest.raises(BadCommand):
        table.do(cmd.NewGame(*_rules_and_people()))
    assert reasons(table) == {}


def _rules_and_people() -> tuple[object, object]:
    from companion.rules.presets import PRESETS

    return PRESETS["modern"], (("Ana", ""), ("Bea", ""))


def test_sums_are_made_one_game_at_a_time_and_not_of_the_one_that_goes_on(journal, tmp_path):
    for _ in range(2):
        table = bidding(journal)
    game = table.snapshot().game_id
    archive = Archive(journal, SideFile(tmp_path / "sums.sqlite"), timeout_s=0.0)
    assert archive.overview().pending == 2
    assert [archive.sum_one(but=game) for _ in range(2)] == [True, False]
    assert (len(archive.overview().games), archive.overview().pending) == (1, 1)
    assert archive.sum_one()
    assert archive.overview().pending == 0
    archive.close()
