"""What earlier versions wrote is read: `older_records/` has every kind of record in each schema so far."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.bots.seat import Level
from companion.errors import BadCommand
from companion.reveal.claims import Kind
from companion.reveal.corrections import (
    Add,
    AllApart,
    AsRead,
    ByHand,
    CutOff,
    Hand,
    SameDie,
    SetFace,
    SetOwner,
    Several,
    Strike,
    TwoDice,
)
from companion.reveal.observations import Observation, SeenDie, SeenDoubt, SeenPair
from companion.reveal.owners import Colour
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.counting import Reveal
from companion.rules.events import (
    Called,
    Finished,
    HandedBack,
    Joined,
    Left,
    NextRound,
    Revealed,
    RolledOff,
    Started,
)
from companion.rules.presets import MODERN
from companion.rules.records import SCHEMA, Kept, written
from companion.table import ledger
from companion.table import table_events as events
from companion.table.commands import By
from companion.table.ledger import Held, Note, Renamed, Sat, Sealed, Step, Thrown

FOLDER = Path(__file__).parent / "older_records"
A, B = "Ana", "Bea"
ROLLS = (((A, 3), (B, 3)), ((A, 1), (B, 6)))
DIE = SeenDie(
    face=3,
    x=0.5,
    y=0.25,
    size=0.04,
    confidence=0.9,
    certain=True,
    colour="red",
    others=(5,),
    why=("blurred",),
    angle=12.5,
    rgb=(200.0, 10.0, 10.0),
    group=1,
    chances=(0.0, 0.0, 0.9, 0.0, 0.1, 0.0),
)
SEEN = Observation(
    width=1000,
    height=750,
    dice=(DIE,),
    certain=False,
    doubts=(SeenDoubt("die_like", 0.5, 0.5, 0.04, 0.1),),
    picture="abc",
    unread=0.01,
    phone=A,
    pairs=(SeenPair((0, 1), 0.2),),
)
EVERY: tuple[Kept, ...] = (
    Started(MODERN, ((A, "red"), (B, "")), None, ((B, 2),)),
    RolledOff(ROLLS),
    Called(BidCall(A, Bid(5, 3))),
    Called(BidCall(A, Bid(2, 3, zhai=True), (3, 3))),
    Called(Dudo(A), by_clock=True),
    Called(Dudo(A, Bid(4, 2), B)),
    Called(Calza(A)),
    Called(Pass(A)),
    Called(DudoPass(A, B)),
    Called(ChooseVisibility(A, "open")),
    Called(ChooseDirection(A, "counter_clockwise")),
    Called(DeclarePalifico(A)),
    Revealed(Reveal(((A, (1, 2)),), (3,), ((4, 5),), 2)),
    Revealed(Reveal(count=4)),
    NextRound(),
    Finished(),
    Joined(A, "red", B, phone_cup=True, strict=True, handicap=2),
    Joined(A),
    Left(A),
    Left(A, strict=True),
    HandedBack(A, 3),
    events.Asked(Kind.DUDO),
    events.Observed(SEEN, "all"),
    *map(
        events.Corrected,
        (
            SetFace("all.1", 3),
            Strike("all.1"),
            CutOff("all.1"),
            AsRead("all"),
            SetOwner("all.1", A),
            Add(3, "all", 0.5, 0.25),
            Add(6, player=A),
            Hand(A, (1, 2, 3)),
            SameDie("a.1", "b.1"),
            TwoDice("a.1", "b.1"),
            AllApart(),
            ByHand(4),
            Several((SetFace("all.1", 3), Strike("all.2"), TwoDice("a.1", "b.1"))),
        ),
    ),
    events.Cups((A,), ((B, Level.STRONG),)),
    events.Cups((A,)),
    events.BotSeated(B, Level.EASY),
    events.ColoursLearnt((Colour(A, "red", (200.0, 10.0, 10.0)),)),
    events.RollTied(ROLLS[:1]),
    events.Rolled(A, (1, 2)),
    Sealed("s"),
    Thrown("1", A, (1, 2)),
    Sat(A, "m"),
    Held(1, ((A, "m"),)),
    Renamed(A, B),
    Note(ledger.Kind.UNDONE, 2, By.PLAYER, A, B, Step("bid", B, Bid(5, 3))),
    Note(ledger.Kind.HANDED_BACK, 2, By.HOST, "", B, Step("dudo"), "", 3),
    Note(ledger.Kind.RENAMED, 1, By.BOX, player=A, to=B),
    events.Amended(2, 4),
    events.Undone(3),
)
"""A record of every kind, with and without the members that may be left out; kinds newer than a schema come
last."""


def read(line: str) -> Kept:
    data = json.loads(line)
    return events.from_json(data)


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_every_schema_so_far_is_read(schema):
    lines = (FOLDER / f"schema_{schema}.jsonl").read_text(encoding="utf-8").splitlines()
    for line, record in zip(lines, EVERY[: len(lines)], strict=True):
        assert json.loads(line)["v"] == schema
        assert read(line) == record, line


def test_records_are_written_in_the_newest_schema():
    """The form of a released schema stays: a change of it needs a new number and a new file."""
    lines = (FOLDER / f"schema_{SCHEMA}.jsonl").read_text(encoding="utf-8").splitlines()
    made = [written(record) for record in EVERY]
    assert [json.loads(json.dumps(one)) for one in made] == [json.loads(line) for line in lines]


def test_every_kind_of_record_is_among_them():
    kinds = {type(record) for record in EVERY}
    assert kinds == {kind for kind in Kept.__subclasses__() if kind.__module__.startswith("companion")}


def test_a_renamed_player_is_called_as_before_nowhere_but_where_that_was_said():
    of_a = (SetOwner(f"{A}.1", A), SameDie(f"hand.{A}.2", f"{A}.1"), Several((Strike(f"hand.{A}.1"),)))
    seen = events.Observed(replace(SEEN, phone=A), A)
    for record in (*EVERY, *map(events.Corrected, of_a), seen):
        after = ledger.renamed(record, A, "Zoe")
        said = isinstance(record, Note) and record.kind is ledger.Kind.RENAMED
        assert said or A not in json.dumps(written(after)), record
        assert ledger.renamed(after, "Zoe", A) == record


def test_a_position_that_an_earlier_version_kept_is_left_out():
    """The journal must stay readable, and the state must stay JSON."""
    for x, y in ((float("nan"), 0.5), (-5.0, 1e308), (0.5, None)):
        kept = {"kind": "add", "face": 3, "place": "all", "x": x, "y": y, "player": None}
        record = events.from_json({"v": 1, "event": "corrected", "correction": kept})
        assert record == events.Corrected(Add(3, "all"))


@pytest.mark.parametrize(
    "correction",
    [
        {},
        {"kind": "guess"},
        {"kind": "strike"},
        {"kind": "set_face", "die": "a", "face": "5"},
        {"kind": "several"},
        {"kind": "several", "answers": []},
        {"kind": "several", "answers": [{"kind": "by_hand", "value": 3}]},
    ],
)
def test_unreadable_corrections_are_refused(correction):
    with pytest.raises(BadCommand):
        events.from_json({"v": 1, "event": "corrected", "correction": correction})
