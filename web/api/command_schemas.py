"""The bounds of each command as JSON Schema: the same as those of `companion.table.fields` and its
readers."""

from __future__ import annotations

from typing import Any

from companion.table.commands import COMMAND_TYPES, MOST_ROLLS
from companion.table.fields import LARGEST_NUMBER, LONGEST_TEXT, MOST_PLAYERS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string", "maxLength": LONGEST_TEXT}
MAYBE_TEXT: Schema = {**TEXT, "type": ["string", "null"]}
NUMBER: Schema = {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
FACE: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
SHARE: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
MAYBE_FLAG: Schema = {"type": ["boolean", "null"]}
BID: Schema = {
    "type": "object",
    "properties": {"quantity": NUMBER, "face": NUMBER},
    "required": ["quantity", "face"],
}
SWITCHES: Schema = {
    "type": ["object", "null"],
    "maxProperties": MOST_PLAYERS,
    "additionalProperties": {**TEXT, "type": ["string", "integer", "boolean", "null"]},
}
CHOSEN: Schema = {**SWITCHES, "type": "object"}
PLAYER: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "colour": TEXT, "phone_cup": MAYBE_FLAG},
    "required": ["name"],
}
ROLL: Schema = {"type": "object", "maxProperties": MOST_PLAYERS, "additionalProperties": NUMBER}
CHALLENGE: Schema = {"by": TEXT, "call": {"enum": ["dudo", "calza"]}, "bid": BID, "bidder": MAYBE_TEXT}

_MEMBERS: dict[str, Schema] = {
    "new_game": {
        "players": {"type": "array", "items": PLAYER, "maxItems": MOST_PLAYERS},
        "preset": TEXT,
        "house": SWITCHES,
        "starter": {"type": ["string", "null"]},
        "roll_off": MAYBE_FLAG,
    },
    "roll_off": {"rolls": {"type": "array", "items": ROLL, "maxItems": MOST_ROLLS}},
    "bid": {"by": TEXT, **BID["properties"]},
    **{kind: {"by": TEXT} for kind in ("dudo", "calza", "pass", "dudo_pass")},
    "choose_visibility": {"by": TEXT, "visibility": {"enum": ["open", "closed", "usual"]}},
    **dict.fromkeys(("challenge", "correct_call"), CHALLENGE),
    "press": {"button": TEXT, "by": MAYBE_TEXT},
    "look": {"place": MAYBE_TEXT},
    "set_face": {"die": TEXT, "face": FACE},
    "set_owner": {"die": TEXT, "player": TEXT},
    **{kind: {"die": TEXT} for kind in ("strike", "cut_off")},
    "as_read": {"place": TEXT},
    **{kind: {"first": TEXT, "second": TEXT} for kind in ("same_die", "two_dice")},
    "add_die": {"face": FACE, "place": MAYBE_TEXT, "x": SHARE, "y": SHARE, "player": MAYBE_TEXT},
    "hand": {"player": TEXT, "faces": {"type": "array", "items": FACE, "maxItems": MOST_PLAYERS}},
    "type_count": {"count": {**NUMBER, "minimum": 0}},
    "join": {"player": {"type": "string"}, "colour": TEXT, "after": TEXT, "phone_cup": MAYBE_FLAG},
    "leave": {"player": TEXT},
    "hand_back": {"player": TEXT, "count": NUMBER},
    "rename": {"player": TEXT, "to": {"type": "string"}},
}
_OPTIONAL = {
    "preset",
    "house",
    "starter",
    "roll_off",
    "bidder",
    "place",
    "x",
    "y",
    "colour",
    "after",
    "phone_cup",
}
_NEEDED = {"as_read": {"place"}}


def command_schema() -> Schema:
    """The schema of every command, distinguished by its type."""
    return {
        "oneOf": [_schema(kind) for kind in COMMAND_TYPES],
        "discriminator": {"propertyName": "type"},
        "description": "docs/reference/api.md says what each means.",
    }


def _schema(kind: str) -> Schema:
    members = _MEMBERS.get(kind, {})
    optional = {name for name in members if name in _OPTIONAL} - _NEEDED.get(kind, set())
    optional |= {"by"} if kind == "press" else {"player"} if kind == "add_die" else set()
    needed = [name for name in members if name not in optional]
    return {
        "title": kind,
        "type": "object",
        "properties": {"type": {"const": kind}, **members},
        "required": ["type", *needed],
    }
