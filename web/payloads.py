"""The content of requests as typed values: the one place where anything that was sent is believed.

Bodies are strict JSON (RFC 8259): no NaN, no Infinity, no half surrogates, no number that others could not
read, limited nesting. Everything else of a request is text of one line and of a bounded length.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar
from urllib.parse import unquote

from flask import current_app, request

from web.problems import Refused

T = TypeVar("T")
Json = dict[str, Any]

DEEPEST = 12
LONGEST_TEXT = 2000
LARGEST_WHOLE = 2**53
"""Beyond this, JavaScript cannot distinguish neighbouring numbers."""

LONGEST_QUERY = 300
MOST_PLAYERS = 1000
_DIGITS = 15


# ---- bodies ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CommandSent:
    """A command as it came, and the version it was based on."""

    command: Mapping[str, Any]
    based_on: int | None


@dataclass(frozen=True, slots=True)
class PressSent:
    """A press of the simulated box."""

    button: str
    held: bool


@dataclass(frozen=True, slots=True)
class GroupSent:
    """A name for a group, or None to forget it."""

    group: str
    name: str | None


@dataclass(frozen=True, slots=True)
class SetupSent:
    """A choice of rules for so many players."""

    preset: str
    house: Mapping[str, Any]
    players: int


@dataclass(frozen=True, slots=True)
class StepSent:
    """A step of the workshop."""

    do: str
    part: str | None


@dataclass(frozen=True, slots=True)
class WishSent:
    """The one thing a phone asks for: `what` is a member of the body, `value` what it came with."""

    what: str
    value: Any


def command_sent() -> CommandSent:
    """The body of a command; raises Refused."""
    body = json_object()
    if not isinstance(body.get("command"), dict):
        raise Refused(400, "no_command")
    based_on = body.get("based_on")
    if based_on is not None and not _is_whole(based_on):
        raise Refused(400, "bad_version")
    return CommandSent(body["command"], based_on)


def press_sent() -> PressSent:
    """The body of a press; raises Refused."""
    body = json_object()
    held = body.get("held", False)
    return PressSent(_typed(body.get("button"), str, "no_such_button"), _typed(held, bool, "no_such_button"))


def group_sent() -> GroupSent:
    """The body that changes a group; raises Refused."""
    body = json_object()
    group = _typed(body.get("group"), str, "bad_request")
    if isinstance(body.get("name"), str):
        return GroupSent(group, body["name"])
    if body.get("forget") is not True:
        raise Refused(400, "bad_request")
    return GroupSent(group, None)


def setup_sent() -> SetupSent:
    """The body that asks what the rules say; raises Refused."""
    body = json_object()
    preset = _typed(body.get("preset"), str, "bad_request")
    house = _typed(body.get("house"), dict, "bad_request")
    players = _typed(body.get("players"), int, "bad_request")
    if not 0 <= players <= MOST_PLAYERS:
        raise Refused(400, "bad_request")
    if any(isinstance(value, dict | list | float) for value in house.values()):
        raise Refused(400, "bad_request")
    return SetupSent(preset, house, players)


def step_sent() -> StepSent:
    """The body of a step of the workshop; raises Refused."""
    body = json_object()
    part = body.get("part")
    return StepSent(_typed(body.get("do"), str, "bad_step"), part and _typed(part, str, "bad_step"))


_WISHES: Mapping[str, Callable[[Any], bool]] = {
    "seat": lambda value: value is None or isinstance(value, str),
    "come": lambda value: value is None or isinstance(value, dict),
    "free": lambda value: isinstance(value, str),
    "anew": lambda value: value is True,
    "lead": lambda value: isinstance(value, bool),
    "join": lambda value: isinstance(value, str) or value is True,
    "confirm": lambda value: _is_whole(value),
    "refuse": lambda value: _is_whole(value),
    "withdraw": lambda value: value is True,
}


def wish_sent() -> WishSent:
    """The body by which a phone asks for one thing; raises Refused."""
    body = json_object()
    wanted = [what for what in _WISHES if what in body]
    if len(wanted) != 1 or not _WISHES[wanted[0]](body[wanted[0]]):
        raise Refused(400, "bad_phone")
    return WishSent(wanted[0], body[wanted[0]])


def json_object() -> Json:
    """The body as a strict JSON object sent as such; raises Refused with what is wrong with it."""
    if request.mimetype != "application/json":
        raise Refused(415, "not_json")
    try:
        body = json.loads(
            request.get_data().decode(), parse_constant=_refused, parse_int=_whole, parse_float=_real
        )
        _check(body)
    except (ValueError, RecursionError) as error:  # also bytes that are no UTF-8
        raise Refused(400, "bad_json") from error
    if not isinstance(body, dict):
        raise Refused(400, "bad_json")
    return body


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _whole(digits: str) -> int:
    if len(digits) > len(str(LARGEST_WHOLE)) + 1 or abs(int(digits)) > LARGEST_WHOLE:
        raise ValueError("the number is too large")
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("the number is too large")
    return value


def _check(value: object, depth: int = 0) -> None:
    """Raises ValueError for what is nested too deep, and for texts that are too long or no characters."""
    if depth > DEEPEST:
        raise ValueError("nested too deep")
    if isinstance(value, str):
        if len(value.encode()) > LONGEST_TEXT:
            raise ValueError("the text is too long")
    elif isinstance(value, dict):
        for key, one in value.items():
            _check(key, depth + 1)
            _check(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            _check(one, depth + 1)


def _typed(value: object, kind: type[T], reason: str) -> T:
    if type(value) is not kind:
        raise Refused(400, reason)
    return value


def _is_whole(value: object) -> bool:
    return type(value) is int


# ---- everything else of a request ------------------------------------------------------------------------


def check_target() -> None:
    """Raises Refused for an address with characters that are none of a line of text."""
    target = request.path + unquote(request.query_string.decode("latin-1"), errors="replace")
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in target):
        raise Refused(400, "bad_request")


def query(name: str) -> str:
    """A value of the address's query, "" where it is missing; raises Refused for one too long."""
    value = request.args.get(name, "")
    if len(value) > LONGEST_QUERY:
        raise Refused(400, "bad_request")
    return value


def queries() -> dict[str, str]:
    """Every value of the query; raises Refused."""
    return {name: query(name) for name in request.args}


def wanted_version() -> int | None:
    """The `after` of the query, or None; raises Refused when it is no whole number."""
    after = request.args.get("after", "")
    if not after:
        return None
    if not after.isascii() or not after.isdigit() or len(after) > _DIGITS:
        raise Refused(400, "bad_version")
    return int(after)


def choice(name: str, allowed: tuple[str, ...]) -> str | None:
    """A choice of a form, None where it is none of those allowed."""
    value = request.form.get(name)
    return value if value in allowed else None


def way_back() -> str:
    """The page of this site that a form names under `back`, else the front page.

    Only a path that this site serves is one: a browser drops tabs and line ends of an address, so that
    others may lead anywhere.
    """
    path = request.form.get("back", "/")
    plain = path.isascii() and path.isprintable() and len(path) <= LONGEST_QUERY
    if not plain or not path.startswith("/") or "\\" in path or "//" in path:
        return "/"
    adapter = current_app.url_map.bind("localhost")
    return path if adapter.test(path.partition("?")[0], "GET") else "/"
