"""The JSON API as an OpenAPI 3.1 document: its operations, and the schemas of its types."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.json import schema_components
from msgspec.structs import replace

from companion.reveal.viewfinder import Viewed
from companion.statistics.exporting import GamesJson
from companion.table.parsing import SENT
from companion.table.wire.game import RoundsJson
from companion.table.wire.state import HealthJson, StateJson
from web.api.games import DeletedJson, SumsJson
from web.api.setup import GroupsJson, SetupVerdictJson
from web.api.table import ClockJson
from web.payloads import (
    CommandRequest,
    CupRequest,
    GroupRequest,
    PhoneRequest,
    PressRequest,
    SetupRequest,
    WorkshopRequest,
)
from web.problems import MEDIA_TYPE, ProblemJson
from web.sent_pictures import PictureForm, PreviewForm, TakenJson
from web.sessions.wishes import PhoneJson

Schema = dict[str, object]

_JSON = "application/json"


class Operation(Struct, frozen=True):
    """A route with one method: what it gives, and what it takes."""

    method: str
    path: str
    name: str
    summary: str
    gives: object = None
    takes: object = None
    parameters: tuple[Schema, ...] = ()


_AFTER: Schema = {
    "name": "after",
    "in": "query",
    "description": "Answer once the version is above this one, or after 20 seconds as it is.",
    "schema": {"type": "integer", "minimum": 0},
}
_IN_PATHS: dict[str, Schema] = {
    "game_id": {"type": "string"},
    "picture_id": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,100}$"},
}
_MEDIA = {"csv": "text/csv", "jsonl": "application/x-ndjson", "jpg": "image/jpeg"}
"""What a path with that ending gives; every other gives JSON."""

_V1 = (
    Operation("get", "/state", "state", "The state of the table", StateJson, parameters=(_AFTER,)),
    Operation("get", "/rounds", "rounds", "All rounds of the game so far", RoundsJson),
    Operation("get", "/health", "health", "How the box and its parts are", HealthJson),
    Operation(
        *("post", "/commands", "command"),
        "Change something; a command based on an older version is refused with 409",
        *(StateJson, CommandRequest),
    ),
    Operation("get", "/clock", "clock", "How long the player on turn still has", ClockJson),
    Operation("get", "/phone", "known", "What this phone is at the table", PhoneJson),
    Operation(
        *("post", "/phone", "phone"),
        "Come in by a code or a claim, take a seat or leave it (null), take the lead or give it back",
        *(PhoneJson, PhoneRequest),
    ),
    Operation("get", "/groups", "groups", "Everybody who has played here, the last first", GroupsJson),
    Operation(
        *("post", "/groups", "change_group", "Give a group a name of its own, or forget it"),
        *(GroupsJson, GroupRequest),
    ),
    Operation(
        *("post", "/setup/check", "check_setup"),
        "What the rules say of a choice of switches, before a game is begun with it",
        *(SetupVerdictJson, SetupRequest),
    ),
    Operation("post", "/box/press", "press", "Press a button of the simulated box", StateJson, PressRequest),
    Operation(
        *("post", "/bots/look", "look_at_dice"),
        "Have the box look at the real dice of a bot under its camera; answered once they were read",
        *(StateJson, CupRequest),
    ),
    Operation(
        *("post", "/pictures", "take_picture"),
        "Send a picture of a phone: JPEG, PNG, WebP, HEIC with its extra; answered once it was read",
        *(TakenJson, PictureForm),
    ),
    Operation(
        *("post", "/previews", "read_preview"),
        "Have what a viewfinder sees read: it changes nothing, and is dropped while pictures are read",
        *(Viewed, PreviewForm),
    ),
    Operation(
        *("post", "/workshop", "workshop"),
        "Calibrate the camera or try out a part of the box, as the pages of the workshop do",
        *(dict, WorkshopRequest),
    ),
    Operation(
        "get", "/statistics", "sums", "Players over the years, evenings, and how the dice fell", SumsJson
    ),
    Operation("get", "/games.csv", "games_csv", "A line for every judged round"),
    Operation("get", "/games.json", "games_json", "Everything about every round", GamesJson),
    Operation("get", "/games/{game_id}.csv", "game_csv", "A line for every judged round of a game"),
    Operation("get", "/games/{game_id}.json", "game_json", "Everything about one game", GamesJson),
    Operation(
        *("delete", "/games/{game_id}", "delete_game"),
        "Delete a game with its pictures, corrected dice, sums, and its people if they played no other",
        DeletedJson,
    ),
    Operation("get", "/games/{game_id}.jsonl", "game_raw", "A game that cannot be read, as it is stored"),
)
_OTHERS = (
    Operation("get", "/api/openapi.json", "openapi", "This document", dict),
    Operation("get", "/pictures/{picture_id}.jpg", "picture", "The evidence behind a verdict"),
    Operation("get", "/pictures/{picture_id}/plain.jpg", "plain", "The same picture without marks"),
    Operation("get", "/preview.jpg", "preview", "What the camera saw last"),
)
OPERATIONS = (*(replace(one, path=f"/api/v1{one.path}") for one in _V1), *_OTHERS)
"""Every route of the API."""

_REFUSED = {
    "get": ("400", "403", "404"),
    "delete": ("400", "403", "422", "503"),
    "post": ("400", "403", "404", "409", "413", "415", "422", "429", "503"),
}
_FORMS = (PictureForm, PreviewForm)

_REF = "#/components/schemas/{name}"
_PREFIX = _REF.format(name="")


def document() -> Schema:
    """The whole document, made anew so that nobody changes another's."""
    types = [one for operation in OPERATIONS for one in (operation.gives, operation.takes) if one]
    schemas, components = _schemas([*types, ProblemJson, *SENT])
    known = dict(zip(map(id, types), schemas, strict=False))
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        described = _described(operation, known.get(id(operation.gives)), known.get(id(operation.takes)))
        paths.setdefault(operation.path, {})[operation.method] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dudo table companion",
            "version": "1",
            "summary": "The state of the table, live, and the commands that change it.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": {**components, "Command": _command()}},
    }


