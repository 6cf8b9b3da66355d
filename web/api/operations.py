"""Every operation of the JSON API: route, summary, types of request and answer, statuses of refusals."""

from __future__ import annotations

from dataclasses import dataclass

from companion.health_json import HealthJson
from companion.statistics.exporting import GamesJson
from companion.table.wire.state import StateJson
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
from web.sent_pictures import PictureForm, PreviewForm, TakenJson, ViewedJson
from web.sessions.wishes import PhoneJson

Schema = dict[str, object]

_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Operation:
    """A route with one method: what it answers, what it takes, and by which statuses it may be refused."""

    method: str
    path: str
    name: str
    summary: str
    answer: str
    gives: object = None
    media: str = _JSON
    refused: str = ""
    takes: object = None
    sent_as: str = _JSON
    parameters: tuple[Schema, ...] = ()


_AFTER: Schema = {
    "name": "after",
    "in": "query",
    "description": "Answer once the version is above this one, or after 20 seconds as it is.",
    "schema": {"type": "integer", "minimum": 0},
}
_GAME: Schema = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string"}}
_PICTURE: Schema = {
    "name": "picture_id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,100}$"},
}
_V1 = "/api/v1"

OPERATIONS = (
    Operation(
        *("get", f"{_V1}/state", "state", "The state of the table", "The table", StateJson),
        parameters=(_AFTER,),
    ),
    Operation(
        *("get", f"{_V1}/health", "health"),
        "How the box is: journal, disk, camera, threads, temperature and supply",
        *("How it is", HealthJson),
    ),
    Operation(
        *("post", f"{_V1}/commands", "command"),
        "Change something; a command based on an older version is refused with 409",
        *("The table", StateJson),
        refused="403 409 413 415 422 503",
        takes=CommandRequest,
    ),
    Operation(
        *("get", f"{_V1}/clock", "clock", "How long the player on turn still has"),
        *("The time left", ClockJson),
    ),
    Operation(
        *("get", f"{_V1}/phone", "known", "What this phone is at the table", "This phone", PhoneJson),
    ),
    Operation(
        *("post", f"{_V1}/phone", "phone"),
        "Come in by a code or a claim, take a seat or leave it (null), take the lead or give it back",
        *("This phone", PhoneJson),
        refused="403 404 409 413 415 422 429 503",
        takes=PhoneRequest,
    ),
    Operation(
        *("get", f"{_V1}/groups", "groups", "Everybody who has played here, the last first"),
        *("The groups", GroupsJson),
    ),
    Operation(
        *("post", f"{_V1}/groups", "change_group", "Give a group a name of its own, or forget it"),
        *("The groups", GroupsJson),
        refused="403 413 415 422 503",
        takes=GroupRequest,
    ),
    Operation(
        *("post", f"{_V1}/setup/check", "check_setup"),
        "What the rules say of a choice of switches, before a game is begun with it",
        *("Sentences by switch", SetupVerdictJson),
        refused="413 415 422",
        takes=SetupRequest,
    ),
    Operation(
        *("post", f"{_V1}/box/press", "press", "Press a button of the simulated box"),
        *("The table", StateJson),
        refused="403 404 413 415 422 503",
        takes=PressRequest,
    ),
    Operation(
        *("post", f"{_V1}/bots/look", "look_at_dice"),
        "Have the box look at the real dice of a bot under its camera; answered once they were read",
        *("The table", StateJson),
        refused="403 409 413 415 422 503",
        takes=CupRequest,
    ),
    Operation(
        *("post", f"{_V1}/pictures", "take_picture"),
        "Send a picture of a phone: JPEG, PNG, WebP, HEIC with its extra; answered once it was read",
        *("The place it became", TakenJson),
        refused="403 409 413 415 422 429 503",
        takes=PictureForm,
        sent_as="multipart/form-data",
    ),
    Operation(
        *("post", f"{_V1}/previews", "read_preview"),
        "Have what a viewfinder sees read: it changes nothing, and is dropped while pictures are read",
        *("Where dice lie, without their faces", ViewedJson),
        refused="403 409 413 415 422 429 503",
        takes=PreviewForm,
        sent_as="multipart/form-data",
    ),
    Operation(
        *("post", f"{_V1}/workshop", "workshop"),
        "Calibrate the camera or try out a part of the box, as the pages of the workshop do",
        *("Done", dict),
        refused="403 404 413 415 422 503",
        takes=WorkshopRequest,
    ),
    Operation(
        *("get", f"{_V1}/statistics", "sums", "Players over the years, evenings, and how the dice fell"),
        *("The sums of all kept games", SumsJson),
    ),
    Operation(
        *("get", f"{_V1}/games.csv", "games_csv", "Every kept game, as a file"),
        *("A line for every judged round", None, "text/csv"),
    ),
    Operation(
        *("get", f"{_V1}/games.json", "games_json", "Every kept game, as a file"),
        *("Everything about every round", GamesJson),
    ),
    Operation(
        *("get", f"{_V1}/games/{{game_id}}.csv", "game_csv", "One kept game, as a file"),
        *("A line for every judged round", None, "text/csv", "404"),
        parameters=(_GAME,),
    ),
    Operation(
        *("get", f"{_V1}/games/{{game_id}}.json", "game_json", "One kept game, as a file"),
        *("Everything about every round", GamesJson, _JSON, "404"),
        parameters=(_GAME,),
    ),
    Operation(
        *("delete", f"{_V1}/games/{{game_id}}", "delete_game"),
        "Delete a game with its pictures, corrected dice, sums, and its people if they played no other",
        answer="Its id",
        gives=DeletedJson,
        refused="403 422 503",
        parameters=(_GAME,),
    ),
    Operation(
        *("get", f"{_V1}/games/{{game_id}}.jsonl", "game_raw", "A game that cannot be read, as it is stored"),
        *("Its records as they are stored", None, "application/x-ndjson", "404"),
        parameters=(_GAME,),
    ),
    Operation("get", "/api/openapi.json", "openapi", "This document", "This document", dict),
    Operation(
        *("get", "/pictures/{picture_id}.jpg", "picture", "The evidence behind a verdict"),
        *("A picture", None, "image/jpeg", "403 404"),
        parameters=(_PICTURE,),
    ),
    Operation(
        *("get", "/pictures/{picture_id}/plain.jpg", "plain", "The same picture without marks"),
        *("A picture", None, "image/jpeg", "403 404"),
        parameters=(_PICTURE,),
    ),
    Operation(
        *("get", "/preview.jpg", "preview", "What the camera saw last"),
        *("A picture", None, "image/jpeg", "403 404"),
    ),
)
"""Every route of the API."""
