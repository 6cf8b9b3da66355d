"""What earlier versions wrote is read: `older_records/` has every kind of record in each schema so far, with
and without the members that may be left out; kinds newer than a schema come last."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields, replace

from companion.errors import BadCommand
from companion.reveal.corrections import Add, Correction, SameDie, SetOwner, Several, Strike
from companion.rules.bids import Bid
from companion.rules.calls import Call
from companion.rules.counting import Reveal
from companion.rules.records import SCHEMA, Kept, written
from companion.table import ledger
from companion.table import table_events as events
from companion.table.ledger import Note

FOLDER = Path(__file__).parent / "older_records"
A = "Ana"


def lines(schema: int) -> list[dict[str, Any]]:
    text = (FOLDER / f"schema_{schema}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


NEWEST = lines(SCHEMA)
EVERY: list[Kept] = [events.from_json(line) for line in NEWEST]


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_every_schema_so_far_is_read(schema):
    for line, record in zip(lines(schema), EVERY, strict=False):
        assert line["v"] == schema
        assert events.from_json(line) == record, line
    assert len(lines(schema)) == {1: 50, 2: 52}[schema]


@pytest.mark.parametrize("line", NEWEST, ids=lambda line: line["event"])
def test_records_are_written_in_the_newest_schema(line):
    """The form of a released schema stays: a change of it needs a new number and a new file. Whatever a line
    says is in its record, else it would not be written again."""
    assert json.loads(json.dumps(written(events.from_json(line)))) == line


def grown(value: Any) -> Iterator[Any]:
    """The same with one more member in one of its objects, each in turn; rules name theirs themselves."""
    if isinstance(value, dict):
        yield {**value, "of_tomorrow": "any"}
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(one, dict | list) and key not in ("author", "ruleset"):
            for more in grown(one):
                copy = value.copy()
                copy[key] = more
                yield copy


@pytest.mark.parametrize("line", NEWEST, ids=lambda line: line["event"])
def test_a_record_with_a_member_of_a_later_version_is_not_read(line):
    assert events.from_json({**line, "author": {"by": "box"}}) == events.from_json(line)
    for more in grown(line):
        with pytest.raises(BadCommand):
            events.from_json(more)


def test_a_member_that_is_not_written_says_nothing():
    """Else an unknown one that says nothing could not be passed over."""
    for kind in (*Kept.__subclasses__(), *get_args(Call), *get_args(Correction), Bid, Reveal, ledger.Step):
        assert not any(one.default for one in fields(kind) if one.default is not NODEFAULT), kind


def test_every_kind_of_record_is_among_them():
    kinds = {type(record) for record in EVERY}
    assert kinds == {kind for kind in Kept.__subclasses__() if kind.__module__.startswith("companion")}


def test_a_renamed_player_is_called_as_before_nowhere_but_where_that_was_said():
    of_a = (SetOwner(f"{A}.1", A), SameDie(f"hand.{A}.2", f"{A}.1"), Several((Strike(f"hand.{A}.1"),)))
    seen = replace(next(one for one in EVERY if isinstance(one, events.Observed)), place=A)
    for record in (*EVERY, *map(events.Corrected, of_a), seen):
        after = ledger.renamed(record, A, "Zoe")
        said = isinstance(record, Note) and record.kind is ledger.Kind.RENAMED
        assert said or A not in json.dumps(written(after)), record
        assert ledger.renamed(after, "Zoe", A) == record


def test_a_position_that_an_earlier_version_kept_is_left_out():
    """The journal must stay readable, and the state must stay JSON."""
    for *at, left in ((float("nan"), 0.5, ()), (-5.0, 1e308, ()), (0.5, None, ()), (0, 1, (0, 1))):
        kept = {"kind": "add", "face": 3, "place": "all", "x": at[0], "y": at[1], "player": None}
        record = events.from_json({"v": 1, "event": "corrected", "correction": kept})
        assert record == events.Corrected(Add(3, "all", *left))


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
