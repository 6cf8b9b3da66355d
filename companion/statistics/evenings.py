"""Games over time: which of them make an evening, and the career of each player over the years.

Wall-clock labels separate evenings, and a box without a clock of its own may have had them wrong. Labels of
one start of the machine are corrected by the monotonic clock (`spans`). Dates from before the companion
existed are shown as unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from msgspec import Struct
from msgspec.structs import fields, replace

from companion.names import name_key
from companion.statistics.fairness import Counts, faces_by_colour, left_out, together
from companion.statistics.record import GameRecord, Labels
from companion.statistics.scores import Score, scores


class Part(Struct, frozen=True):
    """One player's part in a game."""

    name: str
    colour: str
    score: Score


class Summary(Labels, frozen=True, kw_only=True):
    """A game's sums over `rounds` that were judged. `faces` are (colour, counts) of real dice, `left_out`
    those nobody knew for certain."""

    rounds: int
    parts: tuple[Part, ...]
    faces: tuple[tuple[str, Counts], ...] = ()
    left_out: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Who played, in order of the table."""
        return tuple(part.name for part in self.parts)


def summary(game: GameRecord) -> Summary:
    """The sums of a game."""
    by_name = scores(game)
    return Summary(
        **{one.name: getattr(game, one.name) for one in fields(Labels)},
        rounds=len(game.rounds),
        parts=tuple(Part(name, colour, by_name[name]) for name, colour in game.players),
        faces=tuple(faces_by_colour(game).items()),
        left_out=left_out(game),
    )


PAUSE = timedelta(hours=4)
"""A longer pause between two games begins another evening."""

EARLIEST_YEAR = 2026
"""A clock that shows an earlier year was never set."""


class Evening(Struct, frozen=True):
    """Games without a long pause between them, oldest first; `id` is that of the first."""

    id: str
    day: date | None
    games: tuple[Summary, ...]


class Career(Struct, frozen=True):
    """One player over several games.

    `won` of the `finished` games were won, alone or with partners; `even` would have been with equal chances
    for everybody: k winners of n players are k / n each.
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


class Standing(Struct, frozen=True):
    """After one more finished game of a player: games won so far, and how many would be even."""

    game: str
    won: int
    even: float


def moment(label: str) -> datetime | None:
    """A journal's label as a moment, None where it is none."""
    try:
        found = datetime.fromisoformat(label)
    except ValueError:
        return None
    return found if found.tzinfo else None


def _tick(label: str) -> tuple[str, int]:
    """The start of the machine and the seconds after it (`form.ticking`); "" for a record without."""
    boot, _, up = label.partition("+")
    return (boot, int(up)) if up.isascii() and up.isdigit() else ("", 0)


def _day(at: datetime, zone: tzinfo | None) -> date | None:
    """The local day of a moment; `zone` None: the system's own. None where the clock was never set."""
    return at.astimezone(zone).date() if at.year >= EARLIEST_YEAR else None


class Span(Struct, frozen=True):
    """When a game began and ended, as far as that is known."""

    began: datetime | None
    ended: datetime | None


def spans(games: Iterable[Summary]) -> dict[str, Span]:
    """When each game began and ended, by its id.

    Within one start of the machine the newest label is believed, for a clock that is set is set right; all
    older ones follow from it by the clock that never jumps. Where there is none, a label from before the
    clock was set gives way to the other one of its game.
    """
    known = list(games)
    starts: dict[str, tuple[int, datetime]] = {}
    for game in known:
        for label, text in ((game.began, game.began_tick), (game.ended, game.ended_tick)):
            (boot, up_s), at = _tick(text), moment(label)
            if boot and at and up_s >= starts.get(boot, (-1, at))[0]:
                starts[boot] = (up_s, at - timedelta(seconds=up_s))
    return {game.id: _span(game, starts) for game in known}


def _span(game: Summary, starts: Mapping[str, tuple[int, datetime]]) -> Span:
    began, ended = (
        starts[boot][1] + timedelta(seconds=up_s) if boot in starts else moment(label)
        for label, (boot, up_s) in (
            (game.began, _tick(game.began_tick)),
            (game.ended, _tick(game.ended_tick)),
        )
    )
    if began and ended and (ended < began or began.year < EARLIEST_YEAR <= ended.year):
        began = ended
    return Span(began, ended)


def in_order(games: Iterable[Summary]) -> tuple[Summary, ...]:
    """Oldest first by when they began, so that a game brought in from elsewhere finds its evening. Games of
    which that is unknown come first, in the journal's order."""
    known = list(games)
    when = spans(known)
    return tuple(sorted(known, key=lambda game: when[game.id].began or _BEFORE_ALL))


_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def evenings(games: Iterable[Summary], zone: tzinfo | None = None) -> tuple[Evening, ...]:
    """The evenings of these games, oldest first."""
    known = list(games)
    when = spans(known)
    found: list[list[Summary]] = []
    for game in in_order(known):
        if found and _near(when[found[-1][-1].id], when[game.id]):
            found[-1].append(game)
        else:
            found.append([game])
    return tuple(_evening(together_, when, zone) for together_ in found)


def _near(before: Span, game: Span) -> bool:
    """Whether a game follows another without a long pause."""
    return before.ended is not None and game.began is not None and game.began - before.ended < PAUSE


def _evening(games: Sequence[Summary], when: Mapping[str, Span], zone: tzinfo | None) -> Evening:
    moments = (at for game in games for at in (when[game.id].began, when[game.id].ended))
    days = (_day(at, zone) for at in moments if at)
    return Evening(games[0].id, next((day for day in days if day), None), tuple(games))


def careers(games: Iterable[Summary]) -> tuple[Career, ...]:
    """The career of every player of these games, by name; who played most comes first."""
    found: dict[str, Career] = {}
    for game in in_order(games):
        for part in game.parts:
            key = name_key(part.name)
            before = found.get(key) or Career(key, part.name, part.colour, 0, 0, 0, 0.0, Score())
            found[key] = replace(
                before,
                name=part.name,
                colour=part.colour,
                games=before.games + 1,
                finished=before.finished + (game.winner is not None),
                won=before.won + (part.name in game.winners),
                even=before.even + len(game.winners) / len(game.parts),
                score=before.score + part.score,
            )
    return tuple(sorted(found.values(), key=lambda career: (-career.games, career.key)))


def standings(games: Iterable[Summary], key: str) -> tuple[Standing, ...]:
    """How a player's wins added up, finished game by finished game."""
    found: list[Standing] = []
    won, even = 0, 0.0
    for game in in_order(games):
        mine = [part.name for part in game.parts if name_key(part.name) == key]
        if mine and game.winner is not None:
            won += any(name in game.winners for name in mine)
            even += len(mine) * len(game.winners) / len(game.parts)
            found.append(Standing(game.id, won, even))
    return tuple(found)


def played_by(games: Iterable[Summary], key: str) -> tuple[Summary, ...]:
    """The games that a player took part in, oldest first."""
    return tuple(g for g in in_order(games) if any(name_key(name) == key for name in g.names))


def faces_of(games: Iterable[Summary]) -> dict[str, Counts]:
    """The counts of faces by colour over these games, in order of the colours' names."""
    return dict(sorted(together(dict(game.faces) for game in games).items()))
