"""Somebody sits down by phone: before a game in the lobby, or late, with the next round."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import Any

from companion.errors import BadCommand
from companion.table.commands import Join, clean_name
from web.problems import Refused


def wanted(fields: Mapping[str, Any], names: Collection[str], called: Callable[[int], str]) -> Join:
    """What a phone asks for that sits down; raises BadCommand, Refused. A name is optional: without one the
    phone is `called` by a number, the first that is free."""
    name, colour, after = (_text(fields.get(key, "")) for key in ("name", "colour", "after"))
    phone_cup = fields.get("phone_cup", False)
    if type(phone_cup) is not bool:
        raise Refused(400, "bad_phone")
    if not name.strip():
        numbered = (called(number) for number in count(len(names) + 1))
        name = next(one for one in numbered if one not in names)
    return Join(clean_name(name), colour[:20], after, phone_cup)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Refused(400, "bad_phone")
    return value


def refuse_name(reason: str | None) -> None:
    """Raises BadCommand with the reason why nobody can sit down so."""
    if reason:
        raise BadCommand(reason)
