"""Somebody sits down by phone: before a game in the lobby, or late, with the next round."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import count

from companion.errors import BadCommand
from companion.names import clean_name, same_person
from companion.table.commands import Join
from web.payloads import ComeRequest


def wanted(sent: ComeRequest, names: Collection[str], called: Callable[[int], str]) -> Join:
    """What a phone asks for that sits down; raises BadCommand. A name is optional: without one the
    phone is `called` by a number, the first that is free."""
    name = sent.name
    if not name.strip():
        numbered = (called(number) for number in count(len(names) + 1))
        name = next(one for one in numbered if same_person(one, names) is None)
    return Join(clean_name(name), sent.colour[:20], sent.after, sent.phone_cup)


def refuse_name(reason: str | None) -> None:
    """Raises BadCommand with the reason why nobody can sit down so."""
    if reason:
        raise BadCommand(reason)
