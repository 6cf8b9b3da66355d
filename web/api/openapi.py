"""The description of the JSON API, OpenAPI 3.1: what the routes in `web.api` take and give."""

from __future__ import annotations

from typing import Any

from companion.rules.ruleset import PRESETS
from web.api.command_schemas import CHOSEN, command_schema
from web.payloads import MOST_PLAYERS
from web.problems import MEDIA_TYPE
from web.sessions.access import Role
from web.workshop_port import CALIBRATION, COLOURS, LESSONS, TRIALS

Schema = dict[str, Any]


def document() -> Schema:
    """The whole document, made anew so that nobody changes another's."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dudo table companion",
            "version": "1",
            "summary": "The state of the table, live, and the commands that change it.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": _paths(),
        "components": {"schemas": _schemas()},
    }


def _paths() -> Schema:
    return {
        "/api/v1/state": {"get": _state()},
        "/api/v1/health": {"get": _health()},
        "/api/v1/commands": {"post": _commands()},
        "/api/v1/phone": {"get": _known(), "post": _phone()},
        "/api/v1/groups": {"get": _groups(), "post": _change_group()},
        "/api/v1/setup/check": {"post": _check_setup()},
        "/api/v1/box/press": {"post": _press()},
        "/api/v1/workshop": {"post": _workshop()},
        "/api/v1/statistics": {"get": _sums()},
        **{f"/api/v1/games.{form}": {"get": _games(form)} for form in ("csv", "json")},
        **{f"/api/v1/games/{{game_id}}.{form}": {"get": _game(form)} for form in ("csv", "json")},
        "/api/v1/games/{game_id}": {"delete": _delete_game()},
        "/api/v1/games/{game_id}.jsonl": {"get": _raw_game()},
        "/api/openapi.json": {"get": _self()},
        "/pictures/{picture_id}.jpg": {"get": _picture("picture", "The evidence behind a verdict")},
        "/pictures/{picture_id}/plain.jpg": {"get": _picture("plain", "The same picture without marks")},
        "/preview.jpg": {"get": _preview()},
    }


def _state() -> Schema:
    after = {
        "name": "after",
        "in": "query",
        "description": "Answer once the version is above this one, or after 20 seconds as it is.",
        "schema": {"type": "integer", "minimum": 0},
    }
    return _operation("state", "The state of the table", _ok("State"), ("400",), parameters=[after])


def _health() -> Schema:
    summary = "How the box is: journal, disk, camera, threads, temperature and supply"
    answer = {"description": "How it is", "content": {"application/json": {"schema": _ref("Health")}}}
    return _operation("health", summary, answer)


def _commands() -> Schema:
    return _operation(
        "command",
        "Change something; a command based on an older version is refused with 409",
        _ok("State"),
        ("400", "403", "409", "413", "415", "422", "503"),
        body="CommandRequest",
    )


def _press() -> Schema:
    summary = "Press a button of the simulated box"
    refused = ("400", "403", "404", "413", "415", "422", "503")
    return _operation("press", summary, _ok("State"), refused, body="PressRequest")


def _workshop() -> Schema:
    summary = "Calibrate the camera or try out a part of the box, as the pages of the workshop do"
    answer = {"description": "Done", "content": {"application/json": {"schema": {"type": "object"}}}}
    refused = ("400", "403", "404", "413", "415", "422", "503")
    return _operation("workshop", summary, answer, refused, body="WorkshopRequest")


def _known() -> Schema:
    return _operation("known", "What this phone is at the table", _this_phone())


def _phone() -> Schema:
    summary = "Come in by a code or a claim, take a seat or leave it (null), take the lead or give it back"
    refused = ("400", "403", "404", "409", "413", "415", "429", "503")
    return _operation("phone", summary, _this_phone(), refused, body="PhoneRequest")


def _this_phone() -> Schema:
    return {"description": "This phone", "content": {"application/json": {"schema": _ref("Phone")}}}


def _groups() -> Schema:
    return _operation("groups", "Everybody who has played here, the last first", _group_list())


def _change_group() -> Schema:
    refused = ("400", "403", "413", "415", "422", "503")
    summary = "Give a group a name of its own, or forget it"
    return _operation("change_group", summary, _group_list(), refused, body="GroupRequest")


def _group_list() -> Schema:
    return {"description": "The groups", "content": {"application/json": {"schema": _ref("Groups")}}}


def _check_setup() -> Schema:
    summary = "What the rules say of a choice of switches, before a game is begun with it"
    schema = {"schema": _ref("SetupVerdict")}
    answer = {"description": "Sentences by switch", "content": {"application/json": schema}}
    return _operation("check_setup", summary, answer, ("400", "413", "415", "422"), body="SetupRequest")


def _sums() -> Schema:
    summary = "Players over the years, evenings, and how the dice fell"
    return _operation("sums", summary, {**_ok("Sums"), "description": "The sums of all kept games"})


def _games(form: str) -> Schema:
    return _operation(f"games_{form}", "Every kept game, as a file", _game_file(form))


def _game(form: str) -> Schema:
    game_id = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string"}}
    return _operation(
        f"game_{form}", "One kept game, as a file", _game_file(form), ("404",), parameters=[game_id]
    )


def _raw_game() -> Schema:
    game_id = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string"}}
    lines = {"description": "Its records as they are stored", "content": {"application/x-ndjson": {}}}
    summary = "A game that cannot be read, as it is stored"
    return _operation("game_raw", summary, lines, ("404",), parameters=[game_id])


def _delete_game() -> Schema:
    game_id = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string"}}
    schema = _object({"deleted": {"type": "string"}}, "deleted")
    answer = {"description": "Its id", "content": {"application/json": {"schema": schema}}}
    summary = "Delete a game with its pictures, corrected dice, sums, and its people if they played no other"
    return _operation("delete_game", summary, answer, ("403", "422", "503"), parameters=[game_id])


def _game_file(form: str) -> Schema:
    if form == "csv":
        return {"description": "A line for every judged round", "content": {"text/csv": {}}}
    return {
        "description": "Everything about every round",
        "content": {"application/json": {"schema": _ref("Games")}},
    }


def _self() -> Schema:
    answer = {"description": "This document", "content": {"application/json": {"schema": {"type": "object"}}}}
    return _operation("openapi", "This document", answer)


def _picture(name: str, summary: str) -> Schema:
    picture_id = {
        "name": "picture_id",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,100}$"},
    }
    return _operation(name, summary, _jpeg(), ("403", "404"), parameters=[picture_id])


def _preview() -> Schema:
    return _operation("preview", "What the camera saw last", _jpeg(), ("403", "404"))


def _operation(
    name: str,
    summary: str,
    ok: Schema,
    refused: tuple[str, ...] = (),
    *,
    parameters: list[Schema] | None = None,
    body: str = "",
) -> Schema:
    """One operation with its answer and the ways it may be refused."""
    made: Schema = {"operationId": name, "summary": summary, "responses": {"200": ok}}
    made["responses"] |= {status: _problem() for status in sorted({"400", *refused})}
    if parameters:
        made["parameters"] = parameters
    if body:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(body)}}}
    return made


def _ok(schema: str) -> Schema:
    return {"description": "The table", "content": {"application/json": {"schema": _ref(schema)}}}


def _jpeg() -> Schema:
    return {"description": "A picture", "content": {"image/jpeg": {}}}


def _problem() -> Schema:
    return {"description": "Refused, with the reason", "content": {MEDIA_TYPE: {"schema": _ref("Problem")}}}


def _ref(schema: str) -> Schema:
    return {"$ref": f"#/components/schemas/{schema}"}


def _schemas() -> Schema:
    return {
        "State": _state_schema(),
        "Command": command_schema(),
        "CommandRequest": _object({"command": _ref("Command"), "based_on": _int()}, "command"),
        "PressRequest": _object({"button": {"type": "string"}, "held": {"type": "boolean"}}, "button"),
        "PhoneRequest": _phone_request(),
        "WorkshopRequest": _workshop_request(),
        "Phone": _phone_schema(),
        "Health": _health_schema(),
        **_setup_schemas(),
        "Sums": _sums_schema(),
        "Games": _games_schema(),
        "Problem": _problem_schema(),
        "Bid": _object(
            {"quantity": _int(1), "face": _int(1, 6), "by": {"type": "string"}}, "quantity", "face"
        ),
    }


def _workshop_request() -> Schema:
    works = {"enum": [*CALIBRATION, *TRIALS, *LESSONS, *COLOURS]}
    return _object({"do": works, "part": {"type": ["string", "null"]}}, "do")


def _phone_request() -> Schema:
    join = {"type": ["string", "boolean"], "description": "The code; or true: ask, which opens a claim."}
    number = {**_int(0), "description": "The number of a claim."}
    free = {"type": "string", "description": "A seat to make free whose phone is gone."}
    anew = {"const": True, "description": "Everybody else joins anew, by a new code."}
    seat: Schema = {"type": ["string", "null"]}
    text: Schema = {"type": "string"}
    come = _object({"name": text, "colour": text, "after": text, "phone_cup": {"type": "boolean"}})
    come = {**come, "type": ["object", "null"], "description": "Sit down late, or before a game; or get up."}
    own = {"join": join, "seat": seat, "come": come, "lead": {"type": "boolean"}, "withdraw": {"const": True}}
    wishes = _object({**own, "free": free, "anew": anew, "confirm": number, "refuse": number})
    return {**wishes, "minProperties": 1, "maxProperties": 1, "additionalProperties": False}


def _health_schema() -> Schema:
    number, flag = {"type": "number"}, {"type": "boolean"}
    words = {"type": "array", "items": {"type": "string"}}
    perhaps = {"type": ["number", "null"]}
    camera = {"name": {"type": "string"}, "thread": flag, "looking": flag}
    members = {
        "ok": {**flag, "description": "The journal can be written, and every thread does its work."},
        "running_s": number,
        "journal": _object({"writable": flag}, "writable"),
        "disk": _object({"free_mb": number, "room": flag}, "free_mb", "room"),
        "camera": _object({**camera, "frame_age_s": perhaps, "fault": {"type": ["string", "null"]}}),
        "threads": {"type": "object", "additionalProperties": number},
        "silent": words,
        "faults": words,
        "temperature_c": perhaps,
        "under_voltage": flag,
    }
    return _object(members, "ok")


def _phone_schema() -> Schema:
    members = {
        "role": {"enum": [str(role) for role in Role]},
        "seat": {"type": ["string", "null"], "description": "Whose phone it is."},
        "joined": {"type": "boolean", "description": "Whether it may take a seat."},
        "leads": {"type": "boolean"},
        "led": {"type": "boolean", "description": "Whether any phone leads."},
        "let_in": {"type": "boolean", "description": "Whether somebody at the table let it in."},
        "claim": {"oneOf": [_claim_schema(), {"type": "null"}]},
    }
    return _object(members, *members)


def _claim_schema() -> Schema:
    members = {
        "number": _int(10, 99),
        "lead": {"type": "boolean", "description": "About the lead, or about being let in."},
        "seat": {"type": ["string", "null"], "description": "Whose phone asks."},
        "mine": {"type": "boolean"},
    }
    return _object(members, *members)


def _state_schema() -> Schema:
    words = ["idle", "bidding", "looking", "question", "stands", "fails", "over", "fault"]
    return _object(
        {
            "version": _int(),
            "state": {"enum": words, "description": "The word the lamps show as well."},
            "notice": _maybe(),
            "can_undo": {"type": "boolean"},
            "undo_hides": {"type": "boolean", "description": "Undo would roll the dice in phones anew."},
            "notes": {"type": "array", "items": {"type": "object"}, "description": "What all were told."},
            "resumed": {"type": "boolean", "description": "Taken up after a restart, untouched since."},
            "game": _maybe(),
            "reveal": _maybe(),
            "verdict": _maybe(),
            "box": {"type": "object"},
        },
        *("version", "state", "can_undo", "game", "reveal", "verdict", "box"),
    )


def _setup_schemas() -> Schema:
    text: Schema = {"type": "string"}
    sentences = {"type": "object", "additionalProperties": text, "description": "A sentence by switch."}
    player = _object({"name": text, "colour": text, "phone_cup": {"type": "boolean"}}, "name")
    group = _object(
        {
            "id": text,
            "name": text,
            "players": {"type": "array", "items": player},
            "preset": text,
            "house": {"type": "object"},
        },
        *("id", "name", "players", "preset", "house"),
    )
    return {
        "Groups": _object({"groups": {"type": "array", "items": group}}, "groups"),
        "GroupRequest": _object({"group": text, "name": text, "forget": {"const": True}}, "group"),
        "SetupRequest": _object(
            {"preset": {"enum": list(PRESETS)}, "house": CHOSEN, "players": _int(0, MOST_PLAYERS)},
            *("preset", "house", "players"),
        ),
        "SetupVerdict": _object(
            {"refused": sentences, "remarks": sentences, "moot": {"type": "array", "items": text}},
            *("refused", "remarks", "moot"),
        ),
    }


def _sums_schema() -> Schema:
    listed = {"type": "array", "items": {"type": "object"}}
    dice = {
        "faces": {"type": "array", "items": _int(), "minItems": 6, "maxItems": 6},
        "by_colour": {"type": "object"},
        "chi_square": {"type": ["number", "null"]},
        "p": {"type": ["number", "null"], "description": "Null with too few dice."},
    }
    return _object(
        {"players": listed, "evenings": listed, "dice": _object(dice, *dice)}, "players", "evenings", "dice"
    )


def _games_schema() -> Schema:
    games = {"type": "array", "items": {"type": "object"}}
    members = {"format": {"const": "dudo-games"}, "version": _int(1), "games": games}
    return _object(members, *members)


def _problem_schema() -> Schema:
    members = {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string", "description": "One sentence in the language asked for."},
        "status": _int(400, 599),
        "reason": {"type": "string", "description": "The key of the sentence in the catalogues."},
        "values": {"type": "object", "description": "What fills the sentence."},
        "version": {"type": "integer", "description": "With 409: the version of the table now."},
    }
    return _object(members, "type", "title", "status", "reason")


def _object(properties: Schema, *required: str) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required)}


def _int(least: int = 0, most: int | None = None) -> Schema:
    bounds = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return {"type": "integer", **bounds}


def _maybe() -> Schema:
    return {"type": ["object", "null"]}
