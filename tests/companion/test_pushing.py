"""Dice pushed out with a bid: kept, rolled again in phones, seen by all, taken back by a new throw alone."""

import pytest
from msgspec import to_builtins

from companion.errors import BadCommand, CompanionError
from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.records import SCHEMA
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.commands import Author, By
from companion.table.table import Table
from companion.table.table_events import from_json
from companion.table.view import view
from tests.companion.at_table import begin, fair, in_play, play, rolled, say
from tests.refusals import refused
from tests.web.tables import PEOPLE

ANA, BEA, CARLOS = (name for name, _ in PEOPLE)


def opened(journal: Journal) -> Table:
    return Table(journal, frames=1, roll=fair(3))


@pytest.fixture
def table(journal):
    """Ana and Bea roll in phones, Carlos has real dice."""
    begun = opened(journal)
    people = [{"name": name, "phone_cup": name != CARLOS} for name, _ in PEOPLE]
    say(begun, "new_game", players=people, preset="bluff", starter=ANA)
    return begun


def reason(table: Table, kind: str, **more: object) -> str | None:
    try:
        say(table, kind, **more)
    except CompanionError as refused:
        return refused.reason
    return None


def hand(table: Table, name: str) -> tuple[int, ...]:
    return rolled(table)[name]


def push_one(table: Table, name: str, quantity: int) -> int:
    """The player bids on the face of a die under the cup, and pushes that die out."""
    game = in_play(table)
    face = hand(table, name)[len(game.round.pushed_by(name))]
    say(table, "bid", by=name, quantity=quantity, face=face, pushed=[face])
    return face


def test_the_others_are_rolled_again_in_the_phone(table):
    before = hand(table, ANA)
    face = push_one(table, ANA, 2)
    after = hand(table, ANA)
    assert (after[0], len(after)) == (face, 5)
    assert sorted(after) != sorted(before)
    data = view(table.snapshot())["game"]
    assert [player["pushed"] for player in data["players"]] == [[face], [], []]
    assert data["round"]["bids"][0]["pushed"] == [face]
    assert data["round"]["legal"]["push"] == 4


@pytest.mark.parametrize(
    ("by", "pushed", "expected"),
    [
        pytest.param(ANA, 6, "push_not_held", id="more in the phone than there are"),
        pytest.param(ANA, 9, "push_keeps_one", id="all"),
        pytest.param(CARLOS, 4, None, id="real dice are taken at their owner's word"),
    ],
)
def test_pushed_dice_are_those_one_has(table, by, pushed, expected):
    if by == CARLOS:
        for name in (ANA, BEA):
            say(table, "bid", by=name, quantity=2 + (name == BEA), face=3)
    lacking = next(face for face in range(1, 6) if hand(table, ANA).count(face) < 2)
    faces = [lacking] * {6: 2, 9: 5, 4: 4}[pushed]
    assert reason(table, "bid", by=by, quantity=4, face=lacking, pushed=faces) == expected


def test_no_die_is_pushed_twice(table):
    face = push_one(table, ANA, 2)
    for name, quantity in ((BEA, 3), (CARLOS, 4)):
        say(table, "bid", by=name, quantity=quantity, face=face)
    again = [face] * hand(table, ANA).count(face)
    assert reason(table, "bid", by=ANA, quantity=5, face=face, pushed=again) == "push_not_held"


def test_a_push_is_taken_back_by_the_host_alone_and_the_round_is_thrown_anew(table):
    before = {name: hand(table, name) for name in (ANA, BEA)}
    push_one(table, ANA, 2)
    assert table.snapshot().undo_hides
    with refused("undo_hides", BadCommand):
        table.do(cmd.Undo(), author=Author(By.PLAYER, BEA))
    table.do(cmd.Undo())
    assert {name: hand(table, name) for name in (ANA, BEA)} != before
    game = table.snapshot().state.game
    assert (game.round.bids, game.round.pushed_by(ANA)) == ((), ())


def test_dice_that_were_seen_come_back_by_no_step(journal):
    table = opened(journal)
    begin(table, "Ana Beto Caro", "Ana 2x3, Beto 3x3, Caro dudo", cups="Ana")
    seen = rolled(table)
    fresh = [rolled(play(table, "undo") and table) for _ in range(3)]
    assert fresh == [fresh[0]] * 3
    assert fresh[0] != seen


def test_what_was_pushed_stays_when_somebody_leaves_and_when_the_box_starts_again(table, journal):
    face = push_one(table, ANA, 2)
    push_one(table, BEA, 4)
    kept = hand(table, ANA)
    say(table, "leave", player=CARLOS)
    assert hand(table, ANA) == kept
    assert opened(journal).snapshot().state.rolled == table.snapshot().state.rolled
    say(table, "leave", player=BEA)
    assert kept[0] == face


def test_pushed_dice_count_with_the_others(table):
    push_one(table, ANA, 2)
    say(table, "dudo", by=BEA)
    say(table, "hand", player=CARLOS, faces=[2] * 5)
    state = table.snapshot().state
    bid = state.game.verdict.bid
    lying = [*hand(table, ANA), *hand(table, BEA), *[2] * 5]
    assert state.game.verdict.count_lo == sum(face in (bid.face, 6) for face in lying)


@pytest.mark.parametrize("pushed", ["3", [3.5], ["3"], {"a": 1}, [None]])
def test_what_is_no_dice_is_refused(pushed):
    with pytest.raises(CompanionError):
        from_json({"v": 1, "event": "called", "call": "bid", "by": ANA, "bid": "4x3", "pushed": pushed})
    call = {**to_builtins(BidCall(ANA, Bid(4, 3))), "pushed": pushed}
    with pytest.raises(CompanionError):
        from_json({"v": SCHEMA, "event": "called", "call": call})
