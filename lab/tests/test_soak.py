"""Every scenario of `make soak` for one turn, and the table that it writes."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.table.resuming import GAMES
from lab.soak import __main__ as soak
from lab.soak import soak_box, soak_journal
from lab.soak.scenario import Row, Scenario, budgets, scenarios, turns
from lab.soak.table import markdown, replaced
from tests.companion.storage.data_folder import Folder

pytestmark = pytest.mark.slow

ONE_TURN_S = 0.0


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
def test_nothing_is_lost_or_wrong(scenario):
    row = scenario.run(ONE_TURN_S, Random(37))
    assert row.tried > 0
    assert (row.lost, row.wrong) == (0, 0), row.remark


def game(phase: str, bids: int) -> dict[str, Any]:
    return {"phase": phase, "last_round": None, "round": {"number": 1, "bids": [{}] * bids}}


@pytest.mark.parametrize(
    ("why", "acked", "found", "in_flight", "lost", "wrong"),
    [
        ("as it was", game("bidding", 2), game("bidding", 2), False, 0, 0),
        ("a bid is gone", game("bidding", 2), game("bidding", 1), False, 1, 0),
        ("a bid that was not acknowledged", game("bidding", 2), game("bidding", 3), True, 0, 0),
        ("a bid that nobody made", game("bidding", 2), game("bidding", 3), False, 0, 1),
        ("put away after its end, not reported any more", game("over", 2), None, True, 0, 0),
        ("gone after its end", game("over", 2), None, False, 1, 0),
        ("gone in the middle", game("bidding", 2), None, True, 1, 0),
    ],
)
def test_what_a_killed_box_comes_up_with(why, acked, found, in_flight, lost, wrong):
    row = soak_box._compared(acked, found, in_flight)
    assert (row.tried, row.lost, row.wrong) == (1, lost, wrong), why


def test_a_folder_whose_start_fails_is_kept_as_it_was_damaged(tmp_path, monkeypatch):
    def fails(path: Path, folder: Folder) -> None:
        (path / "a.jsonl").write_bytes(b"what the start made of it")
        raise OSError

    folder = Folder({f"{GAMES}/a.jsonl": b"damaged"}, {}, None)
    monkeypatch.setattr(soak_journal, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(soak_journal, "started", fails)
    _, row = soak_journal._tried(folder.laid_out(tmp_path / "place"), folder)
    assert row == Row(1, wrong=1)
    assert [file.read_bytes() for file in (tmp_path / "kept").rglob("a.jsonl")] == [b"damaged"]


def test_a_line_before_and_after_a_scenario_says_what_came_of_it(capsys):
    assert soak._tried(Scenario("short", _nothing), 2.0, 1, "1 of 1") == Row(1)
    before, after = capsys.readouterr().out.splitlines()
    assert before == "1 of 1  short, 2 s ..."
    assert after.strip() == "tried 1, noticed 0, lost 0, wrong 0."


def test_the_time_is_divided_by_shares():
    short, long = Scenario("short", _nothing), Scenario("long", _nothing, share=3.0)
    assert budgets((short, long), 8.0) == [2.0, 6.0]


def test_at_least_one_turn_is_taken():
    assert list(turns(0.0)) == [0]


def test_rows_add_up_and_keep_the_later_remark():
    both = Row(1, 1, 0, 0, "one") + Row(2, 0, 1, 1, "two")
    assert both == Row(3, 1, 1, 1, "two")
    assert (both + Row(1)).remark == "two"


def test_the_table_stands_between_its_marks():
    row = Row(1200, 1199, remark="All told.")
    table = markdown([(Scenario("a bit flipped", _nothing), row)], "1 minute.")
    page = replaced("# Page\n<!-- soak: begin -->\nstale\n<!-- soak: end -->\nrest\n", table)
    assert "| a bit flipped | 1 200 | 1 199 | 0 | 0 | All told. |" in page
    assert "stale" not in page
    assert page.endswith("<!-- soak: end -->\nrest\n")


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="no place"):
        replaced("# Page\n", "table")


def test_a_word_that_fits_no_scenario_is_reported(capsys):
    assert soak.main(["nothing-of-the-kind"]) == 2
    assert "nothing-of-the-kind" in capsys.readouterr().err


def _nothing(budget_s: float, rng: Random) -> Row:
    return Row(1)
