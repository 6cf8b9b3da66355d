"""The content of requests as typed values: the one place where anything that was sent is believed.

Bodies are strict JSON (RFC 8259): no NaN, no Infinity, no half surrogates, no number that others could not
read, limited nesting. Everything else of a request is text of one line and of a bounded length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Literal, TypeAlias, TypeVar
from urllib.parse import unquote

import msgspec
from flask import current_app, request
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.names import NAME_LENGTH
from companion.rules.presets import PRESETS
from web.problems import Refused

T = TypeVar("T")
Json = dict[str, object]

DEEPEST = 12
LONGEST_TEXT = 2000
LARGEST_WHOLE = 2**53
"""Beyond this, JavaScript cannot distinguish neighbouring numbers."""

LONGEST_QUERY = 300
MAX_PLAYERS = 1000
_DIGITS = 15
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

CommandBody: TypeAlias = Annotated[
    dict[str, object], Meta(extra_json_schema={"$ref": "#/components/schemas/Command"})
]
"""A command not yet looked into: whether the phone may send it comes before whether it makes sense."""

KEY_STEPS = ("key", "key-stop", "key-forget", "key-undo")
WORK: Mapping[str, tuple[str, ...]] = {
    "calibrate": ("focus", "dice", "empty", "keep", "switch-off"),
    "teach": ("show", "recognise", "forget"),
    "colours": ("colour", "mixed"),
    "hardware-test": ("light", "beep", "picture", "again", "leave", *KEY_STEPS),
}
"""The pages of the workshop, each with its steps."""

OnlyTrue: TypeAlias = Annotated[bool, Meta(extra_json_schema={"const": True})]
ClaimNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0})]


# ---- bodies ----------------------------------------------------------------------------------------------


class CommandRequest(Struct, frozen=True):
    """A command as it came, and the version it was based on."""

    command: CommandBody
    based_on: Annotated[int, Meta(extra_json_schema={"minimum": 0})] | None = None


class PressRequest(Struct, frozen=True):
    """A press of the simulated box."""

    button: str
    held: bool = False


class CupRequest(Struct, frozen=True):
    """The bot whose real dice lie under the camera."""

    player: str


class GroupRequest(Struct, frozen=True):
    """A name for a group; or, without one, to forget it."""

    group: str
    name: str | None = None
    forget: OnlyTrue | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.name is None and self.forget is not True:
            raise ValueError("neither a name nor to be forgotten")


class SetupRequest(Struct, frozen=True):
    """A choice of rules for so many players."""

    preset: Annotated[str, Meta(extra_json_schema={"enum": list(PRESETS)})]
    house: dict[str, str | int | bool | None]
    players: Annotated[int, Meta(ge=0, le=MAX_PLAYERS)]


class WorkshopRequest(Struct, frozen=True):
    """A step of the workshop."""

    do: Annotated[str, Meta(extra_json_schema={"enum": [*chain.from_iterable(WORK.values())]})]
    part: str | None = None


class ComeRequest(Struct, frozen=True):
    """Who sits down: without a name the phone is called by a number."""

    name: str = ""
    colour: str = ""
    after: str = ""
    phone_cup: bool = False


BotName: TypeAlias = Annotated[str, Meta(max_length=NAME_LENGTH)]


Feeling: TypeAlias = Literal["laugh", "clap", "gasp"]
"""What a reaction says."""


class PhoneRequest(Struct, frozen=True):
    """The one thing a phone asks for."""

    seat: Annotated[str | UnsetType | None, Meta(description="The seat to take; null: leave it.")] = UNSET
    come: Annotated[
        ComeRequest | UnsetType | None, Meta(description="Sit down late, or before a game; or get up.")
    ] = UNSET
    free: Annotated[str | UnsetType, Meta(description="A seat to make free whose phone is gone.")] = UNSET
    anew: Annotated[OnlyTrue | UnsetType, Meta(description="Everybody else joins anew.")] = UNSET
    lead: Annotated[bool | UnsetType, Meta(description="Take the lead, or give it back.")] = UNSET
    join: Annotated[
        str | bool | UnsetType, Meta(description="The code; or true: ask, which opens a claim.")
    ] = UNSET
    confirm: Annotated[ClaimNumber | UnsetType, Meta(description="The number of a claim.")] = UNSET
    refuse: Annotated[ClaimNumber | UnsetType, Meta(description="The number of a claim.")] = UNSET
    withdraw: OnlyTrue | UnsetType = UNSET
    react: Annotated[Feeling | UnsetType, Meta(description="To what the dice show.")] = UNSET
    bots: Annotated[
        list[BotName] | UnsetType, Meta(description="The bots of the game that is being set up.")
    ] = UNSET

    def __post_init__(self) -> None:
        wishes = [getattr(self, name) for name in self.__struct_fields__]
        if sum(wish is not UNSET for wish in wishes) != 1 or False in (self.anew, self.withdraw, self.join):
            raise ValueError("not one wish")


def sent(kind: type[T], reason: str = "bad_request", body: Json | None = None) -> T:
    """The `body` of a request, read here by default, as a value of this `kind`; raises Refused with `reason`
    where it is none."""
    try:
        return msgspec.convert(json_object() if body is None else body, kind)
    except msgspec.ValidationError as error:
        raise Refused(400, reason) from error


def json_object() -> Json:
    """The body as a strict JSON object sent as such; raises Refused with what is wrong with it."""
    if request.mimetype != "application/json":
        raise Refused(415, "not_json")
    try:
        body = msgspec.json.decode(request.get_data())
        _check(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, "bad_json") from error
    if not isinstance(body, dict):
        raise Refused(400, "bad_json")
    return body


def _check(value: object, depth: int = 0) -> None:
    """Raises ValueError for what is nested too deep, and for numbers and texts that are too large."""
    if depth > DEEPEST:
        raise ValueError("nested too deep")
    if isinstance(value, str) and len(value.encode()) > LONGEST_TEXT:
        raise ValueError("the text is too long")
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        raise ValueError("the number is too large")
    parts = (*value.keys(), *value.values()) if isinstance(value, dict) else value
    for one in parts if isinstance(parts, list | tuple) else ():
        _check(one, depth + 1)


# ---- everything else of a request ------------------------------------------------------------------------


def check_target() -> None:
    """Raises Refused for an address with characters that are none of a line of text."""
    target = request.path + unquote(request.query_string.decode("latin-1"), errors="replace")
    if _CONTROL.search(target):
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


def typed(name: str) -> str:
    """What a person typed into a field of a form, "" where it is missing; raises Refused for too much."""
    value = request.form.get(name, "")
    if len(value) > LONGEST_QUERY:
        raise Refused(400, "bad_request")
    return value


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
