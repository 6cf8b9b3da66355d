"""Games over time: which of them make an evening, and what becomes of each player over the years.

Wall-clock labels are all there is to tell evenings apart, and a box without a clock of its own may have had
them wrong; dates from before the companion existed are therefore told as unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from companion.statistics.fairness import Counts, together
from companion.statistics.scores import Score
from companion.statistics.summary import Summary

PAUSE = timedelta(hours=4)
"""A longer pause between two games begins another evening."""

EARLIEST_YEAR = 2026
"""A clock that shows an earlier year was never set."""


@dataclass(frozen=True, slots=True)
class Evening:
    """Games without a long pause between them, oldest first; `id` is that of the first."""

    id: str
    day: date | None
    games: tuple[Summary, ...]


@dataclass(frozen=True, slots=True)
class Career:
    """One player over several games.

    `won` of the `finished` games were won; `even` would have been with equal chances for everybody.
    `name` is the newest spelling, `key` the same for all.
    """

    key: str
    name: str
    colour: str
    games: int
    finished: int
    won: int
    even: float
    score: Score


@dataclass(frozen=True, slots=True)
class Standing:
    """After one more finished game of a player: games won so far, and how many would be even."""

    game: str
    won: int
    even: float


def player_key(name: str) -> str:
    """What spellings of one name share: case, width of letters and spaces do not matter."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def moment(label: str) -> datetime | None:
    """A journal's label as a moment, None where it is none."""
    try:
        found = datetime.fromisoformat(label)
    except ValueError:
        return None
    return found if found.tzinfo else None


def day_of(label: str, zone: tzinfo | None = None) -> date | None:
    """The local day of a label; `zone` is the system's own where none is given. None when never set."""
    found = moment(label)
    if found is None or found.year < EARLIEST_YEAR:
        return None
    return found.astimezone(zone).date()


def in_order(games: Iterable[Summary]) -> tuple[Summary, ...]:
    """Oldest first by their labels, so that a game brought in from elsewhere finds its evening."""
    return tuple(sorted(games, key=lambda game: (moment(game.began) is not None, game.began)))


def evenings(games: Iterable[Summary], zone: tzinfo | None = None) -> tuple[Evening, ...]:
    """The evenings of these games, oldest first."""
    found: list[list[Summary]] = []
    for game in in_order(games):
        if found and _near(found[-1][-1], game):
            found[-1].append(game)
        else:
            found.append([game])
    return tuple(_evening(together_, zone) for together_ in found)


def _near(before: Summary, game: Summary) -> bool:
    """Whether a game follows another without a long pause. A clock set right in between separates them."""
    ended, began = moment(before.ended), moment(game.began)
    return ended is not None and began is not None and began - ended < PAUSE


def _evening(games: Sequence[Summary], zone: tzinfo | None) -> Evening:
    days = (day_of(label, zone) for game in games for label in (game.began, game.ended))
    return Evening(games[0].id, next((day for day in days if day), None), tuple(games))


def careers(games: Iterable[Summary]) -> tuple[Career, ...]:
    """Every player of these games, told apart by name; who played most first."""
    found: dict[str, Career] = {}
    for game in in_order(games):
        for part in game.parts:
            key = player_key(part.name)
            before = found.get(key) or Career(key, part.name, part.colour, 0, 0, 0, 0.0, Score())
            found[key] = replace(
                before,
                name=part.name,
                colour=part.colour,
                games=before.games + 1,
                finished=before.finished + (game.winner is not None),
                won=before.won + (game.winner == part.name),
                even=before.even + (1 / len(game.parts) if game.winner is not None else 0.0),
                score=before.score + part.score,
            )
    return tuple(sorted(found.values(), key=lambda career: (-career.games, career.key)))


def standings(games: Iterable[Summary], key: str) -> tuple[Standing, ...]:
    """How a player's wins added up, finished game by finished game."""
    found: list[Standing] = []
    won, even = 0, 0.0
    for game in in_order(games):
        mine = [part.name for part in game.parts if player_key(part.name) == key]
        if mine and game.winner is not None:
            won, even = won + (game.winner in mine), even + len(mine) / len(game.parts)
            found.append(Standing(game.id, won, even))
    return tuple(found)


def played_by(games: Iterable[Summary], key: str) -> tuple[Summary, ...]:
    """The games that a player took part in, oldest first."""
    return tuple(g for g in in_order(games) if any(player_key(name) == key for name in g.names))


def faces_of(games: Iterable[Summary]) -> dict[str, Counts]:
    """The counts of faces by colour over these games, in order of the colours' names."""
    return dict(sorted(together(dict(game.faces) for game in games).items()))
