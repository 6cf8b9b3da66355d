"""What may be known of dice rolled in phones, worked out anew from what everybody can see of the table.

The module under test is not asked. Besides: a journal with other dice, and what a phone reads of a page.
"""

import json
import re
from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

from flask.testing import FlaskClient
from msgspec.structs import replace

GLANCE = ("/", "/sheet/hand")
ALL = (
    *("/sheet/coach", "/api/v1/state", "/api/v1/rounds"),
    *("/me", "/history", "/board", "/rules", "/setup", "/join", "/statistics", "/preview.jpg"),
    *("/fragment/table", "/fragment/me", "/fragment/board", "/fragment/history", "/api/v1/phone"),
    *("/api/v1/games.json", "/api/v1/games.csv", "/api/v1/statistics", "/pictures/shot1.jpg"),
)
GAMES = (*(f"/api/v1/games/{{}}.{form}" for form in ("json", "csv", "jsonl")), "/statistics/games/{}")
VERSIONS = count(500_000_000, 1_000)


def under(game: Mapping[str, Any], seat: str) -> set[str]:
    """What the player of that seat may look at before a call."""
    player = next((player for player in game["players"] if player["name"] == seat), None)
    if player is None:  # who waits for the next round
        return set()
    now, inside = game["round"], {player["name"] for player in game["players"] if not player["out"]}
    if player["out"]:
        return set()
    if now["visibility"] == "open":
        return inside - {seat}
    if now["visibility"] == "closed":
        return {seat} if player["dice"] == 1 else set()
    undecided = now["kind"] == "palifico" and now["visibility"] is None and not now["bids"]
    return set() if undecided else {seat}


def public(reveal: Mapping[str, Any] | None, thrown: Collection[str]) -> set[str]:
    """Whose dice everybody may know, given what the table shows of a reveal."""
    if not reveal:
        return set()
    return set(thrown) if reveal["call"] != "dudo_pass" else {reveal["bidder"]} & set(thrown)


def seen(
    game: Mapping[str, Any], reveal: Mapping[str, Any] | None, thrown: Collection[str]
) -> set[tuple[str, str]]:
    """Who may have looked at whose dice as the table stands, "" being everybody."""
    shown = public(reveal, thrown)
    seats = [player["name"] for player in game["players"]]
    own = {(seat, cup) for seat in seats for cup in (under(game, seat) | shown) & set(thrown)}
    return own | {("", cup) for cup in shown}


class OtherDice:
    """A journal in which all dice rolled in phones since the last verdict fell otherwise."""

    def __init__(self, journal: Any) -> None:
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def records(self, game: str) -> Any:
        records = self._journal.records(game)
        last = max((r.number for r in records if r.body.get("event") == "revealed"), default=0)
        return tuple(
            replace(r, body={**r.body, "faces": [7 - face for face in r.body["faces"]]})
            if r.number > last and r.body.get("event") in ("rolled", "thrown")
            else r
            for r in records
        )

    def export(self, game: str) -> Any:
        for line in self._journal.export(game):
            row = json.loads(line)
            body = row.get("body") or {}
            if body.get("event") in ("rolled", "thrown"):
                body["faces"] = [7 - face for face in body["faces"]]
            yield json.dumps(row)


def read(phone: FlaskClient, path: str) -> tuple[int, str]:
    answer = phone.get(path)
    return answer.status_code, plain(answer.get_data().decode("utf-8", "replace"))


def plain(text: str) -> str:
    """The text without the numbers of versions."""
    return re.sub(r"\d{7,}", "#", text)
