"""Roles: who may do what, who is let in and leads, how long a code is honoured."""

from threading import Thread

import pytest

from companion.errors import StorageError
from companion.table.commands import Author, By
from companion.table.sitting import Sitting
from tests.web.seating import Box
from web.sessions.access import Phone, Role
from web.sessions.join_codes import LENGTH, LETTERS, PERIOD_S, JoinCodes
from web.sessions.seats import LAPSE_S

WATCHER = Phone("w", led=True)
JOINED = Phone("j", led=True, joined=True)
PLAYER = Phone("p", led=True, joined=True, seat="Ana")
HOST = Phone("h", led=True, leads=True, joined=True)
LOCAL = Phone("b", led=True, local=True)
FIRST = Phone("f", vacant=True)
LEFT_ALONE = Phone("l")  # nobody leads, but a game is on


@pytest.mark.parametrize(
    ("phone", "role", "reason", "by", "free", "may_sit"),
    [
        (WATCHER, Role.WATCHER, "watching", By.PLAYER, False, False),
        (LEFT_ALONE, Role.WATCHER, "watching", By.PLAYER, False, False),
        (JOINED, Role.WATCHER, "sit_first", By.PLAYER, False, True),
        (PLAYER, Role.PLAYER, None, By.PLAYER, False, True),
        (HOST, Role.HOST, None, By.HOST, True, True),
        (LOCAL, Role.HOST, None, By.HOST, True, True),
        (FIRST, Role.WATCHER, None, By.HOST, True, False),
    ],
)
def test_what_a_phone_is_and_may_do(phone, role, reason, by, free, may_sit):
    assert (phone.role, phone.free, phone.may_sit) == (role, free, may_sit)
    assert (phone.refusal, phone.plays) == (reason, reason is None)
    assert phone.author == Author(by, phone.seat or "", phone.id)


def test_a_seat_belongs_to_one_phone():
    box = Box()
    box.join("one", "two")
    assert box.sit("one", "Ana") is None
    assert box.sit("two", "Ana") == "seat_taken"
    assert box.sit("two", "Zoe") == "no_such_seat"
    assert box.sit("one", "Bea") is None  # and leaves the other
    assert box.sit("two", "Ana") is None
    assert box.sitting.taken == {"Bea": "one", "Ana": "two"}
    assert box.sit("two", None) is None
    assert box.phone("two").may_sit


@pytest.mark.parametrize(
    ("meanwhile", "reason", "why"),
    [
        (lambda box: box.phone("b").seat, None, "others are known meanwhile"),
        (lambda box: box.seats.join("c"), None, "and let in"),
        (lambda box: setattr(box, "sitting", Sitting({"Ana": "b"})), "seat_taken", "one was faster"),
    ],
)
def test_nobody_waits_while_the_table_writes_down_who_sits_where(meanwhile, reason, why):
    box, done = Box(), []
    a = box.phone("a", joined=True)

    def at_once():
        box.meanwhile = lambda: None
        other = Thread(target=lambda: done.append(meanwhile(box)), daemon=True)
        other.start()
        other.join(timeout=5)
        assert done, why

    box.meanwhile = at_once
    assert box.seats.sit(a, "Ana") == reason, why


@pytest.mark.parametrize("ends", [False, True], ids=["the first lead of an evening", "all join anew"])
def test_nobody_waits_while_it_is_written_down_who_leads_and_who_was_let_in(ends):
    """Regression: every page asks the seats who it is, and waited for a card that hung."""
    box, known = Box(), []
    box.playing = False

    def hangs(content):
        other = Thread(target=lambda: known.append(box.phone("b").led), daemon=True)
        other.start()
        other.join(timeout=5)

    if ends:
        box.lead("a", joined=True)
    box.access._file.write = hangs
    assert (box.seats.anew(box.phone("a")) if ends else box.lead("a")) is None
    assert known == [True]


def test_a_lead_that_is_given_back_does_not_return_while_that_is_written_down_or_cannot_be():
    box, known = Box(), []

    def asks(leader):
        known.append(box.phone("one").leads)
        raise StorageError("disk_full")

    box.lead("one", joined=True)
    box.access.lead = asks
    box.seats.give_up_lead("one")
    assert (known, box.phone("one").leads) == ([False], False)


