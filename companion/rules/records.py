"""One form for every record: a frozen tagged Struct is the value, its JSON, the parser and the schema of it.

A journal keeps `{"v": SCHEMA, "event": ..., ...}`, without members that have their usual value, which says
nothing: None, False, 0 or empty. A newer `v` than ours is refused, and so is a member that we do not know; an
older `v` is read by `upgraded`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct, convert, to_builtins

from companion.errors import BadCommand, CompanionError
from companion.json_types import Body, body
from companion.rules.bids import Bid
from companion.rules.ruleset import Ruleset

SCHEMA = 2


class Sent(Struct, tag_field="type", frozen=True, omit_defaults=True):
    """What somebody says or asks for: a command is sent in this form."""


class Kept(Struct, tag_field="event", frozen=True, omit_defaults=True):
    """What a journal keeps."""


def written(record: Kept) -> dict[str, object]:
    """The record as plain data."""
    return {"v": SCHEMA, **to_builtins(record)}


def read(data: Body, kind: object) -> Any:
    """The record of that kind that any version so far wrote; raises BadCommand, BadRuleset."""
    try:
        version = data["v"]
        if type(version) is not int or version > SCHEMA:
            raise BadCommand("event_newer", version=version, known=SCHEMA)
        if data["event"] == "started":  # the rules say themselves what is wrong with them
            data = {**data, "ruleset": Ruleset.from_json(body(data["ruleset"]))}
        if version < SCHEMA:
            return convert(upgraded(data), kind)
        found = convert(data, kind)
        if not _known({**data, "author": None}, written(found)):
            raise BadCommand("event_unreadable", cause=ascii(data))
        return found
    except CompanionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadCommand("event_unreadable", cause=repr(error)) from error


def _known(data: object, again: object) -> bool:
    """Whether all that is said stands there `again`, as this version would write it."""
    if isinstance(data, list):
        return not isinstance(again, tuple) or all(map(_known, data, again))
    if not isinstance(data, dict) or not isinstance(again, dict):
        return True
    return all(_known(value, again[name]) if name in again else not value for name, value in data.items())


def upgraded(data: Body) -> Body:
    """A record of schema 1 in today's form."""
    change = _OLDER.get(str(data["event"]))
    return change(data) if change else data


def _bid(text: object) -> Bid | None:
    """A bid as text, which had no bounds."""
    return Bid.parse(str(text)) if text else None


def _called(data: Body) -> Body:
    call = {**data, "type": data["call"]} | ({"bid": _bid(data["bid"])} if "bid" in data else {})
    return {"event": "called", "call": call, "by_clock": data.get("by_clock") is True}


def _noted(data: Body) -> Body:
    note = {**data, "player": data.get("seat", "")}
    if "step" in data:
        step = body(data["step"])
        note["step"] = {**step, "bid": _bid(step["bid"])}
    return note


def _corrected(data: Body) -> Body:
    return {**data, "correction": _correction(body(data["correction"]))}


def _correction(data: Body) -> Body:
    """`add` and `by_hand` were what a command calls `add_die` and `type_count`; any position was kept."""
    kind = str(data["kind"])
    if kind == "add" and not _within(data.get("x"), data.get("y")):
        data = {**data, "x": None, "y": None}
    made = {**data, "type": {"add": "add_die", "by_hand": "type_count"}.get(kind, kind)}
    if kind == "by_hand":
        made["count"] = data["value"]
    if kind == "several":
        made["answers"] = [_correction(body(answer)) for answer in _each(data["answers"])]
    return made


def _within(*places: object) -> bool:
    return all(isinstance(place, int | float) and 0 <= place <= 1 for place in places)


_OLDER: Mapping[str, Callable[[Body], Body]] = {
    "called": _called,
    "revealed": lambda data: {"event": "revealed", "reveal": data},
    "corrected": _corrected,
    "looked": lambda data: {**data, "look": {**body(data["look"]), "picture": data["picture"]}},
    "cups": lambda data: {**data, "bots": [*body(data.get("bots", {})).items()]},
    "roll_tied": lambda data: {**data, "rolls": [[*body(roll).items()] for roll in _each(data["rolls"])]},
    "noted": _noted,
}


def _each(values: object) -> Iterable[object]:
    if not isinstance(values, list | tuple):
        raise TypeError(f"{values!r} is no list")
    return values
