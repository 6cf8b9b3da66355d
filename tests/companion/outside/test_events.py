"""Events between two views: each once, in order, none of them with dice that lie hidden."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.outside.outline import OutlineJson, outline
from companion.outside.reporter import EventJson, EventWord, StoryJson, events
from companion.outside.reporter import story as data
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo
from companion.table import commands as cmd
from companion.table.snapshot import Fault, Snapshot
from tests.companion.outside.tables import ChanceTable


@pytest.fixture
def table(tmp_path):
    with ChanceTable(tmp_path / "table") as opened:
        yield opened


def played(table: ChanceTable, steps: int) -> list[StoryJson]:
    """The views of so many steps, the empty table first."""
    return [data(table.table.snapshot()), *(data(table.act()) for _ in range(steps))]


def all_events(views: list[StoryJson]) -> list[EventJson]:
    return [event for before, after in pairwise(views) for event in events(before, after, "en")]


def words(found: list[EventJson]) -> list[EventWord]:
    return [event["event"] for event in found]


def test_a_game_has_events_from_its_beginning_to_its_winner(table):
    views = [data(table.table.snapshot())]
    while not table.winners:
        views.append(data(table.act()))
    found = all_events(views)
    order = words(found)
    assert order[:3] == ["game", "round", "bid"]
    assert order[-2:] == ["verdict", "winner"]
    rounds = max(event["round"] for event in found)
    assert order.count("round") == order.count("call") == order.count("verdict") == rounds
    assert found[-1]["winner"] == table.winners[0]
    assert found[0]["players"] == list(table.people)


def test_each_bid_names_who_made_it(table):
    views = played(table, 40)
    bids = [event for event in all_events(views) if event["event"] == "bid"]
    said = [
        (one["by"], one["quantity"], one["face"])
        for before, after in pairwise(views)
        if after["game"] and len(after["game"]["round"]["bids"])
        for one in after["game"]["round"]["bids"][-1:]
        if not before["game"] or before["game"]["round"]["bids"] != after["game"]["round"]["bids"]
    ]
    assert [(event["by"], event["quantity"], event["face"]) for event in bids] == said


@given(seed=st.integers(0, 1000), keep=st.sets(st.integers(0, 60)))
@settings(max_examples=8)
def test_views_that_were_skipped_lose_bids_alone(tmp_path_factory, seed, keep):
    with ChanceTable(tmp_path_factory.mktemp("table"), seed) as table:
        views = played(table, 30)
    games = {view["game"]["id"] for view in views if view["game"]}
    if len(games) > 1:  # of a game that was put away between two views nothing is left to see
        return
    some = [view for place, view in enumerate(views) if place in keep or place in (0, len(views) - 1)]
    every, found = words(all_events(views)), words(all_events(some))
    assert [word for word in found if word != "bid"] == [word for word in every if word != "bid"]


def test_nothing_is_sent_twice_after_a_new_name(table):
    before = played(table, 25)[-1]
    table.table.do(cmd.Rename("Beto", "Bea"))
    assert events(before, data(table.table.snapshot()), "en") == ()


def test_a_verdict_and_a_winner_that_were_corrected_are_sent_anew(table):
    """Two players with a die each: whoever was wrong is out, whatever the correction says."""
    table.house["starting_dice"], table.people = 1, ("Ana", "Beto")
    table.begin()
    for call in (BidCall("Ana", Bid(1, 2)), Dudo("Beto")):
        table.table.do(cmd.Say(call))
    before = table.table.snapshot()
    was = before.state.game.winner
    table.table.do(cmd.CorrectCall(Dudo("Beto", Bid(2, 2) if was == "Ana" else Bid(1, table_face(table)))))
    found = events(data(before), data(table.table.snapshot()), "en")
    other = "Beto" if was == "Ana" else "Ana"
    assert [event["event"] for event in found] == ["call", "verdict", "winner"]
    assert (found[1]["losers"], found[2]["winner"]) == ([was], other)


def test_a_call_that_was_another_players_is_sent_anew(table):
    table.house["dudo_by"] = "anybody"
    table.begin()
    for call in (BidCall("Ana", Bid(4, 2)), Dudo("Beto")):
        table.table.do(cmd.Say(call))
    before = table.table.snapshot()
    table.table.do(cmd.CorrectCall(Dudo("Carla")))
    found = events(data(before), data(table.table.snapshot()), "en")
    calls = [event for event in found if event["event"] == "call"]
    assert [event["by"] for event in calls] == ["Carla"]


def table_face(table: ChanceTable) -> int:
    """A face that lies on the table."""
    return dict(table.table.snapshot().state.rolled)["Ana"][0]


def test_what_was_taken_back_is_an_event_and_what_follows_too(table):
    views = played(table, 2)
    table.table.do(cmd.Undo())
    views.append(data(table.table.snapshot()))
    views.append(data(table.act()))
    assert words(all_events(views)) == ["game", "round", "bid", "taken_back", "bid"]


def with_other_dice(snapshot: Snapshot) -> Snapshot:
    """The same table where every die in a phone fell otherwise."""
    state = snapshot.state
    turned = tuple((name, tuple(face % 6 + 1 for face in faces)) for name, faces in state.rolled)
    return replace(snapshot, state=replace(state, rolled=turned))


@given(seed=st.integers(0, 1000), steps=st.integers(1, 30))
@settings(max_examples=10)
def test_hidden_dice_change_nothing_of_what_leaves(tmp_path_factory, seed, steps):
    """Non-interference: while people bid, two tables that differ in hidden dice alone say the same."""
    with ChanceTable(tmp_path_factory.mktemp("table"), seed) as table:
        for _ in range(steps):
            now = table.act()
    game = now.state.game
    if game is None or game.phase != "bidding":
        return
    assert now.state.rolled
    other = with_other_dice(now)
    assert other.state.rolled != now.state.rolled
    empty = data(replace(now, game_id=None, state=replace(now.state, game=None, reveal=None)))
    assert outline(data(now), "t", "en") == outline(data(other), "t", "en")
    assert events(empty, data(now), "en") == events(empty, data(other), "en")


def test_an_outline_has_these_members_and_no_die(table):
    shown = outline(played(table, 12)[-1], "Table 3", "de")
    assert shown.keys() == OutlineJson.__annotations__.keys()
    assert shown["table"] == "Table 3"
    assert shown["dice"] == sum(player["dice"] for player in shown["players"])
    table.table.do(cmd.Leave(table.people[0]))
    left = outline(data(table.table.snapshot()), "Table 3", "de")
    assert left["dice"] == sum(player["dice"] for player in left["players"] if not player["out"])
    assert not {"faces", "hands", "rolled"} & set(json.dumps(shown).replace('"', " ").split())


@pytest.mark.parametrize(
    ("faults", "problem", "problems", "low"),
    [
        ((), "", [], False),
        ((("button", Fault("no_bid")),), "", [], False),
        ((("under_voltage", Fault("under_voltage")),), "supply", ["under_voltage"], True),
        ((("camera", Fault("camera_missing")), ("x", Fault("new_kind"))), "camera", None, False),
        ((("x", Fault("new_kind")),), "new_kind", ["new_kind"], False),
    ],
)
def test_what_does_not_work_is_one_sentence(table, faults, problem, problems, low):
    now = replace(table.table.snapshot(), faults=faults)
    found = outline(data(now), "t", "en")
    assert problem in found["problem"]
    assert bool(problem) is bool(found["problem"])
    assert problems is None or found["problems"] == problems
    assert found["power_low"] is low
