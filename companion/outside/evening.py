"""The games of this evening at one table, and the standings of a club that follow from all tables. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from companion.names import name_key
from companion.rules.fields import Text
from companion.statistics.evenings import PAUSE, Summary, evenings, moment, spans
from companion.table.wire.state import StandingJson


class ResultJson(TypedDict):
    """A game that has a winner."""

    game: Annotated[Text, Meta(description="The id of the game.")]
    began: Annotated[Text | None, Meta(description="When, with its zone; null: the box did not know.")]
    ended: Text | None
    players: Annotated[list[Text], Meta(max_length=40, description="In order of the table.")]
    winner: Text
    winners: NotRequired[
        Annotated[list[Text], Meta(max_length=40, description="The winner, with partners in teams.")]
    ]


class EveningJson(TypedDict):
    """The games of the table's last evening that have a winner, oldest first."""

    table: Annotated[Text, Meta(description="The name of the table.")]
    games: Annotated[list[ResultJson], Meta(max_length=500)]


def evening(games: Iterable[Summary], table: str) -> EveningJson:
    """The last evening of these games at the table called `table`."""
    known = list(games)
    when = spans(known)
    last = evenings(known)[-1:]
    return {
        "table": table,
        "games": [
            {
                "game": game.id,
                "began": _label(when[game.id].began),
                "ended": _label(when[game.id].ended),
                "players": list(game.names),
                "winner": game.winner,
                "winners": list(game.winners),
            }
            for one in last
            for game in one.games
            if game.winner is not None
        ],
    }


def _label(at: datetime | None) -> str | None:
    return at.isoformat(timespec="seconds") if at else None


def this_evening(tables: Iterable[EveningJson]) -> tuple[ResultJson, ...]:
    """The games of all tables since the last pause of four hours, oldest first, each once.

    A table that was killed, or is at home since last week, has its evening still retained: its games count
    by their time. Those of an unknown time count as of tonight.
    """
    found = {game["game"]: game for table in tables for game in table["games"]}
    timed = sorted((times, game["game"]) for game in found.values() if (times := _times(game)) is not None)
    unknown = [game for game in found.values() if _times(game) is None]
    return (*unknown, *(found[name] for name in _since_pause(timed)))


_Times: TypeAlias = tuple[datetime, datetime]


def _times(game: ResultJson) -> _Times | None:
    """When a game began and ended; None where either is unknown."""
    began, ended = moment(game["began"] or ""), moment(game["ended"] or "")
    return (began, ended) if began and ended else None


def _since_pause(timed: Sequence[tuple[_Times, str]]) -> Iterator[str]:
    """The games after the last long pause, in the order given: by when they began."""
    first, last_end = 0, None
    for place, ((began, ended), _) in enumerate(timed):
        if last_end is not None and began - last_end >= PAUSE:
            first = place
        last_end = ended if last_end is None else max(last_end, ended)
    return (name for _, name in timed[first:])


def standings(games: Iterable[ResultJson]) -> list[StandingJson]:
    """Who won most, then who won most beyond what equal chances give; equals share a rank.

    Partners win together. With `k` winners of `n` players the equal chance of each is k / n. A message
    without `winners` comes from an older box: its winner counts alone.
    """
    sums: dict[str, tuple[str, int, int, float]] = {}
    for game in games:
        seats = {name_key(name): name for name in game["players"]}
        winners = seats.keys() & set(map(name_key, game.get("winners") or [game["winner"]]))
        for key, name in seats.items():
            _, won, played, even = sums.get(key, (name, 0, 0, 0.0))
            sums[key] = (name, won + (key in winners), played + 1, even + len(winners) / len(seats))
    rows = sorted(sums.items(), key=lambda row: (-row[1][1], round(row[1][3], 6), row[0]))
    ranks = _ranks([(won, round(even, 6)) for _, (_, won, _, even) in rows])
    return [
        {"rank": rank, "name": name, "won": won, "games": played, "even": even}
        for rank, (_, (name, won, played, even)) in zip(ranks, rows, strict=True)
    ]


def _ranks(scores: list[tuple[int, float]]) -> list[int]:
    """Competition ranking (1, 2, 2, 4) of scores in their order."""
    ranks: list[int] = []
    for place, score in enumerate(scores, 1):
        ranks.append(ranks[-1] if ranks and score == scores[place - 2] else place)
    return ranks
