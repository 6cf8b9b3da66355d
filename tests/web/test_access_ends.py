"""A renewed access token: who must join anew, and what all phones get to know."""

import pytest

from companion.errors import StorageError
from tests.web.seating import Box
from web.sessions.access import Role
from web.sessions.cookie import SessionCookie
from web.sessions.seats import EVENING_S, Visit


@pytest.fixture
def round_table():
    """A game led by one; two has Bea's seat, three was let in."""
    box = Box()
    box.lead("one", joined=True)
    box.join("two", "three")
    box.sit("one", "Ana")
    box.sit("two", "Bea")
    return box


def test_everybody_but_the_leader_joins_anew(round_table):
    carried = round_table.cookie("two")
    assert round_table.seats.anew(round_table.phone("one")) is None
    assert (round_table.phone("one").leads, round_table.phone("one").seat) == (True, "Ana")
    for name in ("two", "three"):
        assert (round_table.phone(name).role, round_table.phone(name).may_sit) == (Role.WATCHER, False)
    out = round_table.carrying("two", carried)
    assert (out.may_sit, out.ended) == (False, True)
    round_table.restart()
    assert round_table.carrying("two", carried).may_sit is False  # and the box remembers it
    round_table.join("two")
    assert round_table.carrying("two", carried).ended is False
    assert round_table.sit("two", "Bea") is None


def test_a_claim_of_before_counts_no_more(round_table):
    round_table.ask("late")
    round_table.seats.anew(round_table.phone("one"))
    round_table.hold_two()
    assert not round_table.phone("late").may_sit


def test_a_browser_on_the_box_may_end_all_access_and_stays(round_table):
    local = Visit(SessionCookie("box"), local=True)
    round_table.join("box")
    assert round_table.seats.anew(round_table.seats.phone(local)) is None
    assert round_table.seats.phone(local).joined
    assert round_table.phone("one").leads
    assert not round_table.phone("two").joined


@pytest.mark.parametrize("name", ["two", "three", "stranger"])
def test_only_the_host_ends_all_access_or_frees_a_seat(round_table, name):
    phone = round_table.phone(name)
    assert round_table.seats.anew(phone) == "leader_only"
    assert round_table.seats.free(phone, "Ana") == "leader_only"
    assert round_table.phone("two").seat == "Bea"


def test_access_that_cannot_be_ended_for_good_is_not_ended_at_all(round_table, monkeypatch):
    def full(content: bytes) -> None:
        raise StorageError("folder_forbidden", path="/")

    monkeypatch.setattr(round_table.access._file, "write", full)
    with pytest.raises(StorageError):
        round_table.seats.anew(round_table.phone("one"))
    assert round_table.phone("two").seat == "Bea"


def test_the_seat_of_a_phone_that_is_gone_is_made_free(round_table):
    host = round_table.phone("one")
    assert round_table.seats.free(host, "Carlos") == "no_such_seat"
    assert round_table.seats.free(host, "Bea") is None
    assert round_table.phone("two").seat is None
    assert round_table.phone("two").may_sit
    assert round_table.sit("three", "Bea") is None
    cookies = [round_table.cookie("two"), round_table.cookie("three")]
    round_table.restart()
    assert [round_table.carrying(one.phone, one).seat for one in cookies] == [None, "Bea"]


@pytest.mark.parametrize(
    ("restarted", "came_back", "hours", "still_in"),
    [
        (False, True, 0, True),  # the lead was given back between two games
        (False, True, 4, False),  # the box was left on until another evening
        (True, True, 0, True),  # the box was started anew between two games
        (True, False, 0, False),  # another evening: nobody of the last one is here
    ],
)
def test_who_takes_up_a_table_begins_another_evening_where_nobody_is_left(
    round_table, restarted, came_back, hours, still_in
):
    carried = round_table.cookie("two")
    round_table.playing = False
    round_table.seats.give_up_lead("one")
    round_table.now_s += hours * EVENING_S / 3
    if restarted:
        round_table.restart()
    if came_back:
        round_table.carrying("two", carried)
    assert round_table.lead("new") is None
    assert round_table.carrying("two", carried).may_sit is still_in


@pytest.mark.parametrize(
    ("do", "views"),
    [
        (lambda box: box.phone("stranger"), 0),
        (lambda box: box.sit("two", "Bea"), 0),  # it sits there already
        (lambda box: box.sit("three", "Bea"), 0),  # refused
        (lambda box: box.sit("three", "Carlos"), 1),
        (lambda box: box.join("late"), 1),
        (lambda box: box.phone("back", joined=True, seat="Carlos"), 1),
        (lambda box: box.seats.give_up_lead("one"), 1),
        (lambda box: box.seats.free(box.phone("one"), "Bea"), 1),
        (lambda box: box.seats.anew(box.phone("one")), 1),
    ],
)
def test_all_phones_hear_when_anybody_has_become_another(round_table, do, views):
    before = round_table.views
    do(round_table)
    assert round_table.views - before == views
