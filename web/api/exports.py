"""Kept games for other programs: CSV and JSON of one game or of all, and the sums as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, TypedDict

from flask import Blueprint, Response, jsonify
from msgspec import Meta

from companion.errors import CompanionError
from companion.statistics.evenings import Career, careers, evenings, faces_of
from companion.statistics.exporting import csv_pieces, json_pieces
from companion.statistics.fairness import fairness, of_all
from companion.statistics.record import GameRecord
from web.deps import ArchivePort, TablePort
from web.pages import screens
from web.problems import Refused

Pieces = Callable[[Iterable[GameRecord]], Iterator[str]]

FORMS: dict[str, Pieces] = {"csv": csv_pieces, "json": json_pieces}
MEDIA = {
    "csv": "text/csv; charset=utf-8; header=present",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
}


def blueprint(table: TablePort, archive: ArchivePort) -> Blueprint:
    """The routes for games under /api/v1."""
    routes = Blueprint("exports", __name__, url_prefix="/api/v1")
    for form in FORMS:
        routes.add_url_rule(f"/games.{form}", f"games_{form}", _all_games(archive, form))
        routes.add_url_rule(f"/games/<game_id>.{form}", f"game_{form}", _one_game(archive, form))
    routes.add_url_rule("/games/<game_id>.jsonl", "game_raw", _raw_game(table, archive))
    routes.add_url_rule("/statistics", "sums", lambda: _sums(archive))
    return routes


def _all_games(archive: ArchivePort, form: str) -> Callable[[], Response]:
    return lambda: _file(archive.exported(form), form, "dudo-games")


def _one_game(archive: ArchivePort, form: str) -> Callable[[str], Response]:
    def one(game_id: str) -> Response:
        try:
            found = archive.record(game_id)
        except CompanionError as error:
            raise Refused(404, "not_found") from error
        return _file(FORMS[form]([found]), form, f"dudo-{found.id}")

    return one


def _raw_game(table: TablePort, archive: ArchivePort) -> Callable[[str], Response]:
    def raw(game_id: str) -> Response:
        """A game that cannot be read, as it is stored. No other: a game on the table has hidden dice."""
        current = screens.game_id(table.snapshot().data)
        found = {one.id for one in archive.overview().unreadable} - {current}
        if game_id not in found:
            raise Refused(404, "not_found")
        return _file(archive.raw(game_id), "jsonl", f"dudo-{game_id}")

    return raw


def _file(pieces: Iterable[str], form: str, name: str) -> Response:
    """A file to keep, sent piece by piece."""
    response = Response(pieces, content_type=MEDIA[form])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    response.headers["Cache-Control"] = "no-store"
    return response


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


def _sums(archive: ArchivePort) -> Response:
    """Players over the years, evenings, and the dice."""
    games = archive.overview().games
    dice = fairness(of_all(faces_of(games)))
    sums: SumsJson = {
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
    }
    response = jsonify(sums)
    response.headers["Cache-Control"] = "no-store"
    return response
