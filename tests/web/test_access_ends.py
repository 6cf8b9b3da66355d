"""A renewed access token: who must join anew, and what all phones get to know."""

import pytest

from companion.errors import StorageError
from web.sessions.access import Role
from web.sessions.cookie import SessionCookie
from web.sessions.seats import EVENING_S, Visit


def test_everybody_but_the_leader_joins_anew(box):
    carried = box.cookie("two")
    assert box.seats.anew(box.phone("one")) is None
    assert (box.phone("one").leads, box.phone("one").seat) == (True, "Ana")
    for name in ("two", "three"):
        assert (box.phone(name).role, box.phone(name).may_sit) == (Role.WATCHER, False)
    out = box.carrying("two", carried)
    assert (out.may_sit, out.ended) == (False, True)
    box.restart()
    assert box.carrying("two", carried).may_sit is False  # and the box remembers it
    box.join("two")
    assert box.carrying("two", carried).ended is False
    assert box.sit("two", "Bea") is None


def test_a_claim_of_before_counts_no_more(box):
    box.ask("late")
    box.seats.anew(box.phone("one"))
    box.hold_two()
    assert not box.phone("late").may_sit


def test_a_browser_on_the_box_may_end_all_access_and_stays(box):
    local = Visit(SessionCookie("box"), local=True)
    box.join("box")
    assert box.seats.anew(box.seats.phone(local)) is None
    assert box.seats.phone(local).joined
    assert box.phone("one").leads
    assert not box.phone("two").joined


@pytest.mark.parametrize("name", ["two", "three", "stranger"])
def test_only_the_host_ends_all_access_or_frees_a_seat(box, name):
    phone = box.phone(name)
    assert box.seats.anew(phone) == "leader_only"
    assert box.seats.free(phone, "Ana") == "leader_only"
    assert box.phone("two").seat == "Bea"


def test_access_that_cannot_be_ended_for_good_is_not_ended_at_all(box, monkeypatch):
    def full(content: bytes) -> None:
        raise StorageError("folder_forbidden", path="/")

    monkeypatch.setattr(box.access._file, "write", full)
    with pytest.raises(StorageError):
        box.seats.anew(box.phone("one"))
    assert box.phone("two").seat == "Bea"


def test_the_seat_of_a_phone_that_is_gone_is_made_free(box):
    host = box.phone("one")
    assert box.seats.free(host, "Carlos") == "no_such_seat"
    assert box.seats.free(host, "Bea") is None
    assert box.phone("two").seat is None
    assert box.phone("two").may_sit
    assert box.sit("three", "Bea") is None
    cookies = [box.cookie("two"), box.cookie("three")]
    box.restart()
    assert [box.carrying(one.phone, one).seat for one in cookies] == [None, "Bea"]


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
    box, restarted, came_back, hours, still_in
):
    carried = box.cookie("two")
    box.playing = False
    box.seats.give_up_lead("one")
    box.now_s += hours * EVENING_S / 3
    if restarted:
        box.restart()
    if came_back:
        box.carrying("two", carried)
    assert box.lead("new") is None
    assert box.carrying("two", carried).may_sit is still_in


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
def test_all_phones_hear_when_anybody_has_become_another(box, do, views):
    before = box.views
    do(box)
    assert box.views - before == views
