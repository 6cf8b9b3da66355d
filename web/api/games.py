"""Kept games: CSV and JSON of one game or of all for other programs, the sums as JSON, and to delete one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, TypedDict

from flask import Blueprint, Response
from msgspec import Meta

from companion.statistics.archive import Archive
from companion.statistics.evenings import Career, careers, evenings, faces_of
from companion.statistics.exporting import FORMS, whole
from companion.statistics.fairness import fairness, of_all
from web.page_table import PageTable
from web.pages import screens
from web.pages.statistics import hiding, recorded
from web.problems import Refused
from web.sessions.phones import Phones

MEDIA = {
    "csv": "text/csv; charset=utf-8; header=present",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
}


def blueprint(archive: Archive, forget_game: Callable[[str], None], phones: Phones) -> Blueprint:
    """The routes for games under /api/v1; who manages the box may delete one: `forget_game` deletes it with
    all that is kept of it."""
    routes, table = Blueprint("games", __name__, url_prefix="/api/v1"), phones.table
    for form in FORMS:
        routes.add_url_rule(f"/games.{form}", f"games_{form}", partial(_all_games, table, archive, form))
        routes.add_url_rule(
            f"/games/<game_id>.{form}", f"game_{form}", partial(_one_game, table, archive, form)
        )
    routes.add_url_rule("/games/<game_id>.jsonl", "game_raw", partial(_raw_game, table, archive))
    routes.add_url_rule("/statistics", "sums", partial(_sums, archive))

    @routes.delete("/games/<game_id>")
    def delete_game(game_id: str) -> DeletedJson:
        phones.must_manage()
        forget_game(game_id)
        return {"deleted": game_id}

    return routes


def _all_games(table: PageTable, archive: Archive, form: str) -> Response:
    return _file(archive.exported(form, but=hiding(table)), form, "dudo-games")


def _one_game(table: PageTable, archive: Archive, form: str, game_id: str) -> Response:
    if game_id == hiding(table):
        raise Refused(404, "not_found")
    found = recorded(archive, game_id)
    return _file(whole(form, (FORMS[form](found),)), form, f"dudo-{found.id}")


def _raw_game(table: PageTable, archive: Archive, game_id: str) -> Response:
    """A game that cannot be read, as it is stored. No other: a game on the table has hidden dice."""
    current = screens.game_id(table.snapshot().data)
    found = {one.id for one in archive.overview().unreadable} - {current}
    if game_id not in found:
        raise Refused(404, "not_found")
    return _file(archive.raw(game_id), "jsonl", f"dudo-{game_id}")


def _file(pieces: Iterable[str], form: str, name: str) -> Response:
    """A file to keep, sent piece by piece."""
    response = Response(pieces, content_type=MEDIA[form])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return response


class DeletedJson(TypedDict):
    """The id of a game that is no more."""

    deleted: str


class PlayedGameJson(TypedDict):
    """A game of an evening."""

    id: str
    winner: str | None


class EveningJson(TypedDict):
    """The games of one evening; `day` as 2026-05-17."""

    id: str
    day: str | None
    games: list[PlayedGameJson]


class DiceJson(TypedDict):
    """How the dice fell: numbers of ones to sixes, and whether chance explains them."""

    faces: Annotated[list[int], Meta(min_length=6, max_length=6)]
    by_colour: dict[str, list[int]]
    chi_square: float | None
    p: Annotated[float | None, Meta(description="Null with too few dice.")]


class SumsJson(TypedDict):
    """Players over the years, evenings, and the dice."""

    players: list[Career]
    evenings: list[EveningJson]
    dice: DiceJson
    pending: Annotated[int, Meta(description="So many games are still to be added up: ask again.")]


def _sums(archive: Archive) -> SumsJson:
    """Players over the years, evenings, and the dice."""
    overview = archive.overview()
    games = overview.games
    dice = fairness(of_all(faces_of(games)))
    return {
        "players": list(careers(games)),
        "evenings": [
            {
                "id": evening.id,
                "day": evening.day.isoformat() if evening.day else None,
                "games": [{"id": game.id, "winner": game.winner} for game in evening.games],
            }
            for evening in evenings(games)
        ],
        "dice": {
            "faces": list(dice.counts),
            "by_colour": {colour: list(counts) for colour, counts in faces_of(games).items()},
            "chi_square": dice.statistic,
            "p": dice.p_value,
        },
        "pending": overview.pending,
    }