def _described(operation: Operation, gives: object, takes: object) -> Schema:
    """One operation with its answer and the ways it may be refused."""
    media = _MEDIA.get(operation.path.rpartition(".")[2], _JSON)
    answer = {
        "description": operation.summary,
        "content": {media: {"schema": gives} if gives else {}},
    }
    refused = {
        "description": "Refused, with the reason",
        "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}},
    }
    made: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {"200": answer, **dict.fromkeys(_REFUSED[operation.method], refused)},
    }
    in_path: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": _IN_PATHS[name]}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    if parameters := [*in_path, *operation.parameters]:
        made["parameters"] = parameters
    if takes:
        sent_as = "multipart/form-data" if operation.takes in _FORMS else _JSON
        made["requestBody"] = {"required": True, "content": {sent_as: {"schema": takes}}}
    return made


def _command() -> Schema:
    """Every command, distinguished by its type."""
    refs = {str(one.__struct_config__.tag): _REF.format(name=_named(one.__name__)) for one in SENT}
    return {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "type", "mapping": refs},
        "description": "docs/reference/api.md says what each means.",
    }


def _schemas(types: Iterable[object]) -> tuple[list[object], dict[str, Schema]]:
    """The schema of each type, and of all that these refer to; words that may be chosen stand in place."""
    schemas, components = schema_components(types, schema_hook=_whatever, ref_template=_REF)
    words = {
        _REF.format(name=name): schema for name, schema in components.items() if "properties" not in schema
    }
    named = {
        _named(name): {**_placed(schema, words), "title": _named(name)}
        for name, schema in components.items()
        if "properties" in schema
    }
    named["PhoneRequest"] |= {"minProperties": 1, "maxProperties": 1, "additionalProperties": False}
    return [_in_place(schema, words) for schema in schemas], named


def _whatever(kind: type) -> Schema:
    if kind is object:
        return {"description": "Anything."}
    raise NotImplementedError


def _placed(schema: Schema, words: dict[str, Schema]) -> Schema:
    # the one type that msgspec calls base64 is a file in a form, sent as it is
    return {key: _in_place(value, words) for key, value in schema.items() if key != "contentEncoding"}


def _in_place(value: object, words: dict[str, Schema]) -> object:
    """A part of a schema with our names, and with choices of words in the place of references to them."""
    if isinstance(value, list):
        return [_in_place(one, words) for one in value]
    if isinstance(value, str):
        named = value.startswith(_PREFIX)
        return _PREFIX + _named(value.removeprefix(_PREFIX)) if named else " ".join(value.split())
    if not isinstance(value, dict):
        return value
    chosen = words.get(str(value.get("$ref")))
    if chosen is not None:
        return {**chosen, **{key: one for key, one in value.items() if key != "$ref"}}
    return _placed(value, words)


def _named(name: str) -> str:
    """The name of a type in the document: a command is called by its tag."""
    return _COMMANDS.get(name) or name.removesuffix("Json")


_COMMANDS = {
    **{one.__name__: str(one.__struct_config__.tag).title().replace("_", "") + "Command" for one in SENT},
    "SeatSent": "SeatCommand",
    "Bid": "BidOfChallenge",
}
