"""The JSON API as an OpenAPI 3.1 document: its operations, and the schemas of its types."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.json import schema_components

from companion.table.parsing import SENT
from web.api.operations import OPERATIONS, Operation, Schema
from web.problems import MEDIA_TYPE, ProblemJson

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
    answer = {
        "description": operation.answer,
        "content": {operation.media: {"schema": gives} if gives else {}},
    }
    refused = {
        "description": "Refused, with the reason",
        "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}},
    }
    statuses = sorted({"400", *operation.refused.split()})
    made: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {"200": answer, **dict.fromkeys(statuses, refused)},
    }
    if operation.parameters:
        made["parameters"] = list(operation.parameters)
    if takes:
        made["requestBody"] = {"required": True, "content": {operation.sent_as: {"schema": takes}}}
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
    return {key: _in_place(value, words) for key, value in schema.items()}


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
