"""What the rounds of one game tell of its players: dice over the rounds, calls and bids. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]

WIDTH, HEIGHT, MARGIN = 320.0, 150.0, 12.0


@dataclass(frozen=True, slots=True)
class Course:
    """One player's dice (or lives) before the first round and after every one that was judged."""

    name: str
    colour: str
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How often a player doubted and was right, and how often a doubted bid of theirs held."""

    name: str
    colour: str
    called: int
    called_right: int
    doubted: int
    held: int


def courses(game: Data) -> tuple[Course, ...]:
    """The course of every player, in order of the table."""
    by_lives = (game.get("house") or {}).get("lives")
    changes = [_changes(entry, "lives_change" if by_lives else "dice_change") for entry in _judged(game)]
    return tuple(_course(player, changes, "lives" if by_lives else "dice") for player in game["players"])


def _course(player: Data, changes: Sequence[Data], what: str) -> Course:
    """Backwards from what is left now, so that it is right whatever the game began with."""
    left = [int(player[what] or 0)]
    for change in reversed(changes):
        left.append(left[-1] - int(change.get(player["name"], 0)))
    return Course(player["name"], player["colour"], tuple(reversed(left)))


def scores(game: Data) -> tuple[Score, ...]:
    """The score of every player, in order of the table."""
    return tuple(_score(player["name"], player["colour"], _judged(game)) for player in game["players"])


def _score(name: str, colour: str, rounds: Sequence[Data]) -> Score:
    calls = [entry for entry in rounds if entry["by"] == name]
    bids = [entry for entry in rounds if entry["bidder"] == name and entry["call"] == "dudo"]
    return Score(
        name,
        colour,
        called=len(calls),
        called_right=sum(_right(entry) for entry in calls),
        doubted=len(bids),
        held=sum(bool(entry["verdict"]["stands"]) for entry in bids),
    )


def _right(entry: Data) -> bool:
    """A dudo is right when the bid fails, a calza when it was exact, a doubted pass when it was a bluff."""
    stands = bool(entry["verdict"]["stands"])
    return stands if entry["call"] == "calza" else not stands


def _judged(game: Data) -> list[Data]:
    return [entry for entry in game.get("history", ()) if entry.get("verdict")]


def _changes(entry: Data, what: str) -> Data:
    return entry["verdict"].get(what) or {}


def lines(found: Sequence[Course]) -> list[tuple[Course, str]]:
    """Every course as the points of an SVG polyline, a little apart where players have the same."""
    most = max((max(course.left) for course in found), default=1) or 1
    rounds = max((len(course.left) for course in found), default=2) - 1 or 1
    apart = min(3.0, 14.0 / max(1, len(found)))
    return [(course, _points(course, rounds, most, apart * n)) for n, course in enumerate(found)]


def _points(course: Course, rounds: int, most: int, apart: float) -> str:
    across = (WIDTH - 2 * MARGIN) / rounds
    up = (HEIGHT - 3 * MARGIN) / most
    spots = ((MARGIN + n * across, HEIGHT - MARGIN - left * up - apart) for n, left in enumerate(course.left))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
