"""Events and calls as JSON: both ways, and refused by reason where they make no sense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadCommand
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.counting import Reveal
from companion.rules.dice import hand_text, parse_hand
from companion.rules.events import Called, Finished, NextRound, Revealed, RolledOff, Started
from companion.rules.game import apply
from companion.rules.position import Phase
from companion.rules.presets import MODERN, PERUDO
from companion.rules.records import SCHEMA, written
from companion.rules.rolloff import roll_off
from companion.table.table_events import from_json
from tests.new_games import new_game
from tests.refusals import refused

faces = st.integers(1, 6)
bids = st.builds(Bid, st.integers(0, 120), st.integers(0, 9))
hands = st.lists(faces, max_size=6).map(tuple)


@given(bid=bids)
def test_bids_come_back_from_text(bid):
    assert Bid.parse(str(bid)) == bid
    assert Bid.parse(f" {bid.quantity} × {bid.face} ") == bid


@given(hand=hands)
def test_hands_come_back_from_text(hand):
    assert parse_hand(hand_text(hand)) == hand


@pytest.mark.parametrize(
    ("parse", "texts", "match"),
    [
        (
            Bid.parse,
            ["", "x", "5", "5x", "x3", "-5x3", "5.5x3", "5x3x1", "fünf", "5x333", "٥x٣"],
            "not a bid",
        ),
        (parse_hand, ["7", "3,0", "a", "3;3", "1,2,33", "-1"], "not a hand"),
    ],
)
def test_what_is_no_bid_and_no_hand(parse, texts, match):
    for text in texts:
        with pytest.raises(BadCommand, match=match):
            parse(text)


STARTED = written(Started(MODERN, (("Ana", ""), ("Beto", "")), "Ana"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({}, "event_unreadable"),
        ({"v": SCHEMA}, "event_unreadable"),
        ({"v": SCHEMA, "event": "exploded"}, "event_unreadable"),
        ({"v": SCHEMA + 1, "event": "next_round"}, "event_newer"),
        ({"v": "1", "event": "next_round"}, "event_newer"),
        ({"v": True, "event": "next_round"}, "event_newer"),
        ({"v": 1, "event": "called", "call": "shout", "by": "Ana"}, "event_unreadable"),
        ({"v": 1, "event": "called", "call": "bid", "by": "Ana"}, "event_unreadable"),
        ({"v": 1, "event": "called", "call": "dudo", "by": 7}, "event_unreadable"),
        ({"v": 1, "event": "called", "call": "bid", "by": "Ana", "bid": "many"}, "bid_unreadable"),
        ({"v": 1, "event": "revealed", "heap": ["6"]}, "event_unreadable"),
        ({"v": 1, "event": "revealed", "heap": 6}, "event_unreadable"),
        ({"v": 1, "event": "revealed", "count": True}, "event_unreadable"),
        ({"v": SCHEMA, "event": "called", "call": {"type": "shout", "by": "Ana"}}, "event_unreadable"),
        ({"v": SCHEMA, "event": "called", "call": {"type": "bid", "by": "Ana"}}, "event_unreadable"),
        ({"v": SCHEMA, "event": "called", "call": {"type": "dudo", "by": 7}}, "event_unreadable"),
        ({"v": SCHEMA, "event": "called", "call": "dudo", "by": "Ana"}, "event_unreadable"),
        ({"v": SCHEMA, "event": "revealed", "reveal": {"heap": ["6"]}}, "event_unreadable"),
        ({"v": SCHEMA, "event": "revealed", "reveal": {"heap": 6}}, "event_unreadable"),
        ({"v": SCHEMA, "event": "revealed", "reveal": {"count": True}}, "event_unreadable"),
        ({"v": SCHEMA, "event": "rolled_off", "rolls": [[["Ana", "6"]]]}, "event_unreadable"),
        ({**STARTED, "players": [["Ana"]]}, "event_unreadable"),
        ({"v": 1, "event": "held", "round": 1, "seats": [["Ana"]]}, "event_unreadable"),
        ({"v": 1, "event": "noted", "kind": "what", "round": 1, "by": "host"}, "event_unreadable"),
        ({**STARTED, "ruleset": {"version": 99}}, "ruleset_newer"),
        ({**STARTED, "ruleset": {"version": 1, "calza": "maybe"}}, "ruleset_bad_value"),
        ({**STARTED, "ruleset": {"version": 1, "cheating": True}}, "ruleset_unknown_field"),
    ],
)
def test_what_is_no_event_is_refused_by_reason(data, reason):
    with refused(reason):
        from_json(data)


@pytest.mark.parametrize(
    ("rules", "players", "starter", "reason"),
    [
        (MODERN, ("Ana",), "Ana", "too_few_players"),
        (MODERN, tuple("ABCDEFGHIJKLM"), "A", "too_many_players"),
        (PERUDO, tuple("ABCDEFG"), "A", "too_many_players"),
        (MODERN, ("Ana", "Ana"), "Ana", "names_not_distinct"),
        (MODERN, ("Ana", " "), "Ana", "names_not_distinct"),
        (MODERN, ("Ana", "Beto"), "Zoe", "unknown_player"),
    ],
)
def test_games_that_cannot_begin(rules, players, starter, reason):
    with refused(reason):
        new_game(rules, players, starter)  # type: ignore[arg-type]


def test_events_at_the_wrong_time_are_refused():
    game = new_game(MODERN, ("Ana", "Beto"), "Ana")
    over = apply(game, Finished())
    assert over.phase is Phase.OVER
    assert over.winner is None
    for at, event, reason in (
        (game, NextRound(), "wrong_phase"),
        (game, Revealed(Reveal(count=1)), "nothing_to_judge"),
        (game, RolledOff(()), "wrong_phase"),
        (game, Started(MODERN, (("Ana", ""),), "Ana"), "already_started"),
        (over, Called(BidCall("Ana", Bid(1, 2))), "game_over"),
        (over, NextRound(), "game_over"),
        (over, Finished(), "game_over"),
    ):
        with refused(reason):
            apply(at, event)


def test_tied_groups_may_roll_one_after_the_other():
    first = {"Ana": 3, "Beto": 6, "Carla": 6, "Dino": 3}
    names = tuple(first)
    assert roll_off(names, [first, {"Ana": 1, "Dino": 2}], "all").reroll == (("Beto", "Carla"),)
    done = roll_off(names, [first, {"Ana": 1, "Dino": 2}, {"Beto": 1, "Carla": 5}], "all")
    assert done.order == ("Carla", "Beto", "Dino", "Ana")


@pytest.mark.parametrize(
    ("rounds", "reason"),
    [
        ([{"Ana": 3}], "rolloff_wrong_players"),
        ([{"Ana": 3, "Beto": 3, "Carla": 7}], "bad_face"),
        ([{"Ana": 3, "Beto": 3, "Carla": 2}, {"Ana": 1, "Carla": 2}], "rolloff_wrong_players"),
        ([{"Ana": 3, "Beto": 2, "Carla": 1}, {"Ana": 1}], "rolloff_wrong_players"),
    ],
)
def test_rolls_of_the_wrong_people_are_refused(rounds, reason):
    with refused(reason, BadCommand):
        roll_off(("Ana", "Beto", "Carla"), rounds, "all")


def test_a_tie_in_the_journal_is_not_a_finished_roll_off():
    waiting = new_game(MODERN, ("Ana", "Beto"))
    with pytest.raises(BadCommand, match="roll again"):
        apply(waiting, RolledOff(((("Ana", 4), ("Beto", 4)),)))