def test_a_phone_that_comes_back_after_a_restart_has_its_seat_again_unless_another_took_it():
    box = Box()
    assert box.phone("one", seat="Ana", joined=True).seat == "Ana"
    assert box.phone("two", seat="Ana", joined=True).seat is None
    assert box.phone("three", seat="Gone", joined=True).seat is None
    assert box.phone("four").role is Role.WATCHER
    assert box.phone("one").seat == "Ana"


def test_an_old_cookie_does_not_bring_back_what_was_left():
    """A request that began before carries the earlier cookie."""
    box = Box()
    box.join("one")
    box.sit("one", "Ana")
    box.sit("one", None)
    assert box.phone("one", seat="Ana", joined=True).seat is None
    box.playing = False
    box.lead("one")
    box.playing = True
    box.seats.give_up_lead("one")
    assert not box.phone("one", joined=True).leads


@pytest.mark.parametrize(("joined", "refused"), [(True, None), (False, "claim_open")])
def test_while_a_game_is_on_and_nobody_leads_those_at_the_table_may(joined, refused):
    box = Box()
    assert box.lead("one", joined=joined) == refused


def test_the_leader_leads_again_after_a_restart_in_the_middle_of_a_game():
    box = Box()
    box.lead("one", joined=True)
    box.restart()
    assert not box.phone("two", joined=True, leads=True).leads  # a cookie of before may still say so
    assert box.phone("one", joined=True).leads
    box.playing = False
    box.restart()
    assert box.phone("one", joined=True).leads is False


def test_a_lead_that_was_lost_does_not_come_back_with_a_restart():
    box = Box()
    box.lead("one", joined=True)
    box.lead("two")
    box.hold_two()
    assert box.phone("two").leads
    box.restart()
    assert not box.phone("one", joined=True).leads
    assert box.phone("two", joined=True).leads


def test_only_the_leader_gives_the_lead_back():
    box = Box()
    box.lead("one", joined=True)
    box.seats.give_up_lead("two")
    assert box.phone("two").led
    box.seats.give_up_lead("one")
    assert not box.phone("one").led


@pytest.mark.parametrize(
    ("playing", "away_s", "led"), [(False, LAPSE_S + 1, False), (False, LAPSE_S - 1, True), (True, 1e6, True)]
)
def test_a_lead_of_another_evening_lapses(playing, away_s, led):
    box = Box()
    box.playing = False
    box.lead("one")
    box.playing, box.now_s = playing, box.now_s + away_s
    assert box.phone("two").led is led


# ---- join codes ----------------------------------------------------------------------------------------


def test_a_code_is_honoured_while_it_is_shown_and_a_little_longer():
    now = [0.0]
    codes = JoinCodes(lambda: now[0])
    code = codes.current()
    assert len(code) == LENGTH
    assert set(code) <= set(LETTERS)
    honoured = []
    for now[0] in (0.0, PERIOD_S - 0.1, PERIOD_S, 2 * PERIOD_S - 0.1, 2 * PERIOD_S, 100 * PERIOD_S):
        honoured.append(codes.honours(code))
    assert honoured == [True, True, True, True, False, False]
    assert codes.current() != code


@pytest.mark.parametrize(("at_s", "left_s"), [(0.0, PERIOD_S), (PERIOD_S - 1, 1.0), (PERIOD_S, PERIOD_S)])
def test_a_code_says_how_long_it_is_shown(at_s, left_s):
    assert JoinCodes(lambda: at_s).left_s() == left_s


@pytest.mark.parametrize("write", [str.lower, "-".join, " ".join, lambda code: f" {code[:3]} {code[3:]}\n"])
def test_how_a_code_is_typed_does_not_matter(write):
    codes = JoinCodes(lambda: 5.0)
    assert codes.honours(write(codes.current()))


@pytest.mark.parametrize("wrong", ["", "AAAAAA", "ÄÖÜ", "x" * 10_000, "\x00"])
def test_another_code_is_not_honoured(wrong):
    assert not JoinCodes(lambda: 5.0).honours(wrong)


def test_renewed_codes_honour_none_that_was_shown_before():
    codes = JoinCodes(lambda: 5.0)
    code = codes.current()
    codes.renew()
    assert not codes.honours(code)
    assert codes.honours(codes.current())


def test_two_boxes_and_two_runs_have_codes_of_their_own():
    assert JoinCodes(lambda: 5.0).current() != JoinCodes(lambda: 5.0).current()
